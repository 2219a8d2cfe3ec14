//! The format `parquet`: rows as row groups of a Parquet file.

use std::iter::repeat_n;

use crate::columns::{Cell, Columns};
use crate::encode::encoded::Encoded;
use crate::encode::export_error::ExportError;
use crate::encode::{Assemble, Encode, OpenFormat};
use crate::table::group::{Division, Group, GroupPiece};
use crate::table::value::Value;
use pgn2fen_tables::parquet_file::{
    ByteArrayType, ColumnWriter, DoubleType, Int32Type, Int64Type, ParquetError, ParquetFile, RowGroup, RowGroups,
    SharedTexts, begin,
};
use pgn2fen_tables::{ColumnType, Texts};

/// The most rows of a row group. Row groups should be large, because readers process or skip a row group as a whole.
/// They cannot be larger, because each is encoded in memory.
const ROWS: usize = 64 * 1024;

/// The columns without a dictionary. Most values of `fen` and `key` differ, so that it would save nothing. The values
/// of `ply` go up by one, which compresses better than their numbers in a dictionary.
const PLAIN: &[&str] = &["fen", "key", "ply"];

/// Begins a file.
pub(super) fn open(columns: &Columns) -> Result<OpenFormat, ExportError> {
    let types = columns.iter().map(|column| (column.name(), column.column_type()));
    let (row_groups, file) = begin(types, PLAIN).map_err(ExportError::new)?;
    Ok(OpenFormat { encode: Box::new(row_groups), assemble: Box::new(File { file, ready: Vec::new() }) })
}

impl Encode for RowGroups {
    fn division(&self) -> Division {
        Division::Rows(ROWS)
    }

    fn encode(&self, columns: &Columns, group: &Group, encoded: &mut Encoded) -> Result<(), ExportError> {
        encoded.row_groups.push(encode(self, columns, group).map_err(ExportError::new)?);
        Ok(())
    }
}

/// A file that is being written.
struct File {
    file: ParquetFile,
    /// The bytes of the file that have been encoded but not yet written.
    ready: Vec<u8>,
}

impl Assemble for File {
    fn head(&self) -> &[u8] {
        &[]
    }

    fn assemble(&mut self, encoded: &mut Encoded, write: &mut dyn FnMut(&[u8])) -> Result<(), ExportError> {
        self.ready.clear();
        for group in encoded.row_groups.drain(..) {
            self.file.append(group).map_err(ExportError::new)?;
        }
        self.file.take(&mut self.ready).map_err(ExportError::new)?;
        write(&self.ready);
        Ok(())
    }

    fn end(self: Box<Self>) -> Result<Vec<u8>, ExportError> {
        let mut last = Vec::new();
        self.file.end(&mut last).map_err(ExportError::new)?;
        Ok(last)
    }
}

/// A function that returns the name or the text of a pair.
type PairPart = for<'t> fn((&'t str, &'t str)) -> &'t str;

/// Encodes a row group.
fn encode(row_groups: &RowGroups, columns: &Columns, group: &Group) -> Result<RowGroup, ParquetError> {
    let mut encoder = row_groups.begin()?;
    for cell in columns.cells() {
        let values = group.values(cell);
        // A list is written for each row that has it.
        let lists = group.values(cell).flat_map(|(value, rows)| repeat_n(value, rows));
        match cell.column.column_type() {
            ColumnType::Text if PLAIN.contains(&cell.column.name()) => encoder.plain_texts(|column| {
                group.pieces.iter().try_for_each(|piece| piece.try_for_each_text(cell, |text| column.push(text)))
            })?,
            ColumnType::Text => encoder.column::<ByteArrayType>(|column| {
                group.pieces.iter().try_for_each(|piece| extend_texts(column, piece, cell))
            })?,
            ColumnType::Int => encoder.column::<Int32Type>(|column| {
                group.pieces.iter().try_for_each(|piece| match piece.ints(cell) {
                    Some(ints) => column.extend(ints.iter().copied().map(Some)),
                    // Evaluations and numbers in tags fit into 32 bits.
                    None => column.extend_runs(piece.values(cell).map(|(value, rows)| (value.int(), rows))),
                })
            })?,
            ColumnType::Long => encoder
                .column::<Int64Type>(|column| column.extend_runs(values.map(|(value, rows)| (value.number(), rows))))?,
            ColumnType::Double => encoder.column::<DoubleType>(|column| {
                column.extend_runs(values.map(|(value, rows)| (value.seconds(), rows)))
            })?,
            ColumnType::Date => encoder
                .column::<Int32Type>(|column| column.extend_runs(values.map(|(value, rows)| (value.days(), rows))))?,
            ColumnType::Ints => {
                encoder.lists::<Int32Type, _>(lists.map(Value::numbers))?;
            }
            ColumnType::Doubles => {
                encoder.lists::<DoubleType, _>(lists.map(|value| Some(value.times()?.iter().copied())))?;
            }
            ColumnType::Texts => {
                let lists: Vec<_> = lists.map(Value::moves).collect();
                encoder.text_lists(lists.iter().map(|moves| Some(moves.as_ref()?.iter())))?;
            }
            ColumnType::TextMap => {
                let pairs: Vec<_> = lists.map(Value::pairs).collect();
                let part = |part: PairPart| pairs.iter().map(move |pairs| Some(pairs.as_ref()?.iter().map(part)));
                encoder.text_maps(part(|(name, _)| name), part(|(_, text)| text))?;
            }
        }
    }
    Ok(encoder.end())
}

/// Appends the texts of a piece. A text that all rows of a game share is pooled once.
fn extend_texts(
    column: &mut ColumnWriter<'_, '_, ByteArrayType>,
    piece: &GroupPiece,
    cell: Cell<'_>,
) -> Result<(), ParquetError> {
    let mut texts = Texts::default();
    if !cell.column.is_of_game() {
        piece.append_texts(cell, &mut texts);
        return column.extend(SharedTexts::from(texts).iter());
    }
    let mut lengths = Vec::new();
    for (value, rows) in piece.values(cell) {
        texts.push(value.text_bytes().unwrap_or_default());
        lengths.push(rows);
    }
    column.extend_runs(SharedTexts::from(texts).iter().zip(lengths))
}
