//! Converts byte offsets to lines and columns.

use std::sync::OnceLock;

use crate::database::{Database, Source};
use crate::diagnostic::{column, count_lines};

/// A place in a file, by line and column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The line, counted from 1.
    pub line: u64,
    /// The column in bytes, counted from 1.
    pub column: usize,
}

/// The text of a file before the games that are read.
#[derive(Debug, Default)]
pub(crate) struct Before {
    /// A database of which only a range is read.
    ranged: Option<Database>,
    /// The number of lines before the range, and the number of bytes on the last of them. Counted when first needed.
    counted: OnceLock<(u64, usize)>,
}

impl Before {
    pub(super) fn of(source: &Source) -> Self {
        let ranged = match source {
            Source::Whole(database) if !database.before().is_empty() => Some(database.clone()),
            _ => None,
        };
        Self { ranged, counted: OnceLock::new() }
    }

    fn counts(&self) -> (u64, usize) {
        *self.counted.get_or_init(|| {
            let before = self.ranged.as_ref().map_or(&[][..], Database::before);
            (count_lines(before), column(before))
        })
    }

    /// Returns the place where the first delivery must begin.
    pub(super) fn seam(&self) -> Seam {
        let before = self.ranged.as_ref().map_or(&[][..], Database::before);
        Seam { offset: before.len() as u64, line: 0, is_behind_cr: before.ends_with(b"\r") }
    }

    /// Returns the number of lines before the range.
    pub(super) fn lines(&self) -> u64 {
        self.counts().0
    }

    /// Returns the place in the file of a line and column that are counted from 0 at the start of the range.
    pub(crate) fn place(&self, line: u64, column: usize) -> Place {
        let (lines, on_line) = self.counts();
        let column = if line == 0 { on_line + column } else { column };
        Place { line: lines + line + 1, column: column + 1 }
    }
}

/// The place where the next delivery must begin. Used in debug builds only.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seam {
    offset: u64,
    line: u64,
    is_behind_cr: bool,
}

impl Seam {
    /// Moves to the end of a delivery.
    ///
    /// # Panics
    ///
    /// In a debug build, if the delivery does not begin where the delivery before it ended, or if a delivery ends between CR and LF.
    pub(super) fn pass(&mut self, offset: u64, line: u64, text: &[u8]) {
        if cfg!(debug_assertions) {
            let Self { offset: expected, line: expected_line, is_behind_cr } = *self;
            debug_assert_eq!((offset, line), (expected, expected_line), "deliveries follow one another without a gap");
            debug_assert!(
                !(is_behind_cr && text.first() == Some(&b'\n')),
                "a delivery ends between CR and LF at {offset}"
            );
            let is_behind_cr = if text.is_empty() { is_behind_cr } else { text.ends_with(b"\r") };
            *self = Self { offset: offset + text.len() as u64, line: line + count_lines(text), is_behind_cr };
        }
    }
}

/// A place in a text, with line and column counted from 0. It only moves forward, so that the time is linear however long the lines are.
#[derive(Debug)]
pub(crate) struct TextPlace {
    at: usize,
    pub(crate) line: u64,
    pub(crate) column: usize,
}

impl TextPlace {
    /// Returns the start of a text, which may be within a line.
    pub(crate) fn start(line: u64, column: usize) -> Self {
        Self { at: 0, line, column }
    }

    /// Moves on to an offset in the text.
    pub(crate) fn go_to(&mut self, text: &[u8], at: usize) {
        // The place between CR and LF belongs to the line before.
        let is_in_line_end = at > self.at && text[at - 1] == b'\r' && text.get(at) == Some(&b'\n');
        let at = if is_in_line_end { at - 1 } else { at };
        self.line += count_lines(&text[self.at..at]);
        self.pass(text, at);
    }

    /// Moves on and counts only the column, not the lines.
    pub(super) fn pass(&mut self, text: &[u8], at: usize) {
        let passed = &text[self.at..at];
        let on_line = column(passed);
        self.column = if on_line < passed.len() { on_line } else { self.column + on_line };
        self.at = at;
    }
}
