//! Copies games out of a database, byte for byte, so that they read as the same games.
//!
//! A copy begins at the first byte of the game, which may be a comment before its tags. It ends at the end of the line
//! with the result, plus the white space and the blank lines behind that. Other text between games belongs to no game
//! and is not copied: skipped text, escaped lines, byte order marks.
//!
//! Games that are neighbours in the database stay as they are. Between other games, missing text is inserted: a line
//! break and a blank line. A game without a result would go on into the next game, unless the tags of the next game end
//! it. So `*` is inserted behind it, after the brace or the parentheses that close an open comment or variation.
//!
//! A position of a list is copied as a game with a FEN tag and no moves. A game that was made of a record, on one line,
//! gets a line for each tag pair.

use std::ops::Range;

use crate::diagnostic::count_lines;
use crate::edit::GameEdit;
use crate::games::{Chunk, Next, next_game};
use crate::lexical::{LOOKAHEAD, line_break};
use crate::lists::Form;
use crate::movetext::strays::{Behind, behind_strays};
use crate::movetext::{Ending, Movetext};
use crate::tag_pair::begins_pair;
use crate::tags::Tags;

/// The games that were copied into a buffer.
#[derive(Debug, Default)]
pub struct Copies(Vec<Copied>);

#[derive(Debug)]
struct Copied {
    /// The start of the copy in the buffer.
    at: usize,
    /// The start of the game in its database, in bytes.
    start: u64,
    head: Head,
    rear: Rear,
    /// Whether the copy has other tags or another result than the game.
    is_edited: bool,
}

/// The beginning of a copied game, judged by its own text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Head {
    Pair,
    /// A bracket that may have been read as a tag pair because of the text behind the game.
    Bracket,
    Other,
}

/// The end of a copied game.
#[derive(Debug)]
struct Rear {
    /// The end of the white space behind the game in its database, in bytes.
    end: u64,
    /// The number of line breaks at the end of the copy, at most two.
    line_ends: u8,
    line_end: &'static [u8],
    /// The text that would end the game. Empty if the game has ended.
    closing: Vec<u8>,
    /// Whether a tag pair at the start of a line would end the game.
    ends_before_pair: bool,
}

impl Copies {
    /// Appends the game that begins at `start` to `out`. `movetext` has been read to its end.
    pub fn push(&mut self, text: Chunk<'_>, start: usize, movetext: &mut Movetext<'_>, out: &mut Vec<u8>) {
        let end = movetext.finish();
        if text.form != Form::Games {
            let game = text.form.to_pgn(&text.bytes[start..movetext.offset()]);
            return self.push_made(text, start, &game, out);
        }
        let rest = &text.bytes[movetext.offset()..];
        // The text may end anywhere behind that, depending on where it was cut.
        let near = &rest[..rest.len().min(LOOKAHEAD)];
        let blanks = near.iter().position(|byte| !is_plain(*byte)).unwrap_or(near.len());
        let game = &text.bytes[start..movetext.offset() + blanks];
        let rear = Rear {
            end: text.offset + (start + game.len()) as u64,
            ..Rear::of(game, (end, movetext), || ends_tag_section(text.bytes, start))
        };
        let (head, start) = (Head::of(game), text.offset + start as u64);
        self.0.push(Copied { at: out.len(), start, head, rear, is_edited: false });
        out.extend_from_slice(game);
    }

    /// Appends a game like [`push`](Self::push), with changes of its tags and its result.
    pub fn push_edited(
        &mut self,
        text: Chunk<'_>,
        start: usize,
        movetext: &mut Movetext<'_>,
        edit: &GameEdit,
        out: &mut Vec<u8>,
    ) {
        let at = out.len();
        self.push(text, start, movetext, out);
        let (Some(edited), Some(copied)) = (edit.text(&out[at..]), self.0.last_mut()) else {
            return;
        };
        let text = Chunk::whole(&edited);
        let mut movetext = text.movetext(&text.tags(0));
        let end = movetext.finish();
        let rear = Rear::of(&edited, (end, &movetext), || ends_tag_section(&edited, 0));
        let head = Head::of(&edited);
        // A copy follows its neighbour as in the database, unless its begin is another one, or the end of the
        // neighbour depends on its begin.
        let start = if head == copied.head { copied.start } else { u64::MAX };
        let end = if rear.closing.is_empty() && copied.rear.closing.is_empty() { copied.rear.end } else { u64::MAX };
        *copied = Copied { at, start, head, rear: Rear { end, ..rear }, is_edited: true };
        out.truncate(at);
        out.extend_from_slice(&edited);
    }

