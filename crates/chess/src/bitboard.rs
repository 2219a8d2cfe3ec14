//! Sets of squares with one bit for each square.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign};

use crate::square::{File, Rank, Square};

/// A set of squares. Bit 0 is a1, bit 63 is h8.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// The empty set.
    pub const EMPTY: Self = Self(0);

    /// The set of all 64 squares.
    pub const FULL: Self = Self(!0);

    /// Returns the set of the one square `sq`.
    #[inline]
    pub const fn from_square(sq: Square) -> Self {
        Self(1 << sq.index())
    }

    /// Returns the eight squares of a file.
    #[inline]
    pub const fn from_file(file: File) -> Self {
        Self(0x0101_0101_0101_0101 << file.index())
    }

    /// Returns the eight squares of a rank.
    #[inline]
    pub const fn from_rank(rank: Rank) -> Self {
        Self(0xff << (rank.index() * 8))
    }

    /// Whether `sq` is in the set.
    #[inline]
    pub const fn contains(self, sq: Square) -> bool {
        self.0 & (1 << sq.index()) != 0
    }

    /// Returns the set with `sq` added.
    #[inline]
    #[must_use]
    pub const fn with(self, sq: Square) -> Self {
        Self(self.0 | (1 << sq.index()))
    }

    /// Returns the set with `sq` removed.
    #[inline]
    #[must_use]
    pub const fn without(self, sq: Square) -> Self {
        Self(self.0 & !(1 << sq.index()))
    }

    /// Returns the first square of the set in the order a1, b1, …, h8; `None` if the set is empty.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.is_empty() { None } else { Some(self.lowest()) }
    }

    /// Returns the last square of the set in the order a1, b1, …, h8; `None` if the set is empty.
    #[inline]
    pub const fn last(self) -> Option<Square> {
        if self.is_empty() { None } else { Some(at_bit(63 - self.0.leading_zeros())) }
    }

    /// Returns the first square of a set that is known not to be empty. For the empty set it returns a1.
    #[inline]
    pub(crate) const fn lowest(self) -> Square {
        at_bit(self.0.trailing_zeros())
    }

    /// Returns the number of squares in the set.
    #[inline]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the set is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set has two or more squares.
    #[inline]
    pub const fn more_than_one(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }
}

/// Returns the square of a bit, 0 to 63. For 64, the bit of an empty set, it returns a1.
#[inline]
const fn at_bit(bit: u32) -> Square {
    Square::wrapping((bit & 63) as u8)
}

/// An iterator over the squares of a set, from a1 to h8.
#[derive(Clone, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let sq = self.0.first()?;
        self.0 = Bitboard(self.0.0 & (self.0.0 - 1));
        Some(sq)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count() as usize;
        (count, Some(count))
    }
}

impl ExactSizeIterator for Squares {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<T: IntoIterator<Item = Square>>(squares: T) -> Self {
        squares.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl From<Square> for Bitboard {
    #[inline]
    fn from(sq: Square) -> Self {
        Self::from_square(sq)
    }
}

impl From<File> for Bitboard {
    #[inline]
    fn from(file: File) -> Self {
        Self::from_file(file)
    }
}

impl From<Rank> for Bitboard {
    #[inline]
    fn from(rank: Rank) -> Self {
        Self::from_rank(rank)
    }
}

impl Not for Bitboard {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl Sub for Bitboard {
    type Output = Self;

    /// Returns the squares of `self` that are not in the other set.
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl SubAssign for Bitboard {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        self.0 &= !other.0;
    }
}

macro_rules! bitwise {
    ($($operator:ident $method:ident $assign:ident $assign_method:ident;)*) => {$(
        impl $operator for Bitboard {
            type Output = Self;

            #[inline]
            fn $method(self, other: Self) -> Self {
                Self(self.0.$method(other.0))
            }
        }

        impl $assign for Bitboard {
            #[inline]
            fn $assign_method(&mut self, other: Self) {
                self.0.$assign_method(other.0);
            }
        }
    )*};
}

bitwise! {
    BitAnd bitand BitAndAssign bitand_assign;
    BitOr bitor BitOrAssign bitor_assign;
    BitXor bitxor BitXorAssign bitxor_assign;
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::Bitboard;
    use crate::square::{File, Rank, Square};

    #[test]
    fn squares_come_out_from_a1_to_h8() {
        let squares = [Square::C1, Square::A2, Square::H8];
        let set: Bitboard = squares.into_iter().rev().collect();
        assert_eq!(set.into_iter().collect::<Vec<_>>(), squares);
        assert_eq!((set.first(), set.last(), set.count()), (Some(Square::C1), Some(Square::H8), 3));
        assert_eq!((Bitboard::EMPTY.first(), Bitboard::EMPTY.last()), (None, None));
    }

    #[test]
    fn sets_are_joined_and_cut_as_bits_are() {
        let (a, b) = (Bitboard(0b1100), Bitboard(0b1010));
        assert_eq!(
            (a & b, a | b, a ^ b, a - b),
            (Bitboard(0b1000), Bitboard(0b1110), Bitboard(0b110), Bitboard(0b100))
        );
        assert_eq!(!a, Bitboard(!0b1100));
        let assigned = |assign: fn(&mut Bitboard, Bitboard)| {
            let mut set = a;
            assign(&mut set, b);
            set
        };
        assert_eq!(assigned(|a, b| *a &= b), a & b);
        assert_eq!(assigned(|a, b| *a |= b), a | b);
        assert_eq!(assigned(|a, b| *a ^= b), a ^ b);
        assert_eq!(assigned(|a, b| *a -= b), a - b);
    }

    #[test]
    fn a_square_is_added_or_taken_once() {
        let set = Bitboard::EMPTY.with(Square::C1).with(Square::C1).with(Square::H8);
        assert_eq!((set.count(), set.into_iter().len()), (2, 2));
        assert!(set.more_than_one() && !set.is_empty());
        assert_eq!(set.without(Square::C1).without(Square::C1), Square::H8.into());
    }

    #[test]
    fn a_file_and_a_rank_meet_in_a_square() {
        let meeting = Bitboard::from(File::E) & Bitboard::from(Rank::Fourth);
        assert_eq!(meeting, Square::E4.into());
        assert!(!meeting.more_than_one());
        assert!((meeting - Square::E4.into()).is_empty());
    }
}
