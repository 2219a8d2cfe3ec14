//! The replacement for the readers of tables if the feature `tables` is disabled.

use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;

use crate::database::meter::Meter;
use crate::database::random_access::RandomAccess;
use crate::database::tabular::error::{TableError, TableFault, TableFormat};
use crate::database::tabular::games::TableGames;

/// Returns an error for every Parquet file.
pub(in crate::database) fn open_parquet(_: Arc<dyn RandomAccess>, _: Meter, _: Option<&str>) -> io::Result<TableGames> {
    Err(TableError::new(TableFormat::Parquet, TableFault::Feature).into())
}

/// Returns an error for every Arrow file.
pub(in crate::database) fn open_arrow(_: File, _: Meter, wanted: Option<&str>) -> io::Result<TableGames> {
    open_arrow_stream(Box::new(io::empty()), wanted)
}

/// Returns an error for every Arrow stream.
pub(in crate::database) fn open_arrow_stream(_: Box<dyn Read + Send>, _: Option<&str>) -> io::Result<TableGames> {
    Err(TableError::new(TableFormat::Arrow, TableFault::Feature).into())
}
