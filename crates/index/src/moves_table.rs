//! The table `moves`: one row for each move played in a position, for the positions that at least two games reached.
//! The move played in a position that only one game reached is found in `postings`.

use std::ops::Range;

use crate::error::IndexError;
use crate::postings_table::move_name;
use crate::record::PackedDate;
use crate::table::{Coding, ColumnLayout, Layout, TableReader, TableWriter};
use crate::tally::{MoveCount, Results};
use pgn2fen_chess::notation::uci::Uci;
use pgn2fen_tables::ColumnType;
use pgn2fen_tables::parquet_file::{ByteArrayType, Int32Type, Int64Type};

pub(super) const LAYOUT: Layout = Layout {
    columns: &[
        ColumnLayout { name: "key", column_type: ColumnType::Long, coding: Coding::Delta },
        ColumnLayout { name: "move", column_type: ColumnType::Text, coding: Coding::Dictionary },
        count("games"),
        count("white"),
        count("draws"),
        count("black"),
        count("unknown"),
        ColumnLayout { name: "elo_sum", column_type: ColumnType::Long, coding: Coding::Delta },
        count("elo_games"),
        ColumnLayout { name: "first_date", column_type: ColumnType::Int, coding: Coding::Delta },
        ColumnLayout { name: "last_date", column_type: ColumnType::Int, coding: Coding::Delta },
        count("again_white"),
        count("again_draws"),
        count("again_black"),
        count("again_unknown"),
    ],
    sorted_by: &[0],
};

const fn count(name: &'static str) -> ColumnLayout {
    ColumnLayout { name, column_type: ColumnType::Long, coding: Coding::Dictionary }
}

/// A row, with its key.
pub(super) type Row = (i64, MoveCount);

/// The columns of 64-bit integers, in the order of the table.
const NUMBERS: [fn(&MoveCount) -> u64; 7] = [
    |count| count.results.games(),
    |count| count.results.white,
    |count| count.results.draws,
    |count| count.results.black,
    |count| count.results.unknown,
    |count| count.elo_sum,
    |count| count.elo_games,
];

/// The columns behind the dates.
const AGAIN: [fn(&MoveCount) -> u64; 4] =
    [|count| count.again.white, |count| count.again.draws, |count| count.again.black, |count| count.again.unknown];

/// Writes a row group.
pub(super) fn write(table: &mut TableWriter, rows: &[Row]) -> Result<(), IndexError> {
    let mut group = table.group(rows.len())?;
    group.column::<Int64Type>(rows.iter().map(|(key, _)| Some(*key)))?;
    let name = |(_, count): &Row| move_name(count.next.map_or(0, |next| next.bits().get()));
    group.column::<ByteArrayType>(rows.iter().map(name))?;
    for number in NUMBERS {
        group.column::<Int64Type>(rows.iter().map(|(_, count)| Some(number(count).cast_signed())))?;
    }
    for date in [|count: &MoveCount| count.first_date, |count: &MoveCount| count.last_date] {
        group.column::<Int32Type>(rows.iter().map(|(_, count)| date(count).number()))?;
    }
    for number in AGAIN {
        group.column::<Int64Type>(rows.iter().map(|(_, count)| Some(number(count).cast_signed())))?;
    }
    group.end()
}

/// Accesses a field of a move count.
type Field<T> = fn(&mut MoveCount) -> &mut T;

const RESULTS: [(usize, Field<u64>); 8] = [
    (3, |count| &mut count.results.white),
    (4, |count| &mut count.results.draws),
    (5, |count| &mut count.results.black),
    (6, |count| &mut count.results.unknown),
    (11, |count| &mut count.again.white),
    (12, |count| &mut count.again.draws),
    (13, |count| &mut count.again.black),
    (14, |count| &mut count.again.unknown),
];

const ELOS: [(usize, Field<u64>); 2] = [(7, |count| &mut count.elo_sum), (8, |count| &mut count.elo_games)];

fn read_numbers(
    table: &TableReader,
    rows: &Range<u64>,
    fields: &[(usize, Field<u64>)],
    counts: &mut [MoveCount],
) -> Result<(), IndexError> {
    for (column, number) in fields {
        let mut scan = table.scan::<Int64Type>(*column, rows.clone());
        let mut rest = counts.iter_mut();
        while scan.read()? {
            for (value, count) in scan.values().iter().zip(&mut rest) {
                *number(count) = value.map_or(0, i64::cast_unsigned);
            }
        }
    }
    Ok(())
}

/// Adds up the results in some rows, each game once.
pub(super) fn read_results(table: &TableReader, rows: &Range<u64>) -> Result<Results, IndexError> {
    let moves = usize::try_from(rows.end - rows.start).unwrap_or(0);
    let mut counts = vec![MoveCount::new(None); moves];
    read_numbers(table, rows, &RESULTS, &mut counts)?;
    Ok(counts.iter().map(MoveCount::first_results).sum())
}

/// Reads some rows.
pub(super) fn read(table: &TableReader, rows: &Range<u64>) -> Result<Vec<MoveCount>, IndexError> {
    let mut counts = Vec::new();
    let mut names = table.scan::<ByteArrayType>(1, rows.clone());
    while names.read()? {
        let next = names.values().iter().map(|name| name.as_ref().and_then(|name| Uci::from_ascii(name.data())));
        counts.extend(next.map(MoveCount::new));
    }
    read_numbers(table, rows, &RESULTS, &mut counts)?;
    read_numbers(table, rows, &ELOS, &mut counts)?;
    let dates: [(usize, Field<PackedDate>); 2] =
        [(9, |count| &mut count.first_date), (10, |count| &mut count.last_date)];
    for (column, date) in dates {
        let mut scan = table.scan::<Int32Type>(column, rows.clone());
        let mut rest = counts.iter_mut();
        while scan.read()? {
            for (value, count) in scan.values().iter().zip(&mut rest) {
                *date(count) = value.map_or(PackedDate::UNKNOWN, PackedDate::from_number);
            }
        }
    }
    Ok(counts)
}
