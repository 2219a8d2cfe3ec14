//! Games are looked up by their numbers.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::index::error::IndexError;
use crate::index::games_table::{GameColumn, LAYOUT};
use crate::index::table::{ByteArray, ByteArrayType, Int32Type, Int64Type, Kind, TableReader};

/// Reads what is asked of games. Of each column the page is kept that was read last, so that games which follow one another
/// cost little.
pub(in crate::index) struct GamesReader<'t> {
    table: &'t TableReader,
    /// The number of the first game.
    first: u64,
    pages: BTreeMap<GameColumn, Page>,
}

/// The values of some rows.
struct Page {
    rows: Range<u64>,
    values: Values,
}

enum Values {
    Numbers(Vec<Option<i64>>),
    Texts(Vec<Option<ByteArray>>),
}

impl<'t> GamesReader<'t> {
    /// Reads a table whose first game has this number.
    pub(in crate::index) fn new(table: &'t TableReader, first: u64) -> Self {
        Self { table, first, pages: BTreeMap::new() }
    }

    /// A number that is said of a game; None if it is not known, or the game is not there.
    pub(in crate::index) fn number(&mut self, game: u64, column: GameColumn) -> Result<Option<i64>, IndexError> {
        Ok(match self.page(game, column)? {
            Some((Values::Numbers(values), at)) => values.get(at).copied().flatten(),
            _ => None,
        })
    }

    /// A text that is said of a game; None if it is not known, or the game is not there.
    pub(in crate::index) fn text(&mut self, game: u64, column: GameColumn) -> Result<Option<&str>, IndexError> {
        Ok(match self.page(game, column)? {
            Some((Values::Texts(values), at)) => {
                let value = values.get(at).and_then(Option::as_ref);
                value.and_then(|value| str::from_utf8(value.data()).ok())
            }
            _ => None,
        })
    }

    fn page(&mut self, game: u64, column: GameColumn) -> Result<Option<(&Values, usize)>, IndexError> {
        let Some(row) = game.checked_sub(self.first).filter(|row| *row < self.table.rows()) else {
            return Ok(None);
        };
        let is_there = self.pages.get(&column).is_some_and(|page| page.rows.contains(&row));
        if !is_there {
            let rows = self.table.page_of(row);
            let values = self.read(column, rows.clone())?;
            self.pages.insert(column, Page { rows, values });
        }
        let page = self.pages.get(&column);
        Ok(page.map(|page| (&page.values, usize::try_from(row - page.rows.start).unwrap_or(usize::MAX))))
    }

    fn read(&self, column: GameColumn, rows: Range<u64>) -> Result<Values, IndexError> {
        let at = column as usize;
        debug_assert_eq!(LAYOUT.columns[at].name, column.name());
        Ok(match column.kind() {
            Kind::Long => {
                let mut scan = self.table.scan::<Int64Type>(at, rows);
                let mut values = Vec::new();
                while scan.read()? {
                    values.extend_from_slice(scan.values());
                }
                Values::Numbers(values)
            }
            Kind::Int => {
                let mut scan = self.table.scan::<Int32Type>(at, rows);
                let mut values = Vec::new();
                while scan.read()? {
                    values.extend(scan.values().iter().map(|value| value.map(i64::from)));
                }
                Values::Numbers(values)
            }
            Kind::Text => {
                let mut scan = self.table.scan::<ByteArrayType>(at, rows);
                let mut values = Vec::new();
                while scan.read()? {
                    values.extend_from_slice(scan.values());
                }
                Values::Texts(values)
            }
        })
    }
}
