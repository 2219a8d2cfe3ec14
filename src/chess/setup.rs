//! The six fields of a FEN, legal or not.

use crate::chess::board::Board;
use crate::chess::castling::CastlingRights;
use crate::chess::piece::Color;
use crate::chess::square::Square;

/// A placement with what else a FEN tells. Any combination of values is a setup; whether it can be played on is
/// [`Position`](crate::chess::position::Position)'s matter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    /// Where the men stand.
    pub board: Board,
    /// The side to move.
    pub turn: Color,
    /// The rooks that may still castle.
    pub castling: CastlingRights,
    /// The square that a pawn passed over in the last move, whether or not anything can take it there.
    pub ep: Option<Square>,
    /// The number of plies since the last capture or pawn move.
    pub halfmoves: u32,
    /// The number of the full move, counted from 1 and raised after each move of Black.
    pub fullmoves: u32,
}

impl Setup {
    /// The start of an orthodox game.
    pub const fn initial() -> Self {
        Self {
            board: Board::initial(),
            turn: Color::White,
            castling: CastlingRights::CORNERS,
            ep: None,
            halfmoves: 0,
            fullmoves: 1,
        }
    }
}
