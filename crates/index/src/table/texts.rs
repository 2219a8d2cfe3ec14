//! Reads a column of texts in some rows, a page at a time.

use std::fmt;
use std::ops::Range;

use parquet::column::page::PageReader;
use parquet::errors::ParquetError;
use parquet::file::serialized_reader::SerializedPageReader;

use crate::error::IndexError;
use crate::table::checked::Checked;
use crate::table::failed;
use crate::table::placed_texts::{PlacedTexts, TextPlace};
use crate::table::read::TableReader;

/// A column of texts of a row group that is being read. Opening one takes as long as reading hundreds of texts.
pub(crate) struct OpenTexts {
    pages: SerializedPageReader<Checked>,
    group: usize,
    /// The number of the next page in the row group.
    next: usize,
    dictionary: Option<PlacedTexts>,
    /// The rows of the page that was read last, and their texts.
    rows: Range<u64>,
    page: PlacedTexts,
    /// Memory for numbers of a page.
    numbers: Vec<u32>,
}

impl fmt::Debug for OpenTexts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenTexts").field("rows", &self.rows).finish_non_exhaustive()
    }
}

/// An iterator over a column of texts in a range of rows.
#[derive(Debug)]
pub(crate) struct TextScan<'t> {
    table: &'t TableReader,
    column: usize,
    /// The rows that have not been read.
    rows: Range<u64>,
    /// The column in the row group that was read last.
    open: Option<OpenTexts>,
}

/// The texts of consecutive rows that are on one page.
#[derive(Debug)]
pub(crate) struct TextRows<'s> {
    /// The bytes that contain the texts.
    pub(crate) bytes: &'s [u8],
    pub(crate) places: &'s [TextPlace],
    /// Whether the bytes are those of a dictionary, so each text may be there for many rows or for none.
    pub(crate) has_dictionary: bool,
}

impl<'s> TextRows<'s> {
    /// Returns the text of each row; an empty one for a missing value.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &'s [u8]> + use<'s> {
        let bytes = self.bytes;
        self.places.iter().map(|(start, end)| &bytes[*start as usize..*end as usize])
    }
}

impl TableReader {
    /// Reads a column of texts in some rows. `open` is the column as a [`TextScan`] left it, if it was read before.
    pub(crate) fn texts(&self, open: Option<OpenTexts>, column: usize, rows: Range<u64>) -> TextScan<'_> {
        TextScan { table: self, column, rows, open }
    }
}

impl TextScan<'_> {
    /// Reads the texts of the next rows, but of at most so many. None at the end.
    pub(crate) fn next_rows(&mut self, most: u64) -> Result<Option<TextRows<'_>>, IndexError> {
        if self.rows.is_empty() {
            return Ok(None);
        }
        let row = self.rows.start;
        self.read_page_of(row).map_err(failed(self.table.path()))?;
        Ok(self.open.as_ref().map(|open| {
            let end = self.rows.end.min(open.rows.end).min(row.saturating_add(most));
            self.rows.start = end;
            open.texts_of(row..end)
        }))
    }

    /// Returns the column, so that rows behind these can be read without opening it again.
    pub(crate) fn into_open(self) -> Option<OpenTexts> {
        self.open
    }

    fn read_page_of(&mut self, row: u64) -> Result<(), ParquetError> {
        let mut open = match self.open.take() {
            Some(open) if open.rows.contains(&row) => open,
            Some(open) if open.group == self.table.group_of(row) && row >= open.rows.end => open,
            _ => OpenTexts::new(self.table, self.column, row)?,
        };
        open.read_page_of(self.table, self.column, row)?;
        self.open = Some(open);
        Ok(())
    }
}

impl OpenTexts {
    /// Opens a column in the row group that contains a row.
    fn new(table: &TableReader, column: usize, row: u64) -> Result<Self, ParquetError> {
        let group = table.group_of(row);
        let mut pages = table.open_pages(column, group)?;
        let dictionary = if table.has_dictionary(column, group) {
            let page = pages.get_next_page()?.and_then(PlacedTexts::of_dictionary);
            Some(page.ok_or_else(damaged)?)
        } else {
            None
        };
        let first = table.rows_of_page(column, group, 0).ok_or_else(damaged)?.start;
        let (rows, page) = (first..first, PlacedTexts::default());
        Ok(Self { pages, group, next: 0, dictionary, rows, page, numbers: Vec::new() })
    }

    /// Reads the page with this row, unless it was read last. The row is not before that page.
    fn read_page_of(&mut self, table: &TableReader, column: usize, row: u64) -> Result<(), ParquetError> {
        while !self.rows.contains(&row) {
            let rows = table.rows_of_page(column, self.group, self.next).ok_or_else(damaged)?;
            self.next += 1;
            if rows.contains(&row) {
                let page = self.pages.get_next_page()?.ok_or_else(damaged)?;
                let count = rows.end - rows.start;
                self.page.read(page, count, self.dictionary.as_ref(), &mut self.numbers).ok_or_else(damaged)?;
                self.rows = rows;
            } else {
                self.pages.skip_next_page()?;
            }
        }
        Ok(())
    }

