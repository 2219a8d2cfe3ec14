//! A filter for positions by their shape: their material, the pieces on some squares, and their pawns.

mod board_pattern;
mod contents;
mod material;
mod pawns;
mod placement;
mod scan;
mod view;

use std::num::NonZeroU32;

use crate::chess::board::Board;
use crate::chess::position::Position;
use crate::selection::shape::view::View;

pub use crate::selection::shape::board_pattern::BoardPattern;
pub use crate::selection::shape::material::Material;
pub use crate::selection::shape::pawns::PawnStructure;
pub(crate) use crate::selection::shape::scan::ShapeScan;

/// A filter for positions by their shape. By default all positions pass.
///
/// A position must have one of the [materials](Self::material), match one of the [patterns](Self::patterns), and have one of the
/// [pawn structures](Self::pawns). A list without entries is no condition. All of them must hold with the same colors and the same side on
/// the left. Side to move, castling rights and move counters do not matter.
///
/// ```
/// use pgn2fen::fen;
/// use pgn2fen::selection::{ShapeColors, ShapeFilter};
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
    /// The least number of positions, one after another in a game, in which the shape must hold. A position passes if it belongs to such a
    /// stretch. Only walks through games look at this; [`holds`](Self::holds) does not.
    pub for_plies: NonZeroU32,
}

/// Whether the colors of a shape may be exchanged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ShapeColors {
    /// The shape may have its colors as they are given, or exchanged. If they are exchanged, ranks are counted from the other side.
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
        self.views().any(|view| {
            self.has_material(view, board) && self.has_pawns(view, board) && self.matches_pattern(view, board)
        })
    }

    /// Returns the ways in which the shape may be seen.
    fn views(&self) -> impl Iterator<Item = View> + use<> {
        let (swaps, mirrors) = (self.colors == ShapeColors::Either, self.mirror);
        View::ALL.into_iter().filter(move |view| (swaps || !view.swap) && (mirrors || !view.mirror))
    }

    fn has_material(&self, view: View, board: &Board) -> bool {
        self.material.is_empty() || self.material.iter().any(|material| material.holds(view, board))
    }

    fn has_pawns(&self, view: View, board: &Board) -> bool {
        self.pawns.is_empty() || self.pawns.iter().any(|pawns| pawns.holds(view, board))
    }

    fn matches_pattern(&self, view: View, board: &Board) -> bool {
        self.patterns.is_empty() || self.patterns.iter().any(|pattern| pattern.holds(view, board))
    }
}
