//! Moves.

use crate::board::Board;
use crate::castling::CastlingSide;
use crate::piece::{Color, Role};
use crate::square::{Rank, Square};

/// A move. It has a meaning only together with the position in which it is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(rename_all = "snake_case"))]
pub enum Move {
    /// A piece moves from one square to another and captures any piece there.
    Normal {
        /// The role of the moving piece.
        role: Role,
        /// The origin square.
        from: Square,
        /// The target square.
        to: Square,
        /// The promotion piece of a pawn that reaches the last rank; otherwise `None`.
        promotion: Option<Role>,
    },
    /// An en passant capture of the pawn that just passed over `to`.
    EnPassant {
        /// The origin square of the capturing pawn.
        from: Square,
        /// The target square, behind the captured pawn.
        to: Square,
    },
    /// Castling.
    Castle {
        /// The square of the king.
        king: Square,
        /// The square of the rook.
        rook: Square,
    },
    /// A man is dropped from the hand on an empty square, in crazyhouse.
    Drop {
        /// The role of the man.
        role: Role,
        /// The target square.
        to: Square,
    },
    /// A null move: the side to move passes. It is not legal in chess and never generated, but annotators write it.
    Null,
}

impl Move {
    /// Returns the role of the moving piece; the king for castling, `None` for a null move.
    #[inline]
    pub const fn role(self) -> Option<Role> {
        match self {
            Self::Normal { role, .. } | Self::Drop { role, .. } => Some(role),
            Self::EnPassant { .. } => Some(Role::Pawn),
            Self::Castle { .. } => Some(Role::King),
            Self::Null => None,
        }
    }

    /// Returns the origin square; the square of the king for castling, `None` for a null move and for a drop.
    #[inline]
    pub const fn from(self) -> Option<Square> {
        match self {
            Self::Normal { from, .. } | Self::EnPassant { from, .. } => Some(from),
            Self::Castle { king, .. } => Some(king),
            Self::Drop { .. } | Self::Null => None,
        }
    }

    /// Returns the target square; the square of the king on file g or c for castling, `None` for a null move.
    #[inline]
    pub fn to(self) -> Option<Square> {
        match self {
            Self::Normal { to, .. } | Self::EnPassant { to, .. } | Self::Drop { to, .. } => Some(to),
            Self::Castle { king, rook } => {
                let color = if king.rank() == Rank::First { Color::White } else { Color::Black };
                Some(CastlingSide::of(king, rook).king_target(color))
            }
            Self::Null => None,
        }
    }

    /// Returns the promotion piece, if the move is a promotion.
    #[inline]
    pub const fn promotion(self) -> Option<Role> {
        match self {
            Self::Normal { promotion, .. } => promotion,
            _ => None,
        }
    }

    /// Whether the move captures a piece. `board` is the board before the move.
    #[inline]
    pub fn is_capture(self, board: &Board) -> bool {
        match self {
            Self::Normal { to, .. } => board.occupied().contains(to),
            Self::EnPassant { .. } => true,
            Self::Castle { .. } | Self::Drop { .. } | Self::Null => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Move;
    use crate::piece::Role;
    use crate::square::Square;
    use crate::testing::{find, position};

    #[test]
    fn a_castling_king_arrives_on_file_g_or_c() {
        let castle = |king, rook| Move::Castle { king, rook }.to();
        assert_eq!(castle(Square::E1, Square::H1), Some(Square::G1));
        assert_eq!(castle(Square::E8, Square::A8), Some(Square::C8));
        assert_eq!(castle(Square::G8, Square::F8), Some(Square::C8));
        assert_eq!(castle(Square::B1, Square::C1), Some(Square::G1));
    }

    #[test]
    fn a_capture_takes_a_man_there_or_in_passing() {
        let position = position("r3k3/1P6/8/3pP3/8/8/8/4K2R w K d6 0 1");
        let is_capture = |uci| find(&position, uci).is_capture(position.board());
        assert!(is_capture("b7a8q") && is_capture("e5d6"));
        assert!(!is_capture("b7b8q") && !is_capture("e5e6") && !is_capture("e1g1"));
    }

    #[test]
    fn passing_moves_nothing() {
        assert_eq!((Move::Null.role(), Move::Null.from(), Move::Null.to()), (None, None, None));
        let castle = Move::Castle { king: Square::E1, rook: Square::A1 };
        assert_eq!((castle.role(), castle.from()), (Some(Role::King), Some(Square::E1)));
    }
}
