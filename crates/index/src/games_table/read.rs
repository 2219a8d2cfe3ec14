//! Looks games up by their numbers.

use std::collections::HashMap;
use std::ops::Range;

use crate::error::IndexError;
use crate::games_table::GameColumn;
use crate::games_table::page_texts::PageTexts;
use crate::table::{OpenColumn, OpenTexts, TableReader};
use pgn2fen_tables::ColumnType;
use pgn2fen_tables::parquet_file::{Int32Type, Int64Type};

/// Pages of a games table that have been read. Some pages of each column are kept, so that both consecutive games and
/// games all over the table are read fast.
#[derive(Debug, Default)]
pub(crate) struct GamePages {
    /// The pages of each column, as far as columns were read.
    columns: Vec<Pages>,
}

/// The pages of a column that are kept.
#[derive(Debug, Default)]
struct Pages {
    /// The page that was used last.
    current: Page,
    /// Other pages, by their first rows. Pages are kept from the first time on that an earlier page was asked for.
    /// Games that are asked for in their order need no earlier page.
    others: HashMap<u64, Page>,
    /// Whether a page before the current one was asked for.
    goes_back: bool,
    open: Open,
}

/// The column behind the page that was read last, by the type of its values.
#[derive(Debug, Default)]
struct Open {
    longs: Option<OpenColumn<Int64Type>>,
    ints: Option<OpenColumn<Int32Type>>,
    texts: Option<OpenTexts>,
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
    /// Whether the page that was read last in a column has this row, so that its value can be taken.
    #[inline]
    pub(crate) fn has(&self, row: u64, column: GameColumn) -> bool {
        self.columns.get(column.at()).is_some_and(|pages| pages.current.rows.contains(&row))
    }

    /// Reads the page of a column with this row, so that its value can be taken.
    pub(crate) fn turn_to(&mut self, table: &TableReader, row: u64, column: GameColumn) -> Result<(), IndexError> {
        if self.columns.len() <= column.at() {
            self.columns.resize_with(column.at() + 1, Pages::default);
        }
        self.columns[column.at()].turn_to(table, row, column)
    }

    /// Returns the number in a row whose page was read last; None if it is null.
    #[inline]
    pub(crate) fn number(&self, row: u64, column: GameColumn) -> Option<i64> {
        let page = &self.columns.get(column.at())?.current;
        page.numbers.get(page.index_of(row)?).copied().flatten()
    }

    /// Returns the text in a row whose page was read last; None if it is null.
    #[inline]
    pub(crate) fn text(&self, row: u64, column: GameColumn) -> Option<&str> {
        let page = &self.columns.get(column.at())?.current;
        page.texts.get(page.index_of(row)?)
    }
}

impl Pages {
    /// Makes the page with this row the current one.
    fn turn_to(&mut self, table: &TableReader, row: u64, column: GameColumn) -> Result<(), IndexError> {
        let rows = table.page_of(row);
        self.goes_back |= rows.start < self.current.rows.start;
        if !self.goes_back {
            // The memory of the page is free for the next one.
            self.current = Page::default();
        }
        let next = match self.others.remove(&rows.start) {
            Some(page) => page,
            None => Page::read(table, column, rows, &mut self.open)?,
        };
        let last = std::mem::replace(&mut self.current, next);
        if self.others.len() == MOST_PAGES {
            self.others.clear();
        }
        if !last.rows.is_empty() {
            self.others.insert(last.rows.start, last);
        }
        Ok(())
    }
}

/// The texts of a column in consecutive rows.
#[doc(hidden)]
#[derive(Debug)]
pub(crate) struct TextPage(Page);

impl TextPage {
    /// Reads a column of texts in these rows.
    pub(crate) fn read(table: &TableReader, column: GameColumn, rows: Range<u64>) -> Result<Self, IndexError> {
        Page::read(table, column, rows, &mut Open::default()).map(Self)
    }

    /// Returns the text in a row of the table; None if it is null, or not in these rows.
    pub(crate) fn text(&self, row: u64) -> Option<&str> {
        self.0.texts.get(self.0.index_of(row)?)
    }

    /// Returns the size in memory, about, in bytes.
    pub(crate) fn weight(&self) -> usize {
        self.0.texts.weight() + size_of::<Page>()
    }
}

impl Page {
    /// Returns the index of a row; too large, or None, if it is not on the page.
    #[inline]
    fn index_of(&self, row: u64) -> Option<usize> {
        usize::try_from(row.checked_sub(self.rows.start)?).ok()
    }

    fn read(table: &TableReader, column: GameColumn, rows: Range<u64>, open: &mut Open) -> Result<Self, IndexError> {
        let at = column.at();
        let mut page = Self { rows: rows.clone(), ..Self::default() };
        let numbers = &mut page.numbers;
        match table.column_type(at) {
            Some(ColumnType::Long) => {
                let longs = table.scan_on(open.longs.take(), at, rows);
                open.longs = longs.for_each(|value| numbers.push(value.copied()))?;
            }
            Some(ColumnType::Int | ColumnType::Date) => {
                let ints = table.scan_on(open.ints.take(), at, rows);
                open.ints = ints.for_each(|value| numbers.push(value.copied().map(i64::from)))?;
            }
            Some(ColumnType::Text) => {
                let mut scan = table.texts(open.texts.take(), at, rows);
                page.texts = PageTexts::read(&mut scan)?;
                open.texts = scan.into_open();
            }
            // The games table has no column of another type.
            _ => return Err(IndexError::new(table.path(), "there is no such column, or its type is not read")),
        }
        Ok(page)
    }
}
