//! The coordinator of a build: it holds the lock of the index, and makes finished runs part of it.

use std::path::Path;

use crate::access::TableAccess;
use crate::built_run::BuiltRun;
use crate::digest::Digest;
use crate::error::IndexError;
use crate::file_access::length;
use crate::finished::Finished;
use crate::folder::{BuildFolder, LockedFolder, read_manifest};
use crate::games_table::GamesLayout;
use crate::known::{Known, known};
use crate::manifest::{IndexedSource, Manifest, Run};
use crate::open::OpenRun;
use crate::options::BuildOptions;
use crate::run_writer::ReadFile;
use crate::source::{ReadSettings, Stamp};
use crate::wording::choice_in_words;
use pgn2fen_games::database::remote;
use pgn2fen_games::selection::Plies;
use pgn2fen_games::walk::ReadOptions;

/// An index whose runs are built by other processes, on the same machine or on several machines that share the folder
/// of the index.
///
/// The process with the assembly is the coordinator. It holds the lock of the index from [`begin`](Self::begin) to the
/// end, so that no other build can start. The other processes write their runs with a [`RunBuilder`](crate::RunBuilder)
/// to the [folder of the build](Self::build_folder), which is hidden in the folder of the index. Each attempt to build
/// a run gets a folder of its own. So a run may be built twice, even at the same time. Only the runs that are given to
/// [`finish`](Self::finish) become part of the index; everything else in the folder of the build is removed.
///
/// If the assembly is dropped, or if `finish` fails, the folder is left as it was. If its process is killed, the next
/// process that writes to the index removes the remains.
///
/// The steps are: add the files; divide them into [pieces](crate::Piece); count the games of each piece, so that the
/// number of the first game of each run is known; build the runs; and finish.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use pgn2fen_index::{Assembly, BuildOptions, BuiltRun, Digest, Index, Piece, RunBuilder};
/// use pgn2fen_games::database::{Source, SourceOptions};
/// use pgn2fen_games::parallel::Workers;
/// use pgn2fen_chess::san::Letters;
/// use pgn2fen_games::typed::read_position;
/// use pgn2fen_games::walk::{Job, ReadOptions};
///
/// # let folder = tempfile::tempdir()?;
/// # let (path, folder) = (folder.path().join("games.pgn"), folder.path().join("games.idx"));
/// std::fs::write(&path, "1. e4 c5 2. Nf3 1-0\n1. Nf3 c5 2. e4 d6 *\n")?;
/// let mut assembly = Assembly::begin(&folder, BuildOptions::default())?;
/// let file = assembly.add(&path, &ReadOptions::default())?;
///
/// // In another process. The second game begins at byte 20.
/// let build = |range: std::ops::Range<u64>, first_game| -> Result<String, Box<dyn std::error::Error>> {
///     let workers = Workers::new(1)?;
///     let piece = Piece { file, range: range.clone() };
///     let builder = RunBuilder::new(assembly.build_folder(), first_game, BuildOptions::default(), &workers)?;
///     let mut indexing = builder.begin(vec![piece], ReadOptions::default());
///     let source = Source::open_with(&path, &SourceOptions::default())?.within(range)?;
///     indexing.read(&workers, &path, source, &mut ())?;
///     Ok(indexing.finish(&workers, &|_, _| ControlFlow::Continue(()))?.to_json())
/// };
/// let runs = [build(0..20, 1)?, build(20..41, 2)?];
///
/// let runs = runs.iter().filter_map(|run| BuiltRun::from_json(run)).collect();
/// assembly.finish(runs, &[Digest::of(&path)?])?.keep_runs();
///
/// let index = Index::open(&folder)?;
/// let sicilian = read_position("1. e4 c5 2. Nf3", &Letters::ENGLISH)?.position;
/// let hits = index.hits(&sicilian)?.collect::<Result<Vec<_>, _>>()?;
/// assert_eq!(hits.iter().map(|hit| (hit.game, hit.ply)).collect::<Vec<_>>(), [(1, 3), (2, 3)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Assembly {
    // The order of the fields matters: the lock is released last.
    build: BuildFolder,
    folder: LockedFolder,
    options: BuildOptions,
    manifest: Manifest,
    /// The number of sources at the start of the list that were in the manifest before.
    old_sources: usize,
}

impl Assembly {
    /// Locks a folder to build an index in it. The folder is created if it does not exist.
    ///
    /// # Errors
    ///
    /// Fails if another process is writing to the index, if the folder contains other files or cannot be written to, or
    /// if games are added to an index that keeps other tags.
    pub fn begin(folder: &Path, options: BuildOptions) -> Result<Self, IndexError> {
        let assembly = Self::of_one_process(folder, options)?;
        assembly.build.write_layout(&assembly.manifest.layout)?;
        Ok(assembly)
    }

