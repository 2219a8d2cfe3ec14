//! A finished addition to an index: its numbers, and the merge that may follow.

use crate::error::IndexError;
use crate::folder::LockedFolder;
use crate::kept::Kept;
use crate::manifest::Manifest;
use crate::merge;
use crate::options::BuildOptions;
use crate::progress::Progress;
use pgn2fen_games::parallel::Workers;

/// A finished addition to an index.
#[derive(Debug)]
pub struct Finished {
    pub(super) folder: LockedFolder,
    pub(super) manifest: Manifest,
    pub(super) options: BuildOptions,
    /// The numbers of games and postings that were added.
    pub(super) games: u64,
    pub(super) postings: u64,
}

/// The number of runs above which runs are merged, because every look-up asks each run.
const MOST_RUNS: usize = 8;

impl Finished {
    /// Merges the runs into one if there are too many, or if there are several and `in_any_case` is set. `progress` is
    /// called with the number of parts that are written and the number of all parts; it may stop the merge.
    ///
    /// # Errors
    ///
    /// Fails if a file could not be read or written, or if `progress` stopped the merge. The index then keeps its runs,
    /// unless the error is [in doubt](IndexError::is_in_doubt).
    pub fn merge(self, in_any_case: bool, workers: &Workers, progress: &Progress<'_>) -> Result<Built, IndexError> {
        let Self { folder, mut manifest, options, games, postings } = self;
        if manifest.runs.len() > if in_any_case { 1 } else { MOST_RUNS } {
            let all = (&Kept::all(&manifest), manifest.sources.clone());
            manifest = merge::merge(&folder, &manifest, all, &options, workers, progress)?;
            folder.publish(&manifest)?;
        }
        Ok(Built::new(games, postings, &manifest))
    }

    /// Leaves the runs as they are, however many there are.
    pub fn keep_runs(self) -> Built {
        Built::new(self.games, self.postings, &self.manifest)
    }
}

/// The result of a build, a merge or a removal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Built {
    /// The number of games that were added or removed.
    pub games: u64,
    /// The number of postings of those games.
    pub postings: u64,
    /// The number of runs that the index has now.
    pub runs: usize,
    /// The size of the tables in bytes.
    pub bytes: u64,
    /// The number of games in the whole index.
    pub all_games: u64,
    /// The number of postings in the whole index.
    pub all_postings: u64,
}

impl Built {
    pub(super) fn new(games: u64, postings: u64, manifest: &Manifest) -> Self {
        let tables = manifest.runs.iter().flat_map(|run| run.parts.iter().flatten().chain([&run.game_table]));
        Self {
            games,
            postings,
            runs: manifest.runs.len(),
            bytes: tables.map(|table| table.bytes).sum(),
            all_games: manifest.runs.iter().map(|run| run.games).sum(),
            all_postings: manifest.runs.iter().map(|run| run.postings).sum(),
        }
    }
}
