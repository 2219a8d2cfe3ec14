//! Writes a run of an index from postings.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use crate::error::IndexError;
use crate::file_access::is_file;
use crate::flush::Flusher;
use crate::folder::RunFolder;
use crate::games_table::{self, GamesLayout, GamesWriter};
use crate::kept_tags::TAGS;
use crate::manifest::Run;
use crate::names::shown;
use crate::options::{BuildOptions, Shares};
use crate::part::{PartWriter, buckets_of, parts_for};
use crate::postings::Postings;
use crate::progress::{Done, Progress};
use crate::record::{GameFacts, MAX_ELO, MAX_GAME, MAX_PLY, PackedDate, Record, elo, mover};
use crate::scatter::Scatter;
use crate::sort::Sorter;
use crate::source::Stamp;
use crate::spill::Spill;
use crate::table::Written;
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::parallel::lock::lock;

/// A run that is being written in the folder of a build. It is removed on drop.
pub(super) struct RunWriter {
    // The order of the fields matters: files are closed before their folder is removed.
    games: GamesWriter,
    spill: Spill,
    /// Empty memory for dividing records, one for each thread that does this at the same time.
    scatters: Mutex<Vec<Scatter>>,
    folder: RunFolder,
    /// The folder of the index, which has the temporary files.
    index: PathBuf,
    options: BuildOptions,
    first_game: u64,
    next_game: u64,
    /// The name of the file of the games that are added now.
    file: Option<Arc<str>>,
    files: Vec<ReadFile>,
}

/// A file whose games are in a run, or a stream.
#[derive(Debug)]
pub(super) struct ReadFile {
    pub(super) name: PathBuf,
    /// The stamp of the file before it was read; None for a stream.
    pub(super) stamp: Option<Stamp>,
    /// The number of its games in the run.
    pub(super) games: u64,
}

impl RunWriter {
    /// Begins a run in the folder of a build, with this layout of the games table. Its first game has this number.
    pub(super) fn create(
        build: &Path,
        first_game: u64,
        layout: &GamesLayout,
        options: BuildOptions,
        workers: &Workers,
    ) -> Result<Self, IndexError> {
        let folder = RunFolder::create(build)?;
        let games = GamesWriter::create(&folder.path().join(games_table::FILE), layout, options.sizes.games)?;
        let index = build.parent().unwrap_or(build).to_owned();
        let spill = Spill::new(&index, Shares::of(options.memory, workers.count()).records);
        let (scatters, next_game, file, files) = (Mutex::default(), first_game, None, Vec::new());
        Ok(Self { games, spill, scatters, folder, index, options, first_game, next_game, file, files })
    }

    /// Sets the file of the games that are added next. Returns whether it is a file that can be read again, and not a
    /// stream.
    pub(super) fn begin_file(&mut self, name: &Path) -> Result<bool, IndexError> {
        let stamp = is_file(name).then(|| Stamp::take(name)).transpose().map_err(IndexError::io(name))?;
        self.file = Some(shown(name).into());
        self.files.push(ReadFile { name: name.to_owned(), stamp, games: 0 });
        Ok(stamp.is_some())
    }

    /// Returns the three steps that add postings: one numbers the games, in their order; one adds their records, on any
    /// thread; and one adds the games, in their order.
    pub(super) fn steps(&mut self) -> (impl FnMut(&mut Postings) + Send, impl Fn(&mut Postings) + Sync, AddGames<'_>) {
        let Self { games, spill, scatters, index, next_game, file, files, .. } = self;
        let (spill, scatters, index) = (&*spill, &*scatters, &*index);
        let number = |postings: &mut Postings| {
            let games = postings.game_count() as u64;
            postings.number_from(*next_game);
            *next_game += games;
            if let Some(file) = files.last_mut() {
                file.games += games;
            }
        };
        let add_records = |postings: &mut Postings| {
            let idle = lock(scatters).pop();
            let mut scatter = idle.unwrap_or_default();
            let added = divide(postings, &mut scatter, index).and_then(|()| scatter.move_to(spill));
            postings.failure = added.err();
            lock(scatters).push(scatter);
        };
        (number, add_records, AddGames { games, file: file.as_ref() })
    }

