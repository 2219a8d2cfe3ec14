//! Rows, one for each position, and the formats they are written in.
//!
//! [`GameRows`] writes one row for each game instead.
//!
//! [`Rows`] is a builder: it sets which games and positions are read, which columns a row has and which format is written. A table holds
//! the rows of one block of a database, column by column. Any thread may encode a table; the encoded bytes are written in the order of the
//! file. The packages csv-core, serde_json, arrow and parquet implement the formats; this module gives them the values.

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
mod format;
mod formats;
#[cfg(feature = "arrow")]
mod game_batches;
mod game_make;
mod game_rows;
mod group;
mod led_here;
mod left_out;
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
pub(crate) mod table;
mod writing;

#[cfg(feature = "arrow")]
pub use crate::rows::batches::RecordBatches;
pub use crate::rows::boards::{BoardOptions, Orientation};
pub use crate::rows::builder::Rows;
pub use crate::rows::column::{Column, ColumnError, Columns};
pub use crate::rows::error::{ExportError, RowsError, WriteError};
pub use crate::rows::format::Format;
pub use crate::rows::game_rows::GameRows;
pub use crate::rows::left_out::LeftOut;
pub use crate::rows::make::centipawns;
pub use crate::rows::patterns::ColumnPatterns;
pub use crate::rows::pictures::{FileNames, NameError, PictureFormat, PictureSink};
pub use crate::rows::shape::{Shape, ShapeError};
pub use crate::rows::writing::Writing;

#[cfg(feature = "arrow")]
pub(crate) use crate::rows::batches::{Batching, schema};
pub(crate) use crate::rows::caption::of_starts;
pub(crate) use crate::rows::encoded::EncodedRows;
pub(crate) use crate::rows::fens::Lines;
pub(crate) use crate::rows::material::append_material;
pub(crate) use crate::rows::output::{Export, Print, Sink};
pub(crate) use crate::rows::pictures::{Album, BraceError, NUMBER, Template, clean, numbered};
pub(crate) use crate::rows::writing::Close;
