//! Finds the games of a database, one after another, and the places where a database may be cut (PGN standard §8, §18).
//!
//! A game extends from its first tag, or the comment before it, to the end of the line with its termination marker.
//! Blank lines have no meaning. Finding games cannot fail: text that belongs to no game stands between games.

use std::ops::Range;

use crate::lexical::{is_blank, is_line_end, is_line_start};
use crate::lists::{self, Form};
use crate::movetext::{Ending, Movetext};
use crate::result::termination;
use crate::tags::Tags;

#[doc(hidden)]
pub use crate::between::{Next, next_game};
pub use crate::chunk::{Chunk, LexState};
pub use crate::game::Game;
pub(crate) use crate::game::ReadGame;

/// An iterator over the games of a text, in order.
///
/// If a game is read to its end, the iterator uses that end. So a database whose games are played one after another is
/// read only once. A game that is not read, or not to its end, is skipped when the next game is requested.
#[derive(Clone, Debug)]
pub struct Games<'a> {
    text: Chunk<'a>,
    /// The place where the search for the next game begins, if there was no game before.
    at: usize,
    /// The end of the range. Games that begin here or later are left out.
    until: usize,
    last: Option<Game<'a>>,
}

impl<'a> Games<'a> {
    /// Creates an iterator over the games of `text`.
    pub fn new(text: &'a [u8]) -> Self {
        Self::within(Chunk::whole(text), 0..text.len())
    }

    /// Creates an iterator over the games of `text`, a whole database, that begin in a range of bytes. The range must
    /// begin between games.
    #[doc(hidden)]
    pub fn within(text: Chunk<'a>, range: Range<usize>) -> Self {
        Self { text, at: range.start, until: range.end, last: None }
    }
}

impl<'a> Iterator for Games<'a> {
    type Item = Game<'a>;

    fn next(&mut self) -> Option<Game<'a>> {
        let last = self.last.take();
        if let Some(last) = &last {
            self.at = last.end();
        }
        let start = match next_game(self.text, self.at, |_| ()) {
            Next::Game(start) if start < self.until => start,
            _ => {
                self.at = self.text.bytes.len();
                return None;
            }
        };
        let game = match last {
            Some(mut game) => {
                game.become_game_at(start);
                game
            }
            None => Game::new(self.text, start, self.text.tags(start)),
        };
        self.last = Some(game.clone());
        Some(game)
    }
}

/// Returns the length of the certain part of a text that may end anywhere: up to the end of the last game with a
/// termination marker, or to the start of the game behind it, or of text before that game which would look like a game
/// at the end. If the line of the marker breaks off, what stands behind the marker is not certain.
#[doc(hidden)]
pub fn end_of_whole_games(text: &[u8], form: Form) -> usize {
    if form == Form::Positions {
        return lists::line_start(text, text.len());
    }
    let mut end = 0;
    while let Next::Game(start) = next_game(Chunk::whole(text), end, |_| ()) {
        let mut movetext = Movetext::new(text, Tags::read(text, start).end());
        let has_marker = matches!(movetext.finish(), Ending::Marker(_));
        let behind = &text[movetext.offset()..];
        // A result alone is a game if nothing but blanks stands behind it on its line.
        let is_open = behind.iter().all(|byte| matches!(byte, b' ' | b'\t')) && termination(&text[start..]).is_ok();
        if is_open || !has_marker && behind.is_empty() {
            // The text before the game, which belongs to none, may look like a game if it is the last.
            return match next_game(Chunk::whole(&text[..start]), end, |_| ()) {
                Next::Game(before) => before,
                Next::Nothing(_) => start,
            };
        }
        end = movetext.offset();
        if behind.is_empty() {
            let rest = termination(&text[movetext.result_offset()..]).map_or(&b""[..], |(rest, _)| rest);
            let breaks_off = !rest.iter().any(|byte| is_line_end(*byte));
            return if breaks_off { text.len() - rest.len() } else { end };
        }
    }
    end
}

