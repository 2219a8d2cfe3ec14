//! Writes a table: one row group after another, and in each of them one column after another.

use std::fs::File;
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};

use parquet::data_type::DataType;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};

use crate::checksum::{self, Summing};
use crate::error::IndexError;
use crate::flush::Flusher;
use crate::sizes::TableSizes;
use crate::table::{Layout, TableReader, Written, failed};
use pgn2fen_tables::parquet_file::ColumnWriter;

/// A table that is being written.
pub(crate) struct TableWriter {
    path: PathBuf,
    writer: SerializedFileWriter<Summing<File>>,
    rows: u64,
}

/// A row group that is being written.
pub(crate) struct GroupWriter<'w> {
    path: &'w Path,
    writer: SerializedRowGroupWriter<'w, Summing<File>>,
}

impl TableWriter {
    /// Creates the file. It must not exist yet.
    pub(crate) fn create(path: &Path, layout: &Layout<'_>, sizes: TableSizes) -> Result<Self, IndexError> {
        let file = File::create_new(path).map_err(IndexError::io(path))?;
        let schema = layout.schema().map_err(failed(path))?;
        let writer =
            SerializedFileWriter::new(Summing::new(file), schema, layout.properties(sizes)).map_err(failed(path))?;
        Ok(Self { path: path.to_owned(), writer, rows: 0 })
    }

    /// Begins the next row group. Each of its columns must then get this number of values.
    pub(crate) fn group(&mut self, rows: usize) -> Result<GroupWriter<'_>, IndexError> {
        self.rows += rows as u64;
        let writer = self.writer.next_row_group().map_err(failed(&self.path))?;
        Ok(GroupWriter { path: &self.path, writer })
    }

    /// Ends the file, writes its checksums beside it, and hands both to the flusher.
    pub(crate) fn end(self, flusher: &Flusher) -> Result<Written, IndexError> {
        let Self { path, writer, rows } = self;
        let (file, sums) = writer.into_inner().map_err(failed(&path))?.end();
        let bytes = file.metadata().map_err(IndexError::io(&path))?.len();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let sums_path = path.with_file_name(checksum::file_name(&name));
        let write_sums = || {
            let mut file = File::create_new(&sums_path)?;
            file.write_all(&sums)?;
            Ok(file)
        };
        flusher.take(&sums_path, write_sums().map_err(IndexError::io(&sums_path))?);
        flusher.take(&path, file);
        let checksum = checksum::of(&sums);
        Ok(Written { name, bytes, rows, checksum })
    }
}

impl GroupWriter<'_> {
    /// Writes the values of the next column.
    pub(crate) fn column<T: DataType>(&mut self, values: impl Iterator<Item = Option<T::T>>) -> Result<(), IndexError> {
        let fail = failed(self.path);
        self.write::<T>(|column| column.extend(values).map_err(fail))
    }

    /// Writes the next column with rows of the same column of other tables.
    pub(crate) fn copy<T: DataType>(
        &mut self,
        number: usize,
        rows: &[(&TableReader, Range<u64>)],
    ) -> Result<(), IndexError> {
        let fail = failed(self.path);
        self.write::<T>(|column| {
            for (table, rows) in rows {
                let mut scan = table.scan::<T>(number, rows.clone());
                while scan.read()? {
                    column.extend(scan.values().iter().cloned()).map_err(&fail)?;
                }
            }
            Ok(())
        })
    }

    fn write<T: DataType>(
        &mut self,
        fill: impl FnOnce(&mut ColumnWriter<'_, '_, T>) -> Result<(), IndexError>,
    ) -> Result<(), IndexError> {
        let fail = failed(self.path);
        let Some(mut column) = self.writer.next_column().map_err(&fail)? else {
            return Ok(());
        };
        let mut values = ColumnWriter::new(column.typed::<T>());
        fill(&mut values)?;
        values.end().map_err(&fail)?;
        column.close().map_err(fail)
    }

    /// Ends the row group.
    pub(crate) fn end(self) -> Result<(), IndexError> {
        self.writer.close().map(drop).map_err(failed(self.path))
    }
}
