//! Runs become one.
//!
//! Their postings are merged as they lie, a part at a time, and counted anew. What the counting has to know of the games is
//! taken out of their tables first and laid aside, eight bytes a game, so that memory does not grow with them.

use std::io::{BufWriter, Write};
use std::ops::Range;

use crate::chess::piece::Color;
use crate::database::Mapped;
use crate::index::build::{Done, GAMES, Progress};
use crate::index::error::IndexError;
use crate::index::flush::Flusher;
use crate::index::folder::{LockedFolder, RunFolder};
use crate::index::games_table;
use crate::index::games_table::GameColumn;
use crate::index::manifest::{Manifest, Run};
use crate::index::open::OpenRun;
use crate::index::part::{PartWriter, buckets_of, parts_for};
use crate::index::postings_table::Hits;
use crate::index::record::{Date, ELO_BITS, GameFacts, Record, bits16, bits32, elo, first_to_move, mover};
use crate::index::sizes::{Sizes, TableSizes};
use crate::index::sort;
use crate::index::spill::least_key;
use crate::index::table::{ByteArrayType, Int32Type, Int64Type, Kind, Scan, TableReader, TableWriter, Written};
use crate::parallel::Workers;
use crate::pgn::token::Outcome;

/// Merges all runs into a new one, with so many writers at once. Gives the manifest of what the index is then.
pub(super) fn merge(
    folder: &LockedFolder,
    manifest: &Manifest,
    run: RunFolder,
    (workers, writers): (&Workers, usize),
    sizes: &Sizes,
    progress: &Progress<'_>,
) -> Result<Manifest, IndexError> {
    let runs: Vec<OpenRun> = manifest.runs.iter().map(|run| OpenRun::new(folder.path(), run)).collect();
    let facts = Facts::gather(folder, &runs)?;
    let flusher = Flusher::new().map_err(IndexError::io(folder.path()))?;
    let game_table = merge_games(&runs, &run, &flusher, sizes.games)?;
    let postings = manifest.runs.iter().map(|run| run.postings).sum();
    let parts = parts_for(postings, sizes);
    let done = Done::new(progress, parts);
    let written = workers.share(parts, writers, |part| {
        let buckets = buckets_of(part, parts);
        let mut writer = PartWriter::create(run.path(), part, sizes)?;
        let sources = runs.iter().map(|run| records(run, buckets.clone(), &facts)).collect();
        sort::merge(sources, |record| writer.push(record))?;
        let written = writer.end(&flusher)?;
        done.one_more(folder.path())?;
        Ok(written)
    })?;
    flusher.finish()?;
    let first_game = manifest.runs.first().map_or(1, |run| run.first_game);
    let games = manifest.runs.iter().map(|run| run.games).sum();
    let merged = Run { folder: run.keep()?, first_game, games, postings, parts: written, game_table };
    Ok(Manifest { runs: vec![merged], ..manifest.clone() })
}

/// The records of a run whose keys lie in some buckets, in order.
fn records<'r>(
    run: &'r OpenRun,
    buckets: Range<usize>,
    facts: &'r Facts,
) -> impl Iterator<Item = Result<Record, IndexError>> + 'r {
    let parts = run.parts_of(buckets.clone());
    let ranges = parts.map(move |part| rows_of(run, part, &buckets).map(|(table, rows)| (table, rows, facts)));
    ranges.flat_map(|range| {
        let (records, failure) = match range {
            Ok((table, rows, facts)) => (Some(Records::new(table, &rows, facts)), None),
            Err(error) => (None, Some(Err(error))),
        };
        records.into_iter().flatten().chain(failure)
    })
}

/// The rows of a part whose keys lie in some buckets.
fn rows_of<'r>(
    run: &'r OpenRun,
    part: usize,
    buckets: &Range<usize>,
) -> Result<(&'r TableReader, Range<u64>), IndexError> {
    let table = run.postings(part)?;
    let row = |bucket| least_key(bucket).map_or(Ok(table.rows()), |key| table.first_from(key));
    Ok((table, row(buckets.start)?..row(buckets.end)?))
}

/// Postings that are read with what is known of their games.
struct Records<'r> {
    keys: Scan<'r, Int64Type>,
    at: usize,
    hits: Hits<'r>,
    facts: &'r Facts,
}

impl<'r> Records<'r> {
    fn new(table: &'r TableReader, rows: &Range<u64>, facts: &'r Facts) -> Self {
        Self { keys: table.scan(0, rows.clone()), at: 0, hits: Hits::new(table, rows), facts }
    }

