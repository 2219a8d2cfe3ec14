//! Merges runs into one, with all of their games or a selection.
//!
//! The postings are merged in key order, one part at a time, and counted again. The facts of the games that are needed
//! for counting are first copied from the games tables to a temporary file, eight bytes a game, so that memory does not
//! grow with the number of games. They are looked up only for positions that occur more than once, because they are
//! read in random order.

use std::io::{BufWriter, Write};
use std::ops::Range;

use crate::access::TableAccess;
use crate::error::IndexError;
use crate::flush::Flusher;
use crate::folder::{LockedFolder, RunFolder};
use crate::games_table::{self, GameColumn, GamesLayout, SORTED_BY};
use crate::kept::Kept;
use crate::manifest::{IndexedSource, Manifest, Run};
use crate::names::shown;
use crate::open::OpenRun;
use crate::options::{BuildOptions, Shares};
use crate::part::{PartWriter, buckets_of, parts_for};
use crate::postings_table;
use crate::progress::{Done, Progress};
use crate::record::Record;
use crate::sizes::TableSizes;
use crate::sort::Merge;
use crate::spill::keys_of;
use crate::summaries::Summary;
use crate::table::{Layout, TableReader, TableWriter, Written};
use pgn2fen_games::database::Mapped;
use pgn2fen_games::parallel::Workers;
use pgn2fen_tables::ColumnType;
use pgn2fen_tables::parquet_file::{ByteArray, ByteArrayType, DoubleType, Int32Type, Int64Type};

/// Merges all runs into a new one, which keeps the same tags. Returns the new manifest. `sources` are the source files
/// of the games that are kept.
pub(super) fn merge(
    folder: &LockedFolder,
    manifest: &Manifest,
    (kept, sources): (&Kept, Vec<IndexedSource>),
    options: &BuildOptions,
    workers: &Workers,
    progress: &Progress<'_>,
) -> Result<Manifest, IndexError> {
    let (sizes, layout) = (&options.sizes, &manifest.layout);
    let writers = Shares::of(options.memory, workers.count()).writers;
    let runs: Vec<OpenRun> =
        manifest.runs.iter().map(|run| OpenRun::new(folder.path(), run, layout, TableAccess::Read)).collect();
    let mut build = folder.begin_build()?;
    let run = RunFolder::create(build.path())?;
    let facts = Facts::gather(folder, &runs, kept)?;
    let flusher = Flusher::new().map_err(IndexError::io(folder.path()))?;
    let game_table = merge_games((&runs, layout), (kept, &sources), &run, &flusher, sizes.games)?;
    let postings =
        if kept.is_all() { manifest.runs.iter().map(|run| run.postings).sum() } else { count_postings(&runs, kept)? };
    let parts = parts_for(postings, sizes);
    let done = Done::new(progress, parts);
    let written = workers.share(parts, writers, |part| {
        let keys = keys_of(buckets_of(part, parts));
        let mut writer = PartWriter::create(run.path(), part, sizes)?;
        let sources = runs.iter().map(|run| run.records(keys.clone(), |hit| kept.number(hit.game))).collect();
        for record in Merge::new(sources)? {
            writer.push(record?, |record| facts.complete(record))?;
        }
        let written = writer.end(&flusher)?;
        done.one_more(folder.path())?;
        Ok(written)
    })?;
    flusher.finish()?;
    let (first_game, games) = (manifest.first_game(), kept.games());
    let merged = Run { folder: build.keep(&run.finish()?)?, first_game, games, postings, parts: written, game_table };
    let Manifest { plies, renamed, .. } = *manifest;
    Ok(Manifest { plies, renamed, layout: layout.clone(), sources, runs: vec![merged] })
}

/// Returns the number of postings of the games that are kept.
fn count_postings(runs: &[OpenRun], kept: &Kept) -> Result<u64, IndexError> {
    let mut count = 0;
    for run in runs {
        for part in 0..run.parts() {
            let is_kept = |game| kept.number(game).is_some();
            postings_table::visit_games(run.postings(part)?, |game| count += u64::from(is_kept(game)))?;
        }
    }
    Ok(count)
}

/// The [summaries](Summary) of the games that are kept, by their new numbers.
struct Facts {
    bytes: Mapped,
    /// The new number of the first game.
    first: u64,
}

impl Facts {
    /// Copies the facts from the games tables.
    fn gather(folder: &LockedFolder, runs: &[OpenRun], kept: &Kept) -> Result<Self, IndexError> {
        let gather = IndexError::io(folder.path());
        let file = tempfile::tempfile_in(folder.path()).map_err(&gather)?;
        let mut writer = BufWriter::new(&file);
        for (table, rows) in kept_rows(runs, kept)? {
            let write = |summary: Summary| writer.write_all(&summary.to_bytes()).map_err(&gather);
            Summary::read_all(table, &rows, write)?;
        }
        writer.flush().map_err(&gather)?;
        drop(writer);
        let first = runs.first().map_or(1, OpenRun::first_game);
        Ok(Self { bytes: Mapped::of(&file).map_err(&gather)?, first })
    }

