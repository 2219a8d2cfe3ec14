//! The name and version of this crate, for the metadata of files.

/// The writer of a file, as it is stored in its metadata.
pub const CREATED_BY: &str = concat!("pgn2fen ", env!("CARGO_PKG_VERSION"));
