//! A setup that passed, and the playing of moves on it.

mod chess960;
mod legality;
mod validity;

use std::error::Error;
use std::fmt;

use crate::chess::bitboard::Bitboard;
use crate::chess::board::Board;
use crate::chess::castling::{CastlingRights, CastlingSide};
use crate::chess::moves::Move;
use crate::chess::piece::{Color, Role};
use crate::chess::setup::Setup;
use crate::chess::square::Square;

pub use crate::chess::position::validity::{PositionError, Repair, Repairs};

/// A position that can be played on: one king each, no pawn on a back rank, the side not to move not in check, and no
/// castling right or e.p. square that contradicts the board.
///
/// Equality compares all six fields. For sameness as players mean it see
/// [`is_same_position`](Self::is_same_position).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    setup: Setup,
}

impl Position {
    /// The start of an orthodox game.
    #[inline]
    pub fn initial() -> Self {
        const { Self { setup: Setup::initial() } }
    }

    /// The six fields.
    #[inline]
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Where the men stand.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.setup.board
    }

    /// The side to move.
    #[inline]
    pub fn turn(&self) -> Color {
        self.setup.turn
    }

    /// The rooks that may still castle.
    #[inline]
    pub fn castling(&self) -> CastlingRights {
        self.setup.castling
    }

    /// The square that a pawn passed over in the last move, whether or not anything can take it there.
    #[inline]
    pub fn ep(&self) -> Option<Square> {
        self.setup.ep
    }

    /// The number of plies since the last capture or pawn move.
    #[inline]
    pub fn halfmoves(&self) -> u32 {
        self.setup.halfmoves
    }

    /// The number of the full move.
    #[inline]
    pub fn fullmoves(&self) -> u32 {
        self.setup.fullmoves
    }

    /// Where the king of a colour stands.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        self.board().by_piece(Role::King.of(color)).lowest()
    }

    /// The men that give check to the side to move.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        let board = self.board();
        board.attackers_to(self.king(self.turn()), !self.turn(), board.occupied())
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn is_check(&self) -> bool {
        !self.checkers().is_empty()
    }

    /// Whether this is the same position in the sense of the repetition rule: the same men, mover and castling
    /// rights, and the same pawn to be taken in passing, if that is legal. The counters do not matter.
    pub fn is_same_position(&self, other: &Self) -> bool {
        self.board() == other.board()
            && self.turn() == other.turn()
            && self.castling() == other.castling()
            && self.legal_ep() == other.legal_ep()
    }

    /// The position after a move.
    ///
    /// # Errors
    ///
    /// The move is not legal here.
    pub fn play(&self, m: Move) -> Result<Self, IllegalMove> {
        if !self.is_legal(m) {
            return Err(IllegalMove(m));
        }
        let mut next = self.clone();
        next.play_unchecked(m);
        Ok(next)
    }

    /// Plays a move that the caller knows to be legal.
    ///
    /// Of an illegal move nothing is said but that it is no undefined behaviour: the board may end up in disorder,
    /// and a later call may panic.
    #[inline(always)]
    pub fn play_unchecked(&mut self, m: Move) {
        let Setup { board, turn, castling, ep, halfmoves, fullmoves } = &mut self.setup;
        let color = *turn;
        *turn = !color;
        *ep = None;
        *halfmoves = halfmoves.saturating_add(1);
        *fullmoves = fullmoves.saturating_add(color as u32);

        if let Move::Normal { role, from, to, promotion } = m {
            let captures = board.relocate(from, to, role.of(color), promotion.unwrap_or(role));
            if captures || role == Role::Pawn {
                *halfmoves = 0;
            }
            if role == Role::Pawn {
                *ep = passed_square(from, to);
            }
            *castling = castling.after(color, role, from, to);
        } else {
            self.place_special(m, color);
        }
    }

    /// What the rarer moves do to the board and the rights.
    #[inline(never)]
    fn place_special(&mut self, m: Move, color: Color) {
        let Setup { board, castling, halfmoves, .. } = &mut self.setup;
        match m {
            Move::EnPassant { from, to } => {
                board.clear(captured_en_passant(to));
                board.relocate(from, to, Role::Pawn.of(color), Role::Pawn);
                *halfmoves = 0;
            }
            Move::Castle { king, rook } => {
                let side = CastlingSide::of(king, rook);
                // Both leave before either arrives: in Chess960 one may arrive where the other stood.
                board.clear(king);
                board.clear(rook);
                board.put(side.king_target(color), Role::King.of(color));
                board.put(side.rook_target(color), Role::Rook.of(color));
                *castling = castling.after_king(color);
            }
            Move::Normal { .. } | Move::Null => {}
        }
    }
}

impl Default for Position {
    fn default() -> Self {
        Self::initial()
    }
}

/// A move that [`Position::play`] refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IllegalMove(pub Move);

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Move::Normal { role, from, to, .. } => {
                write!(f, "the {role} on {from} cannot go to {to}")
            }
            Move::EnPassant { from, to } => {
                write!(f, "the pawn on {from} cannot capture en passant on {to}")
            }
            Move::Castle { king, rook } => {
                write!(f, "the king on {king} cannot castle with a rook on {rook}")
            }
            Move::Null => f.write_str("a side in check cannot pass"),
        }
    }
}

impl Error for IllegalMove {}

/// The square that a pawn passes over when it goes from `from` to `to`: none, unless it goes two ranks.
#[inline]
pub(crate) fn passed_square(from: Square, to: Square) -> Option<Square> {
    // A pawn goes two ranks only from the second to the fourth or from the seventh to the fifth, and no other move of
    // a pawn changes the same one bit of the number.
    let (from, to) = (from.number(), to.number());
    (from ^ to == 16).then(|| Square::wrapping((from + to) / 2))
}

