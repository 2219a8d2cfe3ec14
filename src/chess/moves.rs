//! What a move is.

use crate::chess::board::Board;
use crate::chess::castling::CastlingSide;
use crate::chess::piece::{Color, Role};
use crate::chess::square::{Rank, Square};

/// A move. It means something only together with the position that it is played in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// A man goes from one square to another and takes what stands there.
    Normal {
        /// What moves.
        role: Role,
        /// Where it leaves.
        from: Square,
        /// Where it arrives.
        to: Square,
        /// What it becomes, if it is a pawn that reaches the last rank.
        promotion: Option<Role>,
    },
    /// A pawn takes, in passing, the pawn that just went over `to`.
    EnPassant {
        /// Where the taking pawn leaves.
        from: Square,
        /// Where it arrives: behind the taken pawn.
        to: Square,
    },
    /// The king castles with a rook of his own.
    Castle {
        /// Where the king stands.
        king: Square,
        /// Where the rook stands.
        rook: Square,
    },
    /// The side to move passes. No rule of chess allows it; annotators write it, and it is never generated.
    Null,
}

impl Move {
    /// What moves; the king if he castles.
    #[inline]
    pub const fn role(self) -> Option<Role> {
        match self {
            Self::Normal { role, .. } => Some(role),
            Self::EnPassant { .. } => Some(Role::Pawn),
            Self::Castle { .. } => Some(Role::King),
            Self::Null => None,
        }
    }

    /// Where the man leaves; where the king stands if he castles.
    #[inline]
    pub const fn from(self) -> Option<Square> {
        match self {
            Self::Normal { from, .. } | Self::EnPassant { from, .. } => Some(from),
            Self::Castle { king, .. } => Some(king),
            Self::Null => None,
        }
    }

    /// Where the man arrives; the king's square on file g or c if he castles.
    #[inline]
    pub fn to(self) -> Option<Square> {
        match self {
            Self::Normal { to, .. } | Self::EnPassant { to, .. } => Some(to),
            Self::Castle { king, rook } => {
                let color = if king.rank() == Rank::First { Color::White } else { Color::Black };
                Some(CastlingSide::of(king, rook).king_target(color))
            }
            Self::Null => None,
        }
    }

    /// What the pawn becomes.
    #[inline]
    pub const fn promotion(self) -> Option<Role> {
        match self {
            Self::Normal { promotion, .. } => promotion,
            _ => None,
        }
    }

    /// Whether the move takes a man, on the board that it is played on.
    #[inline]
    pub fn is_capture(self, board: &Board) -> bool {
        match self {
            Self::Normal { to, .. } => board.occupied().contains(to),
            Self::EnPassant { .. } => true,
            Self::Castle { .. } | Self::Null => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Move;
    use crate::chess::piece::Role;
    use crate::chess::square::Square;
    use crate::chess::testing::{find, position};

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
