//! A database → its games, one after another, and the places where it may be cut (PGN standard §8, §18).
//!
//! A game reaches from its first tag, or the comment before it, to its termination marker and what follows that on the
//! line. Blank lines have no meaning. Framing cannot fail: what belongs to no game lies between games.

use std::ops::Range;

use crate::pgn::lexical::{
    LOOKAHEAD, is_blank, is_delimiter, is_line_end, is_line_start, is_name, is_plain_blank, line_end, wide_blank,
};
use crate::pgn::lists::{self, Form, is_comment};
use crate::pgn::movetext::strays::pair_behind_marks;
use crate::pgn::movetext::{End, Movetext};
use crate::pgn::tags::Tags;
use crate::pgn::token::{is_move_shaped, move_number, symbol, termination};

/// The games of a text, in order.
#[derive(Clone, Debug)]
pub struct Games<'a> {
    text: Text<'a>,
    at: usize,
    /// Games that begin here or later are left out.
    until: usize,
}

/// One game: its bytes and where they lie. It is read only as far as you ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Game<'a> {
    /// The bytes of the game, from its first tag, comment or move to the end of its last line.
    pub text: &'a [u8],
    /// Where the game begins in its database, in bytes.
    pub offset: u64,
    form: Form,
}

impl<'a> Games<'a> {
    /// Frames the games of `text`.
    pub fn new(text: &'a [u8]) -> Self {
        Self::within(Text::whole(text), 0..text.len())
    }

    /// Frames the games of `text`, a whole database, that begin in a range of bytes, which itself begins between games.
    pub(crate) fn within(text: Text<'a>, range: Range<usize>) -> Self {
        Self { text, at: range.start, until: range.end }
    }
}

impl<'a> Iterator for Games<'a> {
    type Item = Game<'a>;

    fn next(&mut self) -> Option<Game<'a>> {
        let start = match next_game(self.text, self.at, |_| ()) {
            Next::Game(start) if start < self.until => start,
            _ => {
                self.at = self.text.bytes.len();
                return None;
            }
        };
        self.at = self.text.game_end(start);
        Some(Game { text: &self.text.bytes[start..self.at], offset: start as u64, form: self.text.form })
    }
}

impl<'a> Game<'a> {
    /// Reads the tag section.
    pub fn tags(&self) -> Tags<'a> {
        self.whole().tags(0)
    }

    /// A reader of the movetext section; offsets count from the start of the game.
    pub fn movetext(&self) -> Movetext<'a> {
        self.whole().movetext(&self.tags())
    }

    /// The text of the game.
    pub(crate) fn whole(&self) -> Text<'a> {
        Text { form: self.form, ..Text::whole(self.text) }
    }
}

/// A stretch of a database.
#[derive(Clone, Copy, Debug)]
pub struct Text<'t> {
    /// Its bytes. They begin between games.
    pub bytes: &'t [u8],
    /// Where they lie in the database.
    pub offset: u64,
    /// Whether the database ends with them.
    pub is_last: bool,
    /// What the database consists of.
    pub form: Form,
}

impl<'t> Text<'t> {
    /// A whole database of games.
    pub fn whole(bytes: &'t [u8]) -> Self {
        Self { bytes, offset: 0, is_last: true, form: Form::Games }
    }

    /// Reads the tags of the game that begins at `start`, in bytes of the text.
    pub fn tags(self, start: usize) -> Tags<'t> {
        let mut tags = Tags::default();
        self.read_tags(start, &mut tags);
        tags
    }

    /// Reads the tags of a game in the place of others, keeping the memory.
    #[inline]
    pub fn read_tags(self, start: usize, tags: &mut Tags<'t>) {
        match self.form {
            Form::Games => tags.read_again(self.bytes, start),
            Form::Positions => tags.read_position(self.bytes, start),
        }
    }

    /// A reader of the movetext behind these tags. A position of a list has none.
    #[inline]
    pub fn movetext(self, tags: &Tags<'t>) -> Movetext<'t> {
        match self.form {
            Form::Games => Movetext::new(self.bytes, tags.end()),
            Form::Positions => Movetext::new(&self.bytes[..tags.end()], tags.end()),
        }
    }

    /// Where the game ends that begins at `start`.
    pub(crate) fn game_end(self, start: usize) -> usize {
        self.movetext(&self.tags(start)).end_offset()
    }
}

