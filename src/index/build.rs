//! Builds a run of an index from games.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use crate::index::digest::Digester;
use crate::index::error::IndexError;
use crate::index::flush::Flusher;
use crate::index::folder::{LockedFolder, RunFolder, read_manifest};
use crate::index::games_table::{self, GamesWriter};
use crate::index::kept::Kept;
use crate::index::known::{Known, known};
use crate::index::manifest::{IndexedSource, Manifest, Run};
use crate::index::merge;
use crate::index::names::shown;
use crate::index::part::{PartWriter, buckets_of, parts_for};
use crate::index::postings::{Postings, TAGS};
use crate::index::progress::{Done, Progress};
use crate::index::record::{GameFacts, MAX_ELO, MAX_GAME, MAX_PLY, PackedDate, Record, elo, mover};
use crate::index::sizes::Sizes;
use crate::index::sort::Sorter;
use crate::index::source::{ReadSettings, Stamp};
use crate::index::spill::Spill;
use crate::index::table::Written;
use crate::parallel::Workers;
use crate::selection::Plies;

/// The options for building an index.
#[derive(Clone, Copy, Debug)]
pub struct BuildOptions {
    /// The memory to use, in bytes (approximate). Data that does not fit is written to temporary files in the folder of the index.
    pub memory: usize,
    /// The plies that are indexed. They are the same for all games of an index.
    pub plies: Plies,
    /// Whether the games are added to an existing index; otherwise they replace it.
    pub append: bool,
}

/// The default memory: 1 GiB.
pub const DEFAULT_MEMORY: usize = 1024 * 1024 * 1024;

/// The least memory a build can work with: 64 MiB.
pub const LEAST_MEMORY: usize = 64 * 1024 * 1024;

impl Default for BuildOptions {
    fn default() -> Self {
        Self { memory: DEFAULT_MEMORY, plies: Plies::ALL, append: false }
    }
}

/// An index that is being built. No other process can write to it meanwhile. If the builder is dropped before it is
/// [finished](Self::finish), the folder is left as it was.
pub struct Builder {
    // The order of the fields matters: files are closed before their folder is removed, and the lock is released last.
    games: GamesWriter,
    spill: Spill,
    run: RunFolder,
    folder: LockedFolder,
    pub(super) options: BuildOptions,
    sizes: Sizes,
    manifest: Manifest,
    /// The number of sources at the start of the list that were in the manifest before.
    old_sources: usize,
    /// The name of the source of the games that are added now.
    file: Option<Arc<str>>,
    digester: Digester,
    next_game: u64,
}

impl fmt::Debug for Builder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder")
            .field("folder", &self.folder)
            .field("next_game", &self.next_game)
            .finish_non_exhaustive()
    }
}

impl Builder {
    /// Opens a folder to build an index in it with these workers. The folder is created if it does not exist.
    ///
    /// # Errors
    ///
    /// Fails if another process is writing to the index, or if the folder contains other files or cannot be written to.
    pub fn new(folder: &Path, options: BuildOptions, workers: &Workers) -> Result<Self, IndexError> {
        Self::with_sizes(folder, options, Sizes::USUAL, workers)
    }

    /// Opens a folder like [`new`](Self::new), with other table sizes.
    pub(super) fn with_sizes(
        folder: &Path,
        options: BuildOptions,
        sizes: Sizes,
        workers: &Workers,
    ) -> Result<Self, IndexError> {
        let folder = LockedFolder::take(folder)?;
        let old = match read_manifest(folder.path()) {
            Err(error) if options.append || error.is_newer() => return Err(error),
            // An index that cannot be read is replaced. None of its files is removed before that.
            Err(_) => None,
            Ok(old) => {
                folder.clean(old.as_ref())?;
                old
            }
        };
        let mut manifest = old.filter(|_| options.append).unwrap_or_default();
        if manifest.runs.is_empty() {
            manifest.plies = options.plies;
        }
        let run = folder.new_run()?;
        let games = GamesWriter::create(&run.path().join(games_table::FILE), sizes.games)?;
        let spill = Spill::new(folder.path(), Shares::of(options.memory, workers.count()).records);
        let digester = Digester::new().map_err(IndexError::io(folder.path()))?;
        let (old_sources, next_game) = (manifest.sources.len(), manifest.next_game());
        Ok(Self { games, spill, run, folder, options, sizes, manifest, old_sources, file: None, digester, next_game })
    }

