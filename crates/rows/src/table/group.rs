//! Groups of rows, whose boundaries do not depend on how the database was cut into blocks.

use std::ops::Range;
use std::sync::Arc;

use crate::table::Table;

/// The greatest size of a group, about, in bytes. A group with long tag values has fewer rows.
const MOST_WEIGHT: usize = 64 * 1024 * 1024;

/// The greatest size of a group of a format that has no groups of its own, about, in bytes. Very few blocks are larger.
const MOST_OF_BLOCK: usize = 8 * 1024 * 1024;

/// How rows are divided into groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Division {
    /// A group has this number of rows, wherever the database was cut.
    Rows(usize),
    /// The rows of a block are a group, or several if they are large: groups mean nothing to the format. `row` is the
    /// size of an encoded row without its values, about, in bytes.
    Blocks { row: usize },
    /// The rows of a block are one group, which therefore has whole games.
    WholeBlocks,
}

impl Division {
    /// Sets the number of rows of a group, if the format has a number and another one is given.
    pub(crate) fn with_rows(self, rows: Option<usize>) -> Self {
        match (self, rows) {
            (Self::Rows(_), Some(rows)) => Self::Rows(rows),
            (usual, _) => usual,
        }
    }
}

/// Rows that are encoded together.
#[derive(Debug, Default)]
pub(crate) struct Group {
    pub(crate) pieces: Vec<GroupPiece>,
    pub(crate) rows: usize,
    /// The size of the rows, about, in bytes.
    pub(crate) weight: usize,
}

/// A range of the rows of a table.
#[derive(Debug)]
pub(crate) struct GroupPiece {
    pub(crate) table: Arc<Table>,
    pub(crate) rows: Range<usize>,
}

impl GroupPiece {
    /// Returns the indices of the rows in the table.
    pub(crate) fn indices(&self) -> impl Iterator<Item = usize> {
        self.rows.clone().map(|nth| self.table.index(nth))
    }

    /// Returns the indices of the rows in the table, and whether each is the first row of its game.
    pub(crate) fn indices_with_starts(&self) -> impl Iterator<Item = (usize, bool)> {
        let begins_game = |nth: usize| nth == 0 || self.table.end_of_game(nth - 1) == nth;
        self.rows.clone().map(move |nth| (self.table.index(nth), begins_game(nth)))
    }
}

/// Divides tables into groups, in the order of the database. The end of a group depends only on the rows, and not on
/// the table that holds them.
#[derive(Debug)]
pub(crate) struct Grouping {
    most_rows: usize,
    most_weight: usize,
    /// The size of a row without its values, about, in bytes.
    row: usize,
    /// Whether a group ends with its block.
    ends_with_block: bool,
    /// The group that is not yet full.
    open: Group,
}

impl Grouping {
    pub(crate) fn new(division: Division) -> Self {
        let usual = Self {
            most_rows: usize::MAX,
            most_weight: MOST_WEIGHT,
            row: 0,
            ends_with_block: false,
            open: Group::default(),
        };
        match division {
            Division::Rows(rows) => Self { most_rows: rows.max(1), ..usual },
            Division::Blocks { row } => Self { most_weight: MOST_OF_BLOCK, row, ends_with_block: true, ..usual },
            Division::WholeBlocks => Self { most_weight: usize::MAX, ends_with_block: true, ..usual },
        }
    }

    /// Adds the rows of a table, and appends the groups that are now full to `full`.
    pub(crate) fn add(&mut self, table: Table, full: &mut Vec<Group>) {
        let rows = table.len();
        let table = Arc::new(table);
        if self.ends_with_block {
            let weight = table.most_weight(self.row);
            if weight <= self.most_weight {
                full.push(Group { pieces: vec![GroupPiece { table, rows: 0..rows }], rows, weight });
                return;
            }
        }
        let (mut from, mut at) = (0, 0);
        for (mut rows, row_weight) in table.runs() {
            let row_weight = row_weight + self.row;
            while rows > 0 {
                let room =
                    (self.most_weight - self.open.weight).div_ceil(row_weight).min(self.most_rows - self.open.rows);
                let taken = rows.min(room);
                rows -= taken;
                at += taken;
                self.open.rows += taken;
                self.open.weight += taken * row_weight;
                if self.open.rows == self.most_rows || self.open.weight >= self.most_weight {
                    self.open.pieces.push(GroupPiece { table: Arc::clone(&table), rows: from..at });
                    full.push(self.end());
                    from = at;
                }
            }
        }
        if at > from {
            self.open.pieces.push(GroupPiece { table, rows: from..at });
        }
        if self.ends_with_block && self.open.rows > 0 {
            full.push(self.end());
        }
    }

    /// Returns the last group, which may be empty.
    pub(crate) fn end(&mut self) -> Group {
        std::mem::take(&mut self.open)
    }
}