/// Where the pawn stands that is taken by a pawn that arrives on `to` in passing.
#[inline]
pub(crate) fn captured_en_passant(to: Square) -> Square {
    // From the third rank up to the fourth, from the sixth down to the fifth: bit 3 of the number says which.
    Square::wrapping(to.number() ^ 8)
}

#[cfg(test)]
mod tests {
    use crate::chess::moves::Move;
    use crate::chess::position::Position;
    use crate::chess::square::Square;
    use crate::chess::testing::{play, position};
    use crate::fen::{self, FenStyle};

    #[track_caller]
    fn check(fen: &str, moves: &str, expected: &str) {
        let after = play(&position(fen), moves);
        assert_eq!(fen::to_string(&after, FenStyle::default()), expected);
    }

    #[test]
    fn captures_and_pawn_moves_restart_the_halfmove_clock() {
        check("4k3/8/8/3p4/8/4P3/8/3QK3 w - - 7 9", "d1d4", "4k3/8/8/3p4/3Q4/4P3/8/4K3 b - - 8 9");
        check("4k3/8/8/3p4/8/4P3/8/3QK3 w - - 7 9", "d1d5", "4k3/8/8/3Q4/8/4P3/8/4K3 b - - 0 9");
        check("4k3/8/8/3p4/8/4P3/8/3QK3 w - - 7 9", "e3e4", "4k3/8/8/3p4/4P3/8/8/3QK3 b - - 0 9");
        check("4k3/8/8/3p4/8/4P3/8/3QK3 b - - 7 9", "e8e7", "8/4k3/8/3p4/8/4P3/8/3QK3 w - - 8 10");
    }

    #[test]
    fn the_counters_stop_at_their_greatest_number() {
        let max = u32::MAX;
        let fen = format!("4k3/8/8/8/8/8/8/4K3 b - - {max} {max}");
        check(&fen, "e8e7", &format!("8/4k3/8/8/8/8/8/4K3 w - - {max} {max}"));
    }

    #[test]
    fn a_double_step_leaves_its_square_behind_for_one_ply() {
        let start = "4k3/p7/8/8/8/8/P7/4K3 w - - 0 1";
        check(start, "a2a4", "4k3/p7/8/8/P7/8/8/4K3 b - a3 0 1");
        check(start, "a2a4 a7a5", "4k3/8/8/p7/P7/8/8/4K3 w - a6 0 2");
        check(start, "a2a3 a7a6", "4k3/8/p7/8/8/P7/8/4K3 w - - 0 2");
        check(start, "a2a4 e8e7", "8/p3k3/8/8/P7/8/8/4K3 w - - 1 2");
    }

    #[test]
    fn a_pawn_taken_in_passing_stands_beside_the_taker() {
        check("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "e5d6", "4k3/8/3P4/8/8/8/8/4K3 b - - 0 2");
        check("4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 2", "e4d3", "4k3/8/8/8/8/3p4/8/4K3 w - - 0 3");
    }

    #[test]
    fn castling_rights_go_with_the_king_and_with_each_rook() {
        let start = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        check(start, "e1e2", "r3k2r/8/8/8/8/8/4K3/R6R b kq - 1 1");
        check(start, "h1g1", "r3k2r/8/8/8/8/8/8/R3K1R1 b Qkq - 1 1");
        check(start, "a1a8", "R3k2r/8/8/8/8/8/8/4K2R b Kk - 0 1");
        check(start, "e1c1", "r3k2r/8/8/8/8/8/8/2KR3R b kq - 1 1");
    }

    #[test]
    fn a_castling_king_of_chess960_may_stay_or_change_places_with_his_rook() {
        check("4k3/8/8/8/8/8/8/6KR w H - 0 1", "g1h1", "4k3/8/8/8/8/8/8/5RK1 b - - 1 1");
        check("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1", "4k3/8/8/8/8/8/8/5RK1 b - - 1 1");
        check("1rk5/8/8/8/8/8/8/4K3 b b - 0 1", "c8b8", "2kr4/8/8/8/8/8/8/4K3 w - - 1 2");
        check("4k3/8/8/8/8/8/8/1KR5 w C - 0 1", "b1c1", "4k3/8/8/8/8/8/8/5RK1 b - - 1 1");
    }

    #[test]
    fn passing_changes_the_turn_and_forgets_the_double_step() {
        let mut position = play(&Position::initial(), "e2e4");
        position.play_unchecked(Move::Null);
        let passed = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 1 2";
        assert_eq!(fen::to_string(&position, FenStyle::default()), passed);
    }

    #[test]
    fn a_repetition_is_told_by_what_can_be_played_next() {
        let start = Position::initial();
        assert!(play(&start, "g1f3 g8f6 f3g1 f6g8").is_same_position(&start));
        assert!(!play(&start, "g1f3").is_same_position(&start));
        // Nobody can take on e3, so that e2-e4 is as good as e2-e3-e4.
        let black = play(&start, "e2e4 b8c6 g1f3 c6b8 f3g1");
        assert!(play(&start, "e2e4").is_same_position(&black));
        // A rook that has moved does not castle.
        let moved = "g1f3 g8f6 h1g1 h8g8 g1h1 g8h8 f3g1 f6g8";
        assert!(!play(&start, moved).is_same_position(&start));
    }

    #[test]
    fn an_illegal_move_is_refused_at_the_border() {
        let castle = Move::Castle { king: Square::E1, rook: Square::H1 };
        let refused = Position::initial().play(castle).expect_err("knight and bishop are in the way");
        assert_eq!(refused.to_string(), "the king on e1 cannot castle with a rook on h1");
    }
}