    /// Adds the facts of its game to a record.
    fn complete(&self, record: Record) -> Record {
        let at = usize::try_from(record.game().saturating_sub(self.first)).unwrap_or(usize::MAX);
        let summary = self.bytes.as_ref().as_chunks().0.get(at).copied().map(Summary::from_bytes).unwrap_or_default();
        record.with(summary.date(), summary.elos()[summary.mover(record.ply())])
    }
}

/// Returns the rows of the games tables whose games are kept. Their new numbers follow one another.
fn kept_rows<'r>(runs: &'r [OpenRun], kept: &Kept) -> Result<Vec<(&'r TableReader, Range<u64>)>, IndexError> {
    let mut ranges = Vec::new();
    for run in runs {
        let (table, first) = (run.games()?, run.first_game());
        let rows = |games: Range<u64>| games.start - first..games.end - first;
        ranges.extend(kept.within(first..first + table.rows()).map(|games| (table, rows(games))));
    }
    Ok(ranges)
}

/// Concatenates the games tables. The games that are kept get their new numbers and the current names of their files.
fn merge_games(
    (runs, layout): (&[OpenRun], &GamesLayout),
    (kept, sources): (&Kept, &[IndexedSource]),
    run: &RunFolder,
    flusher: &Flusher,
    sizes: TableSizes,
) -> Result<Written, IndexError> {
    let mut ranges = kept_rows(runs, kept)?.into_iter();
    let mut range = ranges.next();
    let mut next_game = runs.first().map_or(1, OpenRun::first_game);
    let names: Vec<ByteArray> = sources.iter().map(|source| ByteArray::from(&*shown(&source.name))).collect();
    let columns = layout.columns();
    let of_table = Layout { columns: &columns, sorted_by: SORTED_BY };
    let mut merged = TableWriter::create(&run.path().join(games_table::FILE), &of_table, sizes)?;
    loop {
        // Enough pieces of the tables to fill a row group.
        let mut pieces = Vec::new();
        let mut room = sizes.group_rows as u64;
        while room > 0
            && let Some((table, rows)) = &mut range
        {
            let end = rows.end.min(rows.start + room);
            pieces.push((*table, rows.start..end));
            room -= end - rows.start;
            rows.start = end;
            if rows.is_empty() {
                range = ranges.next();
            }
        }
        let rows = sizes.group_rows as u64 - room;
        if rows == 0 {
            return merged.end(flusher);
        }
        let games = next_game..next_game + rows;
        let mut group = merged.group(usize::try_from(rows).unwrap_or(usize::MAX))?;
        for (number, column) in columns.iter().enumerate() {
            if number == GameColumn::Game.at() {
                group.column::<Int64Type>(games.clone().map(|game| Some(game.cast_signed())))?;
                continue;
            }
            if number == GameColumn::File.at() {
                group.column::<ByteArrayType>(names_of(games.clone(), sources, &names))?;
                continue;
            }
            match column.column_type {
                ColumnType::Long => group.copy::<Int64Type>(number, &pieces)?,
                ColumnType::Int | ColumnType::Date => group.copy::<Int32Type>(number, &pieces)?,
                ColumnType::Double => group.copy::<DoubleType>(number, &pieces)?,
                ColumnType::Text => group.copy::<ByteArrayType>(number, &pieces)?,
                // The games table has no lists.
                ColumnType::Ints | ColumnType::Doubles | ColumnType::Texts | ColumnType::TextMap => {}
            }
        }
        group.end()?;
        next_game = games.end;
    }
}

