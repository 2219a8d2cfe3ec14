//! Finds the games that begin in a range of bytes, without reading all the text before the range.
//!
//! Ranges that cover a database must give each game exactly once, so the games of a range must be the games that are
//! found when the database is read from its start. Only two things have an effect over any distance: a comment in
//! braces, in which anything may look like a game, and text without tags. So reading begins at a place that is
//! certainly between games. In a list of positions, that is the start of any line.

use crate::between::{BetweenGames, look};
use crate::games::Chunk;
use crate::lexical::{LOOKAHEAD, is_blank, is_line_end, is_line_start};
use crate::lists::{Form, line_start};
use crate::tag_pair::begins_pair;

/// The assumed length of the longest comment, in bytes. It is the only assumption here.
const LONGEST_COMMENT: usize = 16 * 1024 * 1024;

/// The result of a search for a place between games in a part of a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub enum Sought {
    /// The place, in bytes from the start of the part.
    At(usize),
    /// The search needs more text before the part.
    Earlier,
    /// The search needs more text behind the part.
    Later,
}

/// The start of a part of a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub enum Edge {
    /// The database begins with the part.
    First,
    /// There is text before the part, which can be asked for.
    Earlier,
    /// There is text before the part, which is damaged.
    Damaged,
}

/// Returns the first place at or behind `from` that is between games if the database is read from its start. Returns
/// the end of the text if there is no such place. `text` is a whole database.
pub fn first_place(text: Chunk<'_>, from: usize) -> usize {
    match seek_place(text, Edge::First, from) {
        Sought::At(place) => place,
        Sought::Earlier | Sought::Later => text.bytes.len(),
    }
}

/// Searches for the place that [`first_place`] returns, in a part of a database. `edge` is the start of the part, and
/// [`Chunk::is_last`] says whether the database ends with it. No comment is assumed to be open behind damaged text.
#[doc(hidden)]
pub fn seek_place(text: Chunk<'_>, edge: Edge, from: usize) -> Sought {
    let Chunk { bytes, is_last, form, .. } = text;
    let start = match form {
        Form::Games | Form::Records => sure_start(bytes, edge, from.min(bytes.len())),
        // Blank lines are passed together with the line before them, so the search begins before `from`.
        Form::Positions => {
            let start = line_start(bytes, from.min(bytes.len()).saturating_sub(1));
            (start > 0 || edge == Edge::First).then_some(start)
        }
    };
    let Some(mut at) = start else {
        return Sought::Earlier;
    };
    let is_certain = |at: usize| is_last || at + LOOKAHEAD <= bytes.len();
    loop {
        at = match look(text, at, from, |_| ()) {
            BetweenGames::Game(start) if !is_certain(start) => return Sought::Later,
            BetweenGames::Nothing(left) if !is_certain(left.at) => return Sought::Later,
            BetweenGames::Game(start) if start >= from => return Sought::At(start),
            BetweenGames::Game(start) => {
                let tags = text.tags(start);
                let end = text.movetext(&tags).end_offset();
                if !is_certain(end) || tags.is_open() && !is_last {
                    return Sought::Later;
                }
                end
            }
            // The comment belongs to no game.
            BetweenGames::Nothing(left) if left.at < from => return Sought::At(bytes.len()),
            BetweenGames::Nothing(left) => return Sought::At(left.at),
        };
    }
}

/// Returns the last place at or before `from` where a game certainly begins, or the start of the database if there is
/// no such place. Returns `None` if that is not in the text.
fn sure_start(text: &[u8], edge: Edge, from: usize) -> Option<usize> {
    let mut end = text.len().min(from + 1);
    while let Some(start) = memchr::memrchr(b'[', &text[..end]) {
        end = start;
        if !(is_line_start(text, start) && begins_pair(text, start) && follows_result(text, edge, start)) {
            continue;
        }
        // If a comment were open here, its opening brace would stand behind the last closing brace.
        let reach = start.saturating_sub(LONGEST_COMMENT);
        match memchr::memrchr2(b'{', b'}', &text[reach..start]) {
            Some(brace) if text[reach + brace] == b'{' => end = reach + brace,
            None if reach == 0 && edge == Edge::Earlier => return None,
            _ => return Some(start),
        }
    }
    (edge == Edge::First).then_some(0)
}

