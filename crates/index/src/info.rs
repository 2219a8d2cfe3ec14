//! The size of an index in numbers.

use crate::finished::Built;
use crate::games_table::VERSION;
use crate::lookup::Index;
use pgn2fen_games::selection::Plies;

/// The size and contents of an index in numbers. [`Index::files`] lists its files, and [`Index::tags`] the tags that it
/// keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Info {
    /// The version of the format.
    pub version: u64,
    /// The number of runs. Each addition makes one; merging makes one of several.
    pub runs: usize,
    /// The number of games.
    pub games: u64,
    /// The number of positions. A position that occurs in several games counts once for each.
    pub positions: u64,
    /// The size of the tables in bytes.
    pub bytes: u64,
    /// The plies that are indexed of each game.
    pub plies: Plies,
    /// Whether its games have the main names of players, by a list of names, in place of those in their files.
    pub has_main_names: bool,
}

impl Info {
    /// Returns the average size of a position in bytes.
    pub fn bytes_per_position(&self) -> f64 {
        self.bytes as f64 / self.positions.max(1) as f64
    }
}

impl Index {
    /// Returns the size and contents of the index.
    pub fn info(&self) -> Info {
        let manifest = self.manifest();
        let Built { runs, bytes, all_games, all_postings, .. } = Built::new(0, 0, manifest);
        let (plies, has_main_names) = (manifest.plies, manifest.renamed.is_some());
        Info { version: VERSION, runs, games: all_games, positions: all_postings, bytes, plies, has_main_names }
    }
}