    fn read(&mut self) -> Result<Option<Record>, IndexError> {
        let Some(hit) = self.hits.next().transpose()? else {
            return Ok(None);
        };
        if self.at == self.keys.values().len() {
            self.keys.read()?;
            self.at = 0;
        }
        let key = self.keys.values().get(self.at).copied().flatten().unwrap_or(0);
        self.at += 1;
        let (game, first) = self.facts.of(hit.game, hit.result);
        let mover = mover(first, hit.ply);
        Ok(Some(Record::new(key.cast_unsigned(), &game, hit.ply, mover, hit.next)))
    }
}

impl Iterator for Records<'_> {
    type Item = Result<Record, IndexError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

/// What is known of every game: dates, ratings, and who moved first.
struct Facts {
    bytes: Mapped,
    /// The number of the first game.
    first: u64,
}

impl Facts {
    /// Takes them out of the tables of games.
    fn gather(folder: &LockedFolder, runs: &[OpenRun]) -> Result<Self, IndexError> {
        let gather = IndexError::io(folder.path());
        let file = tempfile::tempfile_in(folder.path()).map_err(&gather)?;
        let mut writer = BufWriter::new(&file);
        for run in runs {
            let table = run.games()?;
            let text = |column: GameColumn| table.scan::<ByteArrayType>(column as usize, 0..table.rows());
            let [mut dates, mut whites, mut blacks, mut fens] =
                [GameColumn::DateText, GameColumn::WhiteEloText, GameColumn::BlackEloText, GameColumn::Fen].map(text);
            while dates.read()? && whites.read()? && blacks.read()? && fens.read()? {
                for at in 0..dates.values().len() {
                    let value = |scan: &Scan<'_, ByteArrayType>| {
                        let value = scan.values()[at].as_ref();
                        value.map(|value| String::from_utf8_lossy(value.data()).into_owned()).unwrap_or_default()
                    };
                    let first = first_to_move(&value(&fens)).index() as u64;
                    let packed = [u64::from(elo(&value(&whites))), u64::from(elo(&value(&blacks)))];
                    let date = Date::read(&value(&dates)).number().map_or(0, i32::cast_unsigned);
                    let packed = u64::from(date) << 32 | packed[1] << 16 | packed[0] << 1 | first;
                    writer.write_all(&packed.to_le_bytes()).map_err(&gather)?;
                }
            }
        }
        writer.flush().map_err(&gather)?;
        drop(writer);
        let first = runs.first().map_or(1, OpenRun::first_game);
        Ok(Self { bytes: Mapped::of(&file).map_err(&gather)?, first })
    }

    /// What is known of a game that ended so.
    fn of(&self, number: u64, result: Outcome) -> (GameFacts, Color) {
        let at = usize::try_from(number.saturating_sub(self.first)).unwrap_or(usize::MAX);
        let packed = self.bytes.as_ref().as_chunks::<8>().0.get(at).map_or(0, |bytes| u64::from_le_bytes(*bytes));
        let elo = [1, 16].map(|from| bits16(packed, from, ELO_BITS));
        let date = Date::from_number(bits32(packed, 32, 32).cast_signed());
        let turn = if packed & 1 == 1 { Color::Black } else { Color::White };
        (GameFacts { number, result, date, elo }, turn)
    }
}

/// Puts the tables of games one behind the other.
fn merge_games(runs: &[OpenRun], run: &RunFolder, flusher: &Flusher, sizes: TableSizes) -> Result<Written, IndexError> {
    let tables = runs.iter().map(OpenRun::games).collect::<Result<Vec<_>, _>>()?;
    let mut merged = TableWriter::create(&run.path().join(GAMES), &games_table::LAYOUT, sizes)?;
    let mut from = (0, 0);
    loop {
        // Rows of as many tables as it takes to fill a row group.
        let mut pieces = Vec::new();
        let mut room = sizes.group_rows as u64;
        while room > 0
            && let Some(table) = tables.get(from.0)
        {
            let end = table.rows().min(from.1 + room);
            pieces.push((*table, from.1..end));
            room -= end - from.1;
            from = if end == table.rows() { (from.0 + 1, 0) } else { (from.0, end) };
        }
        let rows = sizes.group_rows as u64 - room;
        if rows == 0 {
            return merged.end(flusher);
        }
        let mut group = merged.group(usize::try_from(rows).unwrap_or(usize::MAX))?;
        for (number, column) in games_table::LAYOUT.columns.iter().enumerate() {
            match column.kind {
                Kind::Long => group.copy::<Int64Type>(number, &pieces)?,
                Kind::Int | Kind::Date => group.copy::<Int32Type>(number, &pieces)?,
                Kind::Text => group.copy::<ByteArrayType>(number, &pieces)?,
            }
        }
        group.end()?;
    }
}
