//! Looks games up by their numbers.

use std::collections::HashMap;
use std::ops::Range;

use crate::index::error::IndexError;
use crate::index::games_table::GameColumn;
use crate::index::games_table::page_texts::PageTexts;
use crate::index::table::{OpenColumn, TableReader};
use crate::tables::parquet_file::{ByteArray, ByteArrayType, Int32Type, Int64Type};
use crate::tables::{ColumnType, Texts};

/// Pages of a games table that have been read. Some pages of each column are kept, so that both consecutive games and games all over the
/// table are read fast.
#[derive(Debug, Default)]
pub(in crate::index) struct GamePages {
    columns: [Pages; GameColumn::ALL.len()],
}

/// The pages of a column that are kept.
#[derive(Debug, Default)]
struct Pages {
    /// The page that was used last.
    current: Page,
    /// Other pages, by their first rows.
    others: HashMap<u64, Page>,
    open: Open,
}

/// The column behind the page that was read last, by the type of its values.
#[derive(Debug, Default)]
struct Open {
    longs: Option<OpenColumn<Int64Type>>,
    ints: Option<OpenColumn<Int32Type>>,
    texts: Option<OpenColumn<ByteArrayType>>,
}

/// The values of consecutive rows.
#[derive(Debug, Default)]
struct Page {
    rows: Range<u64>,
    numbers: Vec<Option<i64>>,
    texts: PageTexts,
}

/// The number of other pages of a column that are kept; when there are more, all of them are dropped.
const MOST_PAGES: usize = 512;

impl GamePages {
    /// Returns the number in a row; None if it is null.
    pub(in crate::index) fn number(
        &mut self,
        table: &TableReader,
        row: u64,
        column: GameColumn,
    ) -> Result<Option<i64>, IndexError> {
        let (page, at) = self.page(table, row, column)?;
        Ok(page.numbers.get(at).copied().flatten())
    }

    /// Returns the text in a row; None if it is null.
    pub(in crate::index) fn text(
        &mut self,
        table: &TableReader,
        row: u64,
        column: GameColumn,
    ) -> Result<Option<&str>, IndexError> {
        let (page, at) = self.page(table, row, column)?;
        Ok(page.texts.get(at))
    }

    fn page(&mut self, table: &TableReader, row: u64, column: GameColumn) -> Result<(&Page, usize), IndexError> {
        let pages = &mut self.columns[column as usize];
        if !pages.current.rows.contains(&row) {
            let rows = table.page_of(row);
            let next = match pages.others.remove(&rows.start) {
                Some(page) => page,
                None => Page::read(table, column, rows, &mut pages.open)?,
            };
            let last = std::mem::replace(&mut pages.current, next);
            if pages.others.len() == MOST_PAGES {
                pages.others.clear();
            }
            if !last.rows.is_empty() {
                pages.others.insert(last.rows.start, last);
            }
        }
        let page = &pages.current;
        Ok((page, usize::try_from(row - page.rows.start).unwrap_or(usize::MAX)))
    }
}

/// The texts of a column in consecutive rows.
#[derive(Debug)]
pub(in crate::index) struct TextPage(Page);

impl TextPage {
    /// Reads a column of texts in these rows.
    pub(in crate::index) fn read(
        table: &TableReader,
        column: GameColumn,
        rows: Range<u64>,
    ) -> Result<Self, IndexError> {
        Page::read(table, column, rows, &mut Open::default()).map(Self)
    }

    /// Returns the text in a row of the table; None if it is null, or not in these rows.
    pub(in crate::index) fn text(&self, row: u64) -> Option<&str> {
        let at = usize::try_from(row.checked_sub(self.0.rows.start)?).ok()?;
        self.0.texts.get(at)
    }

    /// Returns the size in memory, about, in bytes.
    pub(in crate::index) fn weight(&self) -> usize {
        self.0.texts.weight() + size_of::<Page>()
    }
}

impl Page {
    fn read(table: &TableReader, column: GameColumn, rows: Range<u64>, open: &mut Open) -> Result<Self, IndexError> {
        let at = column as usize;
        let mut page = Self { rows: rows.clone(), ..Self::default() };
        let numbers = &mut page.numbers;
        match column.column_type() {
            ColumnType::Long => {
                let longs = table.scan_on(open.longs.take(), at, rows);
                open.longs = longs.for_each(|value| numbers.push(value.copied()))?;
            }
            ColumnType::Int | ColumnType::Date => {
                let ints = table.scan_on(open.ints.take(), at, rows);
                open.ints = ints.for_each(|value| numbers.push(value.copied().map(i64::from)))?;
            }
            ColumnType::Text => {
                let scan = table.scan_on(open.texts.take(), at, rows);
                let mut texts = Texts::default();
                open.texts = scan.for_each(|text| texts.push(text.map_or(&[], ByteArray::data)))?;
                page.texts = texts.into();
            }
            // The games table has no column of these types.
            ColumnType::Double | ColumnType::Ints | ColumnType::Doubles | ColumnType::Texts | ColumnType::TextMap => {
                return Err(IndexError::new(table.path(), "a column has a type that is not read"));
            }
        }
        Ok(page)
    }
}
