//! Looks positions up in an index.

use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::access::TableAccess;
use crate::error::IndexError;
use crate::files::IndexedFile;
use crate::folder::{ManifestStamp, Pin, pin_manifest, refuse_address};
use crate::game_rules::GameRules;
use crate::games_table::{GameColumn, GamePages};
use crate::hit::Hit;
use crate::keys::keys;
use crate::manifest::Manifest;
use crate::open::OpenRun;
use crate::postings_table::Hits;
use crate::record::Record;
use crate::summaries::{GameSummaries, Summary};
use crate::table::TableReader;
use crate::tally::{Explored, Results, Tally};
use crate::{moves_table, postings_table};
use pgn2fen_chess::notation::uci::Uci;
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::position::Position;
use pgn2fen_games::pgn::encoding::{Fallback, guess};
use pgn2fen_games::selection::TagFilter;

/// An open index. Several threads can use it at once.
///
/// It does not change while it is open, even if games are added to the index, or it is merged or replaced, meanwhile:
/// files that it reads are not removed before it is closed.
#[derive(Debug)]
pub struct Index {
    folder: PathBuf,
    manifest: Manifest,
    /// The state of the manifest before it was read.
    stamp: Option<ManifestStamp>,
    runs: Vec<OpenRun>,
    /// Pages of the games table of each run that were read and are not in use.
    games: Mutex<Vec<GamePages>>,
    /// The rules of the games, when they have been read.
    rules: OnceLock<GameRules>,
    _pins: Vec<Pin>,
}

impl Index {
    /// Opens the index in a folder. Its tables are [mapped](TableAccess::Map) when they are first used.
    ///
    /// # Errors
    ///
    /// Fails if there is no index, if it cannot be read, or if a newer version made it.
    pub fn open(folder: impl AsRef<Path>) -> Result<Self, IndexError> {
        Self::open_with(folder, TableAccess::default())
    }

    /// Opens the index in a folder, whose tables are read in this way.
    ///
    /// # Errors
    ///
    /// The same errors as those of [`open`](Self::open).
    pub fn open_with(folder: impl AsRef<Path>, access: TableAccess) -> Result<Self, IndexError> {
        let folder = folder.as_ref();
        refuse_address(folder)?;
        if folder.is_file() {
            return Err(IndexError::new(
                folder,
                "this is a file, and an index is a folder; build an index of the file first",
            ));
        }
        let stamp = ManifestStamp::of(folder);
        let (manifest, pins) = pin_manifest(folder)?.ok_or_else(|| {
            let reason = if folder.exists() { "there is no index in this folder" } else { "there is no such folder" };
            IndexError::new(folder, reason)
        })?;
        let runs = manifest.runs.iter().map(|run| OpenRun::new(folder, run, &manifest.layout, access)).collect();
        let (games, rules) = (Mutex::default(), OnceLock::new());
        Ok(Self { folder: folder.to_owned(), manifest, stamp, runs, games, rules, _pins: pins })
    }

    /// Returns the folder of the index.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether the index in the folder may be another one now: games were added or removed, it was merged, or it was
    /// replaced or removed.
    pub fn is_outdated(&self) -> bool {
        ManifestStamp::of(&self.folder) != self.stamp
    }

    /// Returns the number of games. Games are numbered from 1.
    pub fn game_count(&self) -> u64 {
        self.manifest.runs.iter().map(|run| run.games).sum()
    }

    /// Returns the rules of all games. They are read once.
    ///
    /// # Errors
    ///
    /// Fails if the index cannot be read.
    pub fn rules(&self) -> Result<&GameRules, IndexError> {
        match self.rules.get() {
            Some(rules) => Ok(rules),
            None => {
                // Another thread may have read them at the same time.
                let rules = GameRules::read(self.runs())?;
                Ok(self.rules.get_or_init(|| rules))
            }
        }
    }

    /// Returns the number of postings.
    pub fn posting_count(&self) -> u64 {
        self.manifest.runs.iter().map(|run| run.postings).sum()
    }

