//! Writes a comparison as rows: of games, of places where they left the repertoire, or of lines that none of them met.

use std::collections::HashMap;
use std::io::{self, Write};

use crate::compare::annotate::expected;
use crate::compare::write::CompareTable;
use crate::compare::{Comparison, Departure, UnmetLine};
use crate::counts::score;
use crate::tree::NONE;
use crate::write::RowFormat;
use pgn2fen_chess::fen::{self, FenStyle};
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::position::Position;
use pgn2fen_rows::Format;
use pgn2fen_rows::lines::{Cell, Lines};
use pgn2fen_tables::ColumnType;
#[cfg(feature = "parquet")]
use pgn2fen_tables::parquet_file::{self, ByteArray, ByteArrayType, DoubleType, Int64Type, ParquetError};

/// The columns of the games, with their types in Parquet.
const GAMES: [(&str, ColumnType); 16] = [
    ("file", ColumnType::Text),
    ("line", ColumnType::Long),
    ("game", ColumnType::Long),
    ("white", ColumnType::Text),
    ("black", ColumnType::Text),
    ("date", ColumnType::Text),
    ("result", ColumnType::Text),
    ("site", ColumnType::Text),
    ("leaving", ColumnType::Text),
    ("ply", ColumnType::Long),
    ("path", ColumnType::Text),
    ("san", ColumnType::Text),
    ("uci", ColumnType::Text),
    ("expected", ColumnType::Text),
    ("fen", ColumnType::Text),
    ("returns", ColumnType::Long),
];

const DEPARTURES: [(&str, ColumnType); 13] = [
    ("leaving", ColumnType::Text),
    ("games", ColumnType::Long),
    ("white", ColumnType::Long),
    ("draws", ColumnType::Long),
    ("black", ColumnType::Long),
    ("unknown", ColumnType::Long),
    ("score", ColumnType::Double),
    ("returned", ColumnType::Long),
    ("path", ColumnType::Text),
    ("san", ColumnType::Text),
    ("uci", ColumnType::Text),
    ("expected", ColumnType::Text),
    ("fen", ColumnType::Text),
];

const UNMET: [(&str, ColumnType); 5] = [
    ("path", ColumnType::Text),
    ("mover", ColumnType::Text),
    ("lines", ColumnType::Long),
    ("positions", ColumnType::Long),
    ("fen", ColumnType::Text),
];

/// The value of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// There is none.
    Missing,
    /// A text, which may be empty.
    Text(String),
    /// A number.
    Number(u64),
    /// A number of thousandths.
    Thousandths(u64),
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<u64> for Value {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}

type Row = Vec<Value>;

pub(super) fn columns(table: CompareTable) -> &'static [(&'static str, ColumnType)] {
    match table {
        CompareTable::Games => &GAMES,
        CompareTable::Departures => &DEPARTURES,
        CompareTable::Unmet => &UNMET,
    }
}

fn fen_of(position: &Position) -> String {
    fen::to_string(position, FenStyle::default())
}

/// Calls a function with each row.
pub(super) fn each_row(
    comparison: &Comparison,
    table: CompareTable,
    take: &mut dyn FnMut(Row) -> io::Result<()>,
) -> io::Result<()> {
    match table {
        CompareTable::Games => {
            let mut places = HashMap::new();
            (0..comparison.games.len()).try_for_each(|at| take(game(comparison, at, &mut places)))
        }
        CompareTable::Departures => {
            comparison.departures().iter().try_for_each(|departure| take(place(departure, comparison.side())))
        }
        CompareTable::Unmet => comparison.unmet_lines().iter().try_for_each(|line| take(unmet(line))),
    }
}

/// What the rows of all games that left the repertoire in a position have in common.
struct Place {
    path: String,
    position: Position,
    expected: String,
}

fn game(comparison: &Comparison, at: usize, places: &mut HashMap<u32, Place>) -> Row {
    let game = comparison.game(at);
    let number = comparison.games[at].left.node;
    let place = (number != NONE).then(|| {
        &*places.entry(number).or_insert_with(|| {
            let position = comparison.repertoire.node_of(number).position();
            let expected = expected(&comparison.repertoire, number, &position).join(", ");
            Place { path: comparison.line(number), position, expected }
        })
    });
    let played = place.zip(game.played).and_then(|(place, next)| {
        let m = next.find(&place.position)?;
        Some((m.to_san(&place.position), next.to_string()))
    });
    let (san, uci) = played.map_or((Value::Missing, Value::Missing), |(san, uci)| (san.into(), uci.into()));
    vec![
        game.file.into(),
        game.line.into(),
        game.number.into(),
        game.white.into(),
        game.black.into(),
        game.date.into(),
        game.result.as_str().into(),
        game.site.into(),
        game.leaving.name().into(),
        place.map_or(Value::Missing, |_| u64::from(game.ply).into()),
        place.map_or(Value::Missing, |place| place.path.as_str().into()),
        san,
        uci,
        place.map_or(Value::Missing, |place| place.expected.as_str().into()),
        place.map_or(Value::Missing, |place| fen_of(&place.position).into()),
        (game.returns as u64).into(),
    ]
}

