//! Helpers for the tests, benches and fuzz targets of pgn2fen. The crate is not published.

mod postings;
mod raw;
mod server;
pub mod zip;

pub use crate::postings::list_postings;
pub use crate::raw::{RawAnswer, RawServer};
pub use crate::server::{Manner, Server};
