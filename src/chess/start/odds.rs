//! The initial array less some men: who gives what.

use crate::chess::bitboard::Bitboard;
use crate::chess::board::Board;
use crate::chess::castling::CastlingRights;
use crate::chess::piece::Color;
use crate::chess::position::Position;

/// Men that are left out of the initial array: at most half of a side's, or else it is an endgame with its men at home. Who
/// gives them may be either side, or both, and either side may begin.
///
/// They are displayed in the words of players: see `notation::odds`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Odds {
    missing: Bitboard,
    turn: Color,
}

/// How many men a side keeps at least.
const FEWEST: u32 = 8;

impl Odds {
    /// The odds of a position in which men of the initial array stand on their squares, and may castle where king and rook are
    /// there. None if it is another position, or no man is missing.
    pub(super) fn of(position: &Position) -> Option<Self> {
        let board = position.board();
        let missing = Board::initial().occupied() - board.occupied();
        let mut rest = Board::initial();
        missing.into_iter().for_each(|sq| rest.clear(sq));
        let rights = CastlingRights::new(CastlingRights::CORNERS.rooks() - missing);
        let is_game = Color::ALL.iter().all(|color| board.by_color(*color).count() >= FEWEST);
        let is_at_odds = !missing.is_empty() && is_game && *board == rest && position.castling() == rights;
        is_at_odds.then_some(Self { missing, turn: position.turn() })
    }

    /// The squares of the men that are missing.
    pub fn missing(self) -> Bitboard {
        self.missing
    }

    /// The side to move.
    pub fn turn(self) -> Color {
        self.turn
    }
}
