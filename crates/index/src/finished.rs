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

#[cfg(test)]
mod tests {
    use std::fs;
    use std::ops::ControlFlow;
    use std::path::Path;

    use super::{Finished, MOST_RUNS};
    use crate::{BuildOptions, Builder};
    use pgn2fen_games::database::{Source, SourceOptions};
    use pgn2fen_games::parallel::Workers;
    use pgn2fen_games::walk::{Job, ReadOptions};

    /// Adds a game to an index.
    fn add(folder: &Path, number: usize) -> Finished {
        let workers = Workers::new(1).unwrap();
        let file = folder.join(format!("{number}.pgn"));
        fs::write(&file, format!("[Round \"{number}\"]\n\n1. e4 *\n")).unwrap();
        let options = BuildOptions { append: true, ..BuildOptions::default() };
        let builder = Builder::new(&folder.join("games.idx"), options, &workers).unwrap();
        let mut indexing = builder.begin(ReadOptions::default());
        let source = Source::open_with(&file, &SourceOptions::default()).unwrap();
        indexing.read(&workers, &file, source, &mut ()).unwrap();
        indexing.finish(&workers, &|_, _| ControlFlow::Continue(())).unwrap()
    }

    #[test]
    fn runs_are_merged_if_there_are_too_many_or_if_that_is_wanted() {
        let folder = tempfile::tempdir().unwrap();
        let workers = Workers::new(1).unwrap();
        let (go_on, stop) = (|_, _| ControlFlow::Continue(()), |_, _| ControlFlow::Break(()));
        // One run is left as it is.
        assert_eq!(add(folder.path(), 1).merge(true, &workers, &stop).unwrap().runs, 1);
        for runs in 2..=MOST_RUNS {
            assert_eq!(add(folder.path(), runs).merge(false, &workers, &stop).unwrap().runs, runs);
        }
        assert_eq!(add(folder.path(), MOST_RUNS + 1).merge(false, &workers, &go_on).unwrap().runs, 1);
        let built = add(folder.path(), MOST_RUNS + 2).merge(true, &workers, &go_on).unwrap();
        assert_eq!((built.runs, built.games, built.all_games), (1, 1, MOST_RUNS as u64 + 2));
    }
}