    /// Returns for each of these files whether it is in the index already, or is a duplicate of another file of the list. Files that cannot
    /// be read, and paths that are no plain files, are [new](Known::New).
    pub fn known(&self, paths: &[&Path]) -> Vec<Known> {
        known(&self.manifest, self.folder.path(), paths)
    }

    /// Sets the file of the games that are added next.
    pub(super) fn begin_file(&mut self, name: &Path, reading: ReadSettings, choice: &str) -> Result<(), IndexError> {
        let plies = self.manifest.plies;
        if plies != self.options.plies {
            let reason = format!("the index has the plies {plies} of its games; add the same of others");
            return Err(IndexError::new(self.folder.path(), reason));
        }
        let mut source = IndexedSource {
            name: name.to_owned(),
            path: None,
            beside: None,
            stamp: Stamp { bytes: 0, modified: None, hash: 0 },
            digest: None,
            reading,
            choice: choice.to_owned(),
            first_game: self.next_game,
            games: 0,
        };
        // A pipe or device can be read only once, so it gets no digest.
        if name.is_file() {
            let placed = Stamp::take(name).and_then(|stamp| source.place_at(name, stamp, self.folder.path()));
            placed.map_err(IndexError::io(name))?;
            self.digester.take(name);
        }
        self.file = Some(shown(&source.name).into());
        self.manifest.sources.push(source);
        Ok(())
    }

    /// Adds the next games, in the order of the file.
    pub(super) fn take(&mut self, postings: &Postings) -> Result<(), IndexError> {
        self.games.add(postings, self.next_game, self.file.as_ref())?;
        for (nth, (game, postings_of_game)) in postings.games().enumerate() {
            let elo = |tag| postings.tag(nth, tag).map_or(0, elo);
            let facts = GameFacts {
                number: self.next_game + nth as u64,
                result: game.result,
                date: postings.tag(nth, DATE).map_or(PackedDate::UNKNOWN, PackedDate::read),
                elo: [elo(WHITE_ELO), elo(WHITE_ELO + 1)],
            };
            debug_assert!(facts.elo.iter().all(|elo| *elo <= MAX_ELO));
            if facts.number > MAX_GAME || game.plies > MAX_PLY {
                return Err(IndexError::new(
                    self.folder.path(),
                    "there are more games or moves than an index can hold",
                ));
            }
            for posting in postings_of_game {
                let mover = mover(game.turn, posting.ply);
                self.spill.push(Record::new(posting.key, &facts, posting.ply, mover, posting.next))?;
            }
        }
        let games = postings.game_count() as u64;
        self.next_game += games;
        if let Some(source) = self.manifest.sources.last_mut() {
            source.games += games;
        }
        Ok(())
    }

    /// Writes the games that were added and makes them part of the index. `progress` is called with the number of parts that are written
    /// and the number of all parts; it may stop the build.
    ///
    /// # Errors
    ///
    /// Fails if a file could not be written, if a source file changed while it was read, or if `progress` stopped the build. The index is
    /// then unchanged, unless the error is [in doubt](IndexError::is_in_doubt).
    pub fn finish(self, workers: &Workers, progress: &Progress<'_>) -> Result<Finished, IndexError> {
        self.refuse_changed_sources()?;
        let first_game = self.manifest.next_game();
        let games = self.next_game - first_game;
        let postings = self.spill.len();
        let flusher = Flusher::new().map_err(IndexError::io(self.folder.path()))?;
        let parts = self.write_parts(workers, &flusher, progress)?;
        let Self { games: game_table, run, folder, options, sizes, mut manifest, old_sources, digester, .. } = self;
        let game_table = game_table.end(&flusher)?;
        flusher.finish()?;
        let files = manifest.sources[old_sources..].iter_mut().filter(|source| source.path.is_some());
        for (source, digest) in files.zip(digester.finish()?) {
            source.digest = Some(digest);
        }
        // A run without games is left out, because every look-up would ask it in vain. An index has at least one run.
        if games > 0 || manifest.runs.is_empty() {
            manifest.runs.push(Run { folder: run.keep()?, first_game, games, postings, parts, game_table });
        } else {
            drop(run);
        }
        folder.publish(&manifest)?;
        Ok(Finished { folder, manifest, memory: options.memory, sizes, games, postings })
    }