    /// Appends the game that was made of the line at `start`. It has no line break at its end.
    fn push_made(&mut self, text: Chunk<'_>, start: usize, game: &[u8], out: &mut Vec<u8>) {
        // The game on the next line is never its neighbour, because the copy differs from the line.
        let end = u64::MAX;
        let rear = Rear { end, line_ends: 1, line_end: b"\n", closing: Vec::new(), ends_before_pair: false };
        self.0.push(Copied {
            at: out.len(),
            start: text.offset + start as u64,
            head: Head::Pair,
            rear,
            is_edited: false,
        });
        out.extend_from_slice(game);
        out.push(b'\n');
    }

    /// Adds a game that was written anew behind `at` in the buffer, with a blank line at its end. `start` is its start
    /// in the text.
    pub fn push_written(&mut self, text: Chunk<'_>, start: usize, at: usize) {
        // The next game is never its neighbour, because what is written differs from the text.
        let rear = Rear { end: u64::MAX, line_ends: 2, line_end: b"\n", closing: Vec::new(), ends_before_pair: false };
        self.0.push(Copied { at, start: text.offset + start as u64, head: Head::Other, rear, is_edited: false });
    }

    /// Appends what may be missing behind the last copy if another game follows, whichever it is. Then the copy can be
    /// written anywhere.
    pub fn end_last(&mut self, out: &mut Vec<u8>) {
        if let Some(Copied { rear, .. }) = self.0.last_mut() {
            out.extend(rear.missing(Head::Other));
            rear.closing.clear();
            rear.line_ends = 2;
        }
    }

    /// Returns the ranges of the copies in their buffer, which has this length.
    pub fn ranges(&self, length: usize) -> impl Iterator<Item = Range<usize>> {
        let ends = self.0.iter().skip(1).map(|copied| copied.at).chain([length]);
        self.0.iter().zip(ends).map(|(copied, end)| copied.at..end)
    }

    /// Moves copies that are not wanted to another list and another buffer, which are returned. `is_wanted` has an
    /// entry for each copy.
    pub fn take_unwanted(&mut self, is_wanted: &[bool], bytes: &mut Vec<u8>) -> (Self, Vec<u8>) {
        let (mut kept, mut others) = ((Self::default(), Vec::new()), (Self::default(), Vec::new()));
        let ranges: Vec<_> = self.ranges(bytes.len()).collect();
        for ((copied, range), is_wanted) in self.0.drain(..).zip(ranges).zip(is_wanted) {
            let (copies, out) = if *is_wanted { &mut kept } else { &mut others };
            copies.0.push(Copied { at: out.len(), ..copied });
            out.extend_from_slice(&bytes[range]);
        }
        (*self, *bytes) = kept;
        others
    }

    /// Returns the number of copies.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no copies.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Keeps the first `count` copies and drops the others.
    pub fn truncate(&mut self, count: usize) {
        self.0.truncate(count);
    }
}

/// Joins copies, in the order of the databases.
#[derive(Debug, Default)]
pub struct Binder {
    last: Option<Rear>,
    is_same_database: bool,
}

impl Binder {
    /// Starts a new database, from which the next copies come.
    pub fn begin_database(&mut self) {
        self.is_same_database = false;
    }

