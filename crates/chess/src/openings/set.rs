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

#[cfg(test)]
mod tests {
    use super::{OpeningSet, names};
    use crate::openings::Tracker;
    use crate::position::Position;
    use crate::testing::find;

    fn line(moves: &str) -> Tracker {
        let mut position = Position::initial();
        let moves = moves.split(' ').map(|uci| {
            let m = find(&position, uci);
            position.play_unchecked(m);
            m
        });
        Tracker::of_line(&Position::initial(), &moves.collect::<Vec<_>>())
    }

    #[test]
    fn a_set_holds_the_lines_of_its_openings() {
        let sicilian = OpeningSet::of(|opening| opening.name.starts_with("Sicilian Defense"));
        assert!(!sicilian.is_empty());
        assert!(sicilian.contains(line("e2e4 c7c5")) && sicilian.contains(line("e2e4 c7c5 g1f3 d7d6")));
        assert!(
            !sicilian.contains(line("e2e4 e7e5")) && !sicilian.contains(Tracker::of_line(&Position::initial(), &[]))
        );
        assert!(OpeningSet::of(|_| false).is_empty());
    }

    #[test]
    fn the_line_of_a_set_has_the_least_rank_and_the_fewest_moves() {
        let sicilian = OpeningSet::of(|opening| opening.name.starts_with("Sicilian Defense"));
        let shortest = |rank: fn(&str) -> u8| sicilian.shortest_line(|opening| rank(opening.name)).unwrap();
        assert_eq!(shortest(|_| 0).0.name, "Sicilian Defense");
        let (opening, moves) = shortest(|name| u8::from(name != "Sicilian Defense: Kan Variation"));
        assert_eq!(
            (opening.name, moves),
            ("Sicilian Defense: Kan Variation", "1. e4 c5 2. Nf3 e6 3. d4 cxd4 4. Nxd4 a6")
        );
        assert_eq!(OpeningSet::of(|_| false).shortest_line(|_| 0), None);
    }

    #[test]
    fn every_line_of_the_table_has_a_name() {
        assert_eq!(names().count(), 3810);
        assert!(names().any(|name| name == "King's Gambit") && names().all(|name| !name.is_empty()));
    }
}
