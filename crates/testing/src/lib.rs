//! Helpers for the tests, benches and fuzz targets of pgn2fen. The crate is not published.

mod postings;
pub mod zip;

pub use crate::postings::list_postings;