    /// Inserts the missing text before and between the next copies into their bytes.
    pub fn bind(&mut self, copies: &mut Copies, bytes: &mut Vec<u8>) {
        let mut bound = Vec::new();
        let mut taken = 0;
        for Copied { at, start, head, rear, is_edited } in copies.0.drain(..) {
            let is_same_database = self.is_same_database;
            let is_neighbour = |last: &Rear| {
                is_same_database
                    && last.end == start
                    && head != Head::Bracket
                    && (!is_edited || last.closing.is_empty())
            };
            if let Some(last) = self.last.take().filter(|last| !is_neighbour(last)) {
                let missing = last.missing(head);
                if !missing.is_empty() {
                    bound.extend_from_slice(&bytes[taken..at]);
                    bound.extend(missing);
                    taken = at;
                }
            }
            self.last = Some(rear);
            self.is_same_database = true;
        }
        if !bound.is_empty() {
            bound.extend_from_slice(&bytes[taken..]);
            *bytes = bound;
        }
    }

    /// Returns the text that is missing behind the last copy: a line break, or nothing.
    pub fn end(self) -> &'static [u8] {
        self.last.filter(|last| last.line_ends == 0).map_or(b"", |last| last.line_end)
    }
}

impl Head {
    fn of(game: &[u8]) -> Self {
        match game {
            _ if begins_pair(game, 0) => Self::Pair,
            [b'[', ..] => Self::Bracket,
            _ => Self::Other,
        }
    }
}

