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
    Ok(Manifest { plies: manifest.plies, layout: layout.clone(), sources, runs: vec![merged] })
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
