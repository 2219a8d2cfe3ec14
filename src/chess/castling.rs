//! Castling rights, kept as the rooks that may castle, so that Chess960 is no special case.

use std::fmt;

use crate::chess::bitboard::Bitboard;
use crate::chess::board::Board;
use crate::chess::piece::{Color, Role};
use crate::chess::square::{File, Square};

/// The rooks that have the right to castle: White's on the first rank, Black's on the eighth.
///
/// Which side a right is for follows from where the king stands.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct CastlingRights(Bitboard);

impl CastlingRights {
    /// No right.
    pub const NONE: Self = Self(Bitboard::EMPTY);

    /// The four rights at the start of an orthodox game: the rooks in the corners.
    pub const CORNERS: Self = Self(Bitboard::EMPTY.with(Square::A1).with(Square::H1).with(Square::A8).with(Square::H8));

    /// The rights of the rooks on these squares.
    #[inline]
    pub const fn new(rooks: Bitboard) -> Self {
        Self(rooks)
    }

    /// The squares of the rooks.
    #[inline]
    pub const fn rooks(self) -> Bitboard {
        self.0
    }

    /// Whether nobody may castle any more.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// Whether the rook on this square may castle.
    #[inline]
    pub const fn contains(self, rook: Square) -> bool {
        self.0.contains(rook)
    }

    /// The rights, and that of the rook on this square.
    #[inline]
    #[must_use]
    pub const fn with(self, rook: Square) -> Self {
        Self(self.0.with(rook))
    }

    /// The rights of one colour.
    #[inline]
    #[must_use]
    pub const fn of(self, color: Color) -> Self {
        Self(Bitboard(self.0.0 & Bitboard::from_rank(color.back_rank()).0))
    }

    /// The rook of this colour that may castle on this side of its king.
    pub fn rook(self, board: &Board, color: Color, side: CastlingSide) -> Option<Square> {
        let king = board.king_of(color)?;
        self.of(color).0.into_iter().find(|&rook| CastlingSide::of(king, rook) == side)
    }

    /// Whether the rights are ones that orthodox chess can have: kings on file e, rooks on files a and h.
    ///
    /// Rights that are not tell that a game is Chess960; rights that are tell nothing.
    pub fn are_orthodox(self, board: &Board) -> bool {
        Color::ALL
            .into_iter()
            .all(|color| self.of(color).is_empty() || board.king_of(color).is_some_and(|king| king.file() == File::E))
            && (self.0 - Self::CORNERS.0).is_empty()
    }

    /// What is left when a man of `color` has gone from `from` to `to`: a rook that left or was taken has lost its
    /// right, and a king that moved has lost them all.
    #[inline]
    #[must_use]
    pub(crate) fn after(self, color: Color, role: Role, from: Square, to: Square) -> Self {
        let lost = if role == Role::King { color.back_rank().into() } else { Bitboard::EMPTY };
        Self(self.0.without(from).without(to) - lost)
    }

    /// What is left when the king of `color` has moved or castled.
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

/// A side of the board to castle to, named for the piece that starts there in orthodox chess.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CastlingSide {
    /// O-O: the king goes to file g, the rook to file f.
    King,
    /// O-O-O: the king goes to file c, the rook to file d.
    Queen,
}

impl CastlingSide {
    /// King side, then queen side.
    pub const ALL: [Self; 2] = [Self::King, Self::Queen];

    /// The side that a king castles to with this rook.
    #[inline]
    pub fn of(king: Square, rook: Square) -> Self {
        if rook > king { Self::King } else { Self::Queen }
    }

    /// Where the king of this colour arrives, wherever he started.
    #[inline]
    pub const fn king_target(self, color: Color) -> Square {
        Square::new(
            match self {
                Self::King => File::G,
                Self::Queen => File::C,
            },
            color.back_rank(),
        )
    }

    /// Where the rook of this colour arrives, wherever it started.
    #[inline]
    pub const fn rook_target(self, color: Color) -> Square {
        Square::new(
            match self {
                Self::King => File::F,
                Self::Queen => File::D,
            },
            color.back_rank(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::{CastlingRights, CastlingSide};
    use crate::chess::board::Board;
    use crate::chess::piece::{Color, Role};
    use crate::chess::square::Square;

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

        let mut moved = board;
        moved.remove(Square::E8);
        moved.set(Square::D8, Role::King.of(Color::Black));
        assert!(!CastlingRights::CORNERS.are_orthodox(&moved));
        assert!(CastlingRights::CORNERS.of(Color::White).are_orthodox(&moved));
    }
}