impl Rear {
    /// Judges the end of a game whose movetext has been read. No game is its neighbour.
    fn of(game: &[u8], (end, movetext): (Ending, &Movetext<'_>), ends_tag_section: impl FnOnce() -> bool) -> Self {
        Self {
            end: u64::MAX,
            line_ends: line_ends(game),
            line_end: line_break(game),
            closing: closing(end, movetext),
            ends_before_pair: match end {
                Ending::NoMarker => movetext.has_symbols() && ends_tag_section(),
                Ending::InVariation(_) => ends_tag_section(),
                Ending::InComment { .. } | Ending::Marker(_) => false,
            },
        }
    }

    /// Returns the text that is missing before a game that was not the neighbour.
    fn missing(&self, next: Head) -> Vec<u8> {
        let mut missing = Vec::new();
        let mut line_ends = self.line_ends;
        let is_ended = self.closing.is_empty() || self.ends_before_pair && next == Head::Pair;
        if !is_ended {
            if line_ends == 0 {
                missing.extend_from_slice(self.line_end);
            }
            missing.extend_from_slice(&self.closing);
            line_ends = 0;
        }
        for _ in line_ends..2 {
            missing.extend_from_slice(self.line_end);
        }
        missing
    }
}

/// Whether the tag section of a game ends before the end of its text: the game has no tags, or its movetext follows
/// them.
fn ends_tag_section(text: &[u8], start: usize) -> bool {
    let end = Tags::read(text, start).end();
    end == start || behind_strays(text, end) == Behind::Movetext
}

/// Returns the text that ends a game with this ending.
fn closing(end: Ending, movetext: &Movetext<'_>) -> Vec<u8> {
    movetext.open_marks(end).map_or_else(Vec::new, |marks| [marks.as_slice(), b"*"].concat())
}

/// Returns the marks that close the comment and the variations in which the last game of a text ends, if it has no
/// result. A result behind them ends the game. None if it has a result, or if there is no game.
#[doc(hidden)]
pub fn missing_end(bytes: &[u8]) -> Option<Vec<u8>> {
    if has_plain_end(bytes) { None } else { read_missing_end(bytes) }
}

fn read_missing_end(bytes: &[u8]) -> Option<Vec<u8>> {
    let text = Chunk::whole(bytes);
    let (mut at, mut marks) = (0, None);
    while let Next::Game(start) = next_game(text, at, |_| {}) {
        let tags = text.tags(start);
        let mut movetext = text.movetext(&tags);
        let end = movetext.finish();
        marks = movetext.open_marks(end);
        // A game is never empty.
        at = movetext.offset().max(start + 1);
    }
    marks
}

/// Whether a text certainly ends with a result: there is one behind white space or a comment, no variation, and no
/// comment, bracket or quotation can be open there. If not, it may end with one all the same.
fn has_plain_end(bytes: &[u8]) -> bool {
    let text = bytes.trim_ascii_end();
    let results = [&b"1-0"[..], b"0-1", b"1/2-1/2", b"*"];
    let mut before = results.iter().filter_map(|result| text.strip_suffix(*result));
    let Some(before) = before.find(|before| before.last().is_some_and(|last| is_plain(*last) || *last == b'}')) else {
        return false;
    };
    let line = memchr::memrchr2(b'\n', b'\r', before).map_or(0, |at| at + 1);
    let is_closed = |open, close| memchr::memrchr2(open, close, before).is_none_or(|at| before[at] == close);
    memchr::memchr2(b'(', b')', before).is_none()
        && memchr::memchr(b';', &before[line..]).is_none()
        && !before[line..].starts_with(b"%")
        && is_closed(b'{', b'}')
        && is_closed(b'[', b']')
        && memchr::memrchr(b'"', before).is_none_or(|at| before.get(at + 1) == Some(&b']'))
}

fn is_plain(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

/// Returns the number of line breaks at the end of a game, at most two. White space between them is ignored.
fn line_ends(game: &[u8]) -> u8 {
    if !game.ends_with(b"\n") && !game.ends_with(b"\r") {
        return 0;
    }
    let blanks = game.iter().rev().take_while(|byte| is_plain(**byte)).count();
    if count_lines(&game[game.len() - blanks..]) > 1 { 2 } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::{Binder, Copies, has_plain_end, line_ends, missing_end, read_missing_end};
    use crate::edit::GameEdit;
    use crate::games::{Chunk, Game, Games};
    use crate::lists::Form;
    use crate::movetext::Movetext;
    use crate::tags::{Tag, Tags};
    use crate::token::{Outcome, Token};

    /// Copies the games with these numbers out of some databases. The games of all databases are counted from 0.
    #[track_caller]
    fn check(databases: &[&str], wanted: &[usize], expected: &str) {
        let mut binder = Binder::default();
        let mut bound = Vec::new();
        let mut number = 0;
        for database in databases {
            binder.begin_database();
            let (mut copies, mut bytes) = (Copies::default(), Vec::new());
            for game in Games::new(database.as_bytes()) {
                let start = usize::try_from(game.offset()).unwrap();
                let text = Chunk::whole(database.as_bytes());
                let mut movetext = Movetext::new(text.bytes, Tags::read(text.bytes, start).end());
                if wanted.contains(&number) {
                    copies.push(text, start, &mut movetext, &mut bytes);
                }
                number += 1;
            }
            binder.bind(&mut copies, &mut bytes);
            bound.extend(bytes);
        }
        bound.extend(binder.end());
        assert_eq!(String::from_utf8(bound).unwrap(), expected);
    }

    /// Returns copies of all games of a database, and their buffer.
    fn copied(database: &str) -> (Copies, Vec<u8>) {
        let text = Chunk::whole(database.as_bytes());
        let (mut copies, mut bytes) = (Copies::default(), Vec::new());
        for game in Games::new(text.bytes) {
            let start = usize::try_from(game.offset()).unwrap();
            copies.push(text, start, &mut text.movetext(&text.tags(start)), &mut bytes);
        }
        (copies, bytes)
    }

    #[test]
    fn copies_that_are_not_wanted_go_to_another_buffer() {
        let (mut copies, mut bytes) = copied("1. e4 *\n\n1. d4 1-0\n\n1. c4 *\n\n");
        assert!(copies.len() == 3 && !copies.is_empty());
        assert_eq!(copies.ranges(bytes.len()).collect::<Vec<_>>(), [0..9, 9..20, 20..29]);
        let (others, other_bytes) = copies.take_unwanted(&[false, true, false], &mut bytes);
        assert_eq!((copies.len(), &bytes[..]), (1, &b"1. d4 1-0\n\n"[..]));
        assert_eq!((others.len(), &other_bytes[..]), (2, &b"1. e4 *\n\n1. c4 *\n\n"[..]));
        assert_eq!(others.ranges(other_bytes.len()).collect::<Vec<_>>(), [0..9, 9..18]);
    }

    #[test]
    fn the_first_copies_are_kept() {
        let (mut copies, _) = copied("1. e4 *\n\n1. d4 1-0\n\n1. c4 *\n\n");
        copies.truncate(2);
        assert_eq!(copies.len(), 2);
        copies.truncate(0);
        assert!(copies.is_empty());
    }

    #[test]
    fn a_last_copy_is_ended_for_any_game_behind_it() {
        for (database, expected) in [
            ("1. e4 *\n\n", ""),
            ("1. e4 *\n", "\n"),
            ("1. e4 *", "\n\n"),
            ("1. e4", "\n*\n\n"),
            ("1. e4 (1. d4 {x", "\n})*\n\n"),
        ] {
            let (mut copies, mut bytes) = copied(database);
            copies.end_last(&mut bytes);
            assert_eq!(String::from_utf8(bytes.clone()).unwrap(), format!("{database}{expected}"));
            copies.end_last(&mut bytes);
            assert_eq!(bytes.len(), database.len() + expected.len(), "{database}");
        }
    }

    /// Copies all games with an edit. The copies are the same games.
    #[track_caller]
    fn check_edited(database: &str, edit: &GameEdit) {
        let text = Chunk::whole(database.as_bytes());
        // Behind other tags, a bracket in movetext may be a tag.
        let behind = |game: &Game<'_>| text.bytes[game.tags().end()..game.end()].contains(&b'[');
        if Games::new(text.bytes).any(|game| behind(&game)) {
            return;
        }
        let (mut binder, mut copies, mut bytes) = (Binder::default(), Copies::default(), Vec::new());
        for game in Games::new(text.bytes) {
            let start = usize::try_from(game.offset()).unwrap();
            let mut movetext = text.movetext(&text.tags(start));
            copies.push_edited(text, start, &mut movetext, edit, &mut bytes);
        }
        binder.bind(&mut copies, &mut bytes);
        bytes.extend(binder.end());
        let said = format!("{edit:?}: {database:?}\n{database}\nbecame {:?}", String::from_utf8_lossy(&bytes));
        let name = |tag: &Tag<'_>| String::from_utf8_lossy(tag.name).into_owned();
        let value = |tag: &Tag<'_>| tag.value.unescape().split(u8::is_ascii_whitespace).collect::<Vec<_>>().join(&b' ');
        let (olds, news): (Vec<_>, Vec<_>) = (Games::new(text.bytes).collect(), Games::new(&bytes).collect());
        assert_eq!(olds.len(), news.len(), "{said}");
        for (old, new) in olds.iter().zip(&news) {
            let expected = edit.tags(old.tags());
            let mut expected: Vec<_> = expected.iter().map(|tag| (name(&tag), value(&tag))).collect();
            let mut tags: Vec<_> = new.tags().iter().map(|tag| (name(&tag), value(&tag))).collect();
            if expected.is_empty() && old.tags().iter().next().is_some() {
                expected.push(("Event".to_owned(), b"?".to_vec()));
            }
            expected.sort_by(|one, other| one.0.cmp(&other.0));
            tags.sort_by(|one, other| one.0.cmp(&other.0));
            assert_eq!(tags, expected, "{said}");
            let moves = |game: &Game<'_>| {
                let mut movetext = game.movetext();
                std::iter::from_fn(|| movetext.next_mainline())
                    .filter_map(|token| if let Token::San(san) = token { Some(san.to_vec()) } else { None })
                    .collect::<Vec<_>>()
            };
            assert_eq!(moves(old), moves(new), "{said}");
            let outcome = edit.outcome().or(old.movetext().finish().outcome());
            let written = new.movetext().finish().outcome();
            // `*` may have been added.
            assert!(written == outcome || edit.outcome().is_none() && written == Some(Outcome::Unknown), "{said}");
        }
    }

    #[test]
    fn edited_games_of_odd_text_are_the_same_games() {
        let pieces = [
            "[White \"A\"]",
            "[white \"b\\\"\"]",
            "[Event \"x\" ]",
            "[Result \"1-0\"]",
            "[Result \"0-0\"]",
            "\n\n",
            "\n",
            "\r\n",
            "\r",
            " ",
            "1. e4",
            "e5 2. d4",
            "e4 e5",
            "*",
            "1-0",
            "{",
            "}",
            "(",
            ")",
            ";",
            "\n%",
            "prose",
            "\n[Event \"y\"]\n",
            "[White A]\n",
            "1 - 0",
            "0-0",
            "[Event \"x\n",
        ];
        let mut edits = vec![GameEdit::new(); 6];
        edits[0].set("Event", "Club \"1\" \\");
        edits[1].remove("Event");
        edits[1].set("Zebra", "");
        ["White", "Event", "Result"].into_iter().for_each(|name| edits[2].remove(name));
        edits[3].set_result(Outcome::BlackWins);
        edits[4].set_result(Outcome::Unknown);
        ["White", "Event"].into_iter().for_each(|name| edits[4].remove(name));
        edits[5].set_marker(Outcome::Draw);
        let mut state = 17_u64;
        let mut random = |most: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(state >> 33).unwrap() % most
        };
        for _ in 0..5_000 {
            let text: String = (0..random(20)).map(|_| pieces[random(pieces.len())]).collect();
            edits.iter().for_each(|edit| check_edited(&text, edit));
        }
    }

    #[test]
    fn neighbours_stay_as_they_were() {
        let text = "[A \"1\"]\n\n1. e4 *\n\n\n{c}\n[A \"2\"]\n1. d4\n[A \"3\"] 1. c4 1-0 1. f4 *\t \r\n";
        check(&[text], &[0, 1, 2, 3], text);
        check(&[text], &[0, 1], "[A \"1\"]\n\n1. e4 *\n\n\n{c}\n[A \"2\"]\n1. d4\n");
    }

    #[test]
    fn others_are_set_apart_by_a_blank_line() {
        check(&["1. e4 *\n1. d4 *\n1. c4 *"], &[0, 2], "1. e4 *\n\n1. c4 *\n");
        check(&["1. e4 *\r\n1. d4 *\r\n1. c4 *\r\n"], &[0, 2], "1. e4 *\r\n\r\n1. c4 *\r\n");
        check(&["1. e4 * 1. d4 * 1. c4 *"], &[0, 2], "1. e4 * \n\n1. c4 *\n");
        check(&["1. e4 *", "1. d4 *\r", "1. c4 *"], &[0, 1, 2], "1. e4 *\n\n1. d4 *\r\r1. c4 *\n");
    }

    #[test]
    fn what_belongs_to_no_game_is_left_behind() {
        check(&["From: me\n1. e4 *\n% x\nprose\n\u{feff}1. d4 * end\n"], &[0, 1], "1. e4 *\n\n1. d4 * end\n");
    }

    #[test]
    fn a_game_without_a_result_does_not_go_on_into_the_next() {
        let tags = ["[A \"1\"]\n\n", "[A \"2\"]\n\n"];
        check(&[&tags.concat()], &[0, 1], &tags.concat());
        check(&[tags[0], tags[1]], &[0, 1], "[A \"1\"]\n\n*\n\n[A \"2\"]\n\n");
        check(&["[A \"1\"] 1. e4", tags[1]], &[0, 1], "[A \"1\"] 1. e4\n\n[A \"2\"]\n\n");
        check(&["[A \"1\"] 1. e4 (", tags[1]], &[0, 1], "[A \"1\"] 1. e4 (\n\n[A \"2\"]\n\n");
        check(&["[A \"1\"] word", tags[1]], &[0, 1], "[A \"1\"] word\n*\n\n[A \"2\"]\n\n");
        check(&["[A \"1\"] (", tags[1]], &[0, 1], "[A \"1\"] (\n)*\n\n[A \"2\"]\n\n");
        check(&["1. e4 ((", "1. d4 *"], &[0, 1], "1. e4 ((\n))*\n\n1. d4 *\n");
        check(&["1. e4 ( {", "[A \"2\"]"], &[0, 1], "1. e4 ( {\n})*\n\n[A \"2\"]\n");
    }

    #[test]
    fn a_plain_end_is_an_end() {
        const PIECES: [&str; 24] = [
            "1. e4 ",
            "e5 ",
            "{",
            "}",
            "(",
            ") ",
            ";",
            "\n",
            "%",
            "[",
            "]",
            "\"",
            "\\",
            "<",
            ">",
            "$1 ",
            " 1-0",
            " 0-1 ",
            "1/2-1/2",
            "*",
            "[White \"A\"]\n",
            "[%clk 1] ",
            "Nf3",
            "\r",
        ];
        let mut seed = 9_u64;
        let mut next = |most: usize| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            usize::try_from(seed % most as u64).unwrap()
        };
        let mut plain = 0;
        for _ in 0..300_000 {
            let mut text: String = (0..=next(9)).map(|_| PIECES[next(PIECES.len())]).collect();
            text += [" 1-0", "1-0", " *", "\n1/2-1/2", "}0-1\n"][next(5)];
            if has_plain_end(text.as_bytes()) {
                plain += 1;
                assert_eq!(read_missing_end(text.as_bytes()), None, "{text:?}");
            }
        }
        assert!(plain > 10_000, "{plain}");
    }