/// Returns a place where a text may be cut: the likely start of a game at `from` or after it, and before `limit`.
///
/// The place is a guess. `[Event ` at the start of a line may be part of a comment. Only a reader of the text before
/// the place can prove that a game begins there.
#[doc(hidden)]
pub fn likely_start(text: &[u8], from: usize, limit: usize) -> Option<usize> {
    let limit = limit.min(text.len());
    let tags = memchr::memchr_iter(b'[', &text[from.min(limit)..limit]).map(|at| from + at);
    let after_tags = tags.take(1000).find(|at| is_line_start(text, *at) && !follows_tag(text, *at));
    after_tags.or_else(|| {
        // In a database without tags, a cut is made behind a result.
        let lines = memchr::memchr2_iter(b'\n', b'\r', &text[from.min(limit)..limit]).map(|at| from + at);
        lines.take(1000).map(|end| (end, &text[..end])).find_map(|(end, before)| {
            let ends_game = [&b"*"[..], b"1-0", b"0-1", b"1/2"].iter().any(|result| before.ends_with(result));
            // Only the white space behind the first result is skipped. To do so on each line would not be linear.
            let first = || text[end..limit].iter().position(|byte| !is_blank(*byte));
            ends_game.then(first)?.map(|blanks| end + blanks)
        })
    })
}

/// Whether the tag pair at `at` continues a tag section. It does if the last line before it that is not blank looks
/// like a tag pair. But an Event tag behind a blank line begins a game, even if the game before has only tags.
fn follows_tag(text: &[u8], at: usize) -> bool {
    let before = text[..at].trim_ascii_end();
    let gap = &text[before.len()..at];
    let count = |end: u8| gap.iter().filter(|byte| **byte == end).count();
    let is_behind_blank_line = count(b'\n').max(count(b'\r')) >= 2;
    if is_behind_blank_line && text[at..].starts_with(b"[Event ") {
        return false;
    }
    let before = &before[before.len() - before.len().min(1024)..];
    let line = before.iter().rposition(|byte| is_line_end(*byte)).map_or(0, |end| end + 1);
    before.ends_with(b"\"]") && before[line..].starts_with(b"[")
}

#[cfg(test)]
mod tests {
    use super::{Chunk, Games, end_of_whole_games, likely_start, next_game};
    use crate::lists::Form;

