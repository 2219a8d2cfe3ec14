//! Rows as lines of values. Values that all rows of a game share are encoded once for each game.

use crate::rows::column::{Cell, Columns};
use crate::rows::group::Piece;
use crate::rows::table::{Table, Value};
use crate::tables::Texts;

/// The syntax of a format that has a line for each row.
pub(in crate::rows) trait Syntax {
    /// Whether values have [types](Table::typed_value). Otherwise tags are texts.
    const HAS_TYPES: bool;

    /// Appends the text before the value of a column. `nth` counts the columns from 0.
    fn begin_value(nth: usize, name: &str, out: &mut Vec<u8>);

    /// Appends a value.
    fn value(value: Value<'_>, out: &mut Vec<u8>);

    /// Appends a text of a pool, which is a value that needs no escapes: see [`Value::Ascii`].
    fn ascii(texts: &Texts, index: usize, out: &mut Vec<u8>);

    /// Ends the row that began at this length of the output.
    fn end_row(start: usize, out: &mut Vec<u8>);
}

/// Appends the rows of a piece.
pub(super) fn rows<S: Syntax>(columns: &Columns, piece: &Piece, out: &mut Vec<u8>) {
    let table = &*piece.table;
    let own: Vec<Own<'_>> =
        columns.cells().filter(|cell| !cell.column.is_of_game()).map(|cell| Own::of(cell, table)).collect();
    let mut shared = Texts::default();
    let mut game = None;
    for index in piece.indices() {
        if game != Some(table.game_of(index)) {
            game = Some(table.game_of(index));
            share::<S>(columns, table, index, &mut shared);
        }
        let start = out.len();
        for (nth, values) in own.iter().enumerate() {
            shared.append(nth, out);
            match values {
                Own::Ascii(texts) => S::ascii(texts, index, out),
                Own::Other(cell) => S::value(value::<S>(*cell, table, index), out),
            }
        }
        shared.append(own.len(), out);
        S::end_row(start, out);
    }
}

/// Appends one row, given as the names and the values of its columns.
pub(in crate::rows) fn row<'v, S: Syntax>(row: impl Iterator<Item = (&'v str, Value<'v>)>, out: &mut Vec<u8>) {
    let start = out.len();
    for (nth, (name, value)) in row.enumerate() {
        S::begin_value(nth, name, out);
        S::value(value, out);
    }
    S::end_row(start, out);
}

/// The values of a column that each row has for itself.
enum Own<'t> {
    /// Texts in a pool, which are found faster than values.
    Ascii(&'t Texts),
    Other(Cell<'t>),
}

impl<'t> Own<'t> {
    fn of(cell: Cell<'t>, table: &'t Table) -> Self {
        table.ascii_texts(cell.column).map_or(Self::Other(cell), Self::Ascii)
    }
}

/// Pools the texts that all rows of a game have between their own values: separators, and the values of the other columns. There is one text
/// before each own value, and one behind the last.
fn share<S: Syntax>(columns: &Columns, table: &Table, index: usize, shared: &mut Texts) {
    shared.truncate(0);
    let mut text = Vec::new();
    for (nth, cell) in columns.cells().enumerate() {
        S::begin_value(nth, cell.column.name(), &mut text);
        if cell.column.is_of_game() {
            S::value(value::<S>(cell, table, index), &mut text);
        } else {
            shared.push(&text);
            text.clear();
        }
    }
    shared.push(&text);
}

#[inline]
fn value<'t, S: Syntax>(cell: Cell<'_>, table: &'t Table, index: usize) -> Value<'t> {
    if S::HAS_TYPES { table.typed_value(cell, index) } else { table.value(cell, index) }
}
