//! Comments and variations that a game certainly does not have, by a search of its text, which takes a fraction of the
//! time of reading its tokens. At most [`LOOKAHEAD`] bytes are searched: a file may have many short games without tags
//! between them.

use crate::lexical::LOOKAHEAD;
use crate::movetext::Movetext;
use crate::tag_pair::begins_pair;
use memchr::{memchr, memchr_iter, memchr3};

/// Whether the rest of a game has no comment. False also says that the text does not show it.
pub(crate) fn has_no_comment(movetext: &Movetext<'_>) -> bool {
    let (text, from) = (movetext.text(), movetext.offset());
    let near = &text[from..text.len().min(from + LOOKAHEAD)];
    let at = memchr3(b'{', b';', b'[', near).unwrap_or(near.len());
    // Tags between angle brackets begin no game.
    is_end_of_game(text, from + at) && memchr(b'<', &near[..at]).is_none()
}

/// Whether the rest of a game has no variation. False also says that the text does not show it.
pub(crate) fn has_no_variation(movetext: &Movetext<'_>) -> bool {
    let (text, mut from) = (movetext.text(), movetext.offset());
    let far = text.len().min(from + LOOKAHEAD);
    loop {
        let rest = &text[from..far];
        let at = memchr3(b'(', b'{', b'[', rest).unwrap_or(rest.len());
        // Parentheses and braces behind these mean nothing up to the end of a line or of a bracket.
        if memchr3(b';', b'%', b'<', &rest[..at]).is_some() {
            return false;
        }
        if rest.get(at) != Some(&b'{') {
            return is_end_of_game(text, from + at);
        }
        // A comment with tags in it may be one whose end is missing.
        match memchr(b'}', &rest[at..]) {
            Some(length) if !has_bracket_at_start_of_line(&rest[at..at + length]) => from += at + length + 1,
            _ => return false,
        }
    }
}

/// Whether a line of a comment begins with a bracket. A search for both bytes at once would take longer to begin than
/// most comments take to read.
fn has_bracket_at_start_of_line(comment: &[u8]) -> bool {
    memchr_iter(b'\n', comment).any(|at| comment.get(at + 1) == Some(&b'['))
}

/// Whether the text ends at this place, or a line with a tag pair begins.
fn is_end_of_game(text: &[u8], at: usize) -> bool {
    at == text.len() || text[at] == b'[' && at > 0 && text[at - 1] == b'\n' && begins_pair(text, at)
}

#[cfg(test)]
mod tests {
    use super::{has_no_comment, has_no_variation};
    use crate::movetext::Movetext;
    use crate::token::Token;

    const PIECES: [&str; 12] =
        [" 1. e4 ", "(", ")", "{", "}", ";c\n", "<", ">", "[x ", "\n[Event \"b\"]\n", "\n%", "*"];

    /// Compares what is found by search with the tokens of all texts of five pieces.
    #[track_caller]
    fn check(has_none: fn(&Movetext<'_>) -> bool, is_one: fn(&Token<'_>) -> bool, least: usize) {
        let mut found = 0;
        for number in 0..PIECES.len().pow(5) {
            let piece = |place| PIECES[number / PIECES.len().pow(place) % PIECES.len()];
            let text: String = (0..5).map(piece).collect();
            let mut movetext = Movetext::new(text.as_bytes(), 0);
            if has_none(&movetext) {
                found += 1;
                while let Some(token) = movetext.next_token() {
                    assert!(!is_one(&token), "{text:?}");
                }
            }
        }
        assert!(found > least, "{found}");
    }

    #[test]
    fn a_game_of_which_no_comment_is_found_has_none() {
        check(has_no_comment, |token| matches!(token, Token::Comment(_)), 20_000);
    }

    #[test]
    fn a_game_of_which_no_variation_is_found_has_none() {
        check(has_no_variation, |token| matches!(token, Token::VariationStart), 20_000);
    }

    #[test]
    fn usual_games_are_told_by_search() {
        for (text, comments, variations) in [
            ("1. e4 e5 *", false, false),
            ("1. e4 {[%clk 0:01:00]} e5 1-0\n\n[Event \"b\"]\n\n1. d4 (1. c4) *", true, false),
            ("1. e4 e5 1-0\n\n[Event \"b\"]\n\n1. d4 {x} (1. c4) *", false, false),
            ("1. e4 (1. d4) e5 *", false, true),
            ("1. e4 {(a word)} e5 *", true, false),
        ] {
            let movetext = Movetext::new(text.as_bytes(), 0);
            assert_eq!((has_no_comment(&movetext), has_no_variation(&movetext)), (!comments, !variations), "{text}");
        }
    }
}