    /// Compares the games. Line breaks are shown as `/`.
    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let games: Vec<String> =
            Games::new(text.as_bytes()).map(|game| String::from_utf8_lossy(game.bytes()).replace('\n', "/")).collect();
        assert_eq!(games, expected);
    }

    #[test]
    fn blank_lines_have_no_meaning() {
        check("[Event \"1\"]\n\n\n1. e4\n\ne5 *\n", &["[Event \"1\"]///1. e4//e5 *"]);
        check(
            "[Event \"1\"]\n1. e4 1-0\n[Event \"2\"]\n1. d4 *",
            &["[Event \"1\"]/1. e4 1-0", "[Event \"2\"]/1. d4 *"],
        );
        check("1. e4 1-0\n1. d4 0-1\n", &["1. e4 1-0", "1. d4 0-1"]);
    }

    #[test]
    fn a_comment_belongs_to_the_game_behind_it() {
        check(
            "{ one }\n[Event \"1\"] * ; end\n; two\n1. e4 *\n{ nothing }\n",
            &["{ one }/[Event \"1\"] * ; end", "; two/1. e4 *"],
        );
    }

    #[test]
    fn prose_between_games_belongs_to_none() {
        check("From: a@b.c\nSubject: 2 games\n\n[Event \"1\"]\n*\n-- \nSigned\n", &["[Event \"1\"]/*"]);
        check("12 games by me\n12 e4 *", &["12 e4 *"]);
        check("> [Event \"1\"]\n> [Site \"x\"]\n>\n> 1. e4 *\n", &["[Event \"1\"]/> [Site \"x\"]/>/> 1. e4 *"]);
        check("see [Event \"x\"]\n[Event \"1\"] *\n", &["[Event \"1\"] *"]);
        let mut skipped = Vec::new();
        next_game(Chunk::whole(b"a b\r\nc\n\0\0 \n["), 0, |range| skipped.push(range));
        assert_eq!(skipped, [0..3, 5..6, 7..9, 11..12]);
    }

    #[test]
    fn an_empty_database_has_no_games() {
        check("", &[]);
        check(" \n\n% escape\n", &[]);
    }

    #[track_caller]
    fn check_whole(whole: &str, broken: &str) {
        let text = [whole, broken].concat();
        assert_eq!(&text[..end_of_whole_games(text.as_bytes(), Form::Games)], whole);
    }

    #[test]
    fn a_game_that_breaks_off_is_not_whole() {
        check_whole("1. e4 *\n[Event \"2\"]\n1. d4 1-0", "");
        check_whole("1. e4 *\n", "[Event \"2\"]\n1. O-O");
        check_whole("1. e4 *\n", "[SetUp \"1\"]\n");
        check_whole("[Event \"1\"]\n1. e4\n\n{ of the first } ", "[Event \"2\"]\n");
        check_whole("1. e4 1/2-1/2\n", "{ of the next");
        check_whole("1. e4 *", "1");
        // A number before tags is a game if the tags are left out.
        check_whole("e4\n", "1. [Event \"2\"]\n1. d4");
        check_whole("e4\nprose\n", "[Event \"2\"]\n1. d4");
        check_whole("1. e4 *\n1. d4 1-0", " on ti");
        check_whole("1. e4 *\n", "1. d4 1-0 {on ti");
        check_whole("1. e4 * {one} ; two", "\n");
        check_whole("1. e4 *\n*\n", "* ");
        check_whole("1. e4 *\n", "*");
        check_whole("", "1. e4 { 1-0");
        check_whole("", "");
    }

    #[test]
    fn a_cut_is_looked_for_behind_movetext() {
        let text = b"[Event \"1\"]\n[Site \"x\"]\n\n1. e4 *\n\n[Event \"2\"]\n\n[Event \"3\"]\n*";
        assert_eq!(likely_start(text, 1, text.len()), Some(33));
        assert_eq!(likely_start(text, 34, text.len()), Some(46));
        assert_eq!(likely_start(text, 47, text.len()), None);
    }

    #[test]
    fn a_database_without_tags_is_cut_behind_a_result() {
        let text = b"1. e4 *\n\n 1. d4 1-0\r\n1. c4 e5\n2. d4 1/2\n\n";
        assert_eq!(likely_start(text, 0, text.len()), Some(10));
        assert_eq!(likely_start(text, 3, text.len()), Some(10));
        assert_eq!(likely_start(text, 8, text.len()), Some(21));
        // Nothing but white space follows the last result.
        assert_eq!(likely_start(text, 22, text.len()), None);
        // The place is before the limit.
        assert_eq!(likely_start(text, 0, 10), None);
        assert_eq!(likely_start(text, 0, 1000), Some(10));
    }

    #[test]
    fn tags_behind_a_line_that_is_no_tag_are_a_cut() {
        for (text, expected) in [
            ("1. e4\n[A \"1\"]\n", Some(6)),
            // The line before it ends as a tag does, and begins otherwise.
            ("{x \"]\n[A \"1\"]\n", Some(6)),
            ("[x y]\n[A \"1\"]\n", Some(6)),
            ("[x \"\"]\r\n[A \"1\"]\n", None),
            ("[x \"\"]\n\n[A \"1\"]\n", None),
            ("[x \"\"]\n\n[Event \"1\"]\n", Some(8)),
            ("[x \"\"]\r\r[Event \"1\"]\n", Some(8)),
            ("[x \"\"]\n[Event \"1\"]\n", None),
            ("e4 [A \"1\"]\n", None),
        ] {
            assert_eq!(likely_start(text.as_bytes(), 1, text.len()), expected, "{text:?}");
        }
        assert_eq!(likely_start(b"1. e4 *\n[x \"\"]\n[A \"1\"]\n", 9, 24), None);
    }

    #[test]
    fn games_of_a_range_are_those_that_begin_in_it() {
        let text = "1. e4 *\n1. d4 *\n1. c4 *\n";
        for (range, expected) in [(0..24, 3), (0..8, 1), (0..9, 2), (8..16, 1), (8..17, 2), (16..16, 0), (24..24, 0)] {
            let mut games = Games::within(Chunk::whole(text.as_bytes()), range.clone());
            assert_eq!(games.by_ref().count(), expected, "{range:?}");
            assert!(games.next().is_none());
        }
    }

    #[test]
    fn an_event_behind_a_blank_line_begins_a_game_even_behind_tags() {
        for (gap, expected) in
            [("\n", None), ("\r\n", None), ("\n\n", Some(10)), ("\n \n", Some(11)), ("\r\r", Some(10))]
        {
            let text = format!("[x \"\"]  {gap}[Event \"1\"]\n");
            assert_eq!(likely_start(text.as_bytes(), 1, text.len()), expected, "{gap:?}");
            let text = format!("[x \"\"]  {gap}[Site \"1\"]\n");
            assert_eq!(likely_start(text.as_bytes(), 1, text.len()), None, "{gap:?}");
        }
    }
}
