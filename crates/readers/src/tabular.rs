//! Tables of games: Parquet and Arrow files with a column of movetext are read as PGN. Each row becomes the text of a
//! game: a tag pair for each other column, and the movetext.
//!
//! A table is a stream for the rest of the crate. Offsets and lines count in the text that is made of its rows.
//!
//! # Inside
//!
//! - `choice`, `row`, `cell`: the columns that are read; a row as a game; a value as that of a tag. The rows of CSV are
//!   read with them, too (`records/table`)
//! - `table`, `text`: the interface of the readers; the text of a table
//! - `parquet`: row groups; the footer, checked first; the values of a column; the bytes of the file
//! - `arrow`: record batches; messages, checked first; the values of arrays
//! - `guard`, `error`: panics of the packages as errors; why a table cannot be read
//!
//! A file is read as the PGN text that its rows are: tag pairs from the other columns, then the movetext. So everything
//! behind `database` treats it as a compressed stream, and offsets and lines count in that text. A row ends with a
//! result, whatever its cells hold (`missing_end`), so a row cannot swallow the next one. Each row group of a Parquet
//! file is a piece that `Ahead` decodes on its own threads. 256 rows are decoded at once, so memory holds a page of
//! each column for each row group that is being read, whatever the size of the file. Of an Arrow file it holds a record
//! batch.
//!
//! Sizes and places that a file declares are checked before a package sees them: the tree of columns
//! (`parquet/footer`), the parts of a message (`arrow/message`), and the number of values in a page (`parquet/leaf`).
//! What is left are pages that contradict themselves, at which the package `parquet` panics (lengths of texts, levels,
//! missing dictionaries). This is the one place where the library catches a panic (`guard`).

#[cfg(feature = "tables")]
mod arrow;
#[cfg(any(feature = "records", feature = "tables"))]
mod cell;
#[cfg(any(feature = "records", feature = "tables"))]
pub(crate) mod choice;
pub(crate) mod error;
mod guard;
#[cfg(feature = "tables")]
mod parquet;
#[cfg(any(feature = "records", feature = "tables"))]
pub(crate) mod row;
#[cfg(any(feature = "records", feature = "tables"))]
pub(crate) mod table;
#[cfg(feature = "tables")]
mod text;

pub use crate::tabular::error::TableError;
pub use crate::tabular::guard::is_guarded;

use std::io;
#[cfg(feature = "tables")]
use std::io::Seek;

use crate::foreign::{Foreign, ForeignError};
use crate::games::TableGames;
#[cfg(feature = "tables")]
use crate::input_format::Origin;
use crate::input_format::{Input, InputFormat, Known};
#[cfg(not(feature = "tables"))]
use crate::tabular::error::TableFault;
use crate::tabular::error::TableFormat;

/// The kinds of files.
pub(crate) const NAMES: &[&str] = &[TableFormat::Parquet.name(), TableFormat::Arrow.name()];

/// Recognises tables.
pub(crate) fn detect(known: &Known<'_>) -> Option<Box<dyn InputFormat>> {
    Some(Box::new(TableFormat::detect(known.head)?))
}

impl InputFormat for TableFormat {
    fn name(&self) -> &'static str {
        Self::name(*self)
    }

    fn open(&self, input: Input<'_>) -> io::Result<TableGames> {
        match self {
            // The end of a Parquet file is read first.
            Self::Parquet if !input.layers.is_empty() => {
                Err(ForeignError::within(Foreign::Parquet, input.layers).into())
            }
            Self::Parquet => open_parquet(input),
            Self::Arrow => open_arrow(input),
            // Its rows are records.
            #[cfg(feature = "records")]
            Self::Text => Err(ForeignError::within(Foreign::Csv, input.layers).into()),
        }
    }
}

#[cfg(feature = "tables")]
fn open_parquet(input: Input<'_>) -> io::Result<TableGames> {
    let format = TableFormat::Parquet;
    let is_member = input.origin.is_member();
    let Some(bytes) = input.origin.at_any_offset()? else {
        return Err(if is_member { TableError::packed(format) } else { TableError::piped(format) }.into());
    };
    input.meter.restart();
    parquet::open(bytes, input.meter, input.movetext)
}

#[cfg(feature = "tables")]
fn open_arrow(input: Input<'_>) -> io::Result<TableGames> {
    match input.origin {
        Origin::File(mut file) if input.layers.is_empty() => {
            file.rewind()?;
            input.meter.restart();
            arrow::open(file, input.meter, input.movetext)
        }
        _ => arrow::open_stream(input.reader, input.meter, input.movetext),
    }
}

/// Returns an error: the build cannot read the file, or nothing can read it from there.
#[cfg(not(feature = "tables"))]
fn open_parquet(input: Input<'_>) -> io::Result<TableGames> {
    let format = TableFormat::Parquet;
    let is_member = input.origin.is_member();
    Err(match input.origin.at_any_offset()? {
        Some(_) => TableError::new(format, TableFault::Feature),
        None if is_member => TableError::packed(format),
        None => TableError::piped(format),
    }
    .into())
}

/// Returns an error for every Arrow file.
#[cfg(not(feature = "tables"))]
fn open_arrow(_: Input<'_>) -> io::Result<TableGames> {
    Err(TableError::new(TableFormat::Arrow, TableFault::Feature).into())
}
