//! Prints rows: as an aligned table for people, or as lines of a format for programs. Prints games, too.

use std::io::{self, BufWriter, Write};
use std::sync::Arc;

use anyhow::Result;

use crate::find::layout::{Aligned, lines};
use crate::output::Output;
use crate::say;
use pgn2fen_games::pgn::copies::{Binder, Copies};
use pgn2fen_games::pgn::games::Chunk;
use pgn2fen_games::pgn::movetext::Movetext;
use pgn2fen_games::pgn::tags::Tags;
use pgn2fen_rows::Format;
use pgn2fen_rows::lines::{Cell, Lines};

/// A printer of rows or games.
pub(crate) struct Printer {
    output: Printout,
    names: Vec<&'static str>,
    /// The lines of a format; None for an aligned table.
    lines: Option<Arc<Lines>>,
    has_header: bool,
    is_only_with_rows: bool,
    binder: Binder,
    line: Vec<u8>,
    /// The width of the terminal, to which lines are cut.
    width: Option<usize>,
    /// Rows of an aligned table that are not printed yet, because the widths of their columns are not known.
    waiting: Vec<Vec<Aligned>>,
}

/// An output with a buffer.
pub(super) struct Printout(BufWriter<Output>);

impl Printout {
    pub(super) fn new(output: Output) -> Self {
        Self(BufWriter::with_capacity(64 * 1024, output))
    }

    /// Writes bytes.
    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<()> {
        let result = self.0.write_all(bytes);
        self.0.get_ref().written(result)
    }

    /// Completes the output. A file does not appear for a reason, which completes a sentence after "because".
    pub(super) fn end(mut self, why_unfinished: Option<&str>) -> Result<()> {
        let result = self.0.flush();
        self.0.get_ref().written(result)?;
        // Nothing is left in the buffer.
        if let Some(message) = self.0.into_parts().0.finish_unless(why_unfinished)? {
            say::error(&message);
        }
        Ok(())
    }
}

/// The number of rows that have common column widths. The widths of the next rows may differ, so memory is bounded.
const ALIGNED: usize = 500;

impl Printer {
    /// Creates a printer of rows with these columns. Without a format, it prints an aligned table.
    pub(crate) fn new(output: Output, names: Vec<&'static str>, format: Option<Format>, no_header: bool) -> Self {
        Self {
            output: Printout::new(output),
            lines: format.map(|format| Arc::new(Lines::new(format, &names))),
            names,
            has_header: !no_header,
            is_only_with_rows: false,
            binder: Binder::default(),
            line: Vec::new(),
            width: None,
            waiting: Vec::new(),
        }
    }

    /// Prints no header row if there are no rows, so that a script can test whether anything was found.
    pub(crate) fn only_with_rows(mut self) -> Self {
        self.is_only_with_rows = true;
        self
    }

    /// Cuts the lines of an aligned table to the width of the terminal, if that is known.
    pub(crate) fn cut(mut self) -> Self {
        let terminal = terminal_size::terminal_size_of(io::stdout());
        self.width = terminal.map(|(terminal_size::Width(width), _)| usize::from(width)).filter(|width| *width > 0);
        self
    }

    /// Prints a line below the rows.
    pub(crate) fn note(&mut self, note: &str) -> Result<()> {
        self.print_aligned()?;
        self.output.write(format!("{note}\n").as_bytes())
    }

    /// Prints a row.
    pub(crate) fn row<'c>(&mut self, cells: impl Iterator<Item = Cell<'c>>) -> Result<()> {
        let Some(lines) = &self.lines else {
            self.waiting.push(cells.map(Aligned::new).collect());
            return if self.waiting.len() == ALIGNED { self.print_aligned() } else { Ok(()) };
        };
        self.line.clear();
        if std::mem::take(&mut self.has_header) {
            lines.header(&mut self.line);
        }
        lines.row(cells, &mut self.line);
        self.output.write(&self.line)
    }

    /// Returns the lines of the format; None for an aligned table.
    pub(super) fn lines(&self) -> Option<Arc<Lines>> {
        self.lines.clone()
    }

    /// Prints rows that are [lines](Self::lines) already.
    pub(super) fn lines_of_rows(&mut self, rows: &[u8]) -> Result<()> {
        if !rows.is_empty() {
            self.print_header()?;
        }
        self.output.write(rows)
    }

    /// Prints a game. Something is inserted before it if it would otherwise be read as part of the game before.
    pub(crate) fn game(&mut self, text: &[u8]) -> Result<()> {
        let mut movetext = Movetext::new(text, Tags::read(text, 0).end());
        let mut copies = Copies::default();
        self.line.clear();
        copies.push(Chunk::whole(text), 0, &mut movetext, &mut self.line);
        self.binder.begin_database();
        self.binder.bind(&mut copies, &mut self.line);
        self.output.write(&self.line)
    }

    /// Prints an empty line.
    pub(crate) fn line_break(&mut self) -> Result<()> {
        self.print_aligned()?;
        self.output.write(b"\n")
    }

    /// Prints the rows that wait, and completes the output: a format has its header row even without rows, unless it is
    /// [only with rows](Self::only_with_rows). A file does not appear for a reason, which completes a sentence after
    /// "because".
    pub(crate) fn end(mut self, why_unfinished: Option<&str>) -> Result<()> {
        self.print_aligned()?;
        if why_unfinished.is_none() && !self.is_only_with_rows {
            self.print_header()?;
        }
        let end = self.binder.end();
        self.output.write(end)?;
        self.output.end(why_unfinished)
    }

    /// Prints the header row of a format, if it is not printed yet.
    fn print_header(&mut self) -> Result<()> {
        let Some(lines) = self.lines.as_ref().filter(|_| self.has_header) else { return Ok(()) };
        self.has_header = false;
        self.line.clear();
        lines.header(&mut self.line);
        self.output.write(&self.line)
    }

    fn print_aligned(&mut self) -> Result<()> {
        let rows = std::mem::take(&mut self.waiting);
        if rows.is_empty() {
            return Ok(());
        }
        let has_header = std::mem::take(&mut self.has_header);
        for line in lines(&self.names, rows, has_header, self.width) {
            self.output.write(format!("{line}\n").as_bytes())?;
        }
        Ok(())
    }
}
