//! Builds an index in one process.

use std::fmt;
use std::path::Path;

use crate::assembly::Assembly;
use crate::digest::Digester;
use crate::error::IndexError;
use crate::finished::Finished;
use crate::known::Known;
use crate::options::BuildOptions;
use crate::progress::Progress;
use crate::run_writer::RunWriter;
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::walk::ReadOptions;

/// An index that is being built. No other process can write to it meanwhile. If the builder is dropped before it is
/// [finished](Self::finish), the folder is left as it was.
pub struct Builder {
    // The order of the fields matters: files are closed before their folder is removed, and the lock is released last.
    pub(super) run: RunWriter,
    /// Computes the digests of the files while their games are read.
    pub(super) digester: Option<Digester>,
    pub(super) assembly: Assembly,
}

impl fmt::Debug for Builder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder").field("assembly", &self.assembly).finish_non_exhaustive()
    }
}

impl Builder {
    /// Opens a folder to build an index in it with these workers. The folder is created if it does not exist.
    ///
    /// # Errors
    ///
    /// Fails if another process is writing to the index, if the folder contains other files or cannot be written to, or
    /// if games are added to an index that keeps other tags.
    pub fn new(folder: &Path, options: BuildOptions, workers: &Workers) -> Result<Self, IndexError> {
        let assembly = Assembly::of_one_process(folder, options.clone())?;
        let (build, layout) = (assembly.build_folder(), assembly.layout());
        let run = RunWriter::create(build, assembly.first_game(), layout, options, workers)?;
        let digester = Digester::new().map_err(IndexError::io(folder))?;
        Ok(Self { run, digester: Some(digester), assembly })
    }

    /// Returns for each of these files whether it is in the index already, or is a duplicate of another file of the
    /// list. Files that cannot be read, and paths that are no plain files, are [new](Known::New).
    pub fn known(&self, paths: &[&Path]) -> Vec<Known> {
        self.assembly.known(paths)
    }

    /// Writes the games that were added and makes them part of the index. `progress` is called with the number of parts
    /// that are written and the number of all parts; it may stop the build.
    ///
    /// # Errors
    ///
    /// Fails if a file could not be written, if a source file changed while it was read, or if `progress` stopped the
    /// build. The index is then unchanged, unless the error is [in doubt](IndexError::is_in_doubt).
    pub fn finish(self, workers: &Workers, progress: &Progress<'_>) -> Result<Finished, IndexError> {
        self.finish_as(&ReadOptions::default(), workers, progress)
    }

    /// Finishes the index like [`finish`](Self::finish). The files were read with these options.
    pub(super) fn finish_as(
        self,
        read: &ReadOptions,
        workers: &Workers,
        progress: &Progress<'_>,
    ) -> Result<Finished, IndexError> {
        let Self { run, digester, mut assembly } = self;
        let (run, files) = run.finish(workers, progress)?;
        let mut digests = digester.map_or(Ok(Vec::new()), Digester::finish)?.into_iter();
        for file in files {
            let digest = if file.stamp.is_some() { digests.next() } else { None };
            assembly.add_read(file, digest, read)?;
        }
        assembly.publish(vec![run])
    }
}
