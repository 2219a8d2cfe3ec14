//! Searches for a tag pair behind text without a meaning: marks, words, HTML.
//!
//! A tag section continues behind such text, and a game may begin behind it. The text is read by the tokens of
//! movetext, up to the place where movetext would end because a tag pair begins. If no tag pair is found, the text is
//! read only once more, as movetext.

use crate::movetext::Movetext;
use crate::symbol::{is_move_shaped, is_stray, symbol};
use crate::tag_pair::{any_pair, begins_tags};
use crate::token::Token;

/// The greatest length in bytes of text without a meaning between two tag pairs. Comments and white space are not
/// counted.
const MOST: usize = 8 * 1024;

/// The first thing with a meaning behind such text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Behind {
    /// A tag pair begins here.
    Pair(usize),
    /// A move, a move number with its period, or a result.
    Movetext,
    /// The end of the text, or too much text without a meaning.
    Nothing,
}

/// Returns what comes first from `at` on: a tag pair or text that is certainly movetext.
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
            // Outside variations a tag pair ends the movetext at any place.
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

/// Returns the place of the number 1 of a game whose moves begin behind text without a meaning, which begins at `at`:
/// `D`, `-----`, `Odds of the queen's rook`, `30m`. None if there is no such text, or only numbers.
pub(crate) fn first_number_behind(text: &[u8], at: usize) -> Option<usize> {
    let mut place = at;
    let mut is_text = false;
    while place - at <= MOST {
        let mut movetext = Movetext::new(text, place);
        let token = movetext.next_token()?;
        let span = movetext.span();
        match token {
            Token::San(skipped) | Token::Skipped(skipped) if !is_move_shaped(skipped) => {
                is_text |= !skipped.iter().all(u8::is_ascii_digit);
            }
            Token::MoveNumber { number: 1, .. } if is_evident_number(text, &text[span.clone()], span.end) => {
                return is_text.then_some(span.start);
            }
            Token::MoveNumber { .. } if !is_evident_number(text, &text[span.clone()], span.end) => {}
            _ => return None,
        }
        place = span.end;
    }
    None
}

/// Returns the start of a tag pair in a line, behind marks that are neither words nor moves. The marks begin at `at`.
pub(crate) fn pair_behind_marks(line: &[u8], at: usize) -> Option<usize> {
    pair_in_line(line, at, |token| match token {
        Token::San(san) => is_stray(san),
        Token::Termination(_) | Token::MoveNumber { black: true, .. } => false,
        _ => true,
    })
}

/// Returns the start of a tag pair in a line, behind text that is not movetext.
pub(crate) fn pair_behind_words(line: &[u8], at: usize) -> Option<usize> {
    pair_in_line(line, at, |token| match token {
        Token::San(san) => !is_move_shaped(san),
        Token::Termination(_) => false,
        _ => true,
    })
}

/// Returns the start of the game in a line that begins with a label: `PGN: [Event "x"]`, `Game 2: [Event "x"]`, or the
/// columns of a list of openings, `A00<TAB>Amar Opening<TAB>1. Nh3`. The label begins at `at`, and is neither movetext
/// nor a sentence about tags: the line ends behind its tag pairs, or movetext follows them.
#[doc(hidden)]
pub fn labelled_game(line: &[u8], at: usize) -> Option<usize> {
    if let Some(pair) = pair_behind_words(line, at) {
        let mut behind = &line[pair..];
        while behind.starts_with(b"[") {
            behind = any_pair(behind).0.trim_ascii_start();
        }
        let is_movetext = || matches!(behind[0], b'{' | b'*' | b'0'..=b'9') || is_move_shaped(symbol(behind).0);
        let is_label = !line[..pair].trim_ascii_end().last().is_some_and(u8::is_ascii_alphabetic);
        return (pair > at && is_label && begins_tags(line, pair) && (behind.is_empty() || is_movetext()))
            .then_some(pair);
    }
    let columns = memchr::memchr_iter(b'\t', &line[at..]).map(|tab| at + tab + 1);
    columns.take(MOST_COLUMNS).find(|column| begins_column_of_moves(&line[*column..]))
}

/// The number of columns in which moves are searched for.
const MOST_COLUMNS: usize = 16;