/// What lies ahead between games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// A game begins here.
    Game(usize),
    /// No game begins in the text. Up to here it needs no second look, whatever may follow it.
    Nothing(usize),
}

/// Looks for the next game from `at` on, which must lie between games. What belongs to none is told to `skipped`, a line or
/// a run of odd white space at a time.
pub fn next_game(text: Text<'_>, mut at: usize, mut skipped: impl FnMut(Range<usize>)) -> Next {
    let Text { bytes, is_last, form, .. } = text;
    // A comment belongs to the game that follows it.
    let mut comment = None;
    loop {
        let Some(&byte) = bytes.get(at) else {
            return Next::Nothing(comment.unwrap_or(at));
        };
        if is_blank(byte) || wide_blank(&bytes[at..]) > 0 {
            let (end, odd) = blanks(bytes, at);
            if end == bytes.len() && !is_last {
                return Next::Nothing(comment.unwrap_or(at));
            }
            if let Some(odd) = odd {
                skipped(odd);
            }
            at = end;
            continue;
        }
        match byte {
            _ if form == Form::Positions => {
                if !is_comment(byte) {
                    return Next::Game(at);
                }
                let end = line_end(bytes, at);
                if end == bytes.len() && !is_last {
                    return Next::Nothing(at);
                }
                at = end;
            }
            b'{' => {
                comment = comment.or(Some(at));
                match memchr::memchr(b'}', &bytes[at..]) {
                    Some(length) => at += length + 1,
                    // A game that is nothing but an open comment, so that it is heard of.
                    None => return Next::Game(comment.unwrap_or(at)),
                }
            }
            b';' => {
                comment = comment.or(Some(at));
                at = line_end(bytes, at);
            }
            b'%' if is_line_start(bytes, at) => at = line_end(bytes, at),
            _ if begins_game(&bytes[at..]) => return Next::Game(comment.unwrap_or(at)),
            _ => {
                let end = line_end(bytes, at);
                if end == bytes.len() && !is_last {
                    return Next::Nothing(comment.unwrap_or(at));
                }
                comment = None;
                if let Some(pair) = pair_behind_marks(&bytes[..end], at) {
                    skipped(at..pair);
                    return Next::Game(pair);
                }
                skipped(at..end);
                at = end;
            }
        }
    }
}

/// Who reads the games of a text in order, knowing that the last of them may have to be read again.
pub trait Reader<'t> {
    /// Reads the game that begins at `start` and tells where it ends.
    fn game(&mut self, text: Text<'t>, start: usize) -> usize;
    /// Is told what lies between games and is neither white space nor comment.
    fn skipped(&mut self, text: Text<'t>, range: Range<usize>);
    /// All that was read is certain.
    fn keep(&mut self);
    /// What was read since the last [`keep`](Self::keep) will be read again, with more text behind it.
    fn forget(&mut self);
    /// Whether no more games are wanted.
    fn is_done(&self) -> bool;
}

/// Reads the games that begin in the text before `until`, each to its end, and tells where reading must go on: where the
/// first game behind them begins, or before what could not be told yet because the text ends too soon.
pub fn read_games<'t>(text: Text<'t>, until: usize, reader: &mut impl Reader<'t>) -> usize {
    let is_certain = |end: usize| text.is_last || end + LOOKAHEAD <= text.bytes.len();
    let mut at = 0;
    while !reader.is_done() {
        match next_game(text, at, |range| reader.skipped(text, range)) {
            Next::Nothing(resume) => {
                reader.keep();
                return if text.is_last { text.bytes.len() } else { resume };
            }
            Next::Game(start) if !is_certain(start) => {
                reader.forget();
                return at;
            }
            Next::Game(start) => {
                reader.keep();
                if start >= until {
                    return start;
                }
                at = reader.game(text, start);
                if !is_certain(at) {
                    reader.forget();
                    return start;
                }
                reader.keep();
            }
        }
    }
    at
}

