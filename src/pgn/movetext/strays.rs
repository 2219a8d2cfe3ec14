//! Looking for a tag pair behind text that means nothing: marks, words, HTML.
//!
//! A tag section goes on behind such text, and a game may begin behind it. The text is read as movetext would read it, up to
//! the place where movetext would end because a tag pair begins. So whoever does not find a pair, and lets the movetext begin
//! instead, reads nothing a third time.

use crate::pgn::movetext::Movetext;
use crate::pgn::token::{Token, is_move_shaped, is_stray};

/// Between two tag pairs no more text than this is passed, in bytes, comments and white space not counted.
const MOST: usize = 8 * 1024;

/// What comes behind text that means nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Behind {
    /// A tag pair begins here.
    Pair(usize),
    /// A move, a move number with its period, or a result.
    Movetext,
    /// The end of the text, or too much of it.
    Nothing,
}

/// What comes first from `at` on, a tag pair or what is evidently movetext.
pub(crate) fn behind_strays(text: &[u8], at: usize) -> Behind {
    let mut movetext = Movetext::new(text, at);
    let mut passed = 0;
    while let Some(token) = movetext.next_token() {
        let span = movetext.span();
        match token {
            Token::San(san) if is_move_shaped(san) => return Behind::Movetext,
            Token::Termination(_) => return Behind::Movetext,
            Token::MoveNumber { .. } if is_evident_number(text, &text[span.clone()], span.end) => {
                return Behind::Movetext;
            }
            // A pair ends the movetext anywhere only outside variations.
            Token::VariationStart | Token::VariationEnd => movetext = Movetext::new(text, span.end),
            _ => {}
        }
        if !matches!(token, Token::Comment(_)) {
            passed += span.len();
            if passed > MOST {
                return Behind::Nothing;
            }
        }
    }
    match text.get(movetext.offset()) {
        Some(b'[') => Behind::Pair(movetext.offset()),
        _ => Behind::Nothing,
    }
}

/// Where a tag pair begins in a line behind marks that are neither words nor moves; the marks begin at `at`.
pub(crate) fn pair_behind_marks(line: &[u8], at: usize) -> Option<usize> {
    pair_in_line(line, at, |token| match token {
        Token::San(san) => is_stray(san),
        Token::Termination(_) | Token::MoveNumber { black: true, .. } => false,
        _ => true,
    })
}

/// Where a tag pair begins in a line behind whatever is no movetext.
pub(crate) fn pair_behind_words(line: &[u8], at: usize) -> Option<usize> {
    pair_in_line(line, at, |token| match token {
        Token::San(san) => !is_move_shaped(san),
        Token::Termination(_) => false,
        _ => true,
    })
}

fn pair_in_line(line: &[u8], at: usize, is_passed: impl Fn(&Token<'_>) -> bool) -> Option<usize> {
    memchr::memchr(b'[', &line[at..])?;
    let mut movetext = Movetext::new(line, at);
    while let Some(token) = movetext.next_token() {
        match token {
            Token::VariationStart | Token::VariationEnd => movetext = Movetext::new(line, movetext.offset()),
            token if is_passed(&token) => {}
            _ => return None,
        }
    }
    (line.get(movetext.offset()) == Some(&b'[')).then_some(movetext.offset())
}

/// Whether a number has its period and is no part of a date: `1.` and `12...`, and neither `12` nor `2019.` before `06.01`.
fn is_evident_number(text: &[u8], number: &[u8], end: usize) -> bool {
    let is_castling = || matches!(&text[end..], [b'0', b'-', ..]) || text[end..].starts_with("0–".as_bytes());
    number.ends_with(b".") && (!text.get(end).is_some_and(u8::is_ascii_digit) || is_castling())
}

#[cfg(test)]
mod tests {
    use super::{Behind, behind_strays, pair_behind_marks};

    /// What stands behind `|`: the rest from the pair on, or the name of what is there.
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let at = text.find('|').unwrap();
        let text = text.replacen('|', "", 1);
        let found = match behind_strays(text.as_bytes(), at) {
            Behind::Pair(pair) => &text[pair..],
            Behind::Movetext => "movetext",
            Behind::Nothing => "nothing",
        };
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn marks_words_and_lines_are_passed() {
        check("[A \"\"]|] [B \"\"]", "[B \"\"]");
        check("[A \"\"]|, x .\n<br /> word \u{1} \n\n[B \"\"]", "[B \"\"]");
        check("[A \"\"]| {c} ; [C \"\"]\n% [D \"\"]\n( [B \"\"]", "[B \"\"]");
        check("[A \"\"]| 12 games [1] on 2019.06.01\n[B x]", "[B x]");
    }

    #[test]
    fn what_is_evidently_movetext_is_not_passed() {
        for movetext in ["1. e4", "1.", "12...", "e4", "Nf3", "O-O", "1.0-0", "*", "1-0", "½-½", "x (1-0", "! ) Sf3"]
        {
            check(&format!("[A \"\"]| {movetext} [B \"\"]"), "movetext");
        }
    }

    #[test]
    fn too_much_text_is_not_passed() {
        check(&format!("[A \"\"]|{}[B \"\"]", "word ".repeat(3000)), "nothing");
        check(&format!("[A \"\"]|{}{{{}}}[B \"\"]", " ".repeat(30_000), "c".repeat(30_000)), "[B \"\"]");
        check("[A \"\"]| {never [B \"\"]", "nothing");
        check("[A \"\"]| [%clk 1]", "nothing");
    }

    #[test]
    fn a_game_may_begin_behind_marks() {
        assert_eq!(pair_behind_marks(b"> [A \"\"]", 0), Some(2));
        assert_eq!(pair_behind_marks(b"[[A \"\"]]", 0), Some(1));
        assert_eq!(pair_behind_marks(b"<p>[A \"\"]", 0), Some(3));
        assert_eq!(pair_behind_marks(b"see [A \"\"]", 0), None);
        assert_eq!(pair_behind_marks(b"> e4 [A \"\"]", 0), None);
        assert_eq!(pair_behind_marks(b"> ; [A \"\"]", 0), None);
    }
}
