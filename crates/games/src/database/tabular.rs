//! Tables of games: Parquet and Arrow files with a column of movetext are read as PGN. Each row becomes the text of a
//! game: a tag pair for each other column, and the movetext.
//!
//! A table is a stream for the rest of the crate. Offsets and lines count in the text that is made of its rows.

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