    #[test]
    fn usual_games_have_a_plain_end() {
        for text in [
            "1. e4 *",
            "1. e4 1-0\r\n\r\n",
            "1. e4 {c} e5 {d} 0-1",
            "1. e4 {c}1/2-1/2",
            "[Event \"x\"]\n[White \"y\"]\n\n1. e4 {[%clk 1]} 1-0\n",
            "; c\n% d\n1. e4\n1-0",
        ] {
            assert!(has_plain_end(text.as_bytes()), "{text:?}");
        }
        for text in [
            "",
            "*",
            "1. e4 e5",
            "1. e4*",
            "1. e4 1-0 {c}",
            "1. e4 (1. d4) *",
            "1. e4 ; *",
            "x\n% *",
            "1. e4 {c *",
            "1. e4 {c} {d *",
            "[Event \"x\" *",
            "[Event \"x] *",
            "[Event \"x\" ] *",
        ] {
            assert!(!has_plain_end(text.as_bytes()), "{text:?}");
        }
    }

    #[test]
    fn line_breaks_at_the_end_of_a_game_are_counted_up_to_two() {
        for (game, expected) in [
            ("", 0),
            ("a", 0),
            ("a\n ", 0),
            ("a\n", 1),
            ("a \r\n", 1),
            ("a\r", 1),
            ("a\n\nb\n", 1),
            ("a\nb\nc \n", 1),
            ("a\n\n", 2),
            ("a\r\n\r\n", 2),
            ("a\n \t\n", 2),
            ("a\r\r\r", 2),
        ] {
            assert_eq!(line_ends(game.as_bytes()), expected, "{game:?}");
        }
    }

