//! The values of one column of a row group.

use std::iter::repeat_n;

use parquet::column::writer::ColumnWriterImpl;
use parquet::data_type::DataType;
use parquet::errors::ParquetError;

/// The number of values that are given to the package at a time.
const BATCH: usize = 4096;

/// Writes the values of a column, with a definition level for each.
pub struct ColumnWriter<'w, 'p, T: DataType> {
    writer: &'w mut ColumnWriterImpl<'p, T>,
    /// The values of the batch that are not null.
    present: Vec<T::T>,
    /// For each row of the batch 1, or 0 for a null.
    levels: Vec<i16>,
}

impl<'w, 'p, T: DataType> ColumnWriter<'w, 'p, T> {
    /// Begins with the first row of a row group.
    pub fn new(writer: &'w mut ColumnWriterImpl<'p, T>) -> Self {
        Self { writer, present: Vec::with_capacity(BATCH), levels: Vec::with_capacity(BATCH) }
    }

    /// Appends values.
    pub fn extend(&mut self, values: impl IntoIterator<Item = Option<T::T>>) -> Result<(), ParquetError> {
        for value in values {
            self.levels.push(i16::from(value.is_some()));
            self.present.extend(value);
            if self.levels.len() == BATCH {
                self.write_batch()?;
            }
        }
        Ok(())
    }

    /// Appends values, each of which a number of successive rows have.
    pub fn extend_runs(&mut self, mut runs: impl Iterator<Item = (Option<T::T>, usize)>) -> Result<(), ParquetError> {
        runs.try_for_each(|(value, mut rows)| {
            while rows > 0 {
                let taken = rows.min(BATCH - self.levels.len());
                rows -= taken;
                self.levels.extend(repeat_n(i16::from(value.is_some()), taken));
                self.present.extend(value.iter().flat_map(|value| repeat_n(value.clone(), taken)));
                if self.levels.len() == BATCH {
                    self.write_batch()?;
                }
            }
            Ok(())
        })
    }

    /// Writes the values of the last batch. The column has yet to be closed.
    pub fn end(mut self) -> Result<(), ParquetError> {
        if self.levels.is_empty() { Ok(()) } else { self.write_batch() }
    }

    fn write_batch(&mut self) -> Result<(), ParquetError> {
        self.writer.write_batch(&self.present, Some(&self.levels), None)?;
        self.present.clear();
        self.levels.clear();
        Ok(())
    }
}
