//! Tables of blocks → groups of rows.

use std::sync::Arc;

use crate::rows::column::Columns;
use crate::rows::group::{Group, Grouping, Piece};
use crate::rows::table::{Place, Table};
use crate::walk::Stretch;

/// Tells tables where they lie, and divides their rows into groups that do not depend on where the database was cut.
#[derive(Debug)]
pub(crate) struct Collector {
    /// None where each table is a group.
    grouping: Option<Grouping>,
    /// The tables so far, if they wait until all have been taken.
    held: Option<Vec<Table>>,
    file: Option<Arc<str>>,
    games: u64,
    has_lines: bool,
}

impl Collector {
    /// Creates one for rows with these columns, in groups of so many rows at most; None for a group a block.
    pub(crate) fn new(columns: &Columns, most_rows: Option<usize>) -> Self {
        let grouping = most_rows.map(Grouping::new);
        Self { grouping, held: None, file: None, games: 0, has_lines: columns.has().line }
    }

    /// The same, holding the tables until it is known how many games their rows stand for. Memory grows with the rows.
    #[must_use]
    pub(crate) fn held(self) -> Self {
        Self { held: Some(Vec::new()), ..self }
    }

    /// Says how many games the rows stand for that are held.
    pub(crate) fn count(&mut self, mut counts: &[u64]) {
        for table in self.held.iter_mut().flatten() {
            let (own, others) = counts.split_at(table.len().min(counts.len()));
            table.count(own);
            counts = others;
        }
    }

    /// The following tables are of this file.
    pub(crate) fn begin_file(&mut self, name: &str) {
        self.file = Some(name.into());
        self.games = 0;
    }

    /// Takes the next table, which was read from this stretch. Groups that are full then are appended to `full`.
    pub(crate) fn collect(&mut self, table: &mut Table, stretch: &Stretch<'_>, full: &mut Vec<Group>) {
        let lines = if self.has_lines { stretch.line() } else { 0 };
        table.place(Place { file: self.file.clone(), games: self.games, lines });
        self.games += stretch.games;
        if table.is_empty() {
            return;
        }
        let mut table = std::mem::take(table);
        match &mut self.held {
            Some(held) => {
                table.compact();
                held.push(table);
            }
            None => self.group(table, full),
        }
    }

    fn group(&mut self, table: Table, full: &mut Vec<Group>) {
        match &mut self.grouping {
            Some(grouping) => grouping.add(table, full),
            None => {
                let rows = table.len();
                let piece = Piece { table: Arc::new(table), rows: 0..rows };
                full.push(Group { pieces: vec![piece], rows });
            }
        }
    }

    /// The rows that are left when all tables have been taken.
    pub(crate) fn end(mut self, full: &mut Vec<Group>) {
        for table in self.held.take().into_iter().flatten() {
            self.group(table, full);
        }
        let last = self.grouping.as_mut().map(Grouping::end);
        full.extend(last.filter(|group| group.rows > 0));
    }
}
