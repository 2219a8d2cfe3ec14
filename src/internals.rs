//! Doors for the tests, benches and fuzz targets of this crate. Nothing here is part of the public interface, and any of it may change
//! in any release.

mod postings;

pub use crate::internals::postings::list_postings;
pub use crate::parallel::Cuts;
