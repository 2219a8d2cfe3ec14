//! Parquet files: the only place that writes with the `parquet` package.
//!
//! Every column is optional, and a value that is `None` becomes a null. The pages of a column depend on its values
//! alone and not on how they were given.

mod column;
mod list;
mod pages;
mod plain_texts;
mod row_groups;
mod schema;
mod shared_texts;

pub use crate::parquet_file::column::ColumnWriter;
pub use crate::parquet_file::row_groups::{ParquetFile, RowGroup, RowGroups, begin};
pub use crate::parquet_file::schema::schema;
pub use crate::parquet_file::shared_texts::{SharedTexts, fixed_text};

pub use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int32Type, Int64Type};
pub use parquet::errors::ParquetError;
