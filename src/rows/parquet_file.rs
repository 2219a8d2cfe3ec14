//! Rows as row groups of a Parquet file.

use crate::rows::column::Columns;
use crate::rows::group::Group;
use crate::rows::table::Value;
use crate::tables::ColumnType;
use crate::tables::parquet_file::{ParquetError, ParquetFile, RowGroup, RowGroups};

/// The most rows of a row group. Readers work on row groups in parallel and skip those that do not concern them, so they
/// should be large; but a row group is encoded in memory.
pub(crate) const ROWS: usize = 64 * 1024;

/// Begins a file. No two positions of a game are alike, so that a dictionary of them would save nothing.
pub(crate) fn begin(columns: &Columns) -> Result<(RowGroups, ParquetFile), ParquetError> {
    let types = columns.iter().map(|column| (column.name(), column.column_type()));
    crate::tables::parquet_file::begin(types, &["fen", "key"])
}

/// Encodes a row group.
pub(crate) fn encode(row_groups: &RowGroups, columns: &Columns, group: &Group) -> Result<RowGroup, ParquetError> {
    let mut encoder = row_groups.begin();
    for cell in columns.cells() {
        let values =
            group.pieces.iter().flat_map(|piece| piece.indices().map(|index| piece.table.typed_value(cell, index)));
        match cell.column.column_type() {
            ColumnType::Text => encoder.texts(values.map(Value::text))?,
            // Plies, evaluations and numbers of tags have 32 bits, and the table holds them so.
            ColumnType::Int => encoder.ints(values.map(|value| i32::try_from(value.number()?).ok()))?,
            ColumnType::Long => encoder.longs(values.map(Value::number))?,
            ColumnType::Double => encoder.doubles(values.map(Value::seconds))?,
            ColumnType::Date => encoder.ints(values.map(Value::days))?,
        }
    }
    Ok(encoder.end())
}
