//! A part of a database that is in memory, with its place in the database.

use crate::pgn::lexical::is_line_end;
use crate::pgn::lists::Form;
use crate::pgn::movetext::Movetext;
use crate::pgn::tags::Tags;

/// A part of a database that is in memory.
#[derive(Clone, Copy, Debug)]
pub struct Chunk<'t> {
    /// The bytes. They begin between games.
    pub bytes: &'t [u8],
    /// The offset of the bytes in the database.
    pub offset: u64,
    /// Whether the database ends with these bytes.
    pub is_last: bool,
    /// The kind of text at the first byte.
    pub within: LexState,
    /// The form of the database: games, positions, or records as games.
    pub form: Form,
}

impl<'t> Chunk<'t> {
    /// Creates a text that is a whole database of games.
    pub fn whole(bytes: &'t [u8]) -> Self {
        Self { bytes, offset: 0, is_last: true, within: LexState::LineStart, form: Form::Games }
    }

    /// Reads the tags of the game that begins at `start`, in bytes from the start of the text.
    pub fn tags(self, start: usize) -> Tags<'t> {
        let mut tags = Tags::default();
        self.read_tags(start, &mut tags);
        tags
    }

    /// Reads the tags of a game into `tags`, and uses its memory again.
    #[inline]
    pub fn read_tags(self, start: usize, tags: &mut Tags<'t>) {
        match self.form {
            Form::Games | Form::Records => tags.read_again(self.bytes, start),
            Form::Positions => tags.read_position(self.bytes, start),
        }
    }

    /// Returns a reader of the movetext behind these tags. A position of a list has no movetext.
    #[inline]
    pub fn movetext(self, tags: &Tags<'t>) -> Movetext<'t> {
        match self.form {
            Form::Games | Form::Records => Movetext::behind(tags, self.bytes),
            Form::Positions => Movetext::new(&self.bytes[..tags.end()], tags.end()),
        }
    }

    /// Returns the end of the game that begins at `start`.
    #[doc(hidden)]
    pub fn game_end(self, start: usize) -> usize {
        self.movetext(&self.tags(start)).end_offset()
    }

    /// Whether a place between games is at the start of a line.
    pub(crate) fn is_line_start(&self, at: usize) -> bool {
        match at.checked_sub(1) {
            Some(before) => is_line_end(self.bytes[before]),
            None => self.within == LexState::LineStart,
        }
    }

    /// Returns a place between games at which no skipped text is cut.
    pub(crate) fn left_at(&self, at: usize) -> StopPoint {
        let within = match at {
            0 => self.within,
            _ if self.is_line_start(at) => LexState::LineStart,
            _ => LexState::Line,
        };
        StopPoint { at, within }
    }
}

/// The kind of text at a place between games. Lines and white space may be longer than the text that is held in memory,
/// so a text may end within them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LexState {
    /// The start of a line.
    #[default]
    LineStart,
    /// Within a line.
    Line,
    /// Within a line that is skipped. The line is escaped, or has been reported as text that belongs to no game.
    SkippedLine,
    /// Within odd white space that has been reported.
    OddBlanks,
}

impl LexState {
    /// Judges the kind of text at a place by the byte before it.
    pub fn after(byte: Option<u8>) -> Self {
        if byte.is_none_or(is_line_end) { Self::LineStart } else { Self::Line }
    }
}

/// The place between games where reading stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StopPoint {
    /// The place, in bytes from the start of the text. The text before it is not read again.
    pub at: usize,
    /// The kind of text at the place.
    pub within: LexState,
}
