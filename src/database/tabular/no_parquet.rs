//! The replacement for the reader of Parquet files if the feature `parquet` is disabled.

use std::fs::File;
use std::io;

use crate::database::meter::Meter;
use crate::database::tabular::error::{TableError, TableFault, TableFormat};
use crate::database::tabular::games::TableGames;

/// Returns an error for every file.
pub(in crate::database) fn open(_: File, _: Meter, _: Option<&str>) -> io::Result<TableGames> {
    Err(TableError::new(TableFormat::Parquet, TableFault::Feature("parquet")).into())
}
