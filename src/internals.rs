//! Doors for the tests, benches and fuzz targets of this crate. Nothing here is part of the public interface, and any of it may change
//! in any release.

#[cfg(all(feature = "index", feature = "tables"))]
mod postings;

#[cfg(all(feature = "index", feature = "tables"))]
pub use crate::internals::postings::list_postings;
pub use crate::parallel::Cuts;
