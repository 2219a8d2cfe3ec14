//! Byte offsets → lines and columns.

use std::sync::OnceLock;

use crate::database::{Database, Source};
use crate::diagnostic::{column, count_lines};

/// A place in a file, as an editor shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The line, counted from 1.
    pub line: u64,
    /// The byte on the line, counted from 1.
    pub column: usize,
}

/// What stands in a file before the games that are read.
#[derive(Debug, Default)]
pub(super) struct Before {
    /// A database whose games are read from somewhere on.
    ranged: Option<Database>,
    /// How many lines it has, and how many bytes on the last of them: counted when first asked for.
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

    /// Where the first delivery begins.
    pub(super) fn seam(&self) -> Seam {
        let before = self.ranged.as_ref().map_or(&[][..], Database::before);
        Seam { offset: before.len() as u64, line: 0, is_behind_cr: before.ends_with(b"\r") }
    }

    /// How many lines there are.
    pub(super) fn lines(&self) -> u64 {
        self.counts().0
    }

    /// A place in the file, of a line and column counted from 0 where the games begin that are read.
    pub(super) fn place(&self, line: u64, column: usize) -> Place {
        let (lines, on_line) = self.counts();
        let column = if line == 0 { on_line + column } else { column };
        Place { line: lines + line + 1, column: column + 1 }
    }
}

/// Where a delivery ends and the next must begin. It is followed in debug builds only.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seam {
    offset: u64,
    line: u64,
    is_behind_cr: bool,
}

impl Seam {
    /// Moves behind a delivery.
    ///
    /// # Panics
    ///
    /// In a debug build: the delivery leaves a gap, overlaps the one before, or ends that one between CR and LF.
    pub(super) fn pass(&mut self, offset: u64, line: u64, text: &[u8]) {
        if cfg!(debug_assertions) {
            let Self { offset: expected, line: expected_line, is_behind_cr } = *self;
            debug_assert_eq!((offset, line), (expected, expected_line), "deliveries follow one another without a gap");
            debug_assert!(!(is_behind_cr && text.first() == Some(&b'\n')), "a line end is not divided at {offset}");
            let is_behind_cr = if text.is_empty() { is_behind_cr } else { text.ends_with(b"\r") };
            *self = Self { offset: offset + text.len() as u64, line: line + count_lines(text), is_behind_cr };
        }
    }
}

/// A place in a text, by lines and columns counted from 0. It only goes forward, so that the time is linear however long
/// the lines are.
#[derive(Debug)]
pub(super) struct TextPlace {
    at: usize,
    pub(super) line: u64,
    pub(super) column: usize,
}

impl TextPlace {
    /// The start of a text, which may lie inside a line.
    pub(super) fn start(line: u64, column: usize) -> Self {
        Self { at: 0, line, column }
    }

    /// Goes on to an offset in the text.
    pub(super) fn go_to(&mut self, text: &[u8], at: usize) {
        // Between CR and LF is still the old line.
        let is_in_line_end = at > self.at && text[at - 1] == b'\r' && text.get(at) == Some(&b'\n');
        let at = if is_in_line_end { at - 1 } else { at };
        self.line += count_lines(&text[self.at..at]);
        self.pass(text, at);
    }

    /// Goes on without counting lines: only the column will be asked for.
    pub(super) fn pass(&mut self, text: &[u8], at: usize) {
        let passed = &text[self.at..at];
        let on_line = column(passed);
        self.column = if on_line < passed.len() { on_line } else { self.column + on_line };
        self.at = at;
    }
}
