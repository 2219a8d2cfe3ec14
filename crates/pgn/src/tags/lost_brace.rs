//! Finds comments that contain games, because a closing brace is missing.
//!
//! A comment ends at the first closing brace, however far away that is (PGN standard §5). So games behind a missing
//! brace belong to the comment until the end of another comment. The comment is not ended earlier, because games that
//! somebody has put in braces are not games, and text of any length would have to be read to decide whether a brace is
//! missing. Instead a warning names the place where a game seems to begin in a comment.

use crate::movetext::strays::{Behind, behind_strays};
use crate::movetext::{Ending, Movetext};
use crate::tag_pair::pair_line;
use crate::tags::Tags;
use crate::token::Token;

/// The greatest number of such comments that are reported for one game.
pub(crate) const MOST_REPORTED: usize = 100;

/// A comment in which a game seems to begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub struct LostBrace {
    /// The start of the comment, in bytes from the start of the text.
    #[doc(hidden)]
    pub comment: usize,
    /// The start of the line in the comment that looks like the first tag pair of a game.
    #[doc(hidden)]
    pub pair: usize,
}

/// Finds the comments of a game in which other games seem to begin. The text of the game is `start..end`, and its
/// movetext begins at `from`.
#[doc(hidden)]
pub fn lost_braces(text: &[u8], start: usize, from: usize, end: usize) -> Vec<LostBrace> {
    let mut found = Vec::new();
    if !has_bracket_line(text, start, from, end) {
        return found;
    }
    let mut movetext = Movetext::new(&text[..end], from);
    while found.len() < MOST_REPORTED {
        let comment = match movetext.next_token() {
            Some(Token::Comment(comment)) => comment,
            Some(_) => continue,
            None => match movetext.finish() {
                Ending::InComment { open, .. } => &text[open + 1..end],
                _ => break,
            },
        };
        let begin = comment.as_ptr().addr() - text.as_ptr().addr();
        let is_open = begin + comment.len() == end;
        if let Some(pair) = game_in_comment(comment) {
            found.push(LostBrace { comment: begin - 1, pair: begin + pair });
        }
        if is_open {
            break;
        }
    }
    found
}

/// Whether a line of the movetext begins with a bracket.
fn has_bracket_line(text: &[u8], start: usize, from: usize, end: usize) -> bool {
    let movetext = &text[from..end];
    let is_bracket = |at: usize| movetext.get(at + 1) == Some(&b'[');
    // CR counts as a line break only in games without LF.
    memchr::memchr_iter(b'\n', movetext).any(is_bracket)
        || memchr::memchr(b'\n', &text[start..end]).is_none() && memchr::memchr_iter(b'\r', movetext).any(is_bracket)
}

/// Finds the line of a comment at which a game seems to begin: a tag pair that is followed by more tag pairs, movetext
/// or another comment.
pub(crate) fn game_in_comment(comment: &[u8]) -> Option<usize> {
    let mut from = 0;
    // Searched for only once, however many tag pairs there are.
    let last_brace = memchr::memrchr(b'{', comment);
    while let Some(pair) = pair_line(comment, from) {
        let tags = Tags::read(comment, pair);
        let values = tags.iter().filter(|tag| !tag.value.0.is_empty()).count();
        let is_game = values > 1
            || behind_strays(comment, tags.end()) == Behind::Movetext
            || last_brace.is_some_and(|brace| brace >= tags.end());
        if is_game {
            return Some(pair);
        }
        from = tags.end();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{MOST_REPORTED, lost_braces};

    /// Compares the comments that contain games: the text behind the brace, and the line of the tag pair.
    #[track_caller]
    fn check(text: &str, expected: &[(&str, &str)]) {
        for end in ["\n", "\r\n", "\r"] {
            let text = text.replace('\n', end);
            let found = lost_braces(text.as_bytes(), 0, 0, text.len());
            let word = |at: usize| text[at..].split([' ', '\r', '\n']).next().unwrap();
            let line = |at: usize| text[at..].split(['\r', '\n']).next().unwrap();
            let shown: Vec<_> = found.iter().map(|lost| (word(lost.comment + 1), line(lost.pair))).collect();
            assert_eq!(shown, expected, "{text:?}");
        }
    }

    #[test]
    fn a_comment_that_holds_a_game_is_told() {
        check("1. e4 {lost e5 *\n\n[A \"2\"]\n\n1. d4 {x} *", &[("lost", "[A \"2\"]")]);
        check("1. e4 {lost e5 *\n\n[A \"2\"]\n\n{x} 1. d4 *", &[("lost", "[A \"2\"]")]);
        check(
            "1. e4 {lost *\n[A \"2\"]\n[B \"2\"]\n*\n} {two *\n[A \"3\"] *}",
            &[("lost", "[A \"2\"]"), ("two", "[A \"3\"] *}")],
        );
        check("1. e4 (1. d4 {lost *\n[A \"2\"]\n1-0 {x}", &[("lost", "[A \"2\"]")]);
        check("1. e4 * {lost\n[A \"2\"]\n1. d4 {x}", &[("lost", "[A \"2\"]")]);
        check("1. e4 {never\n[x]\n[A \"2\"]\n\n1. d4 *", &[("never", "[A \"2\"]")]);
    }

    #[test]
    fn a_comment_with_a_bracket_holds_no_game() {
        check("1. e4 {first\n\n[Event \"not a tag\"]\n[x]} e5 *", &[]);
        check("1. e4 {\n[%eval 1]\n1. d4} e5 *", &[]);
        check("1. e4 { [A \"2\"] 1. d4 } e5 *", &[]);
        check("1. e4 {a\n[A \"2\"] is a tag} e5 *", &[]);
    }

    #[test]
    fn two_tags_with_values_are_a_game_and_empty_ones_are_none() {
        check("1. e4 {a\n[A \"2\"]\n[B \"2\"]\nand words} e5 *", &[("a", "[A \"2\"]")]);
        check("1. e4 {a\n[A \"\"]\n[B \"\"]\nand words} e5 *", &[]);
    }

    #[test]
    fn a_carriage_return_breaks_no_line_where_line_feeds_do() {
        let text = b"1. e4 {a\r[A \"2\"]\r\r1. d4} e5\n*\n";
        assert_eq!(lost_braces(text, 0, 0, text.len()), []);
    }

    #[test]
    fn the_comments_that_are_told_are_limited() {
        let text = "{a\n[A \"2\"]\n1. d4} ".repeat(MOST_REPORTED + 5);
        assert_eq!(lost_braces(text.as_bytes(), 0, 0, text.len()).len(), MOST_REPORTED);
    }
}