fn place(departure: &Departure<'_>, side: Color) -> Row {
    let results = &departure.results;
    vec![
        departure.leaving.name().into(),
        results.games().into(),
        results.white.into(),
        results.draws.into(),
        results.black.into(),
        results.unknown.into(),
        score(results, side).map_or(Value::Missing, Value::Thousandths),
        departure.returned.into(),
        departure.line.as_str().into(),
        departure.san.as_deref().map_or(Value::Missing, Value::from),
        departure.played.map_or(Value::Missing, |next| next.to_string().into()),
        departure.expected.join(", ").into(),
        fen_of(&departure.position).into(),
    ]
}

fn unmet(line: &UnmetLine<'_>) -> Row {
    vec![
        line.line.as_str().into(),
        line.mover.map_or(Value::Missing, |mover| mover.pick("w", "b").into()),
        line.lines.into(),
        line.positions.into(),
        fen_of(&line.position).into(),
    ]
}

pub(super) fn write_lines(
    comparison: &Comparison,
    table: CompareTable,
    format: RowFormat,
    output: &mut impl Write,
) -> io::Result<()> {
    let format = match format {
        RowFormat::Csv => Format::Csv,
        RowFormat::Tsv => Format::Tsv,
        RowFormat::Jsonl => Format::Jsonl,
    };
    let names: Vec<&'static str> = columns(table).iter().map(|(name, _)| *name).collect();
    let lines = Lines::new(format, &names);
    let mut out = Vec::new();
    lines.header(&mut out);
    each_row(comparison, table, &mut |row| {
        let cells = row.iter().map(|value| match value {
            Value::Missing => Cell::Missing,
            Value::Text(text) => Cell::Text(text),
            Value::Number(number) => Cell::Number(*number),
            Value::Thousandths(number) => Cell::Thousandths(*number),
        });
        lines.row(cells, &mut out);
        output.write_all(&out)?;
        out.clear();
        Ok(())
    })?;
    output.write_all(&out)
}

/// The number of rows that a group of a Parquet file has.
#[cfg(feature = "parquet")]
const GROUP: usize = 1 << 16;

#[cfg(feature = "parquet")]
pub(super) fn write_parquet(comparison: &Comparison, table: CompareTable, output: &mut impl Write) -> io::Result<()> {
    let columns = columns(table);
    let (groups, mut file) =
        parquet_file::begin(columns.iter().copied(), &["path", "fen"]).map_err(io::Error::other)?;
    let mut rows: Vec<Row> = Vec::new();
    let mut out = Vec::new();
    let mut end_group = |rows: &mut Vec<Row>, out: &mut Vec<u8>| {
        let group = group(&groups, columns, rows)?;
        rows.clear();
        file.append(group)?;
        file.take(out)
    };
    each_row(comparison, table, &mut |row| {
        rows.push(row);
        if rows.len() == GROUP {
            end_group(&mut rows, &mut out).map_err(io::Error::other)?;
            output.write_all(&out)?;
            out.clear();
        }
        Ok(())
    })?;
    if !rows.is_empty() {
        end_group(&mut rows, &mut out).map_err(io::Error::other)?;
    }
    file.end(&mut out).map_err(io::Error::other)?;
    output.write_all(&out)
}

/// Encodes a group of rows.
#[cfg(feature = "parquet")]
fn group(
    groups: &parquet_file::RowGroups,
    columns: &[(&str, ColumnType)],
    rows: &[Row],
) -> Result<parquet_file::RowGroup, ParquetError> {
    let mut group = groups.begin()?;
    for (at, (_, kind)) in columns.iter().enumerate() {
        match kind {
            ColumnType::Double => group.column::<DoubleType>(|column| {
                column.extend(rows.iter().map(|row| match row[at] {
                    Value::Thousandths(number) => Some(number as f64 / 1000.0),
                    _ => None,
                }))
            })?,
            ColumnType::Text => group.column::<ByteArrayType>(|column| {
                column.extend(rows.iter().map(|row| match &row[at] {
                    Value::Text(text) if !text.is_empty() => Some(ByteArray::from(text.as_str())),
                    _ => None,
                }))
            })?,
            _ => group.column::<Int64Type>(|column| {
                column.extend(rows.iter().map(|row| match row[at] {
                    Value::Number(number) => i64::try_from(number).ok(),
                    _ => None,
                }))
            })?,
        }
    }
    Ok(group.end())
}
