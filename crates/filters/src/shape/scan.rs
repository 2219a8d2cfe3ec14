//! Looks for a shape in positions that follow one another.

use crate::shape::ShapeFilter;
use crate::shape::view::Views;
use pgn2fen_chess::position::Position;

/// A search for a shape in positions that follow one another in a game. Material and pawns are tested only after a
/// capture or a pawn move.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct ShapeScan<'f> {
    filter: &'f ShapeFilter,
    /// The ways in which the shape may be seen.
    all: Views,
    /// Those in which material and pawns of the last position hold.
    views: Views,
    /// Whether there are conditions on material or pawns.
    has_men: bool,
    /// The number of the variation of the last position, 0 for the main line. None before the first position.
    line: Option<u32>,
    /// The number of positions in a row, up to the last, in which the shape holds.
    run: u32,
}

impl<'f> ShapeScan<'f> {
    pub fn new(filter: &'f ShapeFilter) -> Self {
        let views = filter.views();
        let has_men = !(filter.material.is_empty() && filter.pawns.is_empty());
        Self { filter, all: views, views, has_men, line: None, run: 0 }
    }

    /// Takes the next position in the order of the text, and the number of the variation that contains it, 0 for the
    /// main line. Returns whether its material and its pawns hold. No position of these lines may be left out.
    #[inline(always)]
    #[doc(hidden)]
    pub fn may_hold(&mut self, position: &Position, line: u32) -> bool {
        // The halfmove clock is zero after captures and pawn moves. No other moves change the material or the pawns.
        if self.has_men && (position.halfmoves() == 0 || self.line != Some(line)) {
            self.see_men(position);
            self.line = Some(line);
        }
        !self.views.is_empty()
    }

    #[inline(never)]
    fn see_men(&mut self, position: &Position) {
        self.views = self.filter.views_of_men(self.all, position.board());
    }

    /// Whether the shape holds in the position, which must be the last that was taken.
    #[inline]
    #[doc(hidden)]
    pub fn matches(&self, position: &Position) -> bool {
        self.filter.matches_pattern(self.views, position.board())
    }

    /// Takes the next position of the main line. Returns the number of positions in a row, up to this one, in which the
    /// shape holds.
    #[inline]
    pub fn see(&mut self, position: &Position) -> u32 {
        let holds = self.may_hold(position, 0) && self.matches(position);
        self.run = if holds { self.run + 1 } else { 0 };
        self.run
    }
}