#[cfg(test)]
mod tests {
    use super::{Division, Group, GroupPiece, Grouping};
    use crate::columns::Columns;
    use crate::columns::column::Column;
    use crate::table::Table;
    use crate::testing::written;
    use crate::{Format, Rows};
    use pgn2fen_chess::piece::Color;
    use pgn2fen_games::pgn::encoding::Fallback;
    use pgn2fen_games::pgn::tags::Tags;

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
        let mut grouping = Grouping::new(Division::Rows(4));
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
    fn a_large_block_has_several_groups_if_its_format_has_none() {
        let lengths = |division: Division| {
            let (mut grouping, mut groups) = (Grouping::new(division), Vec::new());
            grouping.add(table(&[3, 1]), &mut groups);
            grouping.add(table(&[2]), &mut groups);
            assert_eq!(grouping.end().rows, 0);
            groups.iter().map(|group| group.pieces.iter().map(|piece| piece.rows.len()).sum()).collect::<Vec<usize>>()
        };
        let third = super::MOST_OF_BLOCK / 3;
        assert_eq!(lengths(Division::Blocks { row: 0 }), [4, 2]);
        assert_eq!(lengths(Division::Blocks { row: third }), [3, 1, 2]);
        assert_eq!(lengths(Division::Blocks { row: 9 * third }), [1, 1, 1, 1, 1, 1]);
        assert_eq!(lengths(Division::WholeBlocks), [4, 2]);
        let (mut grouping, mut groups) = (Grouping::new(Division::Blocks { row: third }), Vec::new());
        grouping.add(table(&[2, 4]), &mut groups);
        assert_eq!(groups.iter().map(|group| group.rows).collect::<Vec<_>>(), [3, 3]);
    }

    #[test]
    fn rows_that_were_taken_out_do_not_count() {
        let mut grouping = Grouping::new(Division::Rows(2));
        let mut groups = Vec::new();
        let mut table = table(&[3, 3]);
        table.retain(|row| row % 2 == 0);
        grouping.add(table, &mut groups);
        let kept: Vec<usize> = groups[0].pieces.iter().flat_map(GroupPiece::indices).collect();
        assert_eq!((kept, groups.len(), grouping.end().rows), (vec![0, 2], 1, 1));
    }

    #[test]
    fn long_texts_make_small_groups() {
        let rows = Rows::columns("ply,White,comment,game").unwrap().format(Format::Jsonl);
        let games = |tag: usize, comment: usize| {
            format!("[White \"{}\"]\n\n1. e4 {{{}}} e5 *\n\n", "x".repeat(tag), "y".repeat(comment))
        };
        let weights = |text: &str| {
            let mut table = Table::default();
            let columns: Columns = "White,comment".parse().unwrap();
            for game in text.split_terminator("\n\n\n") {
                table.begin_game(1, 0, 0);
                table.push_tags(&columns, &Tags::read(game.as_bytes(), 0), &Fallback::default());
                for comment in ["", "some words"] {
                    table.begin_row(0, Color::White);
                    table
                        .buffer_mut(&Column::Comment)
                        .texts()
                        .push_with(|out| out.extend_from_slice(comment.as_bytes()));
                }
            }
            (table.runs().collect::<Vec<_>>(), table.most_weight(1000))
        };
        assert_eq!(
            weights("[White \"abc\"]\n\n\n[White \"\"]"),
            (vec![(1, 131), (1, 141), (1, 128), (1, 138)], 4 * (128 + 1000 + 3) + 20,)
        );
        let mut plain = table(&[2, 1]);
        assert_eq!(plain.runs().collect::<Vec<_>>(), [(2, 128), (1, 128)]);
        plain.keep_first(1);
        assert_eq!(plain.runs().collect::<Vec<_>>(), [(1, 128)]);
        // What is divided is joined again.
        let (text, _) = written(&rows, &games(3000, 9000).repeat(600));
        assert_eq!(text.lines().count(), 1800);
        // Games are counted in the whole file.
        assert!(text.ends_with("\"game\":600}\n"), "{}", &text[text.len() - 100..]);
    }

    #[test]
    fn a_table_that_is_cleared_has_no_rows_and_loses_none() {
        let mut cleared = table(&[2, 1]);
        cleared.retain(|_| false);
        cleared.clear();
        assert!(cleared.is_empty());
        cleared.begin_game(1, 0, 0);
        cleared.begin_row(0, Color::White);
        assert_eq!((cleared.len(), cleared.game_of(0)), (1, 0));
    }

    #[test]
    fn all_that_rows_repeat_of_a_game_has_weight() {
        let tags = Tags::read(b"[White \"abcdefgh\"]\n", 0);
        let mut of_tags = Table::default();
        of_tags.begin_game(1, 0, 0);
        of_tags.push_pairs(&tags, &Fallback::default());
        of_tags.begin_row(0, Color::White);
        assert_eq!(of_tags.most_weight(0), 128 + "White".len() + "abcdefgh".len());
        let mut of_moves = Table::default();
        of_moves.begin_game(1, 0, 0);
        of_moves.begin_row(0, Color::White);
        (0..100).for_each(|_| of_moves.courses.push_move(|out| out.extend_from_slice(b"e2e4")));
        of_moves.end_course();
        assert!(of_moves.most_weight(0) > 128 + 400);
    }

    #[test]
    fn the_column_of_tags_has_each_name_once_and_256_names_at_most() {
        let names = |text: &str| {
            let rows = Rows::columns("tags").unwrap().plies("0").unwrap().format(Format::Jsonl);
            let (line, _) = written(&rows, text);
            line.matches("\":\"").count()
        };
        assert_eq!(names("[Event \"a\"]\n[White \"b\"]\n[Event \"c\"]\n\n*\n"), 2);
        let many: String = (0..300).map(|number| format!("[Tag{number} \"x\"]\n")).collect();
        assert_eq!(names(&format!("{many}\n*\n")), 256);
    }
}
