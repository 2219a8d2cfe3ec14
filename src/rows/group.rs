//! Groups of rows, whose boundaries do not depend on how the database was cut into blocks.

use std::ops::Range;
use std::sync::Arc;

use crate::rows::table::Table;

/// The greatest size of a group, about, in bytes. A group with long tag values has fewer rows.
const MOST_WEIGHT: usize = 64 * 1024 * 1024;

/// Rows that are encoded together.
#[derive(Debug, Default)]
pub(crate) struct Group {
    pub(crate) pieces: Vec<Piece>,
    pub(crate) rows: usize,
}

/// A range of the rows of a table.
#[derive(Debug)]
pub(crate) struct Piece {
    pub(crate) table: Arc<Table>,
    pub(crate) rows: Range<usize>,
}

impl Piece {
    /// Returns the indices of the rows in the table.
    pub(crate) fn indices(&self) -> impl Iterator<Item = usize> {
        self.rows.clone().map(|nth| self.table.index(nth))
    }
}

/// Divides tables into groups, in the order of the database. The end of a group depends only on the rows, and not on the table that
/// holds them.
#[derive(Debug)]
pub(crate) struct Grouping {
    most_rows: usize,
    /// The group that is not yet full.
    open: Group,
    weight: usize,
}

impl Grouping {
    pub(crate) fn new(most_rows: usize) -> Self {
        Self { most_rows: most_rows.max(1), open: Group::default(), weight: 0 }
    }

    /// Adds the rows of a table, and appends the groups that are now full to `full`.
    pub(crate) fn add(&mut self, table: Table, full: &mut Vec<Group>) {
        let table = Arc::new(table);
        let (mut from, mut at) = (0, 0);
        for (mut rows, row_weight) in table.runs() {
            while rows > 0 {
                let room = (MOST_WEIGHT - self.weight).div_ceil(row_weight).min(self.most_rows - self.open.rows);
                let taken = rows.min(room);
                rows -= taken;
                at += taken;
                self.open.rows += taken;
                self.weight += taken * row_weight;
                if self.open.rows == self.most_rows || self.weight >= MOST_WEIGHT {
                    self.open.pieces.push(Piece { table: Arc::clone(&table), rows: from..at });
                    full.push(self.end());
                    from = at;
                }
            }
        }
        if at > from {
            self.open.pieces.push(Piece { table, rows: from..at });
        }
    }

    /// Returns the last group, which may be empty.
    pub(crate) fn end(&mut self) -> Group {
        self.weight = 0;
        std::mem::take(&mut self.open)
    }
}

#[cfg(test)]
mod tests {
    use super::{Group, Grouping, Piece};
    use crate::chess::piece::Color;
    use crate::rows::table::Table;

    /// Creates a table of games with these numbers of rows.
    fn table(games: &[u32]) -> Table {
        let mut table = Table::default();
        for rows in games {
            table.begin_game(1, 0, 0);
            (0..*rows).for_each(|ply| table.begin_row(ply, Color::White));
        }
        table
    }

    /// Compares groups of four rows, given as the lengths of their pieces.
    #[track_caller]
    fn check(tables: &[&[u32]], expected: &[&[usize]]) {
        let mut grouping = Grouping::new(4);
        let mut groups: Vec<Group> = Vec::new();
        for games in tables {
            grouping.add(table(games), &mut groups);
        }
        groups.push(grouping.end());
        let lengths = |group: &Group| group.pieces.iter().map(|piece| piece.rows.len()).collect::<Vec<_>>();
        assert_eq!(groups.iter().map(lengths).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_group_ends_when_it_is_full_and_not_where_a_table_ends() {
        check(&[&[4]], &[&[4], &[]]);
        check(&[&[1, 2], &[], &[2]], &[&[3, 1], &[1]]);
        check(&[&[9, 2]], &[&[4], &[4], &[3]]);
        check(&[&[1], &[1], &[1], &[1], &[1]], &[&[1, 1, 1, 1], &[1]]);
    }

    #[test]
    fn rows_that_were_taken_out_do_not_count() {
        let mut grouping = Grouping::new(2);
        let mut groups = Vec::new();
        let mut table = table(&[3, 3]);
        table.retain(|row| row % 2 == 0);
        grouping.add(table, &mut groups);
        let kept: Vec<usize> = groups[0].pieces.iter().flat_map(Piece::indices).collect();
        assert_eq!((kept, groups.len(), grouping.end().rows), (vec![0, 2], 1, 1));
    }
}
