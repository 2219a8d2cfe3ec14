//! A reader of the PGN text of a table.

use std::io::{self, Read};

use crate::game_text::Spacing;
use crate::tabular::choice::ColumnChoice;
use crate::tabular::guard::guard;
use crate::tabular::row::RowWriter;
use crate::tabular::table::Table;

/// The number of bytes from which on the text that has been made is read before more is made.
const TEXT: usize = 64 * 1024;

/// A reader of the PGN text of a table.
pub(super) struct TableText<T> {
    table: T,
    writer: RowWriter,
    text: Vec<u8>,
    /// The number of bytes of the text that have been read.
    at: usize,
    is_ended: bool,
    /// The error that ended the table. The rows before it are read first.
    failure: Option<io::Error>,
}

impl<T: Table> TableText<T> {
    pub(super) fn new(table: T, choice: ColumnChoice) -> Self {
        Self {
            table,
            writer: RowWriter::new(choice, Spacing::Lines),
            text: Vec::new(),
            at: 0,
            is_ended: false,
            failure: None,
        }
    }

    fn refill(&mut self) {
        self.text.clear();
        self.at = 0;
        let mut whole = 0;
        let ran = guard(|| {
            while self.text.len() < TEXT && !self.is_ended {
                match self.table.next() {
                    Ok(true) => {
                        if let Err(reason) = self.writer.append(&self.table, &mut self.text) {
                            self.text.truncate(whole);
                            (self.failure, self.is_ended) = (Some(self.table.damage(reason).into()), true);
                        }
                    }
                    Ok(false) => self.is_ended = true,
                    Err(error) => (self.failure, self.is_ended) = (Some(error), true),
                }
                whole = self.text.len();
            }
        });
        if let Err(reason) = ran {
            // A part of a row is left out.
            self.text.truncate(whole);
            (self.failure, self.is_ended) = (Some(self.table.damage(&reason).into()), true);
        }
    }
}

impl<T: Table> Read for TableText<T> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.text.len() {
            self.refill();
        }
        if self.at == self.text.len() {
            return self.failure.take().map_or(Ok(0), Err);
        }
        let count = (&self.text[self.at..]).read(buffer)?;
        self.at += count;
        Ok(count)
    }
}
