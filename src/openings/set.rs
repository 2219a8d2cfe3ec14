//! A set of openings.

use crate::openings::lookup::Number;
use crate::openings::name::Opening;
use crate::openings::table;
use crate::openings::tracker::Tracker;

/// A set of openings of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OpeningSet(Vec<Number>);

impl OpeningSet {
    /// Returns the openings for which the closure holds.
    pub(crate) fn of(mut holds: impl FnMut(Opening) -> bool) -> Self {
        let numbered = (1..).map_while(Number::new).zip(table::lines());
        Self(numbered.filter(|(_, (opening, _))| holds(*opening)).map(|(number, _)| number).collect())
    }

    /// Whether the set has no openings.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the opening of a line is in the set. A line without a name is not.
    pub(crate) fn contains(&self, line: Tracker) -> bool {
        line.number().is_some_and(|number| self.0.binary_search(&number).is_ok())
    }
}

/// Returns the names of all openings. Some positions have the same name.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    table::lines().map(|(opening, _)| opening.name)
}
