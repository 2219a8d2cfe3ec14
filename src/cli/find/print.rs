//! Prints rows on standard output: as an aligned table for people, or as lines of a format for programs. Prints games, too.

use std::error::Error;
use std::fmt;
use std::io::{self, BufWriter, IsTerminal, Write};

use anyhow::Result;

use crate::cli::say::Plain;
use crate::messages::plain;
use crate::pgn::copies::{Binder, Copies};
use crate::pgn::games::Text;
use crate::pgn::movetext::Movetext;
use crate::pgn::tags::Tags;
use crate::rows::Format;
use crate::rows::lines::{Cell, append_header, append_row};

/// The error for a closed pipe: the program that reads the output has ended.
#[derive(Debug)]
pub(in crate::cli) struct Closed;

impl fmt::Display for Closed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("standard output is closed")
    }
}

impl Error for Closed {}

/// A printer of rows or games on standard output.
pub(in crate::cli) struct Printer {
    output: Box<dyn Write>,
    names: Vec<&'static str>,
    /// The format of the lines; None for an aligned table.
    format: Option<Format>,
    has_header: bool,
    binder: Binder,
    line: Vec<u8>,
    /// Rows of an aligned table that are not printed yet, because the widths of their columns are not known.
    waiting: Vec<Vec<Aligned>>,
}

/// A cell of an aligned table. Numbers are aligned to the right, text to the left.
#[derive(Clone, Debug)]
struct Aligned {
    text: String,
    is_number: bool,
}

/// The number of rows that have common column widths. The widths of the next rows may differ, so memory is bounded.
const ALIGNED: usize = 500;

impl Printer {
    /// Creates a printer of rows with these columns. Without a format, it prints an aligned table.
    pub(in crate::cli) fn new(names: Vec<&'static str>, format: Option<Format>, no_header: bool) -> Self {
        let output = BufWriter::with_capacity(64 * 1024, io::stdout());
        let is_terminal = io::stdout().is_terminal();
        Self {
            output: if is_terminal { Box::new(Plain::new(output)) } else { Box::new(output) },
            names,
            format,
            has_header: !no_header,
            binder: Binder::default(),
            line: Vec::new(),
            waiting: Vec::new(),
        }
    }

    /// Prints a row.
    pub(in crate::cli) fn row<'c>(&mut self, cells: impl Iterator<Item = Cell<'c>>) -> Result<()> {
        let cells: Vec<Cell<'_>> = cells.collect();
        let Some(format) = self.format else {
            self.waiting.push(cells.into_iter().map(Aligned::new).collect());
            return if self.waiting.len() == ALIGNED { self.print_aligned() } else { Ok(()) };
        };
        self.line.clear();
        if std::mem::take(&mut self.has_header) {
            append_header(format, &self.names, &mut self.line);
        }
        append_row(format, &self.names, &cells, &mut self.line);
        written(self.output.write_all(&self.line))
    }

    /// Prints a game. Something is inserted before it if it would otherwise be read as part of the game before.
    pub(in crate::cli) fn game(&mut self, text: &[u8]) -> Result<()> {
        let mut movetext = Movetext::new(text, Tags::read(text, 0).end());
        let mut copies = Copies::default();
        self.line.clear();
        copies.push(Text::whole(text), 0, &mut movetext, &mut self.line);
        self.binder.begin_database();
        self.binder.bind(&mut copies, &mut self.line);
        written(self.output.write_all(&self.line))
    }

    /// Prints an empty line.
    pub(in crate::cli) fn line_break(&mut self) -> Result<()> {
        self.print_aligned()?;
        written(writeln!(self.output))
    }

    /// Prints the rows that wait, and flushes the output.
    pub(in crate::cli) fn end(mut self) -> Result<()> {
        self.print_aligned()?;
        let end = self.binder.end();
        written(self.output.write_all(end).and_then(|()| self.output.flush()))
    }

    fn print_aligned(&mut self) -> Result<()> {
        let mut rows = std::mem::take(&mut self.waiting);
        let Some(first) = rows.first() else {
            return Ok(());
        };
        if std::mem::take(&mut self.has_header) {
            // A column name is aligned like the values below it.
            let name = |(name, below): (&&str, &Aligned)| Aligned { text: (*name).to_owned(), ..*below };
            let header = self.names.iter().zip(first).map(name).collect();
            rows.insert(0, header);
        }
        let width = |column: usize| rows.iter().map(|row| row[column].width()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..self.names.len()).map(width).collect();
        for row in &rows {
            let cells: Vec<String> = row.iter().zip(&widths).map(|(cell, width)| cell.fill(*width)).collect();
            written(writeln!(self.output, "{}", cells.join("  ").trim_end()))?;
        }
        Ok(())
    }
}

impl Aligned {
    fn new(cell: Cell<'_>) -> Self {
        match cell {
            Cell::Missing => Self { text: "-".to_owned(), is_number: true },
            Cell::Text("") => Self { text: "-".to_owned(), is_number: false },
            Cell::Text(text) => Self { text: plain(text).into_owned(), is_number: false },
            Cell::Number(number) => Self { text: number.to_string(), is_number: true },
        }
    }

    fn width(&self) -> usize {
        self.text.chars().count()
    }

    fn fill(&self, width: usize) -> String {
        let Self { text, is_number } = self;
        if *is_number { format!("{text:>width$}") } else { format!("{text:<width$}") }
    }
}

/// Turns a write error into an error message, or into [`Closed`] for a closed pipe.
pub(super) fn written(result: io::Result<()>) -> Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(Closed.into()),
        Err(error) => Err(anyhow::Error::new(error).context("cannot write to standard output")),
        Ok(()) => Ok(()),
    }
}
