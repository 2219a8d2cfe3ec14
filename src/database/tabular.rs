//! Tables of games: Parquet and Arrow files with a column of movetext are read as PGN. Each row becomes the text of a game: a tag pair for
//! each other column, and the movetext.
//!
//! A table is a stream for the rest of the crate. Offsets and lines count in the text that is made of its rows.

#[cfg(feature = "arrow")]
mod arrow;
#[cfg(any(feature = "arrow", feature = "parquet"))]
mod cell;
#[cfg(any(feature = "arrow", feature = "parquet"))]
mod choice;
mod error;
mod games;
mod guard;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(any(feature = "arrow", feature = "parquet"))]
mod row;
#[cfg(any(feature = "arrow", feature = "parquet"))]
mod table;
#[cfg(any(feature = "arrow", feature = "parquet"))]
mod text;

#[cfg(not(feature = "arrow"))]
mod no_arrow;
#[cfg(not(feature = "parquet"))]
mod no_parquet;

#[cfg(feature = "arrow")]
pub(super) use crate::database::tabular::arrow::{open as open_arrow, open_stream as open_arrow_stream};
pub use crate::database::tabular::error::TableError;
pub(super) use crate::database::tabular::error::TableFormat;
pub(super) use crate::database::tabular::games::TableGames;
pub use crate::database::tabular::guard::is_guarded;
#[cfg(not(feature = "arrow"))]
pub(super) use crate::database::tabular::no_arrow::{open as open_arrow, open_stream as open_arrow_stream};
#[cfg(not(feature = "parquet"))]
pub(super) use crate::database::tabular::no_parquet::open as open_parquet;
#[cfg(feature = "parquet")]
pub(super) use crate::database::tabular::parquet::open as open_parquet;
