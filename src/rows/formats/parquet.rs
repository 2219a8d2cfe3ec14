//! The format `parquet`: rows as row groups of a Parquet file.

use crate::rows::column::Columns;
use crate::rows::encode::{Assemble, Encode, OpenFormat};
use crate::rows::encoded::Encoded;
use crate::rows::error::ExportError;
use crate::rows::group::Group;
use crate::rows::table::Value;
use crate::tables::ColumnType;
use crate::tables::parquet_file::{DoubleType, Int32Type, ParquetError, ParquetFile, RowGroup, RowGroups, begin};

/// The most rows of a row group. Row groups should be large, because readers process or skip a row group as a whole. They cannot be
/// larger, because each is encoded in memory.
const ROWS: usize = 64 * 1024;

/// Begins a file. The columns `fen` and `key` have no dictionary: most of their values differ, so that it would save nothing.
pub(super) fn open(columns: &Columns) -> Result<OpenFormat, ExportError> {
    let types = columns.iter().map(|column| (column.name(), column.column_type()));
    let (row_groups, file) = begin(types, &["fen", "key"]).map_err(ExportError::new)?;
    Ok(OpenFormat { encode: Box::new(row_groups), assemble: Box::new(File { file, ready: Vec::new() }) })
}

impl Encode for RowGroups {
    fn most_rows(&self) -> Option<usize> {
        Some(ROWS)
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

    fn assemble<'a>(&'a mut self, encoded: &'a mut Encoded) -> Result<&'a [u8], ExportError> {
        self.ready.clear();
        for group in encoded.row_groups.drain(..) {
            self.file.append(group).map_err(ExportError::new)?;
        }
        self.file.take(&mut self.ready).map_err(ExportError::new)?;
        Ok(&self.ready)
    }

    fn end(self: Box<Self>) -> Result<Vec<u8>, ExportError> {
        let mut last = Vec::new();
        self.file.end(&mut last).map_err(ExportError::new)?;
        Ok(last)
    }
}

/// A function that returns the name or the text of a pair.
type Part = for<'t> fn((&'t str, &'t str)) -> &'t str;

/// Encodes a row group.
fn encode(row_groups: &RowGroups, columns: &Columns, group: &Group) -> Result<RowGroup, ParquetError> {
    let mut encoder = row_groups.begin();
    for cell in columns.cells() {
        let values =
            group.pieces.iter().flat_map(|piece| piece.indices().map(|index| piece.table.typed_value(cell, index)));
        match cell.column.column_type() {
            ColumnType::Text => encoder.texts(values.map(Value::text))?,
            // Plies, evaluations and numbers in tags fit into 32 bits.
            ColumnType::Int => encoder.ints(values.map(|value| i32::try_from(value.number()?).ok()))?,
            ColumnType::Long => encoder.longs(values.map(Value::number))?,
            ColumnType::Double => encoder.doubles(values.map(Value::seconds))?,
            ColumnType::Date => encoder.ints(values.map(Value::days))?,
            ColumnType::Ints => {
                encoder.lists::<Int32Type, _>(values.map(Value::numbers))?;
            }
            ColumnType::Doubles => {
                encoder.lists::<DoubleType, _>(values.map(|value| Some(value.times()?.iter().copied())))?;
            }
            ColumnType::Texts => {
                let lists: Vec<_> = values.map(Value::moves).collect();
                encoder.text_lists(lists.iter().map(|moves| Some(moves.as_ref()?.iter())))?;
            }
            ColumnType::TextMap => {
                let pairs: Vec<_> = values.map(Value::pairs).collect();
                let part = |part: Part| pairs.iter().map(move |pairs| Some(pairs.as_ref()?.iter().map(part)));
                encoder.text_maps(part(|(name, _)| name), part(|(_, text)| text))?;
            }
        }
    }
    Ok(encoder.end())
}
