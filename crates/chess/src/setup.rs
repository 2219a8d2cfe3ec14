//! The six fields of a FEN, without a check of their values.

use crate::board::Board;
use crate::castling::CastlingRights;
use crate::piece::Color;
use crate::square::Square;

/// The six fields of a FEN. Any combination of values is a setup; [`Position`](crate::position::Position) checks
/// whether it can be played.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    /// The board.
    pub board: Board,
    /// The side to move.
    pub turn: Color,
    /// The castling rights.
    pub castling: CastlingRights,
    /// The square that a pawn passed over in the last move, whether or not an en passant capture is possible.
    pub ep: Option<Square>,
    /// The halfmove clock: the number of plies since the last capture or pawn move.
    pub halfmoves: u32,
    /// The fullmove number. It starts at 1 and increases after each move of Black.
    pub fullmoves: u32,
}

impl Setup {
    /// Returns the setup of the standard starting position.
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