    /// Compares copies of all games of a database with another result.
    #[track_caller]
    fn check_ended(database: &str, expected: &str) {
        let text = Chunk::whole(database.as_bytes());
        let (mut binder, mut copies, mut bytes) = (Binder::default(), Copies::default(), Vec::new());
        let mut edit = GameEdit::new();
        edit.set_marker(Outcome::Draw);
        for game in Games::new(text.bytes) {
            let start = usize::try_from(game.offset()).unwrap();
            copies.push_edited(text, start, &mut text.movetext(&text.tags(start)), &edit, &mut bytes);
        }
        binder.bind(&mut copies, &mut bytes);
        bytes.extend(binder.end());
        assert_eq!(String::from_utf8(bytes).unwrap(), expected, "{database:?}");
    }

    #[test]
    fn an_edited_game_stands_to_its_neighbour_as_before_unless_its_end_is_another() {
        check_ended("1. e4 *\n1. d4 *\n", "1. e4 1/2-1/2\n1. d4 1/2-1/2\n");
        check_ended("1. e4 *\n\n\n1. d4 *\n", "1. e4 1/2-1/2\n\n\n1. d4 1/2-1/2\n");
        // The next game ended the first one, which has a result now.
        check_ended(
            "[A \"1\"]\n\n1. e4\n[A \"2\"]\n\n1. d4 1-0\n",
            "[A \"1\"]\n\n1. e4\n1/2-1/2\n\n[A \"2\"]\n\n1. d4 1/2-1/2\n",
        );
    }