/// The end of a run of white space, and what of it is odd.
fn blanks(text: &[u8], from: usize) -> (usize, Option<Range<usize>>) {
    let mut at = from;
    let mut odd: Option<Range<usize>> = None;
    while let Some(&byte) = text.get(at) {
        let width = if is_blank(byte) { 1 } else { wide_blank(&text[at..]) };
        if width == 0 {
            break;
        }
        if !is_plain_blank(&text[at..]) {
            odd = Some(odd.map_or(at, |odd| odd.start)..at + width);
        }
        at += width;
    }
    (at, odd)
}

/// Whether a game begins with this token: a tag, a move number, a result, or a move.
fn begins_game(text: &[u8]) -> bool {
    match text {
        [b'[', rest @ ..] => {
            let name = rest.iter().position(|byte| !is_blank(*byte)).unwrap_or(rest.len().min(1));
            rest.get(name).is_some_and(|byte| is_name(*byte))
        }
        [b'0'..=b'9' | 0xC2 | b'*', ..] if termination(text).is_ok() => true,
        [b'0'..=b'9', ..] => begins_numbered(text) || is_move(text),
        _ => is_move(text),
    }
}

/// Whether a move number begins here: one with its period, or one with a move behind it.
fn begins_numbered(text: &[u8]) -> bool {
    let Ok((rest, _)) = move_number(text) else {
        return false;
    };
    let number = &text[..text.len() - rest.len()];
    number.contains(&b'.') || rest.first().is_none_or(|byte| is_delimiter(*byte)) && is_move(rest.trim_ascii_start())
}

fn is_move(text: &[u8]) -> bool {
    is_move_shaped(symbol(text).0)
}

/// How much of a text that breaks off anywhere can be trusted: up to the end of its last game with a termination marker, or
/// the start of the game behind it.
pub fn end_of_whole_games(text: &[u8], form: Form) -> usize {
    if form == Form::Positions {
        return lists::line_start(text, text.len());
    }
    let mut end = 0;
    while let Next::Game(start) = next_game(Text::whole(text), end, |_| ()) {
        let mut movetext = Movetext::new(text, Tags::read(text, start).end());
        let is_whole = matches!(movetext.finish(), End::Marker(_)) || movetext.offset() < text.len();
        if !is_whole {
            return start;
        }
        end = movetext.offset();
    }
    end
}

/// Where a text may be cut for two readers: the likely start of a game at `from` or after it, searched for up to `limit`.
///
/// The answer is a guess. `[Event ` at the start of a line may stand in a comment; only the reader of the text before
/// can prove that a game begins there.
pub fn likely_start(text: &[u8], from: usize, limit: usize) -> Option<usize> {
    let limit = limit.min(text.len());
    let tags = memchr::memchr_iter(b'[', &text[from.min(limit)..limit]).map(|at| from + at);
    let after_tags = tags.take(1000).find(|at| is_line_start(text, *at) && !follows_tag(text, *at));
    after_tags.or_else(|| {
        // A database without tags: behind a result.
        let lines = memchr::memchr2_iter(b'\n', b'\r', &text[from.min(limit)..limit]).map(|at| from + at);
        lines.take(1000).map(|end| (end, &text[..end])).find_map(|(end, before)| {
            let ends_game = [&b"*"[..], b"1-0", b"0-1", b"1/2"].iter().any(|result| before.ends_with(result));
            // Only behind the one result that ends the search: else each line would be followed to the end of its blanks.
            let first = || text[end..limit].iter().position(|byte| !is_blank(*byte));
            ends_game.then(first)?.map(|blanks| end + blanks)
        })
    })
}

/// Whether the tag pair at `at` goes on a tag section: the last line before it that is not blank looks like a tag pair, too,
/// and it is not an Event tag behind a blank line, with which a game begins even if the one before has tags alone.
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
    use super::{Games, Text, end_of_whole_games, likely_start, next_game};
    use crate::pgn::lists::Form;

    /// The games, each with its line ends shown as `/`.
    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let games: Vec<String> =
            Games::new(text.as_bytes()).map(|game| String::from_utf8_lossy(game.text).replace('\n', "/")).collect();
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
        next_game(Text::whole(b"a b\r\nc\n\0\0 \n["), 0, |range| skipped.push(range));
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
}
