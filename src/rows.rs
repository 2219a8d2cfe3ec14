//! Rows of what there is to say of each position, and the formats they are written in.
//!
//! [`Rows`] is the way from databases to rows: it chooses games and positions, columns and format, and writes. A table holds the rows
//! of a block of a database, column by column; when it is its turn it is encoded, on any thread, and written in order. The formats are
//! those of the packages csv, serde_json, arrow and parquet; here they are only filled.

#[cfg(feature = "arrow")]
mod batches;
mod builder;
mod collect;
pub(crate) mod column;
mod encoded;
mod encoder;
mod error;
mod fens;
mod format;
mod formats;
mod group;
mod left_out;
pub mod lines;
mod make;
mod output;
mod shape;
pub(crate) mod table;
mod writing;

#[cfg(feature = "arrow")]
pub use crate::rows::batches::RecordBatches;
pub use crate::rows::builder::{Rows, RowsError};
pub use crate::rows::column::{Column, ColumnError, Columns};
pub use crate::rows::error::ExportError;
pub use crate::rows::format::Format;
pub use crate::rows::left_out::LeftOut;
pub use crate::rows::output::WriteError;
pub use crate::rows::shape::{Shape, ShapeError};
pub use crate::rows::writing::Writing;

pub(crate) use crate::rows::encoded::EncodedRows;
pub(crate) use crate::rows::fens::Lines;
pub(crate) use crate::rows::output::{Export, Print, Sink};
pub(crate) use crate::rows::writing::Close;
