//! Collects the tables of blocks into groups of rows.

use std::sync::Arc;

use crate::columns::Columns;
use crate::columns::column::Column;
use crate::columns::column::set::ColumnSet;
use crate::encode::encoded::EncodedRows;
use crate::table::group::{Division, Group, Grouping};
use crate::table::{RowPlace, Table};
use pgn2fen_games::walk::BlockPosition;

/// The most empty tables that wait for blocks.
const MOST_SPARES: usize = 8;

/// Sets the place of each table in its file, and divides the rows into groups. The groups do not depend on how the
/// database was cut into blocks.
#[derive(Debug)]
pub(crate) struct Collector {
    grouping: Grouping,
    /// The tables so far, if they are kept until the end.
    held: Option<Vec<Table>>,
    file: Option<Arc<str>>,
    games: u64,
    /// The number of games in the run before the next table. `None` before the first table.
    ids: Option<u64>,
    /// Empty tables, whose memory is used again. A table waits in its group until that is encoded, so the next block
    /// needs another one.
    spares: Vec<Table>,
    has: ColumnSet,
    /// The maximum number of further rows. `None` means no limit.
    room: Option<u64>,
}

impl Collector {
    /// Creates a collector that makes groups, and drops all rows but the first `room`. `None` means no limit.
    pub(crate) fn new(columns: &Columns, division: Division, room: Option<u64>) -> Self {
        Self {
            grouping: Grouping::new(division),
            held: None,
            file: None,
            games: 0,
            ids: None,
            spares: Vec::new(),
            has: columns.has(),
            room,
        }
    }

    /// Keeps the tables in memory until the number of games for each row is known, if `is_held`. Memory grows with the
    /// number of rows.
    #[must_use]
    pub(crate) fn held(self, is_held: bool) -> Self {
        Self { held: is_held.then(Vec::new), ..self }
    }

    /// Sets the number of games for each row that is kept.
    pub(crate) fn count(&mut self, mut counts: &[u64]) {
        for table in self.held.iter_mut().flatten() {
            let (own, others) = counts.split_at(table.len().min(counts.len()));
            table.count(own);
            counts = others;
        }
    }

    /// Begins a file, to which the following tables belong.
    pub(crate) fn begin_file(&mut self, name: &str) {
        self.file = Some(name.into());
        self.games = 0;
    }

    /// Takes the table of the next block, which was read from this part of the file, and returns the groups that are
    /// now full with the block. Counts the rows that are dropped because of the limit.
    pub(crate) fn collect(&mut self, block: &mut EncodedRows, position: &BlockPosition<'_>) {
        let table = &mut block.table;
        self.spares.append(&mut block.spares);
        self.spares.truncate(MOST_SPARES);
        let lines = if self.has.has(&Column::Line) { position.line() } else { 0 };
        let before = if self.has.has(&Column::Game) { position.before().games() } else { 0 };
        // The first input may be a range; then the games before it count.
        let ids =
            *self.ids.get_or_insert_with(|| if self.has.has(&Column::Id) { position.before().games() } else { 0 });
        table.place(RowPlace { file: self.file.clone(), games: before + self.games, ids, lines });
        self.games += position.games;
        self.ids = Some(ids + position.games);
        block.encoded.left_out.boards += self.room.as_mut().map_or(0, |room| drop_beyond(room, table));
        if table.is_empty() {
            return;
        }
        let mut table = std::mem::take(table);
        match &mut self.held {
            Some(held) => {
                table.compact();
                held.push(table);
            }
            None => self.grouping.add(table, &mut block.groups),
        }
        // If a group is full, the encoder puts a table back.
        if block.groups.is_empty() {
            block.table = self.spares.pop().unwrap_or_default();
        }
    }

    /// Appends the rest of the rows to `full`, after all tables have been taken.
    pub(crate) fn end(mut self, full: &mut Vec<Group>) {
        for table in self.held.take().into_iter().flatten() {
            self.grouping.add(table, full);
        }
        full.extend(Some(self.grouping.end()).filter(|group| group.rows > 0));
    }
}

/// Drops the rows of a table for which there is no room, and returns their number.
fn drop_beyond(room: &mut u64, table: &mut Table) -> u64 {
    let rows = table.len() as u64;
    let dropped = rows.saturating_sub(*room);
    if dropped > 0 {
        // There are not more rows than were there.
        table.keep_first(usize::try_from(*room).unwrap_or(usize::MAX));
    }
    *room -= rows - dropped;
    dropped
}

#[cfg(test)]
mod tests {
    use super::drop_beyond;
    use crate::table::Table;
    use pgn2fen_chess::piece::Color;

    #[test]
    fn rows_beyond_a_limit_are_dropped_from_several_tables() {
        let mut room = 3;
        let mut left = |rows: u32| {
            let mut table = Table::default();
            table.begin_game(1, 0, 0);
            (0..rows).for_each(|ply| table.begin_row(ply, Color::White));
            (drop_beyond(&mut room, &mut table), table.len())
        };
        assert_eq!([left(2), left(2), left(2)], [(0, 2), (1, 1), (2, 0)]);
    }
}
