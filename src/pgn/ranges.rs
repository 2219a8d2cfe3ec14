//! Finds the games that begin in a range of bytes, without reading all the text before the range.
//!
//! Ranges that cover a database must give each game exactly once, so the games of a range must be the games that are found when the
//! database is read from its start. Only two things have an effect over any distance: a comment in braces, in which anything may look like
//! a game, and text without tags. So reading begins at a place that is certainly between games. In a list of positions, that is the start
//! of any line.

use crate::pgn::between::{Found, look};
use crate::pgn::games::Text;
use crate::pgn::lexical::{is_blank, is_line_end, is_line_start};
use crate::pgn::lists::{Form, line_start};
use crate::pgn::tag_pair::begins_pair;

/// The assumed length of the longest comment, in bytes. It is the only assumption here.
const LONGEST_COMMENT: usize = 16 * 1024 * 1024;

/// Returns the first place at or behind `from` that is between games if the database is read from its start. Returns the end of the text
/// if there is no such place. `text` is a whole database.
pub fn first_place(text: Text<'_>, from: usize) -> usize {
    let mut at = match text.form {
        Form::Games => sure_start(text.bytes, from.min(text.bytes.len())),
        // Blank lines are passed together with the line before them, so the search begins before `from`.
        Form::Positions => line_start(text.bytes, from.min(text.bytes.len()).saturating_sub(1)),
    };
    loop {
        match look(text, at, from, |_| ()) {
            Found::Game(start) if start >= from => return start,
            Found::Game(start) => at = text.game_end(start),
            // The comment belongs to no game.
            Found::Nothing(left) if left.at < from => return text.bytes.len(),
            Found::Nothing(left) => return left.at,
        }
    }
}

/// Returns the last place at or before `from` where a game certainly begins. Returns the start of the text if there is no such place.
fn sure_start(text: &[u8], from: usize) -> usize {
    let mut end = text.len().min(from + 1);
    while let Some(start) = memchr::memrchr(b'[', &text[..end]) {
        end = start;
        if !(is_line_start(text, start) && begins_pair(text, start) && follows_result(text, start)) {
            continue;
        }
        // If a comment were open here, its opening brace would stand behind the last closing brace.
        let reach = start.saturating_sub(LONGEST_COMMENT);
        match memchr::memrchr2(b'{', b'}', &text[reach..start]) {
            Some(brace) if text[reach + brace] == b'{' => end = reach + brace,
            _ => return start,
        }
    }
    0
}

/// Whether the last line before `at` that is not blank ends with a result and is certainly movetext. It must not contain a tag, a comment
/// to the end of the line, a comment that began or ends on another line, or an escape.
fn follows_result(text: &[u8], at: usize) -> bool {
    let before = &text[..at - text[..at].iter().rev().take_while(|byte| is_blank(**byte)).count()];
    let words = before.iter().rev().position(|byte| is_blank(*byte) || *byte == b'}').unwrap_or(before.len());
    if !matches!(&before[before.len() - words..], b"1-0" | b"0-1" | b"1/2-1/2" | b"*") {
        return false;
    }
    let start = before.iter().rposition(|byte| is_line_end(*byte)).map_or(0, |end| end + 1);
    let mut line = &before[start..];
    if line.starts_with(b"%") {
        return false;
    }
    while let Some(odd) = line.iter().position(|byte| matches!(byte, b'[' | b']' | b'"' | b';' | b'<' | b'{' | b'}')) {
        let close = memchr::memchr(b'}', &line[odd..]);
        match (line[odd], close) {
            (b'{', Some(length)) => line = &line[odd + length + 1..],
            _ => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::{Text, first_place, sure_start};

    /// Compares the place where reading begins in order to find the games behind `|`.
    #[track_caller]
    fn check(text: &str, expected: usize) {
        let from = text.find('|').unwrap();
        assert_eq!(sure_start(text.replace('|', "").as_bytes(), from), expected, "{text}");
    }

    #[test]
    fn a_game_behind_a_result_is_sure() {
        check("[A \"1\"]\n1. e4 *\n\n[B \"2\"]\n1. d4|", 17);
        check("[A \"1\"]\n1. e4 { [%clk 1] } 1-0\r\n[B \"2\"]\n1. d4|", 32);
        check("1. e4 *\n\n|[B \"2\"]\n1. d4", 9);
        check("1. e4 *\n|\n[B \"2\"]\n1. d4", 0);
    }

    #[test]
    fn a_game_in_a_comment_is_none() {
        check("1. e4 {\n*\n[B \"2\"]\n1. d4|", 0);
        check("1. e4 *\n[B \"2\"]\n{\n*\n[C \"3\"]\n1. c4 *\n[D \"4\"]\n|} *", 8);
        check("1. e4 {\n} *\n[B \"2\"]\n1. d4|", 0);
        check("1. e4 {\n}\n*\n[B \"2\"]\n1. d4|", 12);
    }

    #[test]
    fn what_may_be_something_else_is_not_sure() {
        check("; 1-0\n[B \"2\"]\n1. d4|", 0);
        check("% 1-0\n[B \"2\"]\n1. d4|", 0);
        check("[A 1-0\n[B \"2\"]\n1. d4|", 0);
        check("1. e4 *\n{of the next}\n[B \"2\"]\n1. d4|", 0);
        check("1. e4 *\n[%clk 1]|", 0);
    }

    #[test]
    fn the_first_place_between_games_is_found() {
        let text = b"[A \"1\"]\n1. e4 *\n\n[B \"2\"]\n1. d4 *\n";
        let found: Vec<usize> = [0, 1, 17, 18, 1000].map(|from| first_place(Text::whole(text), from)).into();
        assert_eq!(found, [0, 15, 17, text.len() - 1, text.len()]);
    }
}