    /// Checks that no source file changed while it was read.
    fn refuse_changed_sources(&self) -> Result<(), IndexError> {
        for source in &self.manifest.sources[self.old_sources..] {
            if let Some(path) = &source.path
                && source.stamp != Stamp::take(path).map_err(IndexError::io(path))?
            {
                return Err(IndexError::new(path, "the file changed while it was read"));
            }
        }
        Ok(())
    }

    fn write_parts(
        &self,
        workers: &Workers,
        flusher: &Flusher,
        progress: &Progress<'_>,
    ) -> Result<Vec<[Written; 2]>, IndexError> {
        let parts = parts_for(self.spill.len(), &self.sizes);
        let shares = Shares::of(self.options.memory, workers.count());
        let done = Done::new(progress, parts);
        workers.share(parts, shares.writers, |part| {
            let mut sorter = Sorter::new(self.folder.path(), shares.sorted / Record::BYTES);
            let mut writer = PartWriter::create(self.run.path(), part, &self.sizes)?;
            for bucket in buckets_of(part, parts) {
                sorter.sort(&self.spill, bucket, |record| writer.push(record))?;
            }
            let written = writer.end(flusher)?;
            done.one_more(self.folder.path())?;
            Ok(written)
        })
    }
}

/// A finished addition to an index.
#[derive(Debug)]
pub struct Finished {
    folder: LockedFolder,
    manifest: Manifest,
    memory: usize,
    sizes: Sizes,
    games: u64,
    postings: u64,
}

/// The number of runs above which runs are merged, because every look-up asks each run.
const MOST_RUNS: usize = 8;

impl Finished {
    /// Merges the runs into one if there are too many, or if there are several and `in_any_case` is set. `progress` is called with the
    /// number of parts that are written and the number of all parts; it may stop the merge.
    ///
    /// # Errors
    ///
    /// Fails if a file could not be read or written, or if `progress` stopped the merge. The index then keeps its runs, unless the error is
    /// [in doubt](IndexError::is_in_doubt).
    pub fn merge(self, in_any_case: bool, workers: &Workers, progress: &Progress<'_>) -> Result<Built, IndexError> {
        let Self { folder, mut manifest, memory, sizes, games, postings } = self;
        if manifest.runs.len() > if in_any_case { 1 } else { MOST_RUNS } {
            let writers = Shares::of(memory, workers.count()).writers;
            let all = (&Kept::all(&manifest), manifest.sources.clone());
            let run = folder.new_run()?;
            manifest = merge::merge(&folder, &manifest, all, run, (workers, writers), &sizes, progress)?;
            folder.publish(&manifest)?;
        }
        Ok(Built::new(games, postings, &manifest))
    }
}

/// The division of the memory among its uses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shares {
    /// The number of parts that may be written at once.
    pub(super) writers: usize,
    /// The size in bytes of the records that are kept in memory rather than in a file.
    records: usize,
    /// The size in bytes of the records that each writer sorts at once.
    sorted: usize,
}

/// The memory in bytes for the buckets that are being filled and for the walk.
const BASE: usize = 24 * 1024 * 1024;
/// The memory in bytes for a writer besides the records it sorts: a row group of postings, one of moves, and their encoded form.
const WRITER: usize = 32 * 1024 * 1024;

impl Shares {
    pub(super) fn of(memory: usize, workers: usize) -> Self {
        let memory = memory.max(LEAST_MEMORY);
        let writers = (memory / 2 / WRITER).clamp(1, workers.max(1));
        let rest = memory.saturating_sub(BASE + writers * WRITER).max(memory / 8);
        // The records in memory are freed only when all parts are written.
        Self { writers, records: rest / 2, sorted: rest / 2 / writers }
    }
}

/// The positions of some tags in [`TAGS`].
const DATE: usize = 2;
const WHITE_ELO: usize = 6;
const _: () = assert!(TAGS[DATE].len() == 4 && TAGS[WHITE_ELO].len() == 8);

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
