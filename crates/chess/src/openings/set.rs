//! A set of openings.

use crate::openings::lookup::Number;
use crate::openings::name::Opening;
use crate::openings::table;
use crate::openings::tracker::Tracker;

/// A set of openings of the table.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningSet(Vec<Number>);

impl OpeningSet {
    /// Returns the openings for which the closure holds.
    pub fn of(mut holds: impl FnMut(Opening) -> bool) -> Self {
        let numbered = (1..).map_while(Number::new).zip(table::lines());
        Self(numbered.filter(|(_, (opening, _))| holds(*opening)).map(|(number, _)| number).collect())
    }

    /// Whether the set has no openings.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the opening of the set with the least rank, with its moves; of several, the first one with the fewest
    /// moves.
    pub fn shortest_line(&self, rank: impl Fn(Opening) -> u8) -> Option<(Opening, &'static str)> {
        let numbered = (1..).map_while(Number::new).zip(table::lines());
        let lines = numbered.filter(|(number, _)| self.0.binary_search(number).is_ok()).map(|(_, line)| line);
        lines.min_by_key(|(opening, moves)| (rank(*opening), moves.split_ascii_whitespace().count()))
    }

    /// Whether the opening of a line is in the set. A line without a name is not.
    pub fn contains(&self, line: Tracker) -> bool {
        line.number().is_some_and(|number| self.0.binary_search(&number).is_ok())
    }
}

/// Returns the names of all openings. Some positions have the same name.
#[doc(hidden)]
pub fn names() -> impl Iterator<Item = &'static str> {
    table::lines().map(|(opening, _)| opening.name)
}
