//! Reads a table: a few rows anywhere in it, or all rows.

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use parquet::column::reader::ColumnReaderImpl;
use parquet::data_type::{DataType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::{PageIndexPolicy, ParquetMetaData, ParquetMetaDataReader};
use parquet::file::page_index::column_index::ColumnIndexMetaData;
use parquet::file::serialized_reader::SerializedPageReader;

use crate::access::TableAccess;
use crate::error::IndexError;
use crate::table::checked::{Checked, CheckedFile, TablePlace};
use crate::table::{Layout, Written, failed};
use pgn2fen_tables::ColumnType;

/// A table that can be read from any row.
#[derive(Debug)]
pub(crate) struct TableReader {
    path: PathBuf,
    file: Arc<Checked>,
    metadata: ParquetMetaData,
    /// The types of the columns.
    types: Vec<ColumnType>,
    /// The first row of each row group.
    groups: Vec<u64>,
    rows: u64,
    /// The pages of the first column by which the rows are sorted.
    pages: Vec<Page>,
    sorted_by: usize,
    /// The values of the page that was searched last.
    looked_at: Mutex<Option<(usize, Arc<Vec<i64>>)>>,
}

/// A page of the sorted column.
#[derive(Clone, Copy, Debug)]
struct Page {
    first_row: u64,
    min: i64,
    max: i64,
}

/// Verifies every byte of a file before it is parsed, and returns all damage.
pub(crate) fn damage(path: &Path, written: &Written) -> Vec<IndexError> {
    let place = TablePlace { path, hidden: path, access: TableAccess::Read };
    match CheckedFile::open(place, written) {
        Ok(file) => file.damage().iter().map(|fault| IndexError::new(path, fault.to_string())).collect(),
        Err(error) => vec![error],
    }
}

impl TableReader {
    /// Opens a table with the size, checksum and layout that it was written with.
    pub(crate) fn open(place: TablePlace<'_>, written: &Written, layout: &Layout<'_>) -> Result<Self, IndexError> {
        let path = place.path;
        let file = Arc::new(Checked(Arc::new(CheckedFile::open(place, written)?)));
        let sorted_by = layout.sorted_by.first().copied().unwrap_or(0);
        let reader = ParquetMetaDataReader::new().with_page_index_policy(PageIndexPolicy::Required);
        let metadata = reader.parse_and_finish(&*file).map_err(failed(path))?;
        let names = metadata.file_metadata().schema_descr().columns().iter().map(|column| column.name());
        if !names.eq(layout.columns.iter().map(|column| column.name)) {
            return Err(IndexError::new(path, "the file is damaged: it has other columns"));
        }
        let mut table = Self {
            path: path.to_owned(),
            file,
            metadata,
            types: layout.columns.iter().map(|column| column.column_type).collect(),
            groups: Vec::new(),
            rows: 0,
            pages: Vec::new(),
            sorted_by,
            looked_at: Mutex::new(None),
        };
        table.list_pages().ok_or_else(|| IndexError::new(path, "the file is damaged: it has no page index"))?;
        if table.rows != written.rows {
            return Err(IndexError::new(path, "the file is damaged: it has another number of rows"));
        }
        Ok(table)
    }

    /// Reads the list of pages from the page index.
    fn list_pages(&mut self) -> Option<()> {
        for group in 0..self.metadata.num_row_groups() {
            let index = self.metadata.page_index_for_row_group(group);
            let ColumnIndexMetaData::INT64(values) = index.column_index(self.sorted_by)? else {
                return None;
            };
            let locations = index.page_locations(self.sorted_by)?;
            for (nth, location) in locations.iter().enumerate() {
                let first_row = self.rows + u64::try_from(location.first_row_index).ok()?;
                self.pages.push(Page { first_row, min: *values.min_value(nth)?, max: *values.max_value(nth)? });
            }
            self.groups.push(self.rows);
            self.rows += u64::try_from(self.metadata.row_group(group).num_rows()).ok()?;
        }
        Some(())
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the type of a column; None if there is no such column.
    pub(crate) fn column_type(&self, column: usize) -> Option<ColumnType> {
        self.types.get(column).copied()
    }

    /// Returns the number of rows.
    pub(crate) fn rows(&self) -> u64 {
        self.rows
    }

    /// Returns the rows on the same page of the sorted column.
    pub(crate) fn page_of(&self, row: u64) -> Range<u64> {
        let next = self.pages.partition_point(|page| page.first_row <= row);
        let start = next.checked_sub(1).map_or(0, |at| self.pages[at].first_row);
        start..self.pages.get(next).map_or(self.rows, |page| page.first_row)
    }

    /// Returns the rows with this value in the sorted column.
    pub(crate) fn find(&self, value: i64) -> Result<Range<u64>, IndexError> {
        let start = self.first_from(value)?;
        let end = value.checked_add(1).map_or(Ok(self.rows), |next| self.first_from(next))?;
        Ok(start..end)
    }

    /// Returns the first row whose value in the sorted column is at least this one.
    pub(crate) fn first_from(&self, value: i64) -> Result<u64, IndexError> {
        let at = self.pages.partition_point(|page| page.max < value);
        match self.pages.get(at) {
            None => Ok(self.rows),
            Some(page) if page.min >= value => Ok(page.first_row),
            Some(page) => {
                let values = self.values_of_page(at)?;
                Ok(page.first_row + values.partition_point(|other| *other < value) as u64)
            }
        }
    }

    fn values_of_page(&self, at: usize) -> Result<Arc<Vec<i64>>, IndexError> {
        let mut looked_at = self.looked_at.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((page, values)) = &*looked_at
            && *page == at
        {
            return Ok(Arc::clone(values));
        }
        let end = self.pages.get(at + 1).map_or(self.rows, |page| page.first_row);
        let scan = self.scan::<Int64Type>(self.sorted_by, self.pages[at].first_row..end);
        let mut values = Vec::new();
        scan.for_each(|value| values.push(value.copied().unwrap_or(i64::MIN)))?;
        let values = Arc::new(values);
        *looked_at = Some((at, Arc::clone(&values)));
        Ok(values)
    }

    /// Reads a column in some rows.
    pub(crate) fn scan<T: DataType>(&self, column: usize, rows: Range<u64>) -> Scan<'_, T> {
        self.scan_on(None, column, rows)
    }

    /// Reads a column in some rows. `open` is the column as [`Scan::for_each`] left it, if it was read before.
    pub(crate) fn scan_on<T: DataType>(
        &self,
        open: Option<OpenColumn<T>>,
        column: usize,
        rows: Range<u64>,
    ) -> Scan<'_, T> {
        Scan { table: self, column, rows, open, levels: Vec::new(), present: Vec::new(), values: Vec::new() }
    }

    /// Returns the row group that contains a row.
    pub(super) fn group_of(&self, row: u64) -> usize {
        self.groups.partition_point(|first| *first <= row).saturating_sub(1)
    }

    /// Opens the pages of a column in a row group.
    pub(super) fn open_pages(
        &self,
        column: usize,
        group: usize,
    ) -> Result<SerializedPageReader<Checked>, ParquetError> {
        let row_group = self.metadata.row_group(group);
        let locations = self.metadata.page_index_for_row_group(group).page_locations(column).cloned();
        let rows = usize::try_from(row_group.num_rows())?;
        SerializedPageReader::new(Arc::clone(&self.file), row_group.column(column), rows, locations)
    }

    /// Whether the pages of a column in a row group have a dictionary before them.
    pub(super) fn has_dictionary(&self, column: usize, group: usize) -> bool {
        self.metadata.row_group(group).column(column).dictionary_page_offset().is_some()
    }

    /// Returns the rows of a page of a column in a row group; None if there is no such page.
    pub(super) fn rows_of_page(&self, column: usize, group: usize, page: usize) -> Option<Range<u64>> {
        let index = self.metadata.page_index_for_row_group(group);
        let locations = index.page_locations(column)?;
        let first = |page: usize| u64::try_from(locations.get(page)?.first_row_index).ok();
        let end = match first(page + 1) {
            Some(next) => next,
            None => u64::try_from(self.metadata.row_group(group).num_rows()).ok()?,
        };
        let start = self.groups[group];
        Some(start + first(page)?..start + end)
    }

    /// Opens a column in the row group that contains a row.
    fn open_column<T: DataType>(&self, column: usize, row: u64) -> Result<OpenColumn<T>, ParquetError> {
        let group = self.group_of(row);
        let row_group = self.metadata.row_group(group);
        let pages = self.open_pages(column, group)?;
        let description = self.metadata.file_metadata().schema_descr().column(column);
        let first = self.groups[group];
        Ok(OpenColumn {
            reader: ColumnReaderImpl::new(description, Box::new(pages)),
            rows: first..first + row_group.num_rows().cast_unsigned(),
        })
    }
}

