//! The table `postings`: one row for each position of each game, sorted by key, game and ply.

use std::ops::{ControlFlow, Range};
use std::sync::LazyLock;

use crate::error::IndexError;
use crate::hit::Hit;
use crate::record::Record;
use crate::table::{Coding, ColumnLayout, Layout, Scan, TableReader, TableWriter, TextScan};
use pgn2fen_chess::notation::uci::Uci;
use pgn2fen_games::pgn::token::Outcome;
use pgn2fen_tables::ColumnType;
use pgn2fen_tables::parquet_file::{ByteArray, ByteArrayType, Int32Type, Int64Type, fixed_text};

pub(super) const LAYOUT: Layout<'_> = Layout {
    columns: &[
        ColumnLayout { name: "key", column_type: ColumnType::Long, coding: Coding::Delta },
        ColumnLayout { name: "game", column_type: ColumnType::Long, coding: Coding::Delta },
        ColumnLayout { name: "ply", column_type: ColumnType::Int, coding: Coding::Delta },
        ColumnLayout { name: "move", column_type: ColumnType::Text, coding: Coding::Dictionary },
        ColumnLayout { name: "result", column_type: ColumnType::Text, coding: Coding::Dictionary },
    ],
    sorted_by: &[0, 1, 2],
};

/// The names of all moves, indexed by their bits; empty for bits that are not a move.
static MOVE_NAMES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let name = |bits| Uci::from_bits(bits).map(|next| next.to_string()).unwrap_or_default();
    (0..=Uci::NULL.bits().get()).map(name).collect()
});

/// Returns the name of a move; None for the end of a game, whose bits are zero.
#[inline]
pub(super) fn move_name(bits: u16) -> Option<ByteArray> {
    MOVE_NAMES.get(usize::from(bits)).filter(|name| !name.is_empty()).map(|name| fixed_text(name))
}

/// Returns the name of a result.
pub(super) fn result_name(result: Outcome) -> ByteArray {
    fixed_text(result.as_str())
}

/// Writes a row group.
pub(super) fn write(table: &mut TableWriter, records: &[Record]) -> Result<(), IndexError> {
    let mut group = table.group(records.len())?;
    let game = |record: &Record| Some(record.game().cast_signed());
    group.column::<Int64Type>(records.iter().map(|record| Some(record.key)))?;
    group.column::<Int64Type>(records.iter().map(game))?;
    group.column::<Int32Type>(records.iter().map(|record| Some(record.ply().cast_signed())))?;
    group.column::<ByteArrayType>(records.iter().map(|record| move_name(record.next_bits())))?;
    group.column::<ByteArrayType>(records.iter().map(|record| Some(result_name(record.result()))))?;
    group.end()
}

/// Reads rows in order.
pub(super) struct Hits<'t> {
    games: Scan<'t, Int64Type>,
    plies: Scan<'t, Int32Type>,
    moves: TextScan<'t>,
    results: TextScan<'t>,
    /// The rows of a chunk, without the texts of the table, so that a merge of many tables stays in the cache.
    chunk: Vec<Hit>,
    at: usize,
}

impl<'t> Hits<'t> {
    /// Creates a reader for these rows of a table.
    pub(super) fn new(table: &'t TableReader, rows: &Range<u64>) -> Self {
        Self {
            games: table.scan(1, rows.clone()),
            plies: table.scan(2, rows.clone()),
            moves: table.texts(None, 3, rows.clone()),
            results: table.texts(None, 4, rows.clone()),
            chunk: Vec::new(),
            at: 0,
        }
    }

    /// Reads the next chunk. It is empty at the end.
    fn read_chunk(&mut self) -> Result<(), IndexError> {
        let Self { games, plies, moves, results, chunk, at } = self;
        chunk.clear();
        *at = 0;
        games.take_chunk(|game| {
            let game = game.map_or(0, |game| game.cast_unsigned());
            chunk.push(Hit { game, ply: 0, next: None, result: Outcome::Unknown });
        })?;
        let mut rows = chunk.iter_mut();
        plies.take_chunk(|ply| set(&mut rows, |hit| hit.ply = ply.map_or(0, |ply| ply.cast_unsigned())))?;
        set_named(moves, chunk, |hit, name| hit.next = Uci::from_ascii(name))?;
        set_named(results, chunk, |hit, name| hit.result = outcome_named(name))
    }
}