/// Returns the name of the file for each game.
fn names_of(
    games: Range<u64>,
    sources: &[IndexedSource],
    names: &[ByteArray],
) -> impl Iterator<Item = Option<ByteArray>> {
    let mut at = 0;
    games.map(move |game| {
        while sources.get(at).is_some_and(|source| source.first_game + source.games <= game) {
            at += 1;
        }
        sources.get(at).filter(|source| source.first_game <= game).map(|_| names[at].clone())
    })
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::path::Path;

    use super::names_of;
    use crate::manifest::{IndexedSource, Manifest};
    use crate::sizes::Sizes;
    use crate::tests::{Desk, FIRST, SECOND};
    use crate::{BuildOptions, Builder, GameColumn, Index, Upkeep};
    use pgn2fen_chess::position::Position;
    use pgn2fen_games::parallel::Workers;
    use pgn2fen_tables::parquet_file::ByteArray;

    #[test]
    fn each_game_has_the_name_of_its_file() {
        let source = IndexedSource::of_games;
        let sources = [source("a", 1, 2), source("none", 3, 0), source("b", 3, 1), source("c", 5, 1)];
        let names: Vec<ByteArray> = ["a", "none", "b", "c"].map(ByteArray::from).to_vec();
        let found = names_of(1..7, &sources, &names);
        let found: Vec<String> =
            found.map(|name| name.map_or_else(|| "-".to_owned(), |name| name.as_utf8().unwrap().to_owned())).collect();
        assert_eq!(found, ["a", "a", "b", "-", "c", "-"]);
    }

    /// Merges the runs of an index.
    fn merge(folder: &Path, sizes: Sizes) -> Index {
        let workers = Workers::new(1).unwrap();
        let options = BuildOptions { append: true, sizes, ..BuildOptions::default() };
        let builder = Builder::new(folder, options, &workers).unwrap();
        let go_on = |_, _| ControlFlow::Continue(());
        let built = builder.finish(&workers, &go_on).unwrap().merge(true, &workers, &go_on).unwrap();
        assert_eq!((built.games, built.runs), (0, 1));
        Index::open(folder).unwrap()
    }

    /// Returns all columns of all games as text.
    fn games(index: &Index) -> Vec<Vec<String>> {
        let mut games = index.games();
        let columns: Vec<GameColumn> = index.columns().collect();
        let value = |game: u64, column: GameColumn, games: &mut crate::IndexedGames<'_>| {
            let number = games.number(game, column).unwrap();
            format!("{number:?} {:?}", games.text(game, column).unwrap())
        };
        (1..=index.game_count())
            .map(|game| columns.iter().map(|column| value(game, *column, &mut games)).collect())
            .collect()
    }

    #[test]
    fn merged_runs_have_the_same_games_and_postings() {
        let many = (0..300).map(|n| format!("[White \"W{n}\"]\n[Round \"{n}\"]\n\n1. e4 {{{n}}} e5 1-0\n\n"));
        let files = [("first.pgn", FIRST), ("many.pgn", &many.collect::<String>()), ("second.pgn", SECOND)];
        for sizes in [Sizes::SMALL, Sizes::USUAL] {
            let desk = Desk::with(&files, &BuildOptions { sizes, ..BuildOptions::default() });
            let before = (games(&desk.index), desk.index.explore(&Position::initial()).unwrap());
            let hits =
                |index: &Index| index.hits(&Position::initial()).unwrap().map(Result::unwrap).collect::<Vec<_>>();
            let merged = merge(desk.index.folder(), sizes);
            assert_eq!((games(&merged), merged.explore(&Position::initial()).unwrap()), before);
            assert_eq!(hits(&merged), hits(&desk.index));
            assert_eq!((merged.game_count(), merged.posting_count()), (306, 900 + 24));
            assert!(merged.check(&Workers::new(2).unwrap()).is_empty());
        }
    }

    #[test]
    fn a_removal_keeps_the_other_games_with_their_facts() {
        let desk = Desk::of(&[("first.pgn", FIRST), ("second.pgn", SECOND), ("third.pgn", FIRST)]);
        let workers = Workers::new(1).unwrap();
        let go_on = |_, _| ControlFlow::Continue(());
        let remove =
            |files: &[usize]| Upkeep::begin(desk.index.folder()).unwrap().remove(files, 0, &workers, &go_on).unwrap();
        let removed = remove(&[0]);
        assert_eq!((removed.games, removed.postings, removed.all_games, removed.all_postings), (3, 12, 6, 24));
        let rest = Index::open(desk.index.folder()).unwrap();
        let expected = Desk::of(&[("second.pgn", SECOND), ("third.pgn", FIRST)]);
        let start = Position::initial();
        assert_eq!(rest.explore(&start).unwrap(), expected.index.explore(&start).unwrap());
        assert!(rest.check(&workers).is_empty());
        let mut games = rest.games();
        let names: Vec<String> =
            (1..7).map(|game| games.text(game, GameColumn::File).unwrap().unwrap().to_owned()).collect();
        assert!(names[..3].iter().all(|name| name.ends_with("second.pgn")), "{names:?}");
        assert!(names[3..].iter().all(|name| name.ends_with("third.pgn")), "{names:?}");
        assert_eq!(games.number(6, GameColumn::Game).unwrap(), Some(6));
        drop(rest);
        let removed = remove(&[0, 1]);
        assert_eq!((removed.games, removed.all_games, removed.runs), (6, 0, 1));
        assert_eq!(Index::open(desk.index.folder()).unwrap().count(&start).unwrap().games(), 0);
        assert_eq!(
            Index::open(desk.index.folder()).unwrap().manifest(),
            &Manifest {
                runs: Index::open(desk.index.folder()).unwrap().manifest().runs.clone(),
                ..Manifest::default()
            }
        );
    }

    #[test]
    fn a_merge_that_is_broken_off_leaves_the_runs() {
        let desk = Desk::of(&[("first.pgn", FIRST), ("second.pgn", SECOND)]);
        let workers = Workers::new(1).unwrap();
        let stop = |_, _| ControlFlow::Break(());
        let upkeep = Upkeep::begin(desk.index.folder()).unwrap();
        let error = upkeep.remove(&[0], 0, &workers, &stop).unwrap_err();
        assert!(error.to_string().ends_with("writing was broken off"), "{error}");
        let index = Index::open(desk.index.folder()).unwrap();
        assert_eq!((index.info().runs, index.game_count()), (2, 6));
    }
}