/// A column of a row group that is being read. Opening one takes as long as reading hundreds of values.
pub(crate) struct OpenColumn<T: DataType> {
    reader: ColumnReaderImpl<T>,
    /// The rows that have not been read.
    rows: Range<u64>,
}

impl<T: DataType> fmt::Debug for OpenColumn<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenColumn").field("rows", &self.rows).finish_non_exhaustive()
    }
}

/// The greatest number of rows that are read at a time.
const CHUNK: u64 = 1024;

/// An iterator over a column in a range of rows, a chunk at a time.
pub(crate) struct Scan<'t, T: DataType> {
    table: &'t TableReader,
    column: usize,
    /// The rows that have not been read.
    rows: Range<u64>,
    /// The column in the row group that was read last.
    open: Option<OpenColumn<T>>,
    levels: Vec<i16>,
    present: Vec<T::T>,
    values: Vec<Option<T::T>>,
}

impl<T: DataType> Scan<'_, T> {
    /// Reads the next chunk. Returns false at the end.
    pub(crate) fn read(&mut self) -> Result<bool, IndexError> {
        self.values.clear();
        let is_read = self.read_chunk()?;
        let mut present = self.present.drain(..);
        self.values.extend(self.levels.iter().map(|level| if *level > 0 { present.next() } else { None }));
        Ok(is_read)
    }

    /// Calls a function with each value that has not been read, in order. This is faster than [`read`](Self::read),
    /// which moves each value twice. Returns the column, so that rows behind these can be read without opening it
    /// again.
    pub(crate) fn for_each(mut self, mut take: impl FnMut(Option<&T::T>)) -> Result<Option<OpenColumn<T>>, IndexError> {
        while self.take_chunk(&mut take)? {}
        Ok(self.open)
    }

    /// Calls a function with each value of the next chunk. Returns false at the end.
    pub(crate) fn take_chunk(&mut self, mut take: impl FnMut(Option<&T::T>)) -> Result<bool, IndexError> {
        let is_read = self.read_chunk()?;
        let mut present = self.present.iter();
        for level in &self.levels {
            take(if *level > 0 { present.next() } else { None });
        }
        Ok(is_read)
    }

    /// Returns the values of the chunk that was read last.
    pub(crate) fn values(&self) -> &[Option<T::T>] {
        &self.values
    }

    /// Reads the levels and the values of the next chunk. Returns false, and leaves none, at the end.
    fn read_chunk(&mut self) -> Result<bool, IndexError> {
        self.levels.clear();
        self.present.clear();
        if self.rows.is_empty() {
            return Ok(false);
        }
        self.read_rows().map_err(failed(&self.table.path))?;
        Ok(true)
    }

    fn read_rows(&mut self) -> Result<(), ParquetError> {
        let row = self.rows.start;
        let mut open = match self.open.take() {
            Some(open) if open.rows.contains(&row) => open,
            _ => self.table.open_column(self.column, row)?,
        };
        open.reader.skip_records(usize::try_from(row - open.rows.start)?)?;
        let wanted = CHUNK.min(self.rows.end.min(open.rows.end) - row);
        let wanted = usize::try_from(wanted)?;
        let (read, _, _) = open.reader.read_records(wanted, Some(&mut self.levels), None, &mut self.present)?;
        if read != wanted {
            return Err(ParquetError::EOF("a column ends too early".to_owned()));
        }
        self.rows.start = row + read as u64;
        open.rows.start = self.rows.start;
        self.open = Some(open);
        Ok(())
    }
}
