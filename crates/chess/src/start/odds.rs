//! Odds: starting positions with some pieces or pawns removed.

use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::castling::CastlingRights;
use crate::piece::Color;
use crate::position::Position;

/// The pieces and pawns that are missing from the standard starting position. Either side may give odds, or both, and
/// either side may move first. Each side keeps at least half of its pieces; a position with fewer is an endgame.
///
/// `Display` writes the odds in words, such as `White: queen's knight`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Odds {
    missing: Bitboard,
    turn: Color,
}

/// The minimum number of pieces and pawns that a side keeps.
const FEWEST: u32 = 8;

impl Odds {
    /// Returns the odds of a position; `None` if no piece is missing or it is another position. All pieces must stand
    /// on their starting squares, and each king and rook that are there must have the right to castle.
    pub(super) fn of(position: &Position) -> Option<Self> {
        let board = position.board();
        let missing = Board::initial().occupied() - board.occupied();
        let mut rest = Board::initial();
        missing.into_iter().for_each(|sq| rest.clear(sq));
        let rights = CastlingRights::new(CastlingRights::CORNERS.rooks() - missing);
        let is_game = Color::ALL.iter().all(|color| board.by_color(*color).count() >= FEWEST);
        let is_at_odds = position.variant().is_none()
            && !missing.is_empty()
            && is_game
            && *board == rest
            && position.castling() == rights;
        is_at_odds.then_some(Self { missing, turn: position.turn() })
    }

    /// Returns the squares of the missing pieces and pawns.
    pub fn missing(self) -> Bitboard {
        self.missing
    }

    /// Returns the side to move.
    pub fn turn(self) -> Color {
        self.turn
    }
}
