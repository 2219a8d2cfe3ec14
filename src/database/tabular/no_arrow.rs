//! The replacement for the reader of Arrow files if the feature `arrow` is disabled.

use std::fs::File;
use std::io::{self, Read};

use crate::database::meter::Meter;
use crate::database::tabular::error::{TableError, TableFault, TableFormat};
use crate::database::tabular::games::TableGames;

/// Returns an error for every file.
pub(in crate::database) fn open(_: File, _: Meter, wanted: Option<&str>) -> io::Result<TableGames> {
    open_stream(Box::new(io::empty()), wanted)
}

/// Returns an error for every stream.
pub(in crate::database) fn open_stream(_: Box<dyn Read + Send>, _: Option<&str>) -> io::Result<TableGames> {
    Err(TableError::new(TableFormat::Arrow, TableFault::Feature("arrow")).into())
}