/// Returns the start of the moves in a line behind a label of at most three words: `Game 2: 1. e4`, `A00 1. Nh3`. The
/// label begins at `at`, and ends with a colon or is an ECO code.
pub(crate) fn labelled_moves(line: &[u8], at: usize) -> Option<usize> {
    let text = &line[at..];
    let words = text.iter().zip(0..).filter(|(byte, _)| matches!(byte, b' ' | b'\t')).map(|(_, end)| end).take(3);
    words.filter(|end| *end > 0).map(|end| (&text[..end], end)).find_map(|(label, end)| {
        let is_code = matches!(label, [b'A'..=b'E', b'0'..=b'9', b'0'..=b'9']);
        let is_label = is_code || label.ends_with(b":") && label[0].is_ascii_alphabetic();
        let moves = text[end..].trim_ascii_start();
        (is_label && begins_column_of_moves(moves)).then(|| line.len() - moves.len())
    })
}

/// Whether the moves of an opening begin here: `1.` and a move.
pub(crate) fn begins_column_of_moves(column: &[u8]) -> bool {
    let moves = column.strip_prefix(b"1.").map(<[u8]>::trim_ascii_start);
    moves.is_some_and(|moves| is_move_shaped(symbol(moves).0))
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

/// Whether a number has its period and is not part of a date. `1.` and `12...` pass. `12`, and `2019.` before `06.01`,
/// do not.
fn is_evident_number(text: &[u8], number: &[u8], end: usize) -> bool {
    let is_castling = || matches!(&text[end..], [b'0', b'-', ..]) || text[end..].starts_with("0–".as_bytes());
    number.ends_with(b".") && (!text.get(end).is_some_and(u8::is_ascii_digit) || is_castling())
}

#[cfg(test)]
mod tests {
    use super::{Behind, MOST, behind_strays, labelled_game, pair_behind_marks, pair_behind_words};

    /// Compares the text behind `|`: the rest from the tag pair on, or the name of the result.
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
        check("[A \"\"]| 12 games [1] on 2019.06.01\n[ECO x]", "[ECO x]");
    }

    #[test]
    fn what_is_evidently_movetext_is_not_passed() {
        for movetext in
            ["1. e4", "1.", "12...", "e4", "Nf3", "O-O", "1.0-0", "1.0–0", "*", "1-0", "½-½", "x (1-0", "! ) Sf3"]
        {
            check(&format!("[A \"\"]| {movetext} [B \"\"]"), "movetext");
        }
    }

    #[test]
    fn too_much_text_is_not_passed() {
        check(&format!("[A \"\"]|{}[B \"\"]", "word ".repeat(MOST / 4)), "[B \"\"]");
        check(&format!("[A \"\"]|{}[B \"\"]", "word ".repeat(MOST / 4 + 1)), "nothing");
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
        assert_eq!(pair_behind_marks(b"* [A \"\"]", 0), None);
        assert_eq!(pair_behind_marks(b"1... [A \"\"]", 0), None);
        assert_eq!(pair_behind_marks(b"1. ( [A \"\"]", 0), Some(5));
    }

    #[test]
    fn words_are_passed_before_a_pair_and_movetext_is_not() {
        assert_eq!(pair_behind_words(b"White wins (on time) [A \"\"]", 0), Some(21));
        for line in ["1-0 [A \"\"]", "e4 [A \"\"]", "words", "{c [A \"\"]", "; [A \"\"]"] {
            assert_eq!(pair_behind_words(line.as_bytes(), 0), None, "{line}");
        }
    }

    #[test]
    fn a_label_stands_before_a_game_on_its_line() {
        for (line, expected) in [
            ("PGN: [A \"\"]", Some(5)),
            ("Game 2: [A \"\"][B \"\"] {c}", Some(8)),
            ("PGN: [A \"\"] 1. e4", Some(5)),
            ("PGN: [A \"\"] e4", Some(5)),
            ("A00\tAmar\t1. Nh3", Some(9)),
            // No label, no end of a label, no movetext behind the tags, and no tag.
            ("[A \"\"]", None),
            ("see [A \"\"]", None),
            ("see: [A \"\"] there", None),
            ("PGN: [x]", None),
            ("A00\tAmar\tNh3", None),
            ("A00\tAmar\t1. x", None),
        ] {
            assert_eq!(labelled_game(line.as_bytes(), 0), expected, "{line}");
        }
        let columns = |count| format!("{}1. e4", "x\t".repeat(count));
        assert_eq!(labelled_game(columns(16).as_bytes(), 0), Some(32));
        assert_eq!(labelled_game(columns(17).as_bytes(), 0), None);
    }
}