/// Whether the last line before `at` that is not blank ends with a result and is certainly movetext. It must not
/// contain a tag, a comment to the end of the line, a comment that began or ends on another line, or an escape.
fn follows_result(text: &[u8], edge: Edge, at: usize) -> bool {
    let before = &text[..at - text[..at].iter().rev().take_while(|byte| is_blank(**byte)).count()];
    let words = before.iter().rev().position(|byte| is_blank(*byte) || *byte == b'}').unwrap_or(before.len());
    if !matches!(&before[before.len() - words..], b"1-0" | b"0-1" | b"1/2-1/2" | b"*") {
        return false;
    }
    let start = match before.iter().rposition(|byte| is_line_end(*byte)) {
        Some(end) => end + 1,
        None if edge == Edge::First => 0,
        // The start of the line is not in the text.
        None => return false,
    };
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
    use super::{Chunk, Edge, Form, LONGEST_COMMENT, Sought, first_place, seek_place, sure_start};

    /// Compares the place where reading begins in order to find the games behind `|`.
    #[track_caller]
    fn check(text: &str, expected: usize) {
        let from = text.find('|').unwrap();
        assert_eq!(sure_start(text.replace('|', "").as_bytes(), Edge::First, from), Some(expected), "{text}");
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
    fn a_comment_may_be_as_long_as_is_assumed() {
        for (more, is_seen) in [(0, true), (1, false)] {
            let blanks = " ".repeat(LONGEST_COMMENT - 4 + more);
            let text = format!("1. c4 *\n[B \"2\"]\n\n{{{blanks}\n*\n[C \"3\"]\n1. c4 *");
            let expected = if is_seen { text.find('[') } else { text.rfind('[') };
            assert_eq!(sure_start(text.as_bytes(), Edge::First, text.len()), expected);
        }
    }

    #[test]
    fn what_may_be_something_else_is_not_sure() {
        check("; 1-0\n[B \"2\"]\n1. d4|", 0);
        check("% 1-0\n[B \"2\"]\n1. d4|", 0);
        check("1. e4 *\n% 1-0\n[B \"2\"]\n1. d4|", 0);
        check("[A 1-0\n[B \"2\"]\n1. d4|", 0);
        check("1. e4 *\n{of the next}\n[B \"2\"]\n1. d4|", 0);
        check("1. e4 *\n[%clk 1]|", 0);
    }

    #[test]
    fn the_first_place_between_games_is_found() {
        let text = b"[A \"1\"]\n1. e4 *\n\n[B \"2\"]\n1. d4 *\n";
        let found: Vec<usize> = [0, 1, 17, 18, 1000].map(|from| first_place(Chunk::whole(text), from)).into();
        assert_eq!(found, [0, 15, 17, text.len() - 1, text.len()]);
    }

    #[test]
    fn a_position_begins_at_the_start_of_its_line() {
        let list = b"4k3/8/8/8/8/8/8/4K3 w - -\n\n4k3/8/8/8/8/8/8/4K3 b - -\n";
        let text = Chunk { form: Form::Positions, ..Chunk::whole(list) };
        let found: Vec<usize> = [0, 1, 26, 27, 28, 60].map(|from| first_place(text, from)).into();
        assert_eq!(found, [0, 25, 27, 27, 52, 53]);
        // The part may begin within a line.
        assert_eq!(seek_place(text, Edge::Earlier, 5), Sought::Earlier);
        assert_eq!(seek_place(text, Edge::Earlier, 27), Sought::At(27));
    }

    #[test]
    fn what_is_not_in_a_part_is_not_guessed() {
        let games = "[A \"1\"]\n1. e4 *\n\n".repeat(5000);
        let (text, from) = (games.as_bytes(), 40_003);
        let expected = first_place(Chunk::whole(text), from);
        let part = |start: usize, end: usize| {
            let part = Chunk { is_last: end == text.len(), ..Chunk::whole(&text[start..end]) };
            seek_place(part, if start == 0 { Edge::First } else { Edge::Earlier }, from - start)
        };
        assert_eq!(part(0, text.len()), Sought::At(expected));
        assert_eq!(part(0, from + 20_000), Sought::At(expected));
        assert_eq!(part(0, from + 1000), Sought::Later);
        // There may be an open comment, which begins before the part.
        assert_eq!(part(30_000, text.len()), Sought::Earlier);
        let behind_damage = seek_place(Chunk::whole(&text[30_000..]), Edge::Damaged, from - 30_000);
        assert_eq!(behind_damage, Sought::At(expected - 30_000));
        let long = [&b" ".repeat(LONGEST_COMMENT), &text[..from + 20_000]].concat();
        let part = Chunk { is_last: false, ..Chunk::whole(&long) };
        assert_eq!(seek_place(part, Edge::Earlier, LONGEST_COMMENT + from), Sought::At(LONGEST_COMMENT + expected));
    }

    #[test]
    fn a_game_behind_its_label_is_found_from_the_label_on() {
        let text = b"1. e4 *\nPGN: [A \"1\"]\n\n*\n";
        assert_eq!([8, 9, 10, 13].map(|from| first_place(Chunk::whole(text), from)), [8, 13, 13, 13]);
    }

    #[test]
    fn a_comment_at_the_end_belongs_to_no_game() {
        let text = b"1. e4 *\n{c}\n";
        assert_eq!([8, 9, 11].map(|from| first_place(Chunk::whole(text), from)), [8, 12, 12]);
    }

    #[test]
    fn a_place_near_the_end_of_a_part_is_not_certain() {
        for text in ["1. e4 *\n\n", "1. e4 *\n[A \"2\"]\n", "1. e4 *\n{c}", "1. e4"] {
            let part = Chunk { is_last: false, ..Chunk::whole(text.as_bytes()) };
            for from in [0, 8] {
                assert_eq!(seek_place(part, Edge::First, from), Sought::Later, "{text:?} from {from}");
            }
        }
    }

    #[test]
    fn a_line_that_begins_before_the_part_may_be_anything() {
        let text = b"1. e4 1-0\n[B \"2\"]\n1. d4";
        assert_eq!(sure_start(text, Edge::First, text.len()), Some(10));
        assert_eq!([Edge::Earlier, Edge::Damaged].map(|edge| sure_start(text, edge, text.len())), [None; 2]);
    }
}
