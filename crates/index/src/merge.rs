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
use crate::games_table;
use crate::games_table::GameColumn;
use crate::kept::Kept;
use crate::manifest::{IndexedSource, Manifest, Run};
use crate::names::shown;
use crate::open::OpenRun;
use crate::part::{PartWriter, buckets_of, parts_for};
use crate::postings_table::{self, Hits};
use crate::progress::{Done, Progress};
use crate::record::{DATE_BITS, ELO_BITS, GameFacts, PackedDate, Record, bits16, bits32, elo, first_to_move, mover};
use crate::sizes::{Sizes, TableSizes};
use crate::sort;
use crate::spill::least_key;
use crate::table::{Scan, TableReader, TableWriter, Written};
use pgn2fen_chess::piece::Color;
use pgn2fen_games::database::Mapped;
use pgn2fen_games::parallel::Workers;
use pgn2fen_tables::ColumnType;
use pgn2fen_tables::parquet_file::{ByteArray, ByteArrayType, DoubleType, Int32Type, Int64Type};

/// Merges all runs into a new one, with at most this many writers at once. Returns the new manifest. `sources` are the
/// source files of the games that are kept.
pub(super) fn merge(
    folder: &LockedFolder,
    manifest: &Manifest,
    (kept, sources): (&Kept, Vec<IndexedSource>),
    (workers, writers): (&Workers, usize),
    sizes: &Sizes,
    progress: &Progress<'_>,
) -> Result<Manifest, IndexError> {
    let runs: Vec<OpenRun> =
        manifest.runs.iter().map(|run| OpenRun::new(folder.path(), run, TableAccess::Read)).collect();
    let mut build = folder.begin_build()?;
    let run = RunFolder::create(build.path())?;
    let facts = Facts::gather(folder, &runs, kept)?;
    let flusher = Flusher::new().map_err(IndexError::io(folder.path()))?;
    let game_table = merge_games(&runs, (kept, &sources), &run, &flusher, sizes.games)?;
    let postings =
        if kept.is_all() { manifest.runs.iter().map(|run| run.postings).sum() } else { count_postings(&runs, kept)? };
    let parts = parts_for(postings, sizes);
    let done = Done::new(progress, parts);
    let written = workers.share(parts, writers, |part| {
        let buckets = buckets_of(part, parts);
        let mut writer = PartWriter::create(run.path(), part, sizes)?;
        let sources = runs.iter().map(|run| records(run, buckets.clone(), kept)).collect();
        sort::merge(sources, |record| writer.push(record, |record| facts.complete(record)))?;
        let written = writer.end(&flusher)?;
        done.one_more(folder.path())?;
        Ok(written)
    })?;
    flusher.finish()?;
    let (first_game, games) = (manifest.first_game(), kept.games());
    let merged = Run { folder: build.keep(&run.finish()?)?, first_game, games, postings, parts: written, game_table };
    Ok(Manifest { plies: manifest.plies, sources, runs: vec![merged] })
}

/// Returns the number of postings of the games that are kept.
fn count_postings(runs: &[OpenRun], kept: &Kept) -> Result<u64, IndexError> {
    let mut count = 0;
    for run in runs {
        for part in 0..run.parts() {
            let table = run.postings(part)?;
            let mut games = postings_table::scan_games(table, 0..table.rows());
            while games.read()? {
                let is_kept =
                    |game: &&Option<i64>| game.is_some_and(|game| kept.number(game.cast_unsigned()).is_some());
                count += games.values().iter().filter(is_kept).count() as u64;
            }
        }
    }
    Ok(count)
}

/// Returns the records of a run in these buckets, in order, without dates and ratings.
fn records<'r>(
    run: &'r OpenRun,
    buckets: Range<usize>,
    kept: &'r Kept,
) -> impl Iterator<Item = Result<Record, IndexError>> + 'r {
    let parts = run.parts_of(buckets.clone());
    let ranges = parts.map(move |part| rows_of(run, part, &buckets));
    sort::chained(ranges, move |table, rows| Records::new(table, rows, kept))
}

/// Returns the rows of a part in these buckets.
fn rows_of<'r>(
    run: &'r OpenRun,
    part: usize,
    buckets: &Range<usize>,
) -> Result<(&'r TableReader, Range<u64>), IndexError> {
    let table = run.postings(part)?;
    let row = |bucket| least_key(bucket).map_or(Ok(table.rows()), |key| table.first_from(key));
    Ok((table, row(buckets.start)?..row(buckets.end)?))
}

/// An iterator over the postings of games that are kept, with the new numbers of the games.
struct Records<'r> {
    keys: Scan<'r, Int64Type>,
    at: usize,
    hits: Hits<'r>,
    kept: &'r Kept,
}

impl<'r> Records<'r> {
    fn new(table: &'r TableReader, rows: &Range<u64>, kept: &'r Kept) -> Self {
        Self { keys: table.scan(0, rows.clone()), at: 0, hits: Hits::new(table, rows), kept }
    }

