//! The PGN text of a table.

use std::io;

use crate::game_text::Spacing;
use crate::tabular::choice::ColumnChoice;
use crate::tabular::guard::guard;
use crate::tabular::row::RowWriter;
use crate::tabular::table::Table;
use crate::text::{TEXT, TextOfEntries, TextReader};

/// The rows of a table as the text of games.
pub(super) struct TableText<T> {
    table: T,
    writer: RowWriter,
}

impl<T: Table> TableText<T> {
    /// Returns a reader of the text.
    pub(super) fn reader(table: T, choice: ColumnChoice) -> TextReader<Self> {
        TextReader::new(Self { table, writer: RowWriter::new(choice, Spacing::Lines) })
    }
}

impl<T: Table> TextOfEntries for TableText<T> {
    fn append(&mut self, text: &mut Vec<u8>) -> io::Result<bool> {
        let mut whole = text.len();
        let ran = guard(|| {
            while text.len() < TEXT {
                if !self.table.next()? {
                    return Ok(false);
                }
                self.writer.append(&self.table, text).map_err(|reason| self.table.damage(reason))?;
                whole = text.len();
            }
            Ok(true)
        });
        let read = ran.unwrap_or_else(|reason| Err(self.table.damage(&reason).into()));
        if read.is_err() {
            // A part of a row is left out.
            text.truncate(whole);
        }
        read
    }
}
