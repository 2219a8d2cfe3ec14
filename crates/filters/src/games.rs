//! The filter for games.

use std::borrow::Cow;

use crate::commented::is_commented;
use crate::course::CourseFilter;
use crate::opening_filter::OpeningFilter;
use crate::players::Players;
use crate::tag_filter::TagFilter;
use pgn2fen_chess::openings::Tracker;
use pgn2fen_chess::position::Position;
use pgn2fen_pgn::encoding::Fallback;
use pgn2fen_pgn::movetext::Movetext;
use pgn2fen_pgn::tags::Tags;

/// A filter for games. By default all games pass.
#[derive(Clone, Debug, Default)]
pub struct GameFilter {
    /// The conditions on tags. All of them must hold.
    pub tags: Vec<TagFilter>,
    /// The players under several names, whom the conditions on tags find under all of them: see
    /// [`TagFilter::for_players`]. A job makes more of them: copies that are
    /// [the same by their players](crate::players), or the names that an index keeps.
    pub players: Players,
    /// The condition on the starting position.
    pub start: Start,
    /// The conditions on the opening of the main line. One of them must hold, if there are any. A game whose opening
    /// has no name, or that has no usable starting position, does not pass. Moves behind an error are not played.
    pub openings: Vec<OpeningFilter>,
    /// Whether the game must have a comment in words, in the main line or in a variation. Commands such as
    /// `[%clk 0:01:00]`, evaluations of engines and `book` are no words.
    pub commented: bool,
    /// The conditions on the course of the main line. A game is played for them, as far as they need it.
    pub course: CourseFilter,
}

/// A condition on the starting position of a game, which its SetUp, FEN and Variant tags set. A game without a usable
/// starting position passes only [`Start::Any`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// Any starting position, or none that is usable.
    #[default]
    Any,
    /// The initial position of chess, with or without a FEN tag. The move counters of the FEN are ignored.
    Standard,
    /// Any other starting position.
    Nonstandard,
}

impl GameFilter {
    /// Whether all conditions on tags hold for these tags. Values that are not UTF-8 are decoded from `encoding`.
    pub fn wants_tags(&self, tags: &Tags<'_>, encoding: &Fallback) -> bool {
        self.tags.iter().all(|filter| self.for_players(filter).holds(tags, encoding))
    }

    /// Whether all conditions on tags hold for a game with these tags and this movetext: see
    /// [`TagFilter::holds_for_game`].
    pub fn wants_game<'a>(&self, tags: &Tags<'a>, movetext: &Movetext<'a>, encoding: &Fallback) -> bool {
        self.tags.iter().all(|filter| self.for_players(filter).holds_for_game(tags, movetext, encoding))
    }

    /// Makes the conditions on tags find the players under all their names. That is done once for a job, and otherwise
    /// again for each game.
    #[doc(hidden)]
    pub fn find_players(&mut self) {
        if !self.players.is_empty() {
            self.tags = self.tags.iter().map(|filter| filter.for_players(&self.players)).collect();
        }
    }

    fn for_players<'f>(&self, filter: &'f TagFilter) -> Cow<'f, TagFilter> {
        if self.players.is_empty() || filter.finds_players() {
            Cow::Borrowed(filter)
        } else {
            Cow::Owned(filter.for_players(&self.players))
        }
    }

    /// Whether the condition on the starting position holds for this position.
    pub fn wants_start(&self, start: &Position) -> bool {
        match self.start {
            Start::Any => true,
            Start::Standard => start.is_same_position(&Position::start(start.rules())),
            Start::Nonstandard => !start.is_same_position(&Position::start(start.rules())),
        }
    }

    /// Whether the moves or the comments of a game matter.
    pub fn reads_moves(&self) -> bool {
        self.commented || self.plays()
    }

    /// Whether the game must be played.
    #[doc(hidden)]
    pub fn plays(&self) -> bool {
        !self.openings.is_empty() || !self.course.is_empty()
    }

    /// Whether the condition on comments holds for a game with this movetext. Comments that are not UTF-8 are decoded
    /// from `encoding`.
    pub fn wants_comments(&self, movetext: &Movetext<'_>, encoding: &Fallback) -> bool {
        !self.commented || is_commented(movetext.clone(), encoding)
    }

    /// Whether one of the conditions on the opening holds for the opening of a main line, or there are no such
    /// conditions.
    pub fn wants_opening(&self, line: Tracker) -> bool {
        self.openings.is_empty() || self.openings.iter().any(|filter| filter.holds(line))
    }
}

#[cfg(test)]
mod tests {
    use super::{GameFilter, Start};
    use pgn2fen_chess::testing::position;

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
