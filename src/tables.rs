//! Columns of values in memory, and Parquet files.
//!
//! [`rows`](crate::rows) and [`index`](crate::index) use this module. It has the pool of texts, the types of columns and the writer of
//! Parquet files. The meaning of the columns is defined by the modules that fill them.

mod column_type;
mod created_by;
#[cfg(any(feature = "parquet", feature = "index"))]
pub(crate) mod parquet_file;
mod texts;

pub(crate) use crate::tables::column_type::ColumnType;
pub(crate) use crate::tables::created_by::CREATED_BY;
pub(crate) use crate::tables::texts::{Texts, beginning};