    #[test]
    fn what_closes_the_last_game_of_a_text_is_told() {
        for (text, expected) in [
            ("", None),
            ("words", None),
            ("1. e4 *\n", None),
            ("1. e4 1-0 {x}", None),
            ("1. e4 * 1. d4", Some("")),
            ("1. e4 (1. d4 (1. c4)", Some(")")),
            ("1. e4 (1. d4 {x", Some("})")),
            ("[A \"1\"]\n\n1. e4 {x\n\n[A \"2\"]\n*", Some("}")),
            ("[A \"\"]\n1. e4\n[B \"\"]\n", Some("")),
        ] {
            let found = missing_end(text.as_bytes()).map(|marks| String::from_utf8(marks).unwrap());
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn lines_of_a_list_and_records_are_copied_as_games() {
        let fen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
        let game = format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n*\n");
        for (form, text, expected) in [
            (Form::Positions, format!("{fen}\n{fen}\n"), format!("{game}\n{game}")),
            (
                Form::Records,
                "[A \"1\"] 1. e4 *\n[A \"2\"] *\n".into(),
                "[A \"1\"]\n\n1. e4 *\n\n[A \"2\"]\n\n*\n".into(),
            ),
        ] {
            let text = Chunk { form, offset: 50, ..Chunk::whole(text.as_bytes()) };
            let (mut binder, mut copies, mut bytes) = (Binder::default(), Copies::default(), Vec::new());
            for game in Games::within(text, 0..text.bytes.len()) {
                let start = usize::try_from(game.offset() - 50).unwrap();
                copies.push(text, start, &mut text.movetext(&text.tags(start)), &mut bytes);
            }
            assert_eq!(copies.0.iter().map(|copied| copied.start).min(), Some(50));
            binder.bind(&mut copies, &mut bytes);
            bytes.extend(binder.end());
            assert_eq!(String::from_utf8(bytes).unwrap(), expected);
        }
    }

    #[test]
    fn a_game_that_was_written_anew_needs_no_more_text_behind_it() {
        let text = Chunk { offset: 50, ..Chunk::whole(b"1. e4 *\n1. d4 *\n") };
        let (mut binder, mut copies, mut bytes) = (Binder::default(), Copies::default(), b"1. e4 *\n\n".to_vec());
        copies.push_written(text, 0, 0);
        copies.push(text, 8, &mut text.movetext(&text.tags(8)), &mut bytes);
        assert_eq!(copies.0.iter().map(|copied| copied.start).collect::<Vec<_>>(), [50, 58]);
        binder.bind(&mut copies, &mut bytes);
        assert_eq!(String::from_utf8(bytes).unwrap(), "1. e4 *\n\n1. d4 *\n");
    }

    #[test]
    fn games_of_different_databases_are_no_neighbours() {
        // The second game begins where the first one ends.
        check(&["1. e4 *\n", "% six ;\n1. d4 *\n"], &[0, 1], "1. e4 *\n\n1. d4 *\n");
        check(&["1. e4 *\n1. d4 *\n"], &[0, 1], "1. e4 *\n1. d4 *\n");
    }
}
