//! Columns of values in memory, and Parquet files.
//!
//! The crates `pgn2fen-rows` and `pgn2fen-index` use this one. It has the pool of texts, the types of columns and the
//! writer of Parquet files. The meaning of the columns is defined by the modules that fill them.

#![allow(missing_debug_implementations, reason = "the writers hold those of the package parquet, which have none")]

mod column_type;
mod created_by;
#[cfg(feature = "parquet")]
pub mod parquet_file;
mod texts;

pub use crate::column_type::ColumnType;
pub use crate::created_by::CREATED_BY;
pub use crate::texts::{Texts, beginning};
