//! The table `moves`: one row for each move played in a position, for the positions that at least two games reached.
//! The move played in a position that only one game reached is found in `postings`.

use std::ops::Range;

use parquet::data_type::DataType;

use crate::error::IndexError;
use crate::postings_table::move_name;
use crate::record::PackedDate;
use crate::table::{Coding, ColumnLayout, Layout, TableReader, TableWriter};
use crate::tally::{MoveCount, Results};
use pgn2fen_chess::notation::uci::Uci;
use pgn2fen_tables::ColumnType;
use pgn2fen_tables::parquet_file::{ByteArrayType, Int32Type, Int64Type};

pub(super) const LAYOUT: Layout<'_> = Layout {
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

const fn count(name: &'static str) -> ColumnLayout<'static> {
    ColumnLayout { name, column_type: ColumnType::Long, coding: Coding::Dictionary }
}

/// A row, with its key.
pub(super) type Row = (i64, MoveCount);

/// Accesses a field of a move count.
type Field<T> = fn(&mut MoveCount) -> &mut T;

/// The columns of numbers behind the number of games.
const NUMBERS: [Field<u64>; 6] = [
    |count| &mut count.results.white,
    |count| &mut count.results.draws,
    |count| &mut count.results.black,
    |count| &mut count.results.unknown,
    |count| &mut count.elo_sum,
    |count| &mut count.elo_games,
];

const DATES: [Field<PackedDate>; 2] = [|count| &mut count.first_date, |count| &mut count.last_date];

/// The columns behind the dates.
const AGAIN: [Field<u64>; 4] = [
    |count| &mut count.again.white,
    |count| &mut count.again.draws,
    |count| &mut count.again.black,
    |count| &mut count.again.unknown,
];

/// The positions of the first columns of [`NUMBERS`], [`DATES`] and [`AGAIN`].
const FIRST: [usize; 3] = [3, 9, 11];

/// Writes a row group.
pub(super) fn write(table: &mut TableWriter, rows: &mut [Row]) -> Result<(), IndexError> {
    let mut group = table.group(rows.len())?;
    group.column::<Int64Type>(rows.iter().map(|(key, _)| Some(*key)))?;
    let name = |(_, count): &Row| move_name(count.next.map_or(0, |next| next.bits().get()));
    group.column::<ByteArrayType>(rows.iter().map(name))?;
    group.column::<Int64Type>(rows.iter().map(|(_, count)| Some(count.results.games().cast_signed())))?;
    for number in NUMBERS {
        group.column::<Int64Type>(rows.iter_mut().map(|(_, count)| Some(number(count).cast_signed())))?;
    }
    for date in DATES {
        group.column::<Int32Type>(rows.iter_mut().map(|(_, count)| date(count).number()))?;
    }
    for number in AGAIN {
        group.column::<Int64Type>(rows.iter_mut().map(|(_, count)| Some(number(count).cast_signed())))?;
    }
    group.end()
}

/// Reads columns that begin with this one into the fields of counts.
fn read_fields<T: DataType, V>(
    table: &TableReader,
    rows: &Range<u64>,
    (first, fields): (usize, &[Field<V>]),
    counts: &mut [MoveCount],
    value: impl Fn(Option<&T::T>) -> V,
) -> Result<(), IndexError> {
    for (column, field) in (first..).zip(fields) {
        let mut rest = counts.iter_mut();
        table.scan::<T>(column, rows.clone()).for_each(|read| {
            if let Some(count) = rest.next() {
                *field(count) = value(read);
            }
        })?;
    }
    Ok(())
}

fn number(value: Option<&i64>) -> u64 {
    value.map_or(0, |value| value.cast_unsigned())
}

/// Adds up the results in some rows, each game once.
pub(super) fn read_results(table: &TableReader, rows: &Range<u64>) -> Result<Results, IndexError> {
    let moves = usize::try_from(rows.end - rows.start).unwrap_or(0);
    let mut counts = vec![MoveCount::new(None); moves];
    read_fields::<Int64Type, _>(table, rows, (FIRST[0], &NUMBERS[..4]), &mut counts, number)?;
    read_fields::<Int64Type, _>(table, rows, (FIRST[2], &AGAIN), &mut counts, number)?;
    Ok(counts.iter().map(MoveCount::first_results).sum())
}

/// Reads some rows.
pub(super) fn read(table: &TableReader, rows: &Range<u64>) -> Result<Vec<MoveCount>, IndexError> {
    let mut counts = Vec::new();
    table.scan::<ByteArrayType>(1, rows.clone()).for_each(|name| {
        counts.push(MoveCount::new(name.and_then(|name| Uci::from_ascii(name.data()))));
    })?;
    read_fields::<Int64Type, _>(table, rows, (FIRST[0], &NUMBERS), &mut counts, number)?;
    let date = |value: Option<&i32>| value.map_or(PackedDate::UNKNOWN, |value| PackedDate::from_number(*value));
    read_fields::<Int32Type, _>(table, rows, (FIRST[1], &DATES), &mut counts, date)?;
    read_fields::<Int64Type, _>(table, rows, (FIRST[2], &AGAIN), &mut counts, number)?;
    Ok(counts)
}
