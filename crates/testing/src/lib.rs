//! Helpers for the tests, benches and fuzz targets of pgn2fen. The crate is not published.

mod postings;
mod server;
pub mod zip;

pub use crate::postings::list_postings;
pub use crate::server::{Manner, Server};