    /// Returns the next record of a game that is kept.
    fn read(&mut self) -> Result<Option<Record>, IndexError> {
        while let Some(hit) = self.hits.next().transpose()? {
            if self.at == self.keys.values().len() {
                self.keys.read()?;
                self.at = 0;
            }
            let key = self.keys.values().get(self.at).copied().flatten().unwrap_or(0);
            self.at += 1;
            if let Some(number) = self.kept.number(hit.game) {
                let game = GameFacts { number, result: hit.result, date: PackedDate::UNKNOWN, elo: [0; 2] };
                return Ok(Some(Record::new(key.cast_unsigned(), &game, hit.ply, 0, hit.next)));
            }
        }
        Ok(None)
    }
}

impl Iterator for Records<'_> {
    type Item = Result<Record, IndexError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

/// The facts of the games that are kept, by their new numbers: date, ratings, and the side to move first.
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
            let text = |column: GameColumn| table.scan::<ByteArrayType>(column as usize, rows.clone());
            let [mut dates, mut whites, mut blacks, mut fens] =
                [GameColumn::DateText, GameColumn::WhiteEloText, GameColumn::BlackEloText, GameColumn::Fen].map(text);
            while dates.read()? && whites.read()? && blacks.read()? && fens.read()? {
                for at in 0..dates.values().len() {
                    let value = |scan: &Scan<'_, ByteArrayType>| {
                        let value = scan.values()[at].as_ref();
                        value.map(|value| String::from_utf8_lossy(value.data()).into_owned()).unwrap_or_default()
                    };
                    let first = first_to_move(&value(&fens)).index() as u64;
                    let elo = [&whites, &blacks].map(|scan| u64::from(elo(&value(scan))));
                    let date = u64::from(PackedDate::read(&value(&dates)).bits());
                    let packed = date << 32 | elo[1] << 16 | elo[0] << 1 | first;
                    writer.write_all(&packed.to_le_bytes()).map_err(&gather)?;
                }
            }
        }
        writer.flush().map_err(&gather)?;
        drop(writer);
        let first = runs.first().map_or(1, OpenRun::first_game);
        Ok(Self { bytes: Mapped::of(&file).map_err(&gather)?, first })
    }

    /// Adds the facts of its game to a record.
    fn complete(&self, record: Record) -> Record {
        let at = usize::try_from(record.game().saturating_sub(self.first)).unwrap_or(usize::MAX);
        let packed = self.bytes.as_ref().as_chunks::<8>().0.get(at).map_or(0, |bytes| u64::from_le_bytes(*bytes));
        let first = if packed & 1 == 1 { Color::Black } else { Color::White };
        let elo = [1, 16].map(|from| bits16(packed, from, ELO_BITS))[mover(first, record.ply())];
        record.with(PackedDate::from_bits(bits32(packed, 32, DATE_BITS)), elo)
    }
}

/// Returns the rows of the games tables whose games are kept. Their new numbers follow one another.
fn kept_rows<'r>(runs: &'r [OpenRun], kept: &Kept) -> Result<Vec<(&'r TableReader, Range<u64>)>, IndexError> {
    let mut stretches = Vec::new();
    for run in runs {
        let (table, first) = (run.games()?, run.first_game());
        let rows = |games: Range<u64>| games.start - first..games.end - first;
        stretches.extend(kept.within(first..first + table.rows()).map(|games| (table, rows(games))));
    }
    Ok(stretches)
}

/// Concatenates the games tables. The games that are kept get their new numbers and the current names of their files.
fn merge_games(
    runs: &[OpenRun],
    (kept, sources): (&Kept, &[IndexedSource]),
    run: &RunFolder,
    flusher: &Flusher,
    sizes: TableSizes,
) -> Result<Written, IndexError> {
    let mut stretches = kept_rows(runs, kept)?.into_iter();
    let mut stretch = stretches.next();
    let mut next_game = runs.first().map_or(1, OpenRun::first_game);
    let names: Vec<ByteArray> = sources.iter().map(|source| ByteArray::from(&*shown(&source.name))).collect();
    let mut merged = TableWriter::create(&run.path().join(games_table::FILE), &games_table::LAYOUT, sizes)?;
    loop {
        // Enough pieces of the tables to fill a row group.
        let mut pieces = Vec::new();
        let mut room = sizes.group_rows as u64;
        while room > 0
            && let Some((table, rows)) = &mut stretch
        {
            let end = rows.end.min(rows.start + room);
            pieces.push((*table, rows.start..end));
            room -= end - rows.start;
            rows.start = end;
            if rows.is_empty() {
                stretch = stretches.next();
            }
        }
        let rows = sizes.group_rows as u64 - room;
        if rows == 0 {
            return merged.end(flusher);
        }
        let games = next_game..next_game + rows;
        let mut group = merged.group(usize::try_from(rows).unwrap_or(usize::MAX))?;
        for (number, column) in games_table::LAYOUT.columns.iter().enumerate() {
            if number == GameColumn::Game as usize {
                group.column::<Int64Type>(games.clone().map(|game| Some(game.cast_signed())))?;
                continue;
            }
            if number == GameColumn::File as usize {
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
