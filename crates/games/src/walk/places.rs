//! Converts byte offsets to lines and columns.

use std::io;
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::parallel::Workers;
use crate::walk::census::census;
use crate::walk::options::ReadOptions;
use pgn2fen_pgn::diagnostic::{column, count_lines};
use pgn2fen_sources::{Before, Database, Source};

/// A place in a file, by line and column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The line, counted from 1.
    pub line: u64,
    /// The column in bytes, counted from 1.
    pub column: usize,
}

/// The text of a file before the games that are read. It is counted when that is first needed, unless its numbers are
/// known.
#[doc(hidden)]
#[derive(Debug)]
pub struct Preceding {
    text: Uncounted,
    /// The line breaks, and the bytes behind the last one.
    lines: OnceLock<(u64, usize)>,
    games: OnceLock<u64>,
    /// The number of threads that count.
    threads: usize,
    failure: Mutex<Option<io::Error>>,
}

/// The text before the games that are read.
#[derive(Debug)]
enum Uncounted {
    /// There is none, or its numbers are known.
    Known(Before),
    /// The text before a range of a database.
    Database(Database),
    /// The text before a range of a compressed file, or of a file that is read. All its numbers are counted at once.
    /// `text` is the number of its bytes, if it is known.
    Section { source: Mutex<Option<Source>>, counted: OnceLock<Before>, text: Option<u64> },
}

impl Preceding {
    /// Prepares to count what stands before the games of a source, on this number of threads.
    pub(super) fn of(source: &Source, threads: usize) -> Self {
        let text = match (source, source.part().before) {
            (Source::Whole(database), Some(before)) => {
                Uncounted::Known(Before { text: database.before().len() as u64, ..before })
            }
            (Source::Whole(database), None) if !database.before().is_empty() => Uncounted::Database(database.clone()),
            (source, Some(before)) => {
                Uncounted::Known(Before { text: source.known_offset().unwrap_or(before.text), ..before })
            }
            (source, None) => match source.before_section() {
                Some(before) => {
                    let text = source.known_offset();
                    Uncounted::Section { source: Mutex::new(Some(before)), counted: OnceLock::new(), text }
                }
                None => Uncounted::Known(Before::default()),
            },
        };
        let (lines, games) = (OnceLock::new(), OnceLock::new());
        Self { text, lines, games, threads, failure: Mutex::new(None) }
    }

    /// Returns the number of games before those that are read.
    pub fn games(&self) -> u64 {
        match &self.text {
            Uncounted::Known(before) => before.games,
            Uncounted::Database(database) => {
                *self.games.get_or_init(|| database.clone().up_to_here().games().count() as u64)
            }
            Uncounted::Section { source, counted, .. } => self.count(source, counted).games,
        }
    }

    /// Returns the number of line breaks, and the number of bytes behind the last one.
    fn lines_and_column(&self) -> (u64, usize) {
        match &self.text {
            Uncounted::Known(before) => (before.lines, before.column),
            Uncounted::Database(database) => {
                *self.lines.get_or_init(|| (count_lines(database.before()), column(database.before())))
            }
            Uncounted::Section { source, counted, .. } => {
                let before = self.count(source, counted);
                (before.lines, before.column)
            }
        }
    }

    /// Returns the number of bytes of text.
    pub(super) fn text(&self) -> u64 {
        match &self.text {
            Uncounted::Known(before) => before.text,
            Uncounted::Database(database) => database.before().len() as u64,
            Uncounted::Section { text: Some(text), .. } => *text,
            Uncounted::Section { source, counted, .. } => self.count(source, counted).text,
        }
    }

    /// Whether [`text`](Self::text) is known without reading.
    pub(super) fn knows_text(&self) -> bool {
        !matches!(&self.text, Uncounted::Section { counted, text: None, .. } if counted.get().is_none())
    }

    fn count<'c>(&self, source: &Mutex<Option<Source>>, counted: &'c OnceLock<Before>) -> &'c Before {
        counted.get_or_init(|| {
            let source = source.lock().unwrap_or_else(PoisonError::into_inner).take();
            let count = |source| {
                let workers = Workers::new(self.threads).map_err(io::Error::other)?;
                census(&workers, source, &ReadOptions::default())
            };
            let counted = source.map_or_else(|| Ok(Before::default()), count);
            counted.unwrap_or_else(|error| {
                *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                Before::default()
            })
        })
    }

    /// Returns the error that made counting fail.
    pub(super) fn take_failure(&self) -> Option<io::Error> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Returns the number of lines before the games that are read.
    pub(super) fn lines(&self) -> u64 {
        self.lines_and_column().0
    }

    /// Returns the place in the file of a line and column that are counted from 0 at the start of the range.
    pub(crate) fn place(&self, line: u64, column: usize) -> Place {
        let (lines, on_line) = self.lines_and_column();
        let column = if line == 0 { on_line + column } else { column };
        Place { line: lines + line + 1, column: column + 1 }
    }
}

/// The place where the next delivery must begin. Used in debug builds only.
#[derive(Clone, Copy, Debug)]
pub(super) struct ContinuityCheck {
    offset: u64,
    line: u64,
    is_behind_cr: bool,
}

impl ContinuityCheck {
    /// Returns the place where the first delivery must begin.
    pub(super) fn of(source: &Source) -> Self {
        match source {
            Source::Whole(database) => {
                let before = database.before();
                Self { offset: before.len() as u64, line: 0, is_behind_cr: before.ends_with(b"\r") }
            }
            Source::Stream(stream) => Self { offset: stream.offset(), line: 0, is_behind_cr: false },
        }
    }

    /// Moves to the end of a delivery.
    ///
    /// # Panics
    ///
    /// In a debug build, if the delivery does not begin where the delivery before it ended, or if a delivery ends
    /// between CR and LF.
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

/// A place in a text, with line and column counted from 0. It only moves forward, so that the time is linear however
/// long the lines are.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default)]
pub struct TextPlace {
    at: usize,
    pub(crate) line: u64,
    pub(crate) column: usize,
}

impl TextPlace {
    /// Returns the start of a text, which may be within a line.
    pub(crate) fn start(line: u64, column: usize) -> Self {
        Self { at: 0, line, column }
    }

    /// Returns the place with line and column counted from 1.
    pub fn counted_from_1(self) -> Place {
        Place { line: self.line + 1, column: self.column + 1 }
    }

    /// Moves on to an offset in the text.
    pub fn go_to(&mut self, text: &[u8], at: usize) {
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
