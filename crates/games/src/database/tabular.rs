//! Tables of games: Parquet and Arrow files with a column of movetext are read as PGN. Each row becomes the text of a
//! game: a tag pair for each other column, and the movetext.
//!
//! A table is a stream for the rest of the crate. Offsets and lines count in the text that is made of its rows.
//!
//! # Inside
//!
//! - `choice`, `row`, `cell`: the columns that are read; a row as a game; a value as that of a tag
//! - `table`, `text`, `games`: the interface of the readers; the text of a table; its pieces
//! - `parquet`: row groups; the footer, checked first; the values of a column; the bytes of the file
//! - `arrow`: record batches; messages, checked first; the values of arrays
//! - `guard`, `error`: panics of the packages as errors; why a table cannot be read
//! - `no_tables`: the errors of builds without the feature `tables`
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
#[cfg(feature = "tables")]
mod cell;
#[cfg(feature = "tables")]
mod choice;
mod error;
mod games;
mod guard;
#[cfg(feature = "tables")]
mod parquet;
#[cfg(feature = "tables")]
mod row;
#[cfg(feature = "tables")]
mod table;
#[cfg(feature = "tables")]
mod text;

#[cfg(not(feature = "tables"))]
mod no_tables;

#[cfg(feature = "tables")]
pub(super) use crate::database::tabular::arrow::{open as open_arrow, open_stream as open_arrow_stream};
pub use crate::database::tabular::error::TableError;
pub(super) use crate::database::tabular::error::TableFormat;
pub(super) use crate::database::tabular::games::TableGames;
pub use crate::database::tabular::guard::is_guarded;
#[cfg(not(feature = "tables"))]
pub(super) use crate::database::tabular::no_tables::{open_arrow, open_arrow_stream, open_parquet};
#[cfg(feature = "tables")]
pub(super) use crate::database::tabular::parquet::open as open_parquet;
