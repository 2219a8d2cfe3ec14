//! Builds a run of an index whose runs are built by several processes.

use std::fmt;
use std::path::Path;

use crate::built_run::{BuiltPiece, BuiltRun, Piece};
use crate::error::IndexError;
use crate::folder::read_layout;
use crate::games_table::GamesLayout;
use crate::index_output::IndexOutput;
use crate::indexing::Indexing;
use crate::options::BuildOptions;
use crate::progress::Progress;
use crate::run_writer::{ReadFile, RunWriter};
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::walk::ReadOptions;

/// A run that is being built for an [`Assembly`](crate::Assembly), usually in another process.
///
/// It is written to a new folder in the folder of the build, and takes no lock. It is removed on drop unless it is
/// finished.
pub struct RunBuilder {
    run: RunWriter,
    options: BuildOptions,
    /// The layout of the games table, which the assembly has chosen.
    layout: GamesLayout,
}

impl fmt::Debug for RunBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunBuilder").field("options", &self.options).finish_non_exhaustive()
    }
}

impl RunBuilder {
    /// Begins a run in the [folder of a build](crate::Assembly::build_folder), with these workers. Its first game gets
    /// this number. The plies must be those of the assembly. Each process has memory of its own.
    /// [`BuildOptions::append`] and [`BuildOptions::tags`] are ignored: the index keeps the tags that the assembly has.
    ///
    /// # Errors
    ///
    /// Fails if the build has ended, or if its folder cannot be written to.
    pub fn new(
        build_folder: &Path,
        first_game: u64,
        options: BuildOptions,
        workers: &Workers,
    ) -> Result<Self, IndexError> {
        let layout = read_layout(build_folder)?;
        let run = RunWriter::create(build_folder, first_game, &layout, options.clone(), workers)?;
        Ok(Self { run, options, layout })
    }

    /// Begins to read the pieces of files that the run is built from, in their order. The job must then read one source
    /// for each piece, with the same range of bytes. The options must be those of
    /// [`Assembly::add`](crate::Assembly::add).
    pub fn begin(self, pieces: Vec<Piece>, read: ReadOptions) -> RunIndexing {
        let output = IndexOutput { run: self.run, digester: None, refusal: None, failure: None };
        Indexing { walk: output.walk(self.options.plies, self.layout, read), target: pieces }
    }
}

/// A run that pieces of files are being read into.
pub type RunIndexing = Indexing<Vec<Piece>>;

impl RunIndexing {
    /// Writes the games that were read. The run stays in the folder of the build. `progress` is called with the number
    /// of parts that are written and the number of all parts; it may stop the build.
    ///
    /// # Errors
    ///
    /// Fails if games could not be added or written, if not all pieces were read, or if `progress` stopped the build.
    /// The run is then removed.
    pub fn finish(self, workers: &Workers, progress: &Progress<'_>) -> Result<BuiltRun, IndexError> {
        let Self { walk, target: pieces } = self;
        let IndexOutput { run, failure, .. } = walk.end().0;
        failure.map_or(Ok(()), Err)?;
        run.check_files(pieces.len())?;
        let (run, files) = run.finish(workers, progress)?;
        let piece = |(piece, ReadFile { stamp, games, .. })| BuiltPiece { piece, stamp, games };
        Ok(BuiltRun { run, pieces: pieces.into_iter().zip(files).map(piece).collect() })
    }
}