    /// Returns an error if another number of files was read.
    pub(super) fn check_files(&self, expected: usize) -> Result<(), IndexError> {
        let read = self.files.len();
        if read == expected {
            return Ok(());
        }
        Err(IndexError::new(&self.index, format!("{read} of {expected} pieces of files were read")))
    }

    /// Writes the games that were added, and flushes all files to the disk. The run stays in the folder of the build.
    /// Returns it with the files of its games.
    pub(super) fn finish(
        mut self,
        workers: &Workers,
        progress: &Progress<'_>,
    ) -> Result<(Run, Vec<ReadFile>), IndexError> {
        let postings = self.spill.len();
        // The last games are written beside the parts.
        self.games.close()?;
        let flusher = Flusher::new().map_err(IndexError::io(&self.index))?;
        let parts = self.write_parts(workers, &flusher, progress)?;
        let Self { games: game_table, folder, index, first_game, next_game, files, .. } = self;
        let game_table = game_table.end(&flusher)?;
        flusher.finish()?;
        let games = next_game - first_game;
        if game_table.rows != games {
            return Err(IndexError::new(&index, format!("{} of {games} games were written", game_table.rows)));
        }
        Ok((Run { folder: folder.finish()?, first_game, games, postings, parts, game_table }, files))
    }

    fn write_parts(
        &self,
        workers: &Workers,
        flusher: &Flusher,
        progress: &Progress<'_>,
    ) -> Result<Vec<[Written; 2]>, IndexError> {
        let parts = parts_for(self.spill.len(), &self.options.sizes);
        let shares = Shares::of(self.options.memory, workers.count());
        let done = Done::new(progress, parts);
        workers.share(parts, shares.writers, |part| {
            let mut sorter = Sorter::new(&self.index, shares.sorted / Record::BYTES);
            let mut writer = PartWriter::create(self.folder.path(), part, &self.options.sizes)?;
            for bucket in buckets_of(part, parts) {
                sorter.sort(&self.spill, bucket, |record| writer.push(record, |complete| complete))?;
            }
            let written = writer.end(flusher)?;
            done.one_more(&self.index)?;
            Ok(written)
        })
    }
}

/// The step that adds games to their table, in their order.
pub(super) struct AddGames<'r> {
    games: &'r mut GamesWriter,
    file: Option<&'r Arc<str>>,
}

impl AddGames<'_> {
    /// Adds the games of a block. Returns the error of the step before, if there was one.
    pub(super) fn add(&mut self, postings: &mut Postings) -> Result<(), IndexError> {
        postings.failure.take().map_or(Ok(()), Err)?;
        self.games.add(postings, postings.first_number(), self.file)
    }
}

/// Divides the records of postings into buckets.
fn divide(postings: &Postings, scatter: &mut Scatter, index: &Path) -> Result<(), IndexError> {
    for (nth, (game, postings_of_game)) in postings.games().enumerate() {
        let elo = |tag| postings.tag(nth, tag).map_or(0, elo);
        let facts = GameFacts {
            number: postings.first_number() + nth as u64,
            result: game.result,
            date: postings.tag(nth, DATE).map_or(PackedDate::UNKNOWN, PackedDate::read),
            elo: [elo(WHITE_ELO), elo(WHITE_ELO + 1)],
        };
        debug_assert!(facts.elo.iter().all(|elo| *elo <= MAX_ELO));
        if facts.number > MAX_GAME || game.plies > MAX_PLY {
            return Err(IndexError::new(index, "there are more games or moves than an index can hold"));
        }
        for posting in postings_of_game {
            let mover = mover(game.turn, posting.ply);
            scatter.push(Record::new(posting.key, &facts, posting.ply, mover, posting.next));
        }
    }
    Ok(())
}

/// The positions of some tags in [`TAGS`].
const DATE: usize = 2;
const WHITE_ELO: usize = 6;
const _: () = assert!(TAGS[DATE].len() == 4 && TAGS[WHITE_ELO].len() == 8);