    /// Returns the source files of the index, in the order of their games.
    pub fn files(&self) -> impl ExactSizeIterator<Item = IndexedFile<'_>> {
        self.manifest.sources.iter().map(|source| IndexedFile { folder: &self.folder, source })
    }

    /// Returns the file of a game with its position among the [files](Self::files); None if there is no such game.
    pub fn file_of(&self, game: u64) -> Option<(usize, IndexedFile<'_>)> {
        let behind = self.manifest.sources.partition_point(|source| source.first_game <= game);
        let at = behind.checked_sub(1)?;
        let file = IndexedFile { folder: &self.folder, source: &self.manifest.sources[at] };
        file.games().contains(&game).then_some((at, file))
    }

    /// Decodes the text of a game. What is not UTF-8 is in the encoding that was named when the file was indexed, or in
    /// one that is guessed from the text.
    pub fn decode(&self, game: u64, text: Vec<u8>) -> String {
        String::from_utf8(text).unwrap_or_else(|error| {
            let named = self.file_of(game).and_then(|(_, file)| file.reading().encoding);
            let encoding = named.or_else(|| guess(error.as_bytes()));
            Fallback::new(encoding).decode(error.as_bytes()).into_owned()
        })
    }

    /// Returns the tags that the index keeps of each game, which filters can ask for. They begin with those that every
    /// index keeps; an index of an older pgn2fen has the first ten of these.
    pub fn tags(&self) -> &[Box<str>] {
        self.manifest.layout.tag_names()
    }

    /// Returns the columns of the games table, in their order.
    pub fn columns(&self) -> impl Iterator<Item = GameColumn> {
        (0..).take(self.manifest.layout.column_count()).map(GameColumn::of)
    }

    /// Returns the name of a column in the games table; None if the index does not have it.
    pub fn column_name(&self, column: GameColumn) -> Option<&str> {
        self.manifest.layout.name_of(column)
    }

    /// Returns the column with the written text of this tag, in any capitals; None if the index does not keep the tag.
    pub fn column_of_tag(&self, name: &str) -> Option<GameColumn> {
        self.manifest.layout.column_of_tag(name)
    }

    pub(super) fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    pub(super) fn runs(&self) -> &[OpenRun] {
        &self.runs
    }

    /// Returns an iterator over the postings with this key, in the order of games and plies. It reads them as they are
    /// asked for.
    pub fn postings(&self, key: u64) -> Postings<'_> {
        Postings { key: key.cast_signed(), runs: &self.runs, hits: None, is_over: false }
    }

    /// Returns the moves that were played in the positions with this key.
    ///
    /// # Errors
    ///
    /// Fails if the index cannot be read.
    pub fn moves(&self, key: u64) -> Result<Explored, IndexError> {
        self.moves_of(key, None)
    }

    /// Returns the moves for a key like [`moves`](Self::moves). `turn` is the side to move, if it is known.
    fn moves_of(&self, key: u64, turn: Option<Color>) -> Result<Explored, IndexError> {
        let mut counts = Vec::new();
        let mut games = self.kept_games();
        for run in &self.runs {
            let key = key.cast_signed();
            let (moves, rows) = find(run, key, OpenRun::moves)?;
            if rows.is_empty() {
                // No row in `moves`: the key occurs in one game or in none.
                let (postings, rows) = find(run, key, OpenRun::postings)?;
                let mut tally = Tally::default();
                for hit in Hits::new(postings, &rows) {
                    tally.add(games.record(hit?, turn)?);
                }
                counts.extend(tally.end());
            }
            counts.extend(moves_table::read(moves, &rows)?);
        }
        self.keep_games(games);
        Ok(Explored::of(counts))
    }

    /// Returns the results of the games that reached a position with this key.
    ///
    /// # Errors
    ///
    /// Fails if the index cannot be read.
    pub fn results(&self, key: u64) -> Result<Results, IndexError> {
        let mut results = Results::default();
        for run in &self.runs {
            let key = key.cast_signed();
            let (moves, rows) = find(run, key, OpenRun::moves)?;
            if rows.is_empty() {
                let (postings, rows) = find(run, key, OpenRun::postings)?;
                // At most one game reached the position.
                if !rows.is_empty() {
                    results.add(postings_table::read_result(postings, rows.start)?);
                }
            } else {
                results.add_all(&moves_table::read_results(moves, &rows)?);
            }
        }
        Ok(results)
    }

    /// Returns the games that reached a position, and after how many moves, in the order of games and plies.
    ///
    /// # Errors
    ///
    /// Fails if the index cannot be read.
    pub fn hits(&self, position: &Position) -> Result<PositionHits<'_>, IndexError> {
        let begin = |key| {
            let mut postings = self.postings(key);
            Ok((postings.next().transpose()?, postings))
        };
        Ok(PositionHits { sources: keys(position).into_iter().map(begin).collect::<Result<_, _>>()?, error: None })
    }

    /// Calls a function for each hit of a position with the number of the game and the move, in the order of games and
    /// plies, until it breaks.
    pub(super) fn visit_moves(
        &self,
        position: &Position,
        mut visit: impl FnMut(u64, Option<Uci>) -> Result<ControlFlow<()>, IndexError>,
    ) -> Result<ControlFlow<()>, IndexError> {
        if let [key] = keys(position)[..] {
            for run in &self.runs {
                let (postings, rows) = find(run, key.cast_signed(), OpenRun::postings)?;
                if postings_table::visit_moves(postings, &rows, &mut visit)?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
            return Ok(ControlFlow::Continue(()));
        }
        for hit in self.hits(position)? {
            let hit = hit?;
            if visit(hit.game, hit.next)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Returns the moves that were played in a position.
    ///
    /// # Errors
    ///
    /// Fails if the index cannot be read.
    pub fn explore(&self, position: &Position) -> Result<Explored, IndexError> {
        match self.keys_that_occur(position)?[..] {
            [] => Ok(Explored::default()),
            [key] => self.moves_of(key, Some(position.turn())),
            _ => self.explore_all(position),
        }
    }

    /// Returns the results of the games that reached a position.
    ///
    /// # Errors
    ///
    /// Fails if the index cannot be read.
    pub fn count(&self, position: &Position) -> Result<Results, IndexError> {
        match self.keys_that_occur(position)?[..] {
            [] => Ok(Results::default()),
            [key] => self.results(key),
            _ => Ok(self.explore_all(position)?.results()),
        }
    }

    /// Counts the moves by listing every hit; slow for common positions.
    fn explore_all(&self, position: &Position) -> Result<Explored, IndexError> {
        let mut counter = self.counter();
        for hit in self.hits(position)? {
            counter.add(hit?)?;
        }
        Ok(counter.end())
    }

    /// Creates a counter of the moves played in a selection of the hits of a position.
    pub fn counter(&self) -> HitCounter<'_> {
        HitCounter { games: self.games(), tally: Tally::default() }
    }

    /// Returns the keys of a position that have postings.
    fn keys_that_occur(&self, position: &Position) -> Result<Vec<u64>, IndexError> {
        let keys = keys(position);
        if keys.len() <= 1 {
            return Ok(keys);
        }
        let occurring = |key| self.has_key(key).map(|occurs| occurs.then_some(key)).transpose();
        keys.into_iter().filter_map(occurring).collect()
    }

    /// Whether a position with this key occurs in the index.
    pub(crate) fn has_key(&self, key: u64) -> Result<bool, IndexError> {
        for run in &self.runs {
            if !find(run, key.cast_signed(), OpenRun::postings)?.1.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Creates a reader for the columns of the games.
    pub fn games(&self) -> IndexedGames<'_> {
        IndexedGames { runs: &self.runs, pages: Vec::new() }
    }

    /// Returns the games on the same page of the games table as this one. A list of hits that is cut at the ends of
    /// such ranges reads no page twice. A game that is not in the index is alone.
    pub fn games_beside(&self, game: u64) -> Range<u64> {
        let run = self.runs.iter().find(|run| run.has_game(game));
        let Some((run, Ok(table))) = run.map(|run| (run, run.games())) else {
            return game..game.saturating_add(1);
        };
        let rows = table.page_of(game - run.first_game());
        rows.start + run.first_game()..rows.end + run.first_game()
    }

    /// Creates a reader for the games, with the pages that an earlier reader left.
    fn kept_games(&self) -> IndexedGames<'_> {
        let pages = std::mem::take(&mut *self.games.lock().unwrap_or_else(PoisonError::into_inner));
        IndexedGames { runs: &self.runs, pages }
    }

    fn keep_games(&self, games: IndexedGames<'_>) {
        *self.games.lock().unwrap_or_else(PoisonError::into_inner) = games.pages;
    }
}

/// Returns the table of a run, and its rows with this key.
fn find<'r>(
    run: &'r OpenRun,
    key: i64,
    table: impl Fn(&'r OpenRun, usize) -> Result<&'r TableReader, IndexError>,
) -> Result<(&'r TableReader, Range<u64>), IndexError> {
    let table = table(run, run.part_of(key))?;
    Ok((table, table.find(key)?))
}

/// Counts the moves played in a selection of the hits of a position.
#[derive(Debug)]
pub struct HitCounter<'i> {
    games: IndexedGames<'i>,
    tally: Tally,
}

