//! The options for building an index, and the division of its memory.

use crate::kept_tags::KeptTags;
use crate::sizes::Sizes;
use pgn2fen_games::selection::Plies;

/// The options for building an index.
#[derive(Clone, Debug)]
pub struct BuildOptions {
    /// The memory to use, in bytes (approximate). Data that does not fit is written to temporary files in the folder of
    /// the index.
    pub memory: usize,
    /// The plies that are indexed. They are the same for all games of an index.
    pub plies: Plies,
    /// The tags that the index keeps of each game. None for those that [every index](crate::TAGS) keeps, or if games
    /// are added to an index, for those that it keeps already. All games of an index have the same tags.
    pub tags: Option<KeptTags>,
    /// Whether the games are added to an index, if there is one; otherwise they replace it.
    pub append: bool,
    /// The sizes of the tables. They are usual, except in tests.
    #[doc(hidden)]
    pub sizes: Sizes,
}

/// The default memory: 1 GiB.
pub const DEFAULT_MEMORY: usize = 1024 * 1024 * 1024;

/// The least memory a build can work with: 64 MiB.
pub const LEAST_MEMORY: usize = 64 * 1024 * 1024;

impl Default for BuildOptions {
    fn default() -> Self {
        Self { memory: DEFAULT_MEMORY, plies: Plies::ALL, tags: None, append: false, sizes: Sizes::USUAL }
    }
}

/// The division of the memory among its uses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shares {
    /// The number of parts that may be written at once.
    pub(super) writers: usize,
    /// The size in bytes of the records that are kept in memory rather than in a file.
    pub(super) records: usize,
    /// The size in bytes of the records that each writer sorts at once.
    pub(super) sorted: usize,
}

/// The memory in bytes for the buckets that are being filled, for the walk, and for two row groups of games.
const BASE: usize = 56 * 1024 * 1024;
/// The memory in bytes for a writer besides the records it sorts: a row group of postings, one of moves, and their
/// encoded form.
const WRITER: usize = 32 * 1024 * 1024;

impl Shares {
    pub(super) fn of(memory: usize, workers: usize) -> Self {
        let memory = memory.max(LEAST_MEMORY);
        let writers = (memory / 2 / WRITER).clamp(1, workers.max(1));
        let rest = memory.saturating_sub(BASE + writers * WRITER).max(memory / 8);
        // The records in memory are freed only as their parts are written.
        Self { writers, records: rest / 2, sorted: rest / 2 / writers }
    }
}

#[cfg(test)]
mod tests {
    use super::{BuildOptions, DEFAULT_MEMORY, LEAST_MEMORY, Shares};

    #[track_caller]
    fn check(memory: usize, workers: usize, writers: usize, records: usize, sorted: usize) {
        const MIB: usize = 1024 * 1024;
        let shares = Shares::of(memory, workers);
        assert_eq!((shares.writers, shares.records, shares.sorted), (writers, records * MIB, sorted * MIB));
    }

    #[test]
    fn memory_is_divided_among_records_and_the_writers_that_sort_them() {
        // A GiB less 56 MiB and 4 times 32 MiB is 840 MiB.
        check(DEFAULT_MEMORY, 4, 4, 420, 105);
        check(DEFAULT_MEMORY, 0, 1, 468, 468);
        // Half of the memory is for writers, at most.
        check(256 << 20, 8, 4, 36, 9);
        // An eighth is for records, at least.
        check(LEAST_MEMORY, 8, 1, 4, 4);
        check(0, 8, 1, 4, 4);
        assert_eq!((BuildOptions::default().memory, DEFAULT_MEMORY, LEAST_MEMORY), (1 << 30, 1 << 30, 64 << 20));
    }
}
