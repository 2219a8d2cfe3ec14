//! What an index is, in numbers.

use crate::index::build::Built;
use crate::index::lookup::Index;
use crate::index::manifest::VERSION;
use crate::selection::Plies;

/// What an index is, in numbers. Its files are told by [`Index::files`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Info {
    /// The version of its format.
    pub version: u64,
    /// How many runs it has: what was added at different times, and is not merged yet.
    pub runs: usize,
    /// How many games it has.
    pub games: u64,
    /// How many positions of games it has. One that occurs in several games counts in each.
    pub positions: u64,
    /// How many bytes its tables have.
    pub bytes: u64,
    /// The plies of its games that it has.
    pub plies: Plies,
}

impl Info {
    /// How many bytes there are for each position.
    pub fn bytes_per_position(&self) -> f64 {
        self.bytes as f64 / self.positions.max(1) as f64
    }
}

impl Index {
    /// Tells how large the index is, and what it has of its games.
    pub fn info(&self) -> Info {
        let manifest = self.manifest();
        let Built { runs, bytes, all_games, all_postings, .. } = Built::new(0, 0, manifest);
        Info { version: VERSION, runs, games: all_games, positions: all_postings, bytes, plies: manifest.plies }
    }
}
