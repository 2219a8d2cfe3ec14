//! A part of a database that is in memory, with its place in the database.

use crate::form::Form;
use crate::lexical::is_line_end;

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

    /// Whether a place between games is at the start of a line.
    pub(crate) fn is_line_start(&self, at: usize) -> bool {
        match at.checked_sub(1) {
            Some(before) => is_line_end(self.bytes[before]),
            None => self.within == LexState::LineStart,
        }
    }

    /// Returns a place between games at which no skipped text is cut.
    #[doc(hidden)]
    pub fn left_at(&self, at: usize) -> StopPoint {
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

#[cfg(test)]
mod tests {
    use super::{Chunk, LexState};

    #[test]
    fn the_byte_before_a_place_tells_whether_a_line_begins() {
        for (byte, expected) in [
            (None, LexState::LineStart),
            (Some(b'\n'), LexState::LineStart),
            (Some(b'\r'), LexState::LineStart),
            (Some(b' '), LexState::Line),
            (Some(b'x'), LexState::Line),
        ] {
            assert_eq!(LexState::after(byte), expected, "{byte:?}");
        }
    }

    #[test]
    fn a_text_is_left_at_a_line_or_at_what_was_before_it() {
        for within in [LexState::LineStart, LexState::Line, LexState::SkippedLine, LexState::OddBlanks] {
            let text = Chunk { within, ..Chunk::whole(b"a\nb\r") };
            let left = [0, 1, 2, 3, 4].map(|at| (text.left_at(at).within, text.left_at(at).at));
            let [line, start] = [LexState::Line, LexState::LineStart];
            assert_eq!(left, [(within, 0), (line, 1), (start, 2), (line, 3), (start, 4)]);
            assert_eq!(text.is_line_start(0), within == LexState::LineStart);
        }
    }
}
