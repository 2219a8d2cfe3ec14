//! Messages about an index that was written, or could not be written.

use std::path::Path;

use crate::index::{Built, IndexError};
use crate::messages::{counted, shown};

/// Returns the summary of a build:
/// `index: 211 games, 14,046 positions; in all 483 games, 36,768 positions; 463,428 bytes, 12.6 bytes a position`
pub(super) fn summary(built: &Built) -> String {
    let Built { games, postings, runs, all_games, all_postings, .. } = *built;
    let what = |games, postings| format!("{}, {}", counted(games, "game"), counted(postings, "position"));
    let is_all = all_games == games && runs == 1;
    let all = if is_all { String::new() } else { format!("; in all {}", what(all_games, all_postings)) };
    format!("index: {}{all}; {}", what(games, postings), size(built))
}

/// Returns the size of an index: `463,428 bytes, 12.6 bytes a position`.
pub(super) fn size(built: &Built) -> String {
    let per_posting = built.bytes as f64 / built.all_postings.max(1) as f64;
    format!("{}, {per_posting:.1} bytes a position", counted(built.bytes, "byte"))
}

/// Adds to an error of writing which index is there now: the old one, or possibly the new one.
pub(super) fn failed(folder: &Path, error: IndexError) -> anyhow::Error {
    let what = if error.is_in_doubt() {
        let folder = shown(folder);
        format!("it is not known whether {folder} is the new index or the old one; it is complete in either case")
    } else {
        unchanged(folder)
    };
    anyhow::Error::new(error).context(what)
}

pub(super) fn unchanged(folder: &Path) -> String {
    format!("{} is unchanged", shown(folder))
}
