//! Looks for a shape in positions that follow one another.

use crate::chess::position::Position;
use crate::selection::shape::ShapeFilter;
use crate::selection::shape::view::View;

/// A search for a shape in positions that follow one another in a game. Faster than [`ShapeFilter::holds`] for each of them, because
/// material and pawns are tested only after a capture or a pawn move.
#[derive(Clone, Debug)]
pub(crate) struct ShapeScan<'f> {
    filter: &'f ShapeFilter,
    /// The views in which material and pawns hold. Each has the bit of its index.
    views: u8,
    is_begun: bool,
    /// The number of positions in a row, up to the last, in which the shape holds.
    run: u32,
}

impl<'f> ShapeScan<'f> {
    pub(crate) fn new(filter: &'f ShapeFilter) -> Self {
        Self { filter, views: 0, is_begun: false, run: 0 }
    }

    /// Takes the next position of a line. Returns the number of positions in a row, up to this one, in which the shape holds.
    #[inline]
    pub(crate) fn see(&mut self, position: &Position) -> u32 {
        let (filter, board) = (self.filter, position.board());
        // The halfmove clock is zero after captures and pawn moves. No other moves change the material or the pawns.
        if position.halfmoves() == 0 || !self.is_begun {
            self.is_begun = true;
            let holds = |view: &View| filter.has_material(*view, board) && filter.has_pawns(*view, board);
            self.views = filter.views().filter(holds).fold(0, |views, view| views | 1 << view.index());
        }
        let matches = |view: View| self.views >> view.index() & 1 == 1 && filter.matches_pattern(view, board);
        let holds = self.views != 0 && (filter.patterns.is_empty() || View::ALL.into_iter().any(matches));
        self.run = if holds { self.run + 1 } else { 0 };
        self.run
    }
}
