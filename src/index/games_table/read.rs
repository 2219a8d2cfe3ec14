//! Games are looked up by their numbers.

use std::collections::HashMap;
use std::ops::Range;

use crate::index::error::IndexError;
use crate::index::games_table::GameColumn;
use crate::index::table::{ByteArrayType, Int32Type, Int64Type, Kind, TableReader};
use crate::rows::texts::Texts;

/// Reads what is asked of games. Of each column some pages are kept, so that neither games that follow one another nor many
/// all over the table cost much.
pub(in crate::index) struct GamesReader<'t> {
    table: &'t TableReader,
    /// The number of the first game.
    first: u64,
    columns: [Pages; GameColumn::ALL.len()],
}

/// The pages of a column that are kept.
#[derive(Default)]
struct Pages {
    /// The page that was asked last.
    current: Page,
    /// Others, by their first rows.
    others: HashMap<u64, Page>,
}

/// The values of some rows.
#[derive(Default)]
struct Page {
    rows: Range<u64>,
    numbers: Vec<Option<i64>>,
    texts: Texts,
}

/// So many other pages of a column are kept; when there are more, all are forgotten.
const MOST_PAGES: usize = 1024;

impl<'t> GamesReader<'t> {
    /// Reads a table whose first game has this number.
    pub(in crate::index) fn new(table: &'t TableReader, first: u64) -> Self {
        Self { table, first, columns: Default::default() }
    }

    /// A number that is said of a game; None if it is not known, or the game is not there.
    pub(in crate::index) fn number(&mut self, game: u64, column: GameColumn) -> Result<Option<i64>, IndexError> {
        Ok(self.page(game, column)?.and_then(|(page, at)| page.numbers.get(at).copied().flatten()))
    }

    /// A text that is said of a game; None if it is not known, or the game is not there.
    pub(in crate::index) fn text(&mut self, game: u64, column: GameColumn) -> Result<Option<&str>, IndexError> {
        let text = self.page(game, column)?.and_then(|(page, at)| page.texts.get(at));
        Ok(text.and_then(|text| str::from_utf8(text).ok()))
    }

    fn page(&mut self, game: u64, column: GameColumn) -> Result<Option<(&Page, usize)>, IndexError> {
        let Some(row) = game.checked_sub(self.first).filter(|row| *row < self.table.rows()) else {
            return Ok(None);
        };
        let pages = &mut self.columns[column as usize];
        if !pages.current.rows.contains(&row) {
            let rows = self.table.page_of(row);
            let next = match pages.others.remove(&rows.start) {
                Some(page) => page,
                None => Page::read(self.table, column, rows)?,
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
        Ok(Some((page, usize::try_from(row - page.rows.start).unwrap_or(usize::MAX))))
    }
}

impl Page {
    fn read(table: &TableReader, column: GameColumn, rows: Range<u64>) -> Result<Self, IndexError> {
        let at = column as usize;
        let mut page = Self { rows: rows.clone(), ..Self::default() };
        match column.kind() {
            Kind::Long => {
                let mut scan = table.scan::<Int64Type>(at, rows);
                while scan.read()? {
                    page.numbers.extend_from_slice(scan.values());
                }
            }
            Kind::Int => {
                let mut scan = table.scan::<Int32Type>(at, rows);
                while scan.read()? {
                    page.numbers.extend(scan.values().iter().map(|value| value.map(i64::from)));
                }
            }
            Kind::Text => {
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