    /// Returns the texts of some rows of the page.
    fn texts_of(&self, rows: Range<u64>) -> TextRows<'_> {
        let at = |row: u64| usize::try_from(row - self.rows.start).unwrap_or(usize::MAX);
        let PlacedTexts { bytes, places, has_dictionary } = &self.page;
        let places = places.get(at(rows.start)..at(rows.end)).unwrap_or_default();
        TextRows { bytes, places, has_dictionary: *has_dictionary }
    }
}

fn damaged() -> ParquetError {
    ParquetError::External("the file is damaged: a page of texts cannot be read; build the index again".into())
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use proptest::prelude::{Just, Strategy, any, prop, prop_oneof, proptest};

    use crate::access::TableAccess;
    use crate::flush::Flusher;
    use crate::sizes::TableSizes;
    use crate::table::{Coding, ColumnLayout, Layout, TablePlace, TableReader, TableWriter};
    use pgn2fen_tables::ColumnType;
    use pgn2fen_tables::parquet_file::{ByteArray, ByteArrayType, Int64Type};

    const LAYOUT: Layout<'_> = Layout {
        columns: &[
            ColumnLayout { name: "row", column_type: ColumnType::Long, coding: Coding::Delta },
            ColumnLayout { name: "compressed", column_type: ColumnType::Text, coding: Coding::Compressed },
            ColumnLayout { name: "dictionary", column_type: ColumnType::Text, coding: Coding::Dictionary },
        ],
        sorted_by: &[0],
    };

    /// Writes texts as a table, and reads these rows of both columns. An empty text is written as a missing value.
    fn check(texts: &[Vec<u8>], sizes: TableSizes, ranges: &[Range<usize>]) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("texts.parquet");
        let mut table = TableWriter::create(&path, &LAYOUT, sizes).unwrap();
        for rows in texts.chunks(sizes.group_rows) {
            let mut group = table.group(rows.len()).unwrap();
            let value = |text: &Vec<u8>| (!text.is_empty()).then(|| ByteArray::from(text.clone()));
            group.column::<Int64Type>((0..).take(rows.len()).map(Some)).unwrap();
            group.column::<ByteArrayType>(rows.iter().map(value)).unwrap();
            group.column::<ByteArrayType>(rows.iter().map(value)).unwrap();
            group.end().unwrap();
        }
        let flusher = Flusher::new().unwrap();
        let written = table.end(&flusher).unwrap();
        flusher.finish().unwrap();
        let access = if texts.len().is_multiple_of(2) { TableAccess::Map } else { TableAccess::Read };
        let place = TablePlace { path: &path, hidden: &path, access };
        let table = TableReader::open(place, &written, &LAYOUT).unwrap();
        for (column, most) in [(1, u64::MAX), (2, u64::MAX), (1, 7), (2, 7)] {
            let mut open = None;
            for range in ranges {
                let mut scan = table.texts(open, column, range.start as u64..range.end as u64);
                let mut found: Vec<Vec<u8>> = Vec::new();
                while let Some(rows) = scan.next_rows(most).unwrap() {
                    assert!(rows.places.len() as u64 <= most);
                    found.extend(rows.texts().map(<[u8]>::to_vec));
                }
                assert_eq!(found, texts[range.clone()], "{column} {range:?}");
                open = scan.into_open();
            }
        }
    }

    fn text() -> impl Strategy<Value = Vec<u8>> {
        prop_oneof![
            Just(Vec::new()),
            Just(b"a".to_vec()),
            (0..300u32).prop_map(|number| number.to_string().into_bytes()),
            prop::collection::vec(any::<u8>(), 0..40),
            Just(vec![b'x'; 300]),
        ]
    }

    proptest! {
        #[test]
        fn texts_are_read_as_they_were_written(
            texts in prop::collection::vec(text(), 1..600),
            (page_rows, group_rows) in (1..100usize, 1..400usize),
            ranges in prop::collection::vec((0.0..1.0, 0.0..1.0), 1..8),
        ) {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a part of a small number")]
            let place = |part: f64| (part * texts.len() as f64) as usize;
            let places = |(a, b): (f64, f64)| place(a.min(b))..place(a.max(b));
            let ranges: Vec<_> = ranges.into_iter().map(places).collect();
            check(&texts, TableSizes { page_rows, group_rows }, &ranges);
        }
    }

    /// A dictionary has at most 1 MiB. The pages behind it have texts, in a column with a dictionary.
    #[test]
    fn texts_are_read_that_found_no_room_in_the_dictionary() {
        let texts: Vec<Vec<u8>> = (0..3000).map(|number| format!("{number:0>800}").into_bytes()).collect();
        check(&texts, TableSizes { page_rows: 100, group_rows: 3000 }, &[0..3000, 1200..1450, 2900..3000]);
    }

    #[test]
    fn a_column_without_texts_is_read() {
        check(&vec![Vec::new(); 50], TableSizes { page_rows: 20, group_rows: 30 }, &[0..50, 10..45]);
    }
}
