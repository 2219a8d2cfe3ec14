//! Games are looked up by their numbers.

use std::collections::HashMap;
use std::ops::Range;

use crate::index::error::IndexError;
use crate::index::games_table::GameColumn;
use crate::index::table::TableReader;
use crate::tables::parquet_file::{ByteArrayType, Int32Type, Int64Type};
use crate::tables::{ColumnType, Texts};

/// Pages of a table of games that were read. Of each column some are kept, so that neither games that follow one another nor
/// many all over the table cost much.
#[derive(Debug, Default)]
pub(in crate::index) struct GamePages {
    columns: [Pages; GameColumn::ALL.len()],
}

/// The pages of a column that are kept.
#[derive(Debug, Default)]
struct Pages {
    /// The page that was asked last.
    current: Page,
    /// Others, by their first rows.
    others: HashMap<u64, Page>,
}

/// The values of some rows.
#[derive(Debug, Default)]
struct Page {
    rows: Range<u64>,
    numbers: Vec<Option<i64>>,
    texts: Texts,
}

/// So many other pages of a column are kept; when there are more, all are forgotten.
const MOST_PAGES: usize = 512;

impl GamePages {
    /// A number that stands in a row; None if there is none.
    pub(in crate::index) fn number(
        &mut self,
        table: &TableReader,
        row: u64,
        column: GameColumn,
    ) -> Result<Option<i64>, IndexError> {
        let (page, at) = self.page(table, row, column)?;
        Ok(page.numbers.get(at).copied().flatten())
    }

    /// A text that stands in a row; None if there is none.
    pub(in crate::index) fn text(
        &mut self,
        table: &TableReader,
        row: u64,
        column: GameColumn,
    ) -> Result<Option<&str>, IndexError> {
        let (page, at) = self.page(table, row, column)?;
        Ok(page.texts.get(at).and_then(|text| str::from_utf8(text).ok()))
    }

    fn page(&mut self, table: &TableReader, row: u64, column: GameColumn) -> Result<(&Page, usize), IndexError> {
        let pages = &mut self.columns[column as usize];
        if !pages.current.rows.contains(&row) {
            let rows = table.page_of(row);
            let next = match pages.others.remove(&rows.start) {
                Some(page) => page,
                None => Page::read(table, column, rows)?,
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

impl Page {
    fn read(table: &TableReader, column: GameColumn, rows: Range<u64>) -> Result<Self, IndexError> {
        let at = column as usize;
        let mut page = Self { rows: rows.clone(), ..Self::default() };
        match column.column_type() {
            ColumnType::Long => {
                let mut scan = table.scan::<Int64Type>(at, rows);
                while scan.read()? {
                    page.numbers.extend_from_slice(scan.values());
                }
            }
            ColumnType::Int | ColumnType::Date => {
                let mut scan = table.scan::<Int32Type>(at, rows);
                while scan.read()? {
                    page.numbers.extend(scan.values().iter().map(|value| value.map(i64::from)));
                }
            }
            // No column of games is of this type.
            ColumnType::Double => return Err(IndexError::new(table.path(), "a column has a type that is not read")),
            ColumnType::Text => {
                let mut scan = table.scan::<ByteArrayType>(at, rows);
                while scan.read()? {
                    for value in scan.values() {
                        page.texts.push(value.as_ref().map_or(&[], |value| value.data()));
                    }
                }
            }
        }
        Ok(page)
    }
}
