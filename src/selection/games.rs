//! Which games are wanted.

use crate::chess::position::Position;
use crate::pgn::encoding::Fallback;
use crate::pgn::tags::Tags;
use crate::selection::tag_filter::TagFilter;

/// Which games are wanted. By default all are.
#[derive(Clone, Debug, Default)]
pub struct GameFilter {
    /// All of these must hold.
    pub tags: Vec<TagFilter>,
    /// Where the games start.
    pub start: Start,
}

/// Where a game starts, by its SetUp, FEN and Variant tags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// Anywhere.
    #[default]
    Any,
    /// From the initial position of chess, whether or not a FEN tag spells it. The clocks do not count.
    Standard,
    /// From any other.
    Nonstandard,
}

impl GameFilter {
    /// Whether a game with these tags may be wanted.
    pub fn wants_tags(&self, tags: &Tags<'_>, encoding: &Fallback) -> bool {
        self.tags.iter().all(|filter| filter.holds(tags, encoding))
    }

    /// Whether a game that starts here may be wanted.
    pub fn wants_start(&self, start: &Position) -> bool {
        match self.start {
            Start::Any => true,
            Start::Standard => start.is_same_position(&Position::initial()),
            Start::Nonstandard => !start.is_same_position(&Position::initial()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{GameFilter, Start};
    use crate::chess::testing::position;

    #[track_caller]
    fn check(fen: &str, is_standard: bool) {
        let start = position(fen);
        for (kind, wanted) in [(Start::Any, true), (Start::Standard, is_standard), (Start::Nonstandard, !is_standard)] {
            assert_eq!(GameFilter { start: kind, ..GameFilter::default() }.wants_start(&start), wanted, "{fen}");
        }
    }

    #[test]
    fn the_initial_array_is_standard_whatever_the_clocks_say() {
        check("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", true);
        check("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3 20", true);
        check("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1", false);
        check("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1", false);
        check("bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w FCfc - 0 1", false);
    }
}
