//! Prints rows on standard output: as an aligned table for people, or as lines of a format for programs. Prints games,
//! too.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::sync::Arc;

use anyhow::Result;

use crate::find::layout::{Aligned, lines};
use crate::say::Plain;
use crate::stdout::written;
use pgn2fen_games::pgn::copies::{Binder, Copies};
use pgn2fen_games::pgn::games::Chunk;
use pgn2fen_games::pgn::movetext::Movetext;
use pgn2fen_games::pgn::tags::Tags;
use pgn2fen_rows::Format;
use pgn2fen_rows::lines::{Cell, Lines};

/// A printer of rows or games on standard output.
pub(crate) struct Printer {
    output: Box<dyn Write>,
    names: Vec<&'static str>,
    /// The lines of a format; None for an aligned table.
    lines: Option<Arc<Lines>>,
    has_header: bool,
    binder: Binder,
    line: Vec<u8>,
    /// The width of the terminal, to which lines are cut.
    width: Option<usize>,
    /// Rows of an aligned table that are not printed yet, because the widths of their columns are not known.
    waiting: Vec<Vec<Aligned>>,
}

/// The number of rows that have common column widths. The widths of the next rows may differ, so memory is bounded.
const ALIGNED: usize = 500;

impl Printer {
    /// Creates a printer of rows with these columns. Without a format, it prints an aligned table.
    pub(crate) fn new(names: Vec<&'static str>, format: Option<Format>, no_header: bool) -> Self {
        let output = BufWriter::with_capacity(64 * 1024, io::stdout());
        let is_terminal = io::stdout().is_terminal();
        Self {
            output: if is_terminal { Box::new(Plain::new(output)) } else { Box::new(output) },
            lines: format.map(|format| Arc::new(Lines::new(format, &names))),
            names,
            has_header: !no_header,
            binder: Binder::default(),
            line: Vec::new(),
            width: None,
            waiting: Vec::new(),
        }
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
        written(writeln!(self.output, "{note}"))
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
        written(self.output.write_all(&self.line))
    }

    /// Returns the lines of the format; None for an aligned table.
    pub(super) fn lines(&self) -> Option<Arc<Lines>> {
        self.lines.clone()
    }

    /// Prints rows that are [lines](Self::lines) already.
    pub(super) fn lines_of_rows(&mut self, rows: &[u8]) -> Result<()> {
        if let Some(lines) = self.lines.as_ref().filter(|_| self.has_header && !rows.is_empty()) {
            self.has_header = false;
            self.line.clear();
            lines.header(&mut self.line);
            written(self.output.write_all(&self.line))?;
        }
        written(self.output.write_all(rows))
    }

    /// Prints a game. Something is inserted before it if it would otherwise be read as part of the game before.
    pub(crate) fn game(&mut self, text: &[u8]) -> Result<()> {
        let mut movetext = Movetext::new(text, Tags::read(text, 0).end());
        let mut copies = Copies::default();
        self.line.clear();
        copies.push(Chunk::whole(text), 0, &mut movetext, &mut self.line);
        self.binder.begin_database();
        self.binder.bind(&mut copies, &mut self.line);
        written(self.output.write_all(&self.line))
    }

    /// Prints an empty line.
    pub(crate) fn line_break(&mut self) -> Result<()> {
        self.print_aligned()?;
        written(writeln!(self.output))
    }

    /// Prints the rows that wait, and flushes the output.
    pub(crate) fn end(mut self) -> Result<()> {
        self.print_aligned()?;
        let end = self.binder.end();
        written(self.output.write_all(end).and_then(|()| self.output.flush()))
    }

    fn print_aligned(&mut self) -> Result<()> {
        let rows = std::mem::take(&mut self.waiting);
        if rows.is_empty() {
            return Ok(());
        }
        let has_header = std::mem::take(&mut self.has_header);
        for line in lines(&self.names, rows, has_header, self.width) {
            written(writeln!(self.output, "{line}"))?;
        }
        Ok(())
    }
}
