//! Tables: columns of values in memory, and Parquet files of them.
//!
//! [`rows`](crate::rows) and [`index`](crate::index) stand on this room. Texts are pooled here, columns get their types
//! here, and Parquet is written here. What the columns mean is known to whoever fills them.

mod column_type;
mod created_by;
#[cfg(any(feature = "parquet", feature = "index"))]
pub(crate) mod parquet_file;
mod texts;

pub(crate) use crate::tables::column_type::ColumnType;
pub(crate) use crate::tables::created_by::CREATED_BY;
pub(crate) use crate::tables::texts::{Texts, beginning};
