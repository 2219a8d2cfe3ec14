//! Castling rights, stored as the squares of the rooks, so that Chess960 needs no special case.

use std::fmt;

use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::piece::{Color, Role};
use crate::square::{File, Square};

/// The squares of the rooks with the right to castle: White's on the first rank, Black's on the eighth.
///
/// The side of a right follows from the square of the king.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct CastlingRights(Bitboard);

impl CastlingRights {
    /// No castling rights.
    pub const NONE: Self = Self(Bitboard::EMPTY);

    /// The four rights at the start of an orthodox game, of the rooks in the corners.
    pub const CORNERS: Self = Self(Bitboard::EMPTY.with(Square::A1).with(Square::H1).with(Square::A8).with(Square::H8));

    /// Returns the rights of the rooks on these squares.
    #[inline]
    pub const fn new(rooks: Bitboard) -> Self {
        Self(rooks)
    }

    /// Returns the squares of the rooks with the right to castle.
    #[inline]
    pub const fn rooks(self) -> Bitboard {
        self.0
    }

    /// Whether there are no rights.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// Whether the rook on this square has the right to castle.
    #[inline]
    pub const fn contains(self, rook: Square) -> bool {
        self.0.contains(rook)
    }

    /// Returns the rights with that of the rook on this square added.
    #[inline]
    #[must_use]
    pub const fn with(self, rook: Square) -> Self {
        Self(self.0.with(rook))
    }

    /// Returns the rights of one color.
    #[inline]
    #[must_use]
    pub const fn of(self, color: Color) -> Self {
        Self(Bitboard(self.0.0 & Bitboard::from_rank(color.back_rank()).0))
    }

    /// Returns the square of the rook with the right to castle for this color on this side of the king.
    pub fn rook(self, board: &Board, color: Color, side: CastlingSide) -> Option<Square> {
        let rooks = self.of(color).rooks();
        if rooks.is_empty() {
            return None;
        }
        let king = board.castling_king(color)?;
        rooks.into_iter().find(|&rook| CastlingSide::of(king, rook) == side)
    }

    /// Whether the rights are possible in orthodox chess: kings on file e, rooks on files a and h.
    ///
    /// If they are not, the game is Chess960. If they are, the game may be either.
    pub fn are_orthodox(self, board: &Board) -> bool {
        Color::ALL.into_iter().all(|color| {
            self.of(color).is_empty() || board.castling_king(color).is_some_and(|king| king.file() == File::E)
        }) && (self.0 - Self::CORNERS.0).is_empty()
    }

    /// Returns those of the rights that are possible in standard chess: of a king on file e, with the rooks on files a
    /// and h.
    #[must_use]
    pub fn orthodox(self, board: &Board) -> Self {
        let corners = Self(self.0 & Self::CORNERS.0);
        let is_possible = |color: &Color| corners.of(*color).are_orthodox(board);
        Color::ALL.into_iter().filter(is_possible).fold(Self::NONE, |all, color| Self(all.0 | corners.of(color).0))
    }

    /// Returns the rights after a piece of `color` has moved from `from` to `to`. A rook that moved or was captured
    /// loses its right; a king that moved loses both rights of its side.
    #[inline]
    #[must_use]
    pub(crate) fn after(self, color: Color, role: Role, from: Square, to: Square) -> Self {
        let lost = if role == Role::King { color.back_rank().into() } else { Bitboard::EMPTY };
        Self(self.0.without(from).without(to) - lost)
    }

    /// Returns the rights after the king of `color` has moved or castled.
    #[inline]
    #[must_use]
    pub(crate) fn after_king(self, color: Color) -> Self {
        Self(self.0 - color.back_rank().into())
    }
}

impl fmt::Debug for CastlingRights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The rules by which a game castles: those of standard chess, or those of Chess960.
///
/// They decide how castling is written in UCI notation. A game has the same rules from its start to its end, whatever
/// castling rights are left: see `Replay::castling_rules` of the crate `pgn2fen-games`. For a position alone, the
/// castling rights decide: [`Position::castling_rules`](crate::position::Position::castling_rules).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CastlingRules {
    /// Kings castle from file e, with the rooks on files a and h.
    #[default]
    Standard,
    /// Kings and rooks castle from any file.
    Chess960,
}

/// The side of the board on which a king castles, named after the piece that starts there in orthodox chess.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CastlingSide {
    /// Kingside castling, O-O: the king goes to file g, the rook to file f.
    King,
    /// Queenside castling, O-O-O: the king goes to file c, the rook to file d.
    Queen,
}

impl CastlingSide {
    /// Both sides: king side, then queen side.
    pub const ALL: [Self; 2] = [Self::King, Self::Queen];

    /// Returns the side on which a king castles with a rook on the square `rook`.
    #[inline]
    pub fn of(king: Square, rook: Square) -> Self {
        if rook > king { Self::King } else { Self::Queen }
    }

    /// Returns the square on which a king of this color arrives. It does not depend on the square where the king
    /// started.
    #[inline]
    pub const fn king_target(self, color: Color) -> Square {
        self.target(File::G, File::C, color)
    }

    /// Returns the square on which a rook of this color arrives. It does not depend on the square where the rook
    /// started.
    #[inline]
    pub const fn rook_target(self, color: Color) -> Square {
        self.target(File::F, File::D, color)
    }

    #[inline]
    const fn target(self, king: File, queen: File, color: Color) -> Square {
        let file = match self {
            Self::King => king,
            Self::Queen => queen,
        };
        Square::new(file, color.back_rank())
    }
}

#[cfg(test)]
mod tests {
    use super::{CastlingRights, CastlingSide};
    use crate::board::Board;
    use crate::piece::{Color, Role};
    use crate::square::Square;

    #[test]
    fn the_king_says_which_side_a_rook_is_on() {
        let board = Board::initial();
        let rook = |color, side| CastlingRights::CORNERS.rook(&board, color, side);
        assert_eq!(rook(Color::White, CastlingSide::King), Some(Square::H1));
        assert_eq!(rook(Color::White, CastlingSide::Queen), Some(Square::A1));
        assert_eq!(rook(Color::Black, CastlingSide::King), Some(Square::H8));
        assert_eq!(rook(Color::Black, CastlingSide::Queen), Some(Square::A8));
        assert_eq!(CastlingRights::NONE.rook(&board, Color::White, CastlingSide::King), None);
    }

    #[test]
    fn a_right_of_chess960_tells_itself() {
        let board = Board::initial();
        assert!(CastlingRights::CORNERS.are_orthodox(&board));
        assert!(!CastlingRights::NONE.with(Square::G1).are_orthodox(&board));

        let mut moved = board.clone();
        moved.remove(Square::E8);
        moved.set(Square::D8, Role::King.of(Color::Black));
        assert!(!CastlingRights::CORNERS.are_orthodox(&moved));
        assert!(CastlingRights::CORNERS.of(Color::White).are_orthodox(&moved));

        let rights = CastlingRights::CORNERS.with(Square::B1);
        assert_eq!(rights.orthodox(&moved), CastlingRights::CORNERS.of(Color::White));
        assert_eq!(rights.orthodox(&board), CastlingRights::CORNERS);
    }
}