impl HitCounter<'_> {
    /// Adds the next hit. Hits must be in the order of games and plies.
    ///
    /// # Errors
    ///
    /// Fails if the index cannot be read.
    pub fn add(&mut self, hit: Hit) -> Result<(), IndexError> {
        self.tally.add(self.games.record(hit, None)?);
        Ok(())
    }

    /// Returns the moves played in the hits that were added.
    pub fn end(mut self) -> Explored {
        Explored::of(self.tally.end())
    }
}

/// An iterator over the postings with one key.
pub struct Postings<'i> {
    key: i64,
    /// The runs that have not been read yet.
    runs: &'i [OpenRun],
    hits: Option<Hits<'i>>,
    is_over: bool,
}

impl std::fmt::Debug for Postings<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Postings").field("key", &self.key).finish_non_exhaustive()
    }
}

impl Iterator for Postings<'_> {
    type Item = Result<Hit, IndexError>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        while !self.is_over {
            if let Some(hit) = self.hits.as_mut().and_then(Iterator::next) {
                self.is_over = hit.is_err();
                return Some(hit);
            }
            if let Err(error) = self.next_run()? {
                self.is_over = true;
                return Some(Err(error));
            }
        }
        None
    }
}

impl Postings<'_> {
    /// Begins to read the next run. None if there is none.
    fn next_run(&mut self) -> Option<Result<(), IndexError>> {
        let (run, rest) = self.runs.split_first()?;
        self.runs = rest;
        let found = find(run, self.key, OpenRun::postings);
        Some(found.map(|(table, rows)| self.hits = Some(Hits::new(table, &rows))))
    }
}

