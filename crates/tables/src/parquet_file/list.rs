//! The values of one column of lists of a row group.

use parquet::column::writer::ColumnWriterImpl;
use parquet::data_type::DataType;
use parquet::errors::ParquetError;

/// The number of elements and of lists without elements after which they are given to the package.
const BATCH: usize = 4096;

/// Writes lists, with a definition level and a repetition level for each element.
pub(crate) struct ListWriter<'w, 'p, T: DataType> {
    writer: &'w mut ColumnWriterImpl<'p, T>,
    /// The elements of the batch that are not null.
    present: Vec<T::T>,
    /// 0 for a null in place of a list, 1 for a list without elements, 2 for a null in a list, and the greatest level
    /// for an element.
    levels: Vec<i16>,
    /// 0 where a list begins, and 1 for its further elements.
    repeated: Vec<i16>,
    /// The definition level of an element.
    most: i16,
}

impl<'w, 'p, T: DataType> ListWriter<'w, 'p, T> {
    /// Begins with the first row of a row group.
    pub(crate) fn new(writer: &'w mut ColumnWriterImpl<'p, T>) -> Self {
        let most = writer.get_descriptor().max_def_level();
        Self { writer, present: Vec::new(), levels: Vec::new(), repeated: Vec::new(), most }
    }

    /// Appends lists.
    pub(crate) fn extend<L: Iterator<Item = Option<T::T>>>(
        &mut self,
        values: impl Iterator<Item = Option<L>>,
    ) -> Result<(), ParquetError> {
        for value in values {
            let begun = self.levels.len();
            let empty = i16::from(value.is_some());
            for element in value.into_iter().flatten() {
                self.levels.push(if element.is_some() { self.most } else { 2 });
                self.repeated.push(i16::from(self.levels.len() > begun + 1));
                self.present.extend(element);
            }
            if self.levels.len() == begun {
                self.levels.push(empty);
                self.repeated.push(0);
            }
            // A page must end with a list.
            if self.levels.len() >= BATCH {
                self.write_batch()?;
            }
        }
        Ok(())
    }

    /// Writes the values of the last batch. The column has yet to be closed.
    pub(crate) fn end(mut self) -> Result<(), ParquetError> {
        if self.levels.is_empty() { Ok(()) } else { self.write_batch() }
    }

    fn write_batch(&mut self) -> Result<(), ParquetError> {
        self.writer.write_batch(&self.present, Some(&self.levels), Some(&self.repeated))?;
        self.present.clear();
        self.levels.clear();
        self.repeated.clear();
        Ok(())
    }
}
