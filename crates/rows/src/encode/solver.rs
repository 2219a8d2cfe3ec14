//! The solution of a position that is a row.

use crate::columns::column::Column;
use crate::columns::{Cell, Columns};
use crate::encode::puzzle::Puzzle;
use crate::table::Table;

/// Finds the solutions of positions in these columns.
pub(super) struct Solver<'c> {
    fen: Option<Cell<'c>>,
}

impl<'c> Solver<'c> {
    pub(super) fn new(columns: &'c Columns) -> Self {
        Self { fen: columns.cells().find(|cell| cell.column.tag() == Some("FEN")) }
    }

    /// Returns the solution of a position: what an EPD says, or else the moves that follow.
    pub(super) fn solution(&self, table: &Table, index: usize) -> Option<String> {
        let is_start = table.ascii(&Column::San, index).is_none_or(<[u8]>::is_empty);
        let value = self.fen.filter(|_| is_start).map(|cell| table.value(cell, index));
        let of_epd = value.as_ref().and_then(|value| Puzzle::of(value.text()?).solution);
        let moves = || {
            let value = table.value(Cell { column: &Column::Continuation, tag: 0 }, index);
            value.text().filter(|moves| !moves.is_empty()).map(str::to_owned)
        };
        of_epd.or_else(moves)
    }
}
