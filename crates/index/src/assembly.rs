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
use crate::manifest::{IndexedSource, Manifest, RenamedBy, Run};
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
    /// Fails if the path is not that of a plain file, if the file cannot be read, if the index has other plies or other
    /// names of players, or if there is a limit on the number of games.
    pub fn add(&mut self, path: &Path, read: &ReadOptions) -> Result<usize, IndexError> {
        self.accept(read)?;
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

    /// Returns an error if no games that are read with these options can be added, because the index has other plies,
    /// or other names of players. The first games decide on the names.
    pub(super) fn accept(&mut self, read: &ReadOptions) -> Result<(), IndexError> {
        let (plies, renamed) = (self.manifest.plies, RenamedBy::of(&read.games.players));
        if self.manifest.sources.is_empty() {
            self.manifest.renamed = renamed;
        }
        let refused = |reason: String| Err(IndexError::new(self.folder.path(), reason));
        if plies != self.options.plies {
            return refused(if plies == Plies::ALL {
                "the index has all plies of its games, and `plies` would add fewer of others; leave it out".to_owned()
            } else {
                format!("the index has the plies {plies} of its games; add the same of others, by `plies={plies}`")
            });
        }
        match self.manifest.renamed {
            list if list == renamed => Ok(()),
            None => refused(
                "the index has the names of players as its files have them; leave out `names`, or build the index again"
                    .to_owned(),
            ),
            Some(_) => refused(
                "the index has the main names of players by another list; add games with that list as `names`, or \
                 build the index again"
                    .to_owned(),
            ),
        }
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

#[cfg(test)]
mod tests {
    use std::fs;
    use std::ops::{ControlFlow, Range};
    use std::path::{Path, PathBuf};

    use super::{Assembly, BuiltRun, Digest};
    use crate::record::MAX_GAME;
    use crate::tests::{Desk, FIRST, SECOND};
    use crate::{BuildOptions, Builder, Index, IndexError, Known, Piece, RunBuilder};
    use pgn2fen_games::database::{Database, Source, SourceOptions};
    use pgn2fen_games::parallel::Workers;
    use pgn2fen_games::selection::{GameFilter, Plies};
    use pgn2fen_games::walk::{Job, ReadOptions};

    /// A build of two files of three games each.
    struct Build {
        assembly: Assembly,
        files: [PathBuf; 2],
        folder: tempfile::TempDir,
    }

    impl Build {
        fn begin() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let files = ["first.pgn", "second.pgn"].map(|name| folder.path().join(name));
            let mut assembly = Assembly::begin(&folder.path().join("games.idx"), BuildOptions::default()).unwrap();
            for (number, (file, text)) in files.iter().zip([FIRST, SECOND]).enumerate() {
                fs::write(file, text).unwrap();
                assert_eq!(assembly.add(file, &ReadOptions::default()).unwrap(), number);
            }
            Self { assembly, files, folder }
        }

        /// Builds a run of these pieces, as another process does.
        fn run(&self, first_game: u64, pieces: &[(usize, Range<usize>)]) -> BuiltRun {
            self.try_run(first_game, pieces).unwrap()
        }

        fn try_run(&self, first_game: u64, pieces: &[(usize, Range<usize>)]) -> Result<BuiltRun, IndexError> {
            let workers = Workers::new(1).unwrap();
            let range = |range: &Range<usize>| range.start as u64..range.end as u64;
            let named = pieces.iter().map(|(file, bytes)| Piece { file: *file, range: range(bytes) }).collect();
            let options = BuildOptions::default();
            let builder = RunBuilder::new(self.assembly.build_folder(), first_game, options, &workers).unwrap();
            let mut indexing = builder.begin(named, ReadOptions::default());
            for (file, bytes) in pieces {
                let path = &self.files[*file];
                let source = Source::open_with(path, &SourceOptions::default()).unwrap();
                indexing.read(&workers, path, source.within(range(bytes)).unwrap(), &mut ()).unwrap();
            }
            indexing.finish(&workers, &|_, _| ControlFlow::Continue(()))
        }

        fn digests(&self) -> Vec<Digest> {
            self.files.iter().map(|file| Digest::of(file).unwrap()).collect()
        }

        fn finish(self, runs: Vec<BuiltRun>) -> Result<Desk, IndexError> {
            let digests = self.digests();
            let built = self.assembly.finish(runs, &digests)?.keep_runs();
            assert_eq!((built.games, built.all_games, built.postings), (6, 6, 24));
            let index = Index::open(self.folder.path().join("games.idx"))?;
            Ok(Desk { folder: self.folder, index })
        }

        #[track_caller]
        fn refuses(self, runs: Vec<BuiltRun>, reason: &str) {
            let folder = self.folder.path().join("games.idx");
            let digests = self.digests();
            let error = self.assembly.finish(runs, &digests).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
            assert!(Index::open(folder).is_err(), "nothing is published");
        }
    }

    /// The byte at which the second game of the first file begins.
    fn second_game() -> usize {
        FIRST.find("[White \"B\"]").unwrap()
    }

    #[test]
    fn runs_of_several_processes_are_one_index() {
        let build = Build::begin();
        assert_eq!(build.assembly.first_game(), 1);
        let (cut, end) = (second_game(), FIRST.len());
        let run = build.run(2, &[(0, cut..end), (1, 0..SECOND.len())]);
        assert_eq!((run.games(), run.postings()), (5, 20));
        let runs = vec![build.run(1, &[(0, 0..cut)]), run];
        let Desk { index, folder: _files } = build.finish(runs).unwrap();
        let files: Vec<_> = index.files().map(|file| (file.games(), file.state().name())).collect();
        assert_eq!(files, [(1..4, "unchanged"), (4..7, "unchanged")]);
        assert_eq!(index.info().runs, 2);
        assert!(index.check(&Workers::new(1).unwrap()).is_empty());
        let one = Desk::of(&[("first.pgn", FIRST), ("second.pgn", SECOND)]);
        for position in ["startpos", "1. e4", "1. e4 e5 2. Nf3"].map(crate::tests::after) {
            let hits = |index: &Index| index.hits(&position).unwrap().map(Result::unwrap).collect::<Vec<_>>();
            assert_eq!(hits(&index), hits(&one.index));
            assert_eq!(index.explore(&position).unwrap(), one.index.explore(&position).unwrap());
        }
    }

    #[test]
    fn games_of_several_processes_follow_those_of_the_index() {
        let desk = Desk::of(&[("first.pgn", FIRST)]);
        let folder = desk.index.folder();
        let path = desk.path("second.pgn");
        fs::write(&path, SECOND).unwrap();
        let options = BuildOptions { append: true, ..BuildOptions::default() };
        let mut assembly = Assembly::begin(folder, options.clone()).unwrap();
        assert_eq!((assembly.first_game(), assembly.layout().tags().len()), (4, crate::TAGS.len()));
        assert_eq!(
            assembly.known(&[&path, &desk.path("first.pgn")]),
            [Known::New, Known::Indexed { choice: String::new() }]
        );
        assert_eq!(assembly.add(&path, &ReadOptions::default()).unwrap(), 0);
        let workers = Workers::new(1).unwrap();
        let builder = RunBuilder::new(assembly.build_folder(), 4, options, &workers).unwrap();
        let mut indexing = builder.begin(vec![Piece::whole(0)], ReadOptions::default());
        indexing.read(&workers, &path, Database::open(&path).unwrap().into(), &mut ()).unwrap();
        let run = indexing.finish(&workers, &|_, _| ControlFlow::Continue(())).unwrap();
        let built = assembly.finish(vec![run], &[Digest::of(&path).unwrap()]).unwrap().keep_runs();
        assert_eq!((built.games, built.all_games, built.runs), (3, 6, 2));
        let index = Index::open(folder).unwrap();
        let files: Vec<_> = index.files().map(|file| file.games()).collect();
        assert_eq!(files, [1..4, 4..7]);
    }

    #[test]
    fn runs_that_do_not_follow_one_another_are_refused() {
        let (cut, end) = (second_game(), FIRST.len());
        let second = (1, 0..SECOND.len());
        let build = Build::begin();
        let runs = vec![build.run(1, &[(0, 0..end)]), build.run(5, std::slice::from_ref(&second))];
        build.refuses(runs, "a run begins with game 5, but game 4 is next");
        let build = Build::begin();
        let runs = vec![build.run(1, std::slice::from_ref(&second)), build.run(4, &[(0, 0..end)])];
        build.refuses(runs, &format!("first.pgn: no run has the games of its bytes 0 to {end}"));
        let build = Build::begin();
        let runs = vec![build.run(1, &[(0, 0..end), second.clone(), (0, 0..end)])];
        build.refuses(runs, "the runs are not in the order of the files");
        let build = Build::begin();
        let runs = vec![build.run(1, &[(0, 0..cut)]), build.run(2, std::slice::from_ref(&second))];
        build.refuses(runs, &format!("first.pgn: no run has the games of its bytes {cut} to {end}"));
        let build = Build::begin();
        let runs = vec![build.run(1, &[(0, 0..end)])];
        build.refuses(runs, &format!("second.pgn: no run has the games of its bytes 0 to {}", SECOND.len()));
        let build = Build::begin();
        let runs = vec![build.run(1, &[(0, cut..end), second])];
        build.refuses(runs, &format!("first.pgn: a run has its bytes from {cut}, but those from 0 are next"));
    }

    #[test]
    fn a_run_has_no_game_beyond_the_greatest_number() {
        let build = Build::begin();
        let game = || build.try_run(MAX_GAME, &[(0, 0..second_game())]).map(|run| run.games());
        assert_eq!(game().unwrap(), 1);
        let error = build.try_run(MAX_GAME, &[(0, 0..FIRST.len())]).unwrap_err().to_string();
        assert!(error.contains("there are more games or moves than an index can hold"), "{error}");
    }

    #[test]
    fn a_piece_of_a_file_that_was_not_added_is_refused() {
        let build = Build::begin();
        let first = build.run(1, &[(0, 0..FIRST.len())]);
        let mut second = build.run(4, &[(1, 0..SECOND.len())]);
        let mut beyond = second.pieces[0].clone();
        beyond.piece.file = 9;
        second.pieces.push(beyond);
        build.refuses(vec![first, second], "the runs are not in the order of the files");
    }

    #[test]
    fn an_index_that_cannot_be_read_is_replaced_unless_games_are_added_or_it_is_newer() {
        let desk = Desk::of(&[("first.pgn", FIRST)]);
        let manifest = desk.index.folder().join(crate::manifest::NAME);
        let text = fs::read_to_string(&manifest).unwrap();
        let begin = |append| {
            let options = BuildOptions { append, ..BuildOptions::default() };
            Assembly::begin(desk.index.folder(), options).map_or_else(|error| error.to_string(), |_| String::new())
        };
        fs::write(&manifest, "damaged").unwrap();
        assert!(begin(true).contains("this is not the manifest of an index"));
        assert_eq!(begin(false), "");
        fs::write(&manifest, text.replace("\"version\": ", "\"version\": 99")).unwrap();
        for append in [true, false] {
            assert!(begin(append).contains("a newer pgn2fen built the index"), "{append}");
        }
    }

    #[test]
    fn a_run_of_other_bytes_or_games_is_refused() {
        let whole = [(0, 0..FIRST.len()), (1, 0..SECOND.len())];
        let build = Build::begin();
        let mut run = build.run(1, &whole);
        run.pieces[1].games = 2;
        build.refuses(vec![run], "a run has other games than its pieces");
        let build = Build::begin();
        let mut run = build.run(1, &whole);
        run.pieces[0].stamp.as_mut().unwrap().hash ^= 1;
        build.refuses(vec![run], "first.pgn: another process read a different file of this name");
        let build = Build::begin();
        let mut run = build.run(1, &whole);
        run.pieces[0].stamp = None;
        build.refuses(vec![run], "first.pgn: another process read a different file of this name");
        let build = Build::begin();
        let mut run = build.run(1, &whole);
        run.run.game_table.rows += 1;
        build.refuses(vec![run], "another number of rows");
        // A copy of the file on another machine has another time.
        let build = Build::begin();
        let mut run = build.run(1, &whole);
        run.pieces[0].stamp.as_mut().unwrap().modified = Some(0);
        assert!(build.finish(vec![run]).is_ok());
    }

    #[test]
    fn a_file_that_changes_while_its_games_are_read_is_refused() {
        let build = Build::begin();
        let run = build.run(1, &[(0, 0..FIRST.len()), (1, 0..SECOND.len())]);
        fs::write(&build.files[1], format!("{SECOND}\n")).unwrap();
        build.refuses(vec![run], "second.pgn: the file changed while it was read");
    }

    #[test]
    fn each_file_has_a_digest() {
        let build = Build::begin();
        let run = build.run(1, &[(0, 0..FIRST.len()), (1, 0..SECOND.len())]);
        let digests = build.digests();
        let error = build.assembly.finish(vec![run], &digests[1..]).unwrap_err().to_string();
        assert!(error.ends_with("2 files were added, but 1 digests are given"), "{error}");
    }

    #[test]
    fn a_run_needs_all_its_pieces() {
        let build = Build::begin();
        let workers = Workers::new(1).unwrap();
        let options = BuildOptions::default();
        let builder = RunBuilder::new(build.assembly.build_folder(), 1, options, &workers).unwrap();
        let indexing = builder.begin(vec![Piece::whole(0)], ReadOptions::default());
        let error = indexing.finish(&workers, &|_, _| ControlFlow::Continue(())).unwrap_err().to_string();
        assert!(error.ends_with("0 of 1 pieces of files were read"), "{error}");
        let folder = build.assembly.build_folder().to_owned();
        drop(build);
        let error = RunBuilder::new(&folder, 1, BuildOptions::default(), &workers).unwrap_err().to_string();
        assert!(error.ends_with("the build has ended, or its folder cannot be seen from here"), "{error}");
    }

    #[test]
    fn what_several_processes_cannot_read_is_refused() {
        let mut build = Build::begin();
        let folder = build.folder.path().to_owned();
        let mut check = |path: &Path, read: &ReadOptions, reason: &str| {
            let error = build.assembly.add(path, read).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        };
        let few = ReadOptions { max_games: Some(9), ..ReadOptions::default() };
        check(&folder.join("first.pgn"), &few, "several processes cannot choose the first games");
        let all = ReadOptions::default();
        check(Path::new("https://me:secret@example.org/a.pgn"), &all, "https://example.org/a.pgn: is an address");
        check(&folder, &all, "is not a plain file");
        assert_eq!(build.assembly.add(&folder.join("none.pgn"), &all).unwrap_err().path(), folder.join("none.pgn"));
    }

    /// Adds a file to an index of these plies with other plies.
    #[track_caller]
    fn check_other_plies(plies: Plies, other: &str, reason: &str) {
        let options = |plies| BuildOptions { plies, ..BuildOptions::default() };
        let desk = Desk::with(&[("first.pgn", FIRST)], &options(plies));
        let options = BuildOptions { append: true, ..options(other.parse().unwrap()) };
        let mut assembly = Assembly::begin(desk.index.folder(), options.clone()).unwrap();
        let error = assembly.add(&desk.path("first.pgn"), &ReadOptions::default()).unwrap_err().to_string();
        assert!(error.ends_with(reason), "{error}");
        drop(assembly);
        // One process says the same.
        let workers = Workers::new(1).unwrap();
        let builder = Builder::new(desk.index.folder(), options, &workers).unwrap();
        let mut indexing = builder.begin(ReadOptions::default());
        indexing.read(&workers, Path::new("a"), Database::from(b"1. d4 *\n".to_vec()).into(), &mut ()).unwrap();
        let error = indexing.finish(&workers, &|_, _| ControlFlow::Continue(())).unwrap_err().to_string();
        assert!(error.ends_with(reason), "{error}");
    }

    #[test]
    fn all_games_of_an_index_have_the_same_plies() {
        let all = "the index has all plies of its games, and `plies` would add fewer of others; leave it out";
        check_other_plies(Plies::ALL, "..2", all);
        let some = "the index has the plies ..2 of its games; add the same of others, by `plies=..2`";
        check_other_plies("..2".parse().unwrap(), "..3", some);
    }

    #[test]
    fn all_games_of_an_index_have_names_by_the_same_list() {
        let by = |list: &str| {
            let games = GameFilter { players: list.parse().unwrap(), ..GameFilter::default() };
            ReadOptions { games, ..ReadOptions::default() }
        };
        let (tal, keres) = ("Tal\n  Misha\n", "Keres\n  Paul\n");
        let as_written = "the index has the names of players as its files have them; leave out `names`, or build the \
                          index again";
        let by_another = "the index has the main names of players by another list; add games with that list as \
                          `names`, or build the index again";
        for (old, new, reason) in [
            ("", tal, Some(as_written)),
            (tal, "", Some(by_another)),
            (tal, keres, Some(by_another)),
            (tal, "# A comment changes nothing.\nTal\n  Misha\n", None),
            ("", "", None),
        ] {
            let desk = Desk::of(&[("first.pgn", FIRST), ("second.pgn", SECOND)]);
            let add = |append, file: &str, read: &ReadOptions| {
                let options = BuildOptions { append, ..BuildOptions::default() };
                let workers = Workers::new(1).unwrap();
                let mut indexing = Builder::new(desk.index.folder(), options, &workers).unwrap().begin(read.clone());
                let database = Database::open(desk.path(file)).unwrap();
                indexing.read(&workers, &desk.path(file), database.into(), &mut ()).unwrap();
                indexing.finish(&workers, &|_, _| ControlFlow::Continue(())).map(drop)
            };
            add(false, "first.pgn", &by(old)).unwrap();
            assert_eq!(Index::open(desk.index.folder()).unwrap().info().has_main_names, !old.is_empty());
            let options = BuildOptions { append: true, ..BuildOptions::default() };
            let mut assembly = Assembly::begin(desk.index.folder(), options).unwrap();
            let added = [assembly.add(&desk.path("second.pgn"), &by(new)).map(drop), {
                drop(assembly);
                add(true, "second.pgn", &by(new))
            }];
            for error in added.map(|added| added.err().map(|error| error.to_string())) {
                assert_eq!(error.is_some(), reason.is_some(), "{old:?} {new:?}: {error:?}");
                assert!(error.is_none_or(|error| error.ends_with(reason.unwrap())), "{old:?} {new:?}");
            }
        }
    }

    #[test]
    fn all_games_of_an_index_have_the_same_tags() {
        let desk = Desk::of(&[("first.pgn", FIRST)]);
        let of = |tags: &str, append| {
            let options = BuildOptions { tags: tags.parse().ok(), append, ..BuildOptions::default() };
            Assembly::begin(desk.index.folder(), options).map(drop)
        };
        let error = of("Annotator", true).unwrap_err().to_string();
        assert!(error.contains("the index keeps the tags Event, Site, "), "{error}");
        assert!(of("Annotator", false).is_ok());
    }

    #[test]
    fn a_run_without_games_is_left_out_if_there_is_another() {
        let build = Build::begin();
        let runs = vec![
            build.run(1, &[(0, 0..0)]),
            build.run(1, &[(0, 0..FIRST.len()), (1, 0..SECOND.len())]),
            build.run(7, &[]),
        ];
        assert_eq!(build.finish(runs).unwrap().index.info().runs, 1);
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("games.idx");
        let error = Assembly::begin(&folder, BuildOptions::default()).unwrap().finish(Vec::new(), &[]).unwrap_err();
        assert!(error.to_string().ends_with("an index has at least one run, even if it has no games"), "{error}");
        assert!(!folder.exists());
        // An index of no games has one run, and no second one.
        let workers = Workers::new(1).unwrap();
        for append in [false, true] {
            let options = BuildOptions { append, ..BuildOptions::default() };
            let builder = Builder::new(&folder, options, &workers).unwrap();
            builder.finish(&workers, &|_, _| ControlFlow::Continue(())).unwrap();
            let index = Index::open(&folder).unwrap();
            assert_eq!((index.info().runs, index.game_count()), (1, 0));
        }
    }
}
