//! Items for the tests, benches and fuzz targets of this crate. They are not part of the public interface and may change in any release.

#[cfg(all(feature = "index", feature = "tables"))]
mod postings;

#[cfg(all(feature = "index", feature = "tables"))]
pub use crate::internals::postings::list_postings;
pub use crate::parallel::blocks::Cuts;

/// Returns the number of line breaks in a text. LF, CRLF and CR each count as one.
pub fn count_lines(text: &[u8]) -> u64 {
    crate::diagnostic::count_lines(text)
}
