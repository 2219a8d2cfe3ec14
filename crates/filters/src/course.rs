//! A filter for the course of a game: the positions and shapes that it reached, its moves, its end, and its length.

use crate::game_end::GameEnd;
use crate::move_sequence::{MoveSequence, SequenceScan};
use crate::range::NumberRange;
use crate::shape::{ShapeFilter, ShapeScan};
use pgn2fen_chess::moves::Move;
use pgn2fen_chess::position::Position;
use pgn2fen_chess::rules::Rules;

/// Conditions on the main line of a game, from its starting position to its last move. Variations do not count, and
/// moves behind an error are not played. By default all games pass; with any condition, a game without a usable
/// starting position does not.
///
/// ```
/// use pgn2fen_chess::san::Letters;
/// use pgn2fen_filters::CourseFilter;
/// use pgn2fen_filters::typed::read_position;
///
/// let reached = vec![read_position("1. e4 e5 2. Nf3", &Letters::ENGLISH)?.position];
/// let course = CourseFilter { reached, length: Some("4..".parse()?), ..CourseFilter::default() };
/// assert!(!course.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CourseFilter {
    /// The positions, of which the game must have reached one, if there are any. Positions are compared as the
    /// repetition rule does: see [`Position::is_same_position`].
    pub reached: Vec<Position>,
    /// The sequences of moves, of which the game must have one, if there are any.
    pub moves: Vec<MoveSequence>,
    /// The shape that the game must have had, for [as many plies](ShapeFilter::for_plies) as it says.
    pub shape: ShapeFilter,
    /// How the game ends: in one of these ways, if there are any.
    pub ends: Vec<GameEnd>,
    /// The number of plies of the game.
    pub length: Option<NumberRange>,
}

impl CourseFilter {
    /// Whether there are no conditions, so that all games pass.
    #[inline]
    pub fn is_empty(&self) -> bool {
        let Self { reached, moves, shape, ends, length } = self;
        reached.is_empty() && moves.is_empty() && shape.is_empty() && ends.is_empty() && length.is_none()
    }

    /// Whether the positions to be reached are all of chess, and so none of them can occur in a game of a variant with
    /// these rules.
    #[doc(hidden)]
    #[inline]
    pub fn wants_other_rules(&self, rules: Rules) -> bool {
        rules != Rules::Chess
            && !self.reached.is_empty()
            && self.reached.iter().all(|position| position.rules() == Rules::Chess)
    }

    /// Whether the end of a game depends on how often its last position has occurred.
    #[doc(hidden)]
    pub fn counts_repetitions(&self) -> bool {
        self.ends.iter().any(|end| matches!(end, GameEnd::Threefold | GameEnd::Fivefold))
    }

    /// Applies the filter to one game.
    #[doc(hidden)]
    pub fn begin(&self) -> Course<'_> {
        let shape = (!self.shape.is_empty()).then(|| ShapeScan::new(&self.shape));
        let moves = (!self.moves.is_empty()).then(|| SequenceScan::new(&self.moves));
        Course { filter: self, awaits_position: !self.reached.is_empty(), moves, shape, last_ply: 0 }
    }
}

/// A [`CourseFilter`] that is applied to the positions of a game, one after another.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct Course<'f> {
    filter: &'f CourseFilter,
    /// Whether a position must still be reached.
    awaits_position: bool,
    /// The search for the moves, as long as they have not been found.
    moves: Option<SequenceScan<'f>>,
    /// The search for the shape, as long as it has not been found.
    shape: Option<ShapeScan<'f>>,
    last_ply: u32,
}

impl Course<'_> {
    /// Takes the position after the next ply and the move that led to it; ply 0 is the start, to which no move leads.
    /// Returns whether the game passes, or None if that depends on what follows.
    #[inline]
    #[doc(hidden)]
    pub fn see(&mut self, ply: u32, played: Option<Move>, position: &Position) -> Option<bool> {
        self.last_ply = ply;
        if self.awaits_position {
            self.awaits_position = !self.filter.reached.iter().any(|wanted| is_reached(wanted, position));
        }
        if let Some(scan) = &mut self.shape
            && scan.see(position) >= self.filter.shape.for_plies.get()
        {
            self.shape = None;
        }
        if let Some(scan) = &mut self.moves
            && scan.see(played, position)
        {
            self.moves = None;
        }
        let is_reached = self.has_all() && self.filter.ends.is_empty();
        match self.filter.length.map(|length| length.decided_at(ply)) {
            Some(Some(false)) => Some(false),
            Some(None) => None,
            Some(Some(true)) | None => is_reached.then_some(true),
        }
    }

    /// Returns whether the game passes, if it ends here, in this position, which has occurred so many times. The number
    /// counts only if the filter [asks for it](CourseFilter::counts_repetitions).
    #[doc(hidden)]
    pub fn end(self, position: &Position, times: usize) -> bool {
        let ends = &self.filter.ends;
        let has_length = self.filter.length.is_none_or(|length| length.contains(self.last_ply));
        has_length && self.has_all() && (ends.is_empty() || ends.iter().any(|end| end.holds(position, times)))
    }

    /// Whether everything that must occur has occurred.
    #[inline]
    fn has_all(&self) -> bool {
        !self.awaits_position && self.moves.is_none() && self.shape.is_none()
    }
}

#[inline]
fn is_reached(wanted: &Position, position: &Position) -> bool {
    // Most positions differ in the squares that are occupied.
    wanted.board().occupied() == position.board().occupied() && wanted.is_same_position(position)
}
