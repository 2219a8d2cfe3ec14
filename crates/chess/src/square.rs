//! The 64 squares, their files and ranks, and their names.

use std::fmt;

/// A square of the board. Squares are numbered rank by rank from White's left: 0 is a1, 1 is b1, 63 is h8.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// Returns the square on `file` and `rank`.
    #[inline]
    pub const fn new(file: File, rank: Rank) -> Self {
        Self((rank as u8) << 3 | file as u8)
    }

    /// Returns the square with this number, 0 for a1 to 63 for h8; `None` for greater numbers.
    #[inline]
    pub const fn from_index(index: u8) -> Option<Self> {
        if index < 64 { Some(Self(index)) } else { None }
    }

    /// Returns the square whose number is the low six bits of `index`.
    #[doc(hidden)]
    #[inline]
    pub const fn wrapping(index: u8) -> Self {
        Self(index & 63)
    }

    /// Parses a name such as `e4`, in lower case.
    pub fn from_ascii(name: &[u8]) -> Option<Self> {
        let &[file, rank] = name else { return None };
        Some(Self::new(File::from_char(file.into())?, Rank::from_char(rank.into())?))
    }

    /// Returns the number of the square, 0 to 63, as an index.
    ///
    /// The mask never changes the value. It lets the compiler omit the bounds check for a table of 64 entries.
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// Returns the number of the square as it is stored, for arithmetic.
    #[doc(hidden)]
    #[inline]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Returns the file of the square.
    #[inline]
    pub const fn file(self) -> File {
        File::wrapping(self.0)
    }

    /// Returns the rank of the square.
    #[inline]
    pub const fn rank(self) -> Rank {
        Rank::wrapping(self.0 >> 3)
    }

    /// Returns the square at a distance of this many files to the right and ranks up, as White sees the board; `None`
    /// if that is off the board.
    #[inline]
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Self> {
        let file = ((self.0 & 7) as i8).saturating_add(files);
        let rank = ((self.0 >> 3) as i8).saturating_add(ranks);
        if file < 0 || file > 7 || rank < 0 || rank > 7 {
            return None;
        }
        Some(Self((rank as u8) << 3 | file as u8))
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file(), self.rank())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A file of the board, a to h.
#[expect(missing_docs, reason = "a file is its letter")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum File {
    A,
    B,
    C,
    D,
    E,
    F,
    G,
    H,
}

/// A rank of the board. Ranks are counted from White's side.
#[expect(missing_docs, reason = "a rank is its number")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Rank {
    First,
    Second,
    Third,
    Fourth,
    Fifth,
    Sixth,
    Seventh,
    Eighth,
}

/// Implements a file or a rank, given its name, the character of the first one and the names of all eight.
macro_rules! number_and_character {
    ($Line:ident, $name:literal, $first:literal, $($number:pat => $Variant:ident),*) => {
        impl $Line {
            #[doc = concat!("All eight ", $name, "s, in the order of their numbers.")]
            pub const ALL: [Self; 8] = [$(Self::$Variant),*];

            #[doc = concat!("Returns the ", $name, " with this number, 0 to 7; `None` for greater numbers.")]
            #[inline]
            pub const fn from_index(index: u8) -> Option<Self> {
                if index < 8 { Some(Self::wrapping(index)) } else { None }
            }

            #[doc = concat!("Returns the ", $name, " whose number is the low three bits of `index`.")]
            #[inline]
            pub(crate) const fn wrapping(index: u8) -> Self {
                match index & 7 {
                    $($number => Self::$Variant,)*
                }
            }

            #[doc = concat!("Parses the character of a ", $name, ": `a` to `h` for a file, `1` to `8` for a rank.")]
            #[inline]
            pub fn from_char(character: char) -> Option<Self> {
                Self::from_index(u8::try_from(character).ok()?.wrapping_sub($first))
            }

            #[doc = concat!("Returns the number of the ", $name, ", 0 to 7.")]
            #[inline]
            pub const fn index(self) -> usize {
                self as usize & 7
            }

            #[doc = concat!("Returns the character of the ", $name, ": `a` to `h` for a file, `1` to `8` for a rank.")]
            #[inline]
            pub const fn char(self) -> char {
                ($first + self as u8) as char
            }
        }

        impl fmt::Display for $Line {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}", self.char())
            }
        }
    };
}

number_and_character!(File, "file", b'a', 0 => A, 1 => B, 2 => C, 3 => D, 4 => E, 5 => F, 6 => G, _ => H);
number_and_character! {
    Rank, "rank", b'1',
    0 => First, 1 => Second, 2 => Third, 3 => Fourth, 4 => Fifth, 5 => Sixth, 6 => Seventh, _ => Eighth
}

macro_rules! name_the_squares {
    ($($name:ident)*) => {
        enum Name { $($name),* }

        impl Square {
            $(
                #[doc = concat!("The square ", stringify!($name), ".")]
                pub const $name: Self = Self(Name::$name as u8);
            )*
        }
    };
}

name_the_squares! {
    A1 B1 C1 D1 E1 F1 G1 H1
    A2 B2 C2 D2 E2 F2 G2 H2
    A3 B3 C3 D3 E3 F3 G3 H3
    A4 B4 C4 D4 E4 F4 G4 H4
    A5 B5 C5 D5 E5 F5 G5 H5
    A6 B6 C6 D6 E6 F6 G6 H6
    A7 B7 C7 D7 E7 F7 G7 H7
    A8 B8 C8 D8 E8 F8 G8 H8
}

#[cfg(test)]
mod tests {
    use super::{File, Rank, Square};

    #[track_caller]
    fn check(square: Square, name: &str, file: File, rank: Rank) {
        assert_eq!(square.to_string(), name);
        assert_eq!(Square::from_ascii(name.as_bytes()), Some(square));
        assert_eq!((square.file(), square.rank()), (file, rank));
        assert_eq!(Square::new(file, rank), square);
    }

    #[test]
    fn a_square_is_named_file_first() {
        check(Square::A1, "a1", File::A, Rank::First);
        check(Square::H1, "h1", File::H, Rank::First);
        check(Square::E4, "e4", File::E, Rank::Fourth);
        check(Square::A8, "a8", File::A, Rank::Eighth);
        check(Square::H8, "h8", File::H, Rank::Eighth);
    }

    #[test]
    fn squares_count_along_the_ranks() {
        assert_eq!((Square::A1.index(), Square::B1.index(), Square::A2.index(), Square::H8.index()), (0, 1, 8, 63));
        assert_eq!(Square::from_index(64), None);
        assert_eq!(Square::wrapping(64), Square::A1);
    }

    #[test]
    fn what_is_not_a_square_has_no_name() {
        for name in ["", "e", "e44", "i4", "e9", "e0", "E4", "4e", "é4"] {
            assert_eq!(Square::from_ascii(name.as_bytes()), None, "{name}");
        }
    }

    #[test]
    fn a_step_off_the_board_leads_nowhere() {
        assert_eq!(Square::E4.offset(1, 2), Some(Square::F6));
        assert_eq!(Square::H4.offset(1, 0), None);
        assert_eq!(Square::A1.offset(0, -1), None);
        assert_eq!(Square::H8.offset(127, 127), None);
    }
}