    /// Locks a folder like [`begin`](Self::begin), to build an index in it without other processes.
    pub(super) fn of_one_process(folder: &Path, options: BuildOptions) -> Result<Self, IndexError> {
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
            manifest.layout = options.tags.as_ref().map_or_else(GamesLayout::default, GamesLayout::new);
        }
        if let Some(tags) = &options.tags
            && !manifest.layout.keeps_just(tags)
        {
            let kept = manifest.layout.tag_names().join(", ");
            let reason = format!(
                "the index keeps the tags {kept}, and no others of the games that are added; add them without a list \
                 of tags, or build the index again"
            );
            return Err(IndexError::new(folder.path(), reason));
        }
        let build = folder.begin_build()?;
        let old_sources = manifest.sources.len();
        Ok(Self { build, folder, options, manifest, old_sources })
    }

    /// Returns for each of these files whether it is in the index already, or is a duplicate of another file of the
    /// list. Files that cannot be read, and paths that are no plain files, are [new](Known::New).
    pub fn known(&self, paths: &[&Path]) -> Vec<Known> {
        known(&self.manifest, self.folder.path(), paths)
    }

    /// Returns the number that the first game of the first run gets.
    pub fn first_game(&self) -> u64 {
        self.manifest.next_game()
    }

    /// Returns the folder in which the runs of this build are written.
    pub fn build_folder(&self) -> &Path {
        self.build.path()
    }

    /// Adds a file, before its games are read anywhere. The games of all files are numbered in the order in which the
    /// files are added. `read` are the options with which its games will be read; the index stores their choice of
    /// games in words. Returns the number of the file, which is counted from 0.
    ///
    /// # Errors
    ///
    /// Fails if the path is not that of a plain file, if the file cannot be read, if the index has other plies, or if
    /// there is a limit on the number of games.
    pub fn add(&mut self, path: &Path, read: &ReadOptions) -> Result<usize, IndexError> {
        self.refusal()?;
        if read.max_games.is_some() {
            return Err(IndexError::new(path, "several processes cannot choose the first games"));
        }
        if remote::address(path).is_some() {
            return Err(IndexError::new(
                &remote::named(path),
                "is an address, and several processes index local files only",
            ));
        }
        // The error of the system is returned if there is no such file.
        if length(path).map_err(IndexError::io(path))?.is_none() {
            return Err(IndexError::new(path, "is not a plain file, which several processes could read"));
        }
        let stamp = Some(Stamp::take(path).map_err(IndexError::io(path))?);
        self.add_read(ReadFile { name: path.to_owned(), stamp, games: 0 }, None, read)?;
        Ok(self.manifest.sources.len() - self.old_sources - 1)
    }

    /// Makes the runs part of the index. `digests` are those of the files, in the order in which they were added.
    ///
    /// The runs must be in the order of their games. It is checked that each run begins with the game behind the last
    /// game of the run before it, that the pieces of each file cover the file, that each process read the file that was
    /// added, and that the tables have the sizes, the lists of checksums and the numbers of rows that the processes
    /// returned. The blocks of the tables are verified when they are read, as in every index.
    ///
    /// # Errors
    ///
    /// Fails if the runs are not as described, if a file changed since it was added, or if a file of the index cannot
    /// be written. The index is then unchanged, unless the error is [in doubt](IndexError::is_in_doubt).
    pub fn finish(mut self, runs: Vec<BuiltRun>, digests: &[Digest]) -> Result<Finished, IndexError> {
        self.take_pieces(&runs)?;
        for BuiltRun { run, .. } in &runs {
            OpenRun::new(self.build.path(), run, &self.manifest.layout, TableAccess::Read).open_all()?;
        }
        let added = &mut self.manifest.sources[self.old_sources..];
        if digests.len() != added.len() {
            let reason = format!("{} files were added, but {} digests are given", added.len(), digests.len());
            return Err(IndexError::new(self.folder.path(), reason));
        }
        for (source, digest) in added.iter_mut().zip(digests) {
            source.digest = Some(*digest);
        }
        self.publish(runs.into_iter().map(|run| run.run).collect())
    }

    /// Returns the layout of the games table.
    pub(super) fn layout(&self) -> &GamesLayout {
        &self.manifest.layout
    }

    /// Returns the plies that the options ask for.
    pub(super) fn plies(&self) -> Plies {
        self.options.plies
    }

    /// Returns an error if no games can be added, because the index has other plies.
    pub(super) fn refusal(&self) -> Result<(), IndexError> {
        let plies = self.manifest.plies;
        if plies == self.options.plies {
            return Ok(());
        }
        let reason = if plies == Plies::ALL {
            "the index has all plies of its games, and `plies` would add fewer of others; leave it out".to_owned()
        } else {
            format!("the index has the plies {plies} of its games; add the same of others, by `plies={plies}`")
        };
        Err(IndexError::new(self.folder.path(), reason))
    }

    /// Adds a file that was read with these options. Its games follow those of the files before it.
    pub(super) fn add_read(
        &mut self,
        file: ReadFile,
        digest: Option<Digest>,
        read: &ReadOptions,
    ) -> Result<(), IndexError> {
        let ReadFile { name, stamp, games } = file;
        let last = self.manifest.sources.last();
        let mut source = IndexedSource {
            name,
            path: None,
            beside: None,
            stamp: Stamp { bytes: 0, modified: None, hash: 0 },
            digest,
            reading: ReadSettings { replay: read.replay, encoding: read.encoding, movetext: read.movetext.clone() },
            choice: choice_in_words(read),
            first_game: last.map_or_else(|| self.first_game(), |last| last.first_game + last.games),
            games,
        };
        if let Some(stamp) = stamp {
            let name = source.name.clone();
            source.place_at(&name, stamp, self.folder.path()).map_err(IndexError::io(&name))?;
        }
        self.manifest.sources.push(source);
        Ok(())
    }

    /// Checks the order of the runs and their pieces, and counts the games of the files.
    fn take_pieces(&mut self, runs: &[BuiltRun]) -> Result<(), IndexError> {
        let folder = self.folder.path();
        let mut next_game = self.first_game();
        let sources = &mut self.manifest.sources[self.old_sources..];
        // The place up to which the files have been read: the number of a file, and a number of bytes.
        let (mut file, mut at) = (0, 0);
        let is_whole = |source: &IndexedSource, at: u64| match source.stamp.bytes {
            bytes if at >= bytes => Ok(()),
            bytes => Err(IndexError::new(&source.name, format!("no run has the games of its bytes {at} to {bytes}"))),
        };
        for BuiltRun { run, pieces } in runs {
            if run.first_game != next_game {
                let reason = format!("a run begins with game {}, but game {next_game} is next", run.first_game);
                return Err(IndexError::new(folder, reason));
            }
            next_game += run.games;
            for built in pieces {
                let (piece, games) = (&built.piece, built.games);
                while file < piece.file && file < sources.len() {
                    is_whole(&sources[file], at)?;
                    (file, at) = (file + 1, 0);
                }
                let source = sources.get_mut(file).filter(|_| file == piece.file);
                let source =
                    source.ok_or_else(|| IndexError::new(folder, "the runs are not in the order of the files"))?;
                if piece.range.start != at || piece.range.end < at {
                    let reason =
                        format!("a run has its bytes from {}, but those from {at} are next", piece.range.start);
                    return Err(IndexError::new(&source.name, reason));
                }
                at = piece.range.end;
                if built.stamp.is_none_or(|stamp| !stamp.is_of_same_file(&source.stamp)) {
                    let reason = "another process read a different file of this name, or the file has changed";
                    return Err(IndexError::new(&source.name, reason));
                }
                source.games += games;
            }
            if pieces.iter().map(|piece| piece.games).sum::<u64>() != run.games {
                return Err(IndexError::new(folder, "a run has other games than its pieces"));
            }
        }
        for source in sources.iter().skip(file) {
            is_whole(source, std::mem::take(&mut at))?;
        }
        let mut first_game = self.manifest.next_game();
        for source in &mut self.manifest.sources[self.old_sources..] {
            source.first_game = first_game;
            first_game += source.games;
        }
        Ok(())
    }

    /// Makes finished runs part of the index. They follow one another.
    pub(super) fn publish(self, runs: Vec<Run>) -> Result<Finished, IndexError> {
        self.refuse_changed_sources()?;
        let Self { build, folder, options, mut manifest, .. } = self;
        let games = runs.iter().map(|run| run.games).sum();
        let postings = runs.iter().map(|run| run.postings).sum();
        let kept = keep(&folder, build, runs, &mut manifest);
        if let Err(error) = kept.and_then(|()| folder.publish(&manifest)) {
            // Runs that have their names already are removed. Files of an index that cannot be read are not.
            if let (false, Ok(old)) = (error.is_in_doubt(), read_manifest(folder.path())) {
                let _ = folder.clean(old.as_ref());
            }
            return Err(error);
        }
        Ok(Finished { folder, manifest, options, games, postings })
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
}

/// Moves the runs to the folder of the index, adds them to the manifest, and removes the folder of the build.
fn keep(
    folder: &LockedFolder,
    mut build: BuildFolder,
    runs: Vec<Run>,
    manifest: &mut Manifest,
) -> Result<(), IndexError> {
    let has_games = runs.iter().any(|run| run.games > 0);
    for run in runs {
        // A run without games is left out, because every look-up would ask it in vain. An index has at least one run.
        if run.games > 0 || !has_games && manifest.runs.is_empty() {
            let folder = build.keep(&run.folder)?;
            manifest.runs.push(Run { folder, ..run });
        }
    }
    match manifest.runs.is_empty() {
        true => Err(IndexError::new(folder.path(), "an index has at least one run, even if it has no games")),
        false => Ok(()),
    }
}
