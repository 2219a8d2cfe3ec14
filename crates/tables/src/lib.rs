//! Columns of values in memory, and Parquet files.
//!
//! The crates `pgn2fen-rows` and `pgn2fen-index` use this one. It has the pool of texts, the types of columns and the
//! writer of Parquet files. The crates that fill the columns define their meaning. A program that wants rows of games
//! in Parquet takes `pgn2fen-rows`.
//!
//! ```
//! use pgn2fen_tables::Texts;
//!
//! let mut names = Texts::default();
//! names.push(b"Carlsen");
//! names.push(b"Anand");
//! assert_eq!((names.len(), names.get(1)), (2, Some(&b"Anand"[..])));
//! ```
//!
//! # Parquet
//!
//! Parquet is written through the column writers of the package `parquet`, not through Arrow: this leaves out half of
//! the code to compile. Pages are compressed here, and the pages of FENs are made here, because the package allocates
//! several megabytes for each page, which costs a fifth of the time. Of columns without nulls, the bytes are those of
//! the package (`pages_and_metadata_without_nulls_are_those_of_the_package`). Nulls are always run-length encoded here;
//! the package also packs them bit by bit.

#![allow(missing_debug_implementations, reason = "the writers hold those of the package parquet, which have none")]

mod cell;
mod column_type;
mod created_by;
#[cfg(feature = "parquet")]
pub mod parquet_file;
mod texts;

pub use crate::cell::Cell;
pub use crate::column_type::ColumnType;
pub use crate::created_by::CREATED_BY;
pub use crate::texts::{Texts, beginning};