/// An iterator over the hits of a position, in the order of games and plies.
#[derive(Debug)]
pub struct PositionHits<'i> {
    /// The postings with each of its keys, and the next hit of each.
    sources: Vec<(Option<Hit>, Postings<'i>)>,
    /// The error behind the last hit.
    error: Option<IndexError>,
}

impl Iterator for PositionHits<'_> {
    type Item = Result<Hit, IndexError>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if let [(head, postings)] = &mut *self.sources {
            return head.take().map(Ok).or_else(|| postings.next());
        }
        self.next_of_several()
    }
}

impl PositionHits<'_> {
    /// Returns the next hit in the postings with several keys.
    fn next_of_several(&mut self) -> Option<Result<Hit, IndexError>> {
        let place = |(hit, _): &&mut (Option<Hit>, Postings<'_>)| hit.map(|hit| (hit.game, hit.ply));
        let sources = self.sources.iter_mut().filter(|(hit, _)| hit.is_some());
        let Some((head, postings)) = sources.min_by_key(place) else {
            return self.error.take().map(Err);
        };
        let hit = head.take()?;
        match postings.next().transpose() {
            Ok(next) => *head = next,
            Err(error) => {
                self.sources.clear();
                self.error = Some(error);
            }
        }
        Some(Ok(hit))
    }
}

/// Some columns of a game. They are read faster from it than one after another by the number of the game.
pub(super) struct GameRow<'g> {
    pages: &'g GamePages,
    row: u64,
}

impl<'g> GameRow<'g> {
    /// Returns a number from one of the columns that were asked for; None if it is not known.
    #[inline]
    pub(super) fn number(&self, column: GameColumn) -> Option<i64> {
        debug_assert!(self.pages.has(self.row, column), "{column:?} was not asked for");
        self.pages.number(self.row, column)
    }

    /// Returns a text from one of the columns that were asked for; None if it is missing.
    #[inline]
    pub(super) fn text(&self, column: GameColumn) -> Option<&'g str> {
        debug_assert!(self.pages.has(self.row, column), "{column:?} was not asked for");
        self.pages.text(self.row, column)
    }
}

/// Reads columns of games by the number of the game. Consecutive games are read fast.
#[derive(Debug)]
pub struct IndexedGames<'i> {
    runs: &'i [OpenRun],
    /// The pages that have been read, for each run.
    pages: Vec<GamePages>,
}

