//! A filter for positions by their shape: their material, the pieces on some squares, and their pawns.

mod board_pattern;
mod contents;
mod flexible_rank;
mod material;
mod parts;
mod pawns;
mod placement;
mod planes;
mod present;
mod scan;
mod view;

use std::num::NonZeroU32;

use crate::shape::present::Present;
use crate::shape::view::{View, Views};
use pgn2fen_chess::board::Board;
use pgn2fen_chess::position::Position;

pub use crate::shape::board_pattern::BoardPattern;
pub use crate::shape::material::Material;
pub use crate::shape::pawns::PawnStructure;
#[doc(hidden)]
pub use crate::shape::scan::ShapeScan;

/// A filter for positions by their shape. By default all positions pass.
///
/// A position must have one of the [materials](Self::material), match one of the [patterns](Self::patterns), and have
/// one of the [pawn structures](Self::pawns). A list without entries is no condition. All of them must hold with the
/// same colors and the same side on the left. Side to move, castling rights and move counters do not matter.
///
/// ```
/// use pgn2fen_chess::fen;
/// use pgn2fen_filters::{ShapeColors, ShapeFilter};
///
/// let mut rook_endings = ShapeFilter { material: vec!["RP+1:RP*".parse()?], ..ShapeFilter::default() };
/// let lucena = fen::read(b"1K1k4/1P6/8/8/8/8/r7/2R5 w - - 0 1")?.position;
/// let reversed = fen::read(b"2r5/R7/8/8/8/8/1p6/1k1K4 b - - 0 1")?.position;
/// assert!(rook_endings.holds(&lucena) && rook_endings.holds(&reversed));
/// rook_endings.colors = ShapeColors::Given;
/// assert!(rook_endings.holds(&lucena) && !rook_endings.holds(&reversed));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShapeFilter {
    /// The materials, of which the position must have one.
    pub material: Vec<Material>,
    /// The patterns, of which the board must match one.
    pub patterns: Vec<BoardPattern>,
    /// The pawn structures, of which the position must have one.
    pub pawns: Vec<PawnStructure>,
    /// Whether the colors may be exchanged.
    pub colors: ShapeColors,
    /// Whether left and right may be exchanged.
    pub mirror: bool,
    /// The least number of positions, one after another in a game, in which the shape must hold. A position passes if
    /// it belongs to such a stretch. Only walks through games look at this; [`holds`](Self::holds) does not.
    pub for_plies: NonZeroU32,
}

/// Whether the colors of a shape may be exchanged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ShapeColors {
    /// The shape may have its colors as they are given, or exchanged. If they are exchanged, ranks are counted from the
    /// other side.
    #[default]
    Either,
    /// The shape has its colors as they are given.
    Given,
}

impl Default for ShapeFilter {
    fn default() -> Self {
        Self {
            material: Vec::new(),
            patterns: Vec::new(),
            pawns: Vec::new(),
            colors: ShapeColors::default(),
            mirror: false,
            for_plies: NonZeroU32::MIN,
        }
    }
}

impl ShapeFilter {
    /// Whether there are no conditions, so that all positions pass.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.material.is_empty() && self.patterns.is_empty() && self.pawns.is_empty()
    }

    /// Whether a position has the shape, for however many plies.
    pub fn holds(&self, position: &Position) -> bool {
        let board = position.board();
        self.matches_pattern(self.views_of_men(self.views(), board), board)
    }

    /// Returns the ways in which the shape may be seen.
    fn views(&self) -> Views {
        let is_symmetric = || {
            self.patterns.iter().all(|pattern| pattern.0.is_symmetric)
                && self.pawns.iter().all(|pawns| pawns.0.is_symmetric)
        };
        let swaps = self.colors == ShapeColors::Either;
        let mirrors = self.mirror && !is_symmetric();
        Views::where_each(|view| (swaps || !view.swap) && (mirrors || !view.mirror))
    }

    /// Returns those of the views in which a board has one of the materials and one of the pawn structures.
    fn views_of_men(&self, mut views: Views, board: &Board) -> Views {
        if !self.material.is_empty() {
            let present = Present::on(board);
            let exchanged = present.swapped();
            let (mut given, mut swapped) = (false, false);
            for material in &self.material {
                given = given || material.holds(View::GIVEN, present, board);
                swapped = swapped || material.holds(View::SWAPPED, exchanged, board);
            }
            // It makes no difference for a material if left and right are exchanged.
            views = views.keep(|view| if view.swap { swapped } else { given });
        }
        if !self.pawns.is_empty() {
            views = views.keep(|view| self.pawns.iter().any(|pawns| pawns.0.holds(view, board)));
        }
        views
    }

    /// Whether a board matches one of the patterns in one of the views.
    #[inline]
    fn matches_pattern(&self, views: Views, board: &Board) -> bool {
        let matches = |view| self.patterns.iter().any(|pattern| pattern.0.holds(view, board));
        if self.patterns.is_empty() { !views.is_empty() } else { views.has_any(matches) }
    }
}
