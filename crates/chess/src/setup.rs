//! The fields of a FEN, without a check of their values.

use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::castling::CastlingRights;
use crate::hands::Hands;
use crate::piece::Color;
use crate::rules::Rules;
use crate::square::Square;

/// The six fields of a FEN, and what variants have besides. Any combination of values is a setup;
/// [`Position`](crate::position::Position) checks whether it can be played.
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
    /// The rules of the game.
    pub rules: Rules,
    /// The men in hand, in crazyhouse.
    pub hands: Hands,
    /// The squares of promoted men, in crazyhouse: a captured one becomes a pawn.
    pub promoted: Bitboard,
    /// The checks that White and Black still have to give to win, in three-check; otherwise [`CHECKS`](Self::CHECKS).
    pub checks: [u8; 2],
}

impl Setup {
    /// The checks that each side has to give to win.
    pub const CHECKS: [u8; 2] = [3, 3];

    /// Returns the setup of chess with the same board, turn, castling rights and counters.
    #[must_use]
    pub fn in_chess(&self) -> Self {
        let (rules, hands, promoted, checks) = (Rules::Chess, Hands::EMPTY, Bitboard::EMPTY, Self::CHECKS);
        Self { rules, hands, promoted, checks, ..self.clone() }
    }

    /// Returns the setup of the standard starting position.
    pub const fn initial() -> Self {
        Self {
            board: Board::initial(),
            turn: Color::White,
            castling: CastlingRights::CORNERS,
            ep: None,
            halfmoves: 0,
            fullmoves: 1,
            rules: Rules::Chess,
            hands: Hands::EMPTY,
            promoted: Bitboard::EMPTY,
            checks: Self::CHECKS,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::fen;
    use crate::position::Position;
    use crate::rules::Rules;
    use crate::testing::setup;

    #[test]
    fn a_setup_of_chess_has_nothing_of_a_variant() {
        let board = "4k3/8/8/8/8/8/8/R~3K2R";
        let given = format!("{board}[Qp] w K - 7 9");
        let crazyhouse = fen::read_by(Rules::Crazyhouse, given.as_bytes()).unwrap().position;
        assert_eq!(crazyhouse.setup().in_chess(), setup("4k3/8/8/8/8/8/8/R3K2R w K - 7 9"));
        let three_check = fen::read_by(Rules::ThreeCheck, b"4k3/8/8/8/8/8/8/4K3 w - - 1+2 0 1").unwrap().position;
        assert_eq!(three_check.setup().in_chess(), setup("4k3/8/8/8/8/8/8/4K3 w - - 0 1"));
        assert_eq!(Position::initial().setup().in_chess(), *Position::initial().setup());
    }
}