impl<'i> IndexedGames<'i> {
    /// Returns a number from a column of a game; None if it is not known.
    ///
    /// # Errors
    ///
    /// Fails if the index cannot be read.
    pub fn number(&mut self, game: u64, column: GameColumn) -> Result<Option<i64>, IndexError> {
        Ok(self.row(game, &[column])?.and_then(|row| row.number(column)))
    }

    /// Returns a text from a column of a game; None if it is missing.
    ///
    /// # Errors
    ///
    /// Fails if the index cannot be read.
    pub fn text(&mut self, game: u64, column: GameColumn) -> Result<Option<&str>, IndexError> {
        Ok(self.row(game, &[column])?.and_then(|row| row.text(column)))
    }

    /// Whether the tags of a game satisfy all filters. Each filter comes with the columns of its conditions.
    pub(super) fn satisfies<'f>(
        &mut self,
        game: u64,
        filters: impl IntoIterator<Item = (&'f TagFilter, &'f Vec<GameColumn>)>,
    ) -> Result<bool, IndexError> {
        for (filter, columns) in filters {
            let holds = filter
                .try_holds(|at, condition| self.text(game, columns[at]).map(|value| condition.holds_for_tag(value)))?;
            if !holds {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns these columns of a game; None if there is no such game.
    #[inline]
    pub(super) fn row(&mut self, game: u64, columns: &[GameColumn]) -> Result<Option<GameRow<'_>>, IndexError> {
        let Some(at) = self.runs.iter().position(|run| run.has_game(game)) else {
            return Ok(None);
        };
        let run = &self.runs[at];
        if self.pages.len() <= at {
            self.pages.resize_with(self.runs.len(), GamePages::default);
        }
        let (pages, row) = (&mut self.pages[at], game - run.first_game());
        for column in columns {
            if !pages.has(row, *column) {
                pages.turn_to(run.games()?, row, *column)?;
            }
        }
        Ok(Some(GameRow { pages, row }))
    }

    /// Makes a record of a hit, with the facts of its game that are counted. The side to move is looked up if it is not
    /// given.
    fn record(&mut self, hit: Hit, turn: Option<Color>) -> Result<Record, IndexError> {
        // The starting position is the last column.
        let columns = &Summary::COLUMNS[..if turn.is_some() { 3 } else { 4 }];
        let row = self.row(hit.game, columns)?;
        let text = |column| row.as_ref().filter(|_| columns.contains(&column)).and_then(|row| row.text(column));
        let summary = Summary::of(hit.result, Summary::COLUMNS.map(text));
        let mover = turn.map_or_else(|| summary.mover(hit.ply), Color::index);
        Ok(summary.record(hit.game, mover, hit.next))
    }
}

impl Index {
    /// Reads the summaries of all games.
    #[doc(hidden)]
    pub fn summaries(&self) -> Result<GameSummaries, IndexError> {
        let first = self.runs().first().map_or(1, OpenRun::first_game);
        let mut games = Vec::with_capacity(usize::try_from(self.game_count()).unwrap_or(0));
        for run in self.runs() {
            let table = run.games()?;
            Summary::read_all(table, &(0..table.rows()), |summary| {
                games.push(summary);
                Ok(())
            })?;
        }
        Ok(GameSummaries::new(first, games))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::fs;
    use std::ops::ControlFlow;
    use std::path::Path;

    use super::Index;
    use crate::postings::key;
    use crate::sizes::Sizes;
    use crate::{BuildOptions, Builder, GameColumn, Hit, LEAST_MEMORY, Upkeep};
    use pgn2fen_games::database::Database;
    use pgn2fen_games::parallel::Workers;
    use pgn2fen_games::pgn::games::Games;
    use pgn2fen_games::walk::{Job, ReadOptions};

    /// Adds the games of a text to an index.
    fn add(folder: &Path, text: &[u8]) {
        let workers = Workers::new(2).unwrap();
        let options = BuildOptions { append: true, sizes: Sizes::SMALL, ..BuildOptions::default() };
        let builder = Builder::new(folder, options, &workers).unwrap();
        let mut indexing = builder.begin(ReadOptions::default());
        indexing.read(&workers, Path::new("text"), Database::from(text.to_vec()).into(), &mut ()).unwrap();
        let finished = indexing.finish(&workers, &|_, _| ControlFlow::Continue(())).unwrap();
        finished.merge(false, &workers, &|_, _| ControlFlow::Continue(())).unwrap();
    }

    /// Lists every posting by its key, by replaying the games.
    fn scan(text: &[u8]) -> BTreeMap<u64, Vec<Hit>> {
        let mut postings: BTreeMap<u64, Vec<Hit>> = BTreeMap::new();
        for (number, game) in (1..).zip(Games::new(text)) {
            let mut replay = game.replay().unwrap();
            let result = replay.clone().outcome();
            for ply in 0.. {
                let before = replay.position().clone();
                let next = replay.next_ply().map(|ply| ply.unwrap().played.uci(&before));
                let hit = Hit { game: number, ply, next, result };
                postings.entry(key(&before)).or_default().push(hit);
                if next.is_none() {
                    break;
                }
            }
        }
        postings
    }

    #[track_caller]
    fn check(index: &Index, postings: &BTreeMap<u64, Vec<Hit>>, games: u64) {
        for (key, expected) in postings {
            let found: Vec<Hit> = index.postings(*key).map(Result::unwrap).collect();
            assert_eq!(&found, expected);
            let mut reached: Vec<u64> = expected.iter().map(|hit| hit.game).collect();
            reached.dedup();
            assert_eq!(index.results(*key).unwrap().games(), reached.len() as u64);
            assert_eq!(index.moves(*key).unwrap().results(), index.results(*key).unwrap());
            // The next key occurs nowhere.
            assert_eq!(index.postings(key ^ 1).count(), 0);
        }
        let mut reader = index.games();
        for game in (1..=games).rev() {
            assert_eq!(reader.number(game, GameColumn::Game).unwrap(), i64::try_from(game).ok());
        }
    }

    #[test]
    fn every_posting_is_found_in_many_parts_and_row_groups_and_runs() {
        let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/games/opening_book.pgn");
        let text = fs::read(book).unwrap();
        let games: Vec<_> = Games::new(&text).take(700).collect();
        let ends = [249, 250, 699]
            .map(|game: usize| usize::try_from(games[game].offset()).unwrap() + games[game].bytes().len());
        let text = &text[..ends[2]];
        let postings = scan(text);
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("idx");
        for piece in [0..ends[0], ends[0]..ends[1], ends[1]..ends[2]] {
            add(&folder, &text[piece]);
        }
        let index = Index::open(&folder).unwrap();
        let parts: Vec<usize> = index.manifest().runs.iter().map(|run| run.parts.len()).collect();
        assert!(parts.len() == 3 && parts[1] == 1 && parts[2] >= 8, "{parts:?}");
        check(&index, &postings, 700);

        let workers = Workers::new(3).unwrap();
        let options = BuildOptions { append: true, sizes: Sizes::SMALL, ..BuildOptions::default() };
        let builder = Builder::new(&folder, options, &workers).unwrap();
        let finished = builder.finish(&workers, &|_, _| ControlFlow::Continue(())).unwrap();
        finished.merge(true, &workers, &|_, _| ControlFlow::Continue(())).unwrap();
        let merged = Index::open(&folder).unwrap();
        assert!(merged.manifest().runs.len() == 1 && merged.manifest().runs[0].parts.len() >= 16);
        check(&merged, &postings, 700);
    }

    #[test]
    fn games_are_taken_out_of_many_parts_and_row_groups_and_runs() {
        let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/games/opening_book.pgn");
        let text = fs::read(book).unwrap();
        let games: Vec<_> = Games::new(&text).take(500).collect();
        let [first, second, third] = [149, 269, 499]
            .map(|game: usize| usize::try_from(games[game].offset()).unwrap() + games[game].bytes().len());
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("idx");
        for piece in [0..first, first..second, second..third] {
            add(&folder, &text[piece]);
        }
        let workers = Workers::new(2).unwrap();
        let mut upkeep = Upkeep::begin(&folder).unwrap();
        upkeep.sizes = Sizes::SMALL;
        let go_on = |_, _| ControlFlow::Continue(());
        let built = upkeep.remove(&[1], LEAST_MEMORY, &workers, &go_on).unwrap();
        assert_eq!((built.games, built.all_games, built.runs), (120, 380, 1));
        let rest = [&text[..first], &text[second..third]].concat();
        check(&Index::open(&folder).unwrap(), &scan(&rest), 380);
    }
}