/// Changes the next row.
#[inline]
fn set(rows: &mut std::slice::IterMut<'_, Hit>, change: impl FnOnce(&mut Hit)) {
    if let Some(hit) = rows.next() {
        change(hit);
    }
}

/// Changes each row by its text in a column.
fn set_named(
    texts: &mut TextScan<'_>,
    mut rows: &mut [Hit],
    change: impl Fn(&mut Hit, &[u8]),
) -> Result<(), IndexError> {
    while !rows.is_empty()
        && let Some(found) = texts.next_rows(rows.len() as u64)?
    {
        let (now, later) = rows.split_at_mut(found.places.len());
        now.iter_mut().zip(found.texts()).for_each(|(hit, text)| change(hit, text));
        rows = later;
    }
    Ok(())
}

impl Iterator for Hits<'_> {
    type Item = Result<Hit, IndexError>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.at == self.chunk.len()
            && let Err(error) = self.read_chunk()
        {
            self.chunk.clear();
            return Some(Err(error));
        }
        let hit = self.chunk.get(self.at)?;
        self.at += 1;
        Some(Ok(*hit))
    }
}

/// Reads rows in order, with their keys.
pub(super) struct KeyedHits<'t> {
    keys: Scan<'t, Int64Type>,
    at: usize,
    hits: Hits<'t>,
}

impl<'t> KeyedHits<'t> {
    /// Creates a reader for these rows of a table.
    pub(super) fn new(table: &'t TableReader, rows: &Range<u64>) -> Self {
        Self { keys: table.scan(0, rows.clone()), at: 0, hits: Hits::new(table, rows) }
    }

    fn with_key(&mut self, hit: Hit) -> Result<(i64, Hit), IndexError> {
        if self.at == self.keys.values().len() {
            self.keys.read()?;
            self.at = 0;
        }
        let key = self.keys.values().get(self.at).copied().flatten().unwrap_or(0);
        self.at += 1;
        Ok((key, hit))
    }
}

impl Iterator for KeyedHits<'_> {
    type Item = Result<(i64, Hit), IndexError>;

    fn next(&mut self) -> Option<Self::Item> {
        let hit = self.hits.next()?;
        Some(hit.and_then(|hit| self.with_key(hit)))
    }
}

/// Calls a function for each row with the number of the game and the move, until it breaks. This is faster than
/// [`Hits`], which reads all columns.
pub(super) fn visit_moves(
    table: &TableReader,
    rows: &Range<u64>,
    mut visit: impl FnMut(u64, Option<Uci>) -> Result<ControlFlow<()>, IndexError>,
) -> Result<ControlFlow<()>, IndexError> {
    let mut games = table.scan::<Int64Type>(1, rows.clone());
    let mut moves = table.texts(None, 3, rows.clone());
    while games.read()? {
        let mut numbers = games.values();
        while !numbers.is_empty()
            && let Some(names) = moves.next_rows(numbers.len() as u64)?
        {
            let (now, later) = numbers.split_at(names.places.len());
            for (game, name) in now.iter().zip(names.texts()) {
                if visit(game.map_or(0, i64::cast_unsigned), Uci::from_ascii(name))?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
            numbers = later;
        }
    }
    Ok(ControlFlow::Continue(()))
}

/// Reads the game numbers of all rows.
pub(super) fn visit_games(table: &TableReader, mut visit: impl FnMut(u64)) -> Result<(), IndexError> {
    let games = table.scan::<Int64Type>(1, 0..table.rows());
    games.for_each(|game| visit(game.map_or(0, |game| game.cast_unsigned()))).map(drop)
}

/// Returns the result of the game of a row.
pub(super) fn read_result(table: &TableReader, row: u64) -> Result<Outcome, IndexError> {
    let mut results = table.scan::<ByteArrayType>(4, row..row + 1);
    results.read()?;
    let name = results.values().first().and_then(Option::as_ref);
    Ok(name.map_or(Outcome::Unknown, |name| outcome_named(name.data())))
}

/// Returns the result with this name.
#[inline]
pub(super) fn outcome_named(name: &[u8]) -> Outcome {
    match name {
        b"1-0" => Outcome::WhiteWins,
        b"0-1" => Outcome::BlackWins,
        b"1/2-1/2" => Outcome::Draw,
        _ => Outcome::Unknown,
    }
}
