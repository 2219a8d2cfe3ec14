//! Pieces, their colors and their roles.

use std::fmt;
use std::ops::Not;

use crate::square::Rank;

/// A side of the game, White or Black.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Color {
    White,
    Black,
}

impl Color {
    /// Both colors: White, then Black.
    pub const ALL: [Self; 2] = [Self::White, Self::Black];

    /// Returns the index of the color: 0 for White, 1 for Black.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize & 1
    }

    /// Returns the value for this color: the first for White, the second for Black.
    #[inline]
    pub const fn pick<T: Copy>(self, white: T, black: T) -> T {
        match self {
            Self::White => white,
            Self::Black => black,
        }
    }

    /// Returns the rank on which the pieces of this color start and the pawns of the other color promote.
    #[inline]
    pub const fn back_rank(self) -> Rank {
        self.pick(Rank::First, Rank::Eighth)
    }

    /// Returns the rank on which the pawns of this color start.
    #[inline]
    pub const fn pawn_rank(self) -> Rank {
        self.pick(Rank::Second, Rank::Seventh)
    }

    /// Returns the direction in which the pawns of this color advance, in ranks: 1 for White, -1 for Black.
    #[inline]
    pub const fn forward(self) -> i8 {
        self.pick(1, -1)
    }
}

impl Not for Color {
    type Output = Self;

    /// Returns the other color.
    #[inline]
    fn not(self) -> Self {
        self.pick(Self::Black, Self::White)
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.pick("white", "black"))
    }
}

/// The kind of a piece, without its color.
///
/// The discriminants are the low three bits of the piece codes, of which 0 is an empty square.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(rename_all = "snake_case"))]
#[repr(u8)]
pub enum Role {
    Pawn = 1,
    Knight = 2,
    Bishop = 3,
    Rook = 4,
    Queen = 5,
    King = 6,
}

impl Role {
    /// All six roles, from pawn to king.
    pub const ALL: [Self; 6] = [Self::Pawn, Self::Knight, Self::Bishop, Self::Rook, Self::Queen, Self::King];

    /// The roles to which a pawn can promote, the queen first.
    pub const PROMOTIONS: [Self; 4] = [Self::Queen, Self::Rook, Self::Bishop, Self::Knight];

    /// Returns the piece of this role and the given color.
    #[inline]
    pub const fn of(self, color: Color) -> Piece {
        Piece { color, role: self }
    }

    /// Parses an English piece letter in upper case; the letter of the pawn is `P`.
    #[inline]
    pub const fn from_char(letter: char) -> Option<Self> {
        Some(match letter {
            'P' => Self::Pawn,
            'N' => Self::Knight,
            'B' => Self::Bishop,
            'R' => Self::Rook,
            'Q' => Self::Queen,
            'K' => Self::King,
            _ => return None,
        })
    }

    /// Returns the English piece letter in upper case; the letter of the pawn is `P`.
    #[inline]
    pub const fn char(self) -> char {
        match self {
            Self::Pawn => 'P',
            Self::Knight => 'N',
            Self::Bishop => 'B',
            Self::Rook => 'R',
            Self::Queen => 'Q',
            Self::King => 'K',
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Pawn => "pawn",
            Self::Knight => "knight",
            Self::Bishop => "bishop",
            Self::Rook => "rook",
            Self::Queen => "queen",
            Self::King => "king",
        })
    }
}

/// A piece or pawn with its color.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece {
    pub color: Color,
    pub role: Role,
}

impl Piece {
    /// Parses a FEN piece letter: upper case for White, lower case for Black.
    pub const fn from_char(letter: char) -> Option<Self> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        match Role::from_char(letter.to_ascii_uppercase()) {
            Some(role) => Some(Self { color, role }),
            None => None,
        }
    }

    /// Returns the FEN piece letter: upper case for White, lower case for Black.
    pub const fn char(self) -> char {
        match self.color {
            Color::White => self.role.char(),
            Color::Black => self.role.char().to_ascii_lowercase(),
        }
    }

    /// Returns the FEN piece letter as a byte.
    #[doc(hidden)]
    #[inline]
    pub const fn letter(self) -> u8 {
        LETTERS[self.code() as usize & 15]
    }

    /// Returns the code of the piece, used as a table index: 1 to 6 for P N B R Q K, with bit 3 set for Black.
    #[doc(hidden)]
    #[inline]
    pub const fn code(self) -> u8 {
        (self.color as u8) << 3 | self.role as u8
    }

    /// Returns the code of the piece with this letter. For 0, an empty square, it returns 0.
    #[inline]
    pub(crate) const fn code_of_letter(letter: u8) -> u8 {
        // The low six bits are different for all piece letters.
        CODES[letter as usize & 63]
    }

    /// Returns the piece with this code; `None` for 0, an empty square, and for codes of no piece.
    #[doc(hidden)]
    #[inline]
    pub const fn from_code(code: u8) -> Option<Self> {
        let role = match code & 7 {
            1 => Role::Pawn,
            2 => Role::Knight,
            3 => Role::Bishop,
            4 => Role::Rook,
            5 => Role::Queen,
            6 => Role::King,
            _ => return None,
        };
        Some(Self { color: if code & 8 == 0 { Color::White } else { Color::Black }, role })
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.color, self.role)
    }
}

static LETTERS: [u8; 16] = {
    let mut letters = [0; 16];
    let mut code = 0;
    while code < 16 {
        if let Some(piece) = Piece::from_code(code) {
            letters[code as usize] = piece.char() as u8;
        }
        code += 1;
    }
    letters
};

static CODES: [u8; 64] = {
    let mut codes = [0; 64];
    let mut code = 0;
    while code < 16 {
        if let Some(piece) = Piece::from_code(code) {
            codes[piece.char() as usize & 63] = code;
        }
        code += 1;
    }
    codes
};

#[cfg(test)]
mod tests {
    use super::{Color, Piece, Role};

    #[test]
    fn letters_and_codes_name_the_same_twelve_men() {
        for (letter, code) in "PNBRQKpnbrqk".chars().zip([1, 2, 3, 4, 5, 6, 9, 10, 11, 12, 13, 14]) {
            let piece = Piece::from_char(letter).expect("a piece letter");
            assert_eq!((piece.char(), piece.code()), (letter, code));
            assert_eq!((char::from(piece.letter()), Piece::code_of_letter(piece.letter())), (letter, code));
            assert_eq!(Piece::from_code(code), Some(piece));
        }
        for code in [0, 7, 8, 15] {
            assert_eq!(Piece::from_code(code), None);
        }
        for letter in ['x', '1', 'é', ' '] {
            assert_eq!(Piece::from_char(letter), None);
        }
    }

    #[test]
    fn a_man_is_named_in_lower_case() {
        assert_eq!(Role::Knight.of(Color::White).to_string(), "white knight");
    }
}
