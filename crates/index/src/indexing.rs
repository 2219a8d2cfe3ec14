//! Reads databases into an index that is being built in one process.

use std::fmt;

use crate::assembly::Assembly;
use crate::build::Builder;
use crate::error::IndexError;
use crate::finished::Finished;
use crate::index_output::{IndexOutput, IndexWalk};
use crate::progress::Progress;
use pgn2fen_games::job_methods;
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::walk::{Job, ReadOptions};

impl Builder {
    /// Begins to read databases into the index. The index stores the choice of games in words: see
    /// [`IndexedFile::choice`].
    ///
    /// [`IndexedFile::choice`]: crate::IndexedFile::choice
    pub fn begin(self, read: ReadOptions) -> Indexing {
        let Self { run, digester, mut assembly } = self;
        let output = IndexOutput { run, digester, refusal: assembly.accept(&read).err(), failure: None };
        let walk = output.walk(assembly.plies(), assembly.layout().clone(), read.clone());
        Indexing { walk, target: WholeIndex { read, assembly } }
    }
}

/// An index that databases are being read into.
pub struct Indexing<T = WholeIndex> {
    // The lock of the folder is released last.
    pub(super) walk: IndexWalk,
    pub(super) target: T,
}

/// An index that one process builds.
#[doc(hidden)]
#[derive(Debug)]
pub struct WholeIndex {
    read: ReadOptions,
    assembly: Assembly,
}

impl<T> fmt::Debug for Indexing<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Indexing").field("totals", &self.totals()).finish_non_exhaustive()
    }
}

impl Indexing {
    /// Writes the games that were read and makes them part of the index: see [`Builder::finish`].
    ///
    /// # Errors
    ///
    /// Fails if games could not be added or written, if a file changed while it was read, or if `progress` stopped the
    /// build. The index is then unchanged, unless the error is [in doubt](IndexError::is_in_doubt).
    pub fn finish(self, workers: &Workers, progress: &Progress<'_>) -> Result<Finished, IndexError> {
        let Self { walk, target: WholeIndex { read, assembly } } = self;
        let IndexOutput { run, digester, failure, .. } = walk.end().0;
        failure.map_or_else(|| Builder { run, digester, assembly }.finish_as(&read, workers, progress), Err)
    }
}

impl<T> Job for Indexing<T> {
    job_methods!(walk);
}
