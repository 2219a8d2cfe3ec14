//! The interface of the readers of tables: rows, and tables of them.

#[cfg(feature = "tables")]
use std::io;

#[cfg(feature = "tables")]
use crate::tabular::error::TableError;

/// A value of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(not(feature = "tables"), allow(dead_code, reason = "some values are made by one reader only"))]
pub(crate) enum Cell<'a> {
    Null,
    Text(&'a [u8]),
    Integer(i64),
    Unsigned(u64),
    Single(f32),
    Double(f64),
    Truth(bool),
    /// A number and the digits behind its decimal point.
    Decimal(i128, i32),
    /// A date, in days since 1970-01-01.
    Day(i64),
    /// A time of day, in seconds.
    TimeOfDay(i64),
    /// A time stamp, in seconds since 1970.
    Moment(i64),
}

/// A row of a table. Its columns are those of a [`ColumnChoice`](crate::tabular::choice::ColumnChoice).
pub(crate) trait Row {
    /// Returns the value of the row in a column.
    fn cell(&self, column: usize) -> Cell<'_>;

    /// Passes each element of the list in a column.
    fn each(&self, column: usize, take: &mut dyn FnMut(Cell<'_>));

    /// Passes each key and value of the map in a column.
    fn each_pair(&self, column: usize, take: &mut dyn FnMut(Cell<'_>, Cell<'_>));
}

/// A table whose rows are read one after another. It is the row that has been reached.
#[cfg(feature = "tables")]
pub(super) trait Table: Row + Send {
    /// Moves to the next row. Returns false behind the last one.
    ///
    /// # Errors
    ///
    /// The file is damaged or cannot be read.
    fn next(&mut self) -> io::Result<bool>;

    /// Returns the error for damage at the place that has been reached.
    fn damage(&self, reason: &str) -> TableError;
}
