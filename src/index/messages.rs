//! Errors of writing an index, with the state of the index.

use std::path::Path;

use pgn2fen_index::{IndexError, after_failure};

/// Adds to an error of writing which index is there now: the old one, or possibly the new one.
pub(super) fn failed(folder: &Path, error: IndexError) -> anyhow::Error {
    let words = after_failure(folder, &error);
    anyhow::Error::new(error).context(words)
}
