//! Rows: what is said of each position, and the formats it is said in.
//!
//! A [`Table`](table::Table) holds the rows of a stretch of a database, column by column. Who fills it is
//! [`positions`](crate::positions); how it becomes bytes, in the stages of a parallel walk, is [`export`]'s affair. The
//! formats are those of the packages csv, serde_json, arrow and parquet; here they are only filled.

mod arrow;
pub(crate) mod column;
pub mod export;
mod format;
mod group;
mod left_out;
pub mod lines;
mod nearest;
mod parquet_file;
mod shape;
pub mod table;
mod text;

pub use crate::rows::column::{Column, ColumnError, Columns};
pub use crate::rows::format::Format;
pub use crate::rows::left_out::LeftOut;
pub use crate::rows::nearest::nearest_names;
pub use crate::rows::shape::{Shape, ShapeError};
