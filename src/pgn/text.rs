//! A stretch of a database, and how it hangs together with what stands before and behind it.

use crate::pgn::lexical::is_line_end;
use crate::pgn::lists::Form;
use crate::pgn::movetext::Movetext;
use crate::pgn::tags::Tags;

/// A stretch of a database.
#[derive(Clone, Copy, Debug)]
pub struct Text<'t> {
    /// Its bytes. They begin between games.
    pub bytes: &'t [u8],
    /// Where they lie in the database.
    pub offset: u64,
    /// Whether the database ends with them.
    pub is_last: bool,
    /// What its first byte lies in.
    pub within: Within,
    /// What the database consists of.
    pub form: Form,
}

impl<'t> Text<'t> {
    /// A whole database of games.
    pub fn whole(bytes: &'t [u8]) -> Self {
        Self { bytes, offset: 0, is_last: true, within: Within::LineStart, form: Form::Games }
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

    /// Whether a place between games is the first column of a line.
    pub(crate) fn is_line_start(&self, at: usize) -> bool {
        match at.checked_sub(1) {
            Some(before) => is_line_end(self.bytes[before]),
            None => self.within == Within::LineStart,
        }
    }

    /// A place between games, with nothing before it that goes on behind it.
    pub(crate) fn left_at(&self, at: usize) -> Left {
        let within = match at {
            0 => self.within,
            _ if self.is_line_start(at) => Within::LineStart,
            _ => Within::Line,
        };
        Left { at, within }
    }
}

/// What a place between games lies in. Lines and white space may be longer than any text that is held in memory, so that one
/// text ends in them and the next one begins there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Within {
    /// The first column of a line.
    #[default]
    LineStart,
    /// A line.
    Line,
    /// A line that is skipped: it belongs to no game, which has been told, or it is escaped.
    SkippedLine,
    /// White space of which it has been told that it is odd.
    OddBlanks,
}

impl Within {
    /// What a place lies in, to go by the byte before it.
    pub fn after(byte: Option<u8>) -> Self {
        if byte.is_none_or(is_line_end) { Self::LineStart } else { Self::Line }
    }
}

/// Where the reading of a text was left: between games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Left {
    /// The place, in bytes from the start of the text. All before it has been read for good.
    pub at: usize,
    /// What the place lies in.
    pub within: Within,
}
