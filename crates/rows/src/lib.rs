//! Rows, one for each position, and the formats they are written in.
//!
//! [`GameRows`] writes one row for each game instead.
//!
//! [`Rows`] is a builder: it sets which games and positions are read, which columns a row has and which format is
//! written. A table holds the rows of one block of a database, column by column. Any thread may encode a table; the
//! encoded bytes are written in the order of the file. The packages csv-core, serde_json, arrow and parquet implement
//! the formats; this module gives them the values.

#[cfg(feature = "arrow")]
mod batches;
mod boards;
mod builder;
mod caption;
mod collect;
pub(crate) mod column;
mod comment;
mod course;
mod draft;
mod drafted;
mod encode;
mod encoded;
mod encoder;
mod error;
mod fens;
pub mod files;
mod format;
mod formats;
#[cfg(feature = "arrow")]
mod game_batches;
mod game_make;
mod game_rows;
pub mod games;
mod group;
mod led_here;

pub mod lines;
mod make;
mod material;
mod output;
mod packed;
pub mod page;
mod patterns;
mod pictures;
mod shape;
mod stamp;
pub mod starts;
pub(crate) mod table;
mod writing;

#[cfg(feature = "arrow")]
pub use crate::batches::RecordBatches;
pub use crate::boards::{BoardOptions, Orientation};
pub use crate::builder::Rows;
pub use crate::column::{Column, ColumnError, Columns};
pub use crate::error::{ExportError, RowsError, WriteError};
pub use crate::format::Format;
pub use crate::game_rows::GameRows;
pub use crate::make::centipawns;
pub use crate::patterns::ColumnPatterns;
pub use crate::pictures::{FileNames, NameError, PictureFormat, PictureSink};
pub use crate::shape::{Shape, ShapeError};
pub use crate::writing::Writing;

#[cfg(feature = "arrow")]
pub(crate) use crate::batches::{Batching, schema};
pub(crate) use crate::caption::of_starts;
pub(crate) use crate::encoded::EncodedRows;
pub(crate) use crate::fens::Lines;
pub(crate) use crate::material::append_material;
pub use crate::output::{Export, Print, Sink};
pub(crate) use crate::pictures::{Album, BraceError, NUMBER, Template, clean, numbered};
pub use crate::writing::Close;
