//! The repairs that reading a FEN may make.

use std::fmt::{self, Display, Formatter};
use std::ops::{BitOr, BitOrAssign};

use crate::position;

/// One repair: a fault that was accepted or corrected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repair {
    /// A repair of the text.
    Text(Oddity),
    /// A repair of the position.
    Position(position::PositionRepair),
}

impl Display for Repair {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(oddity) => oddity.fmt(f),
            Self::Position(repair) => repair.fmt(f),
        }
    }
}

/// A deviation of the text from a FEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Oddity {
    /// Castling or en passant, and perhaps the clocks, are missing. `-` is used for them, and `0 1` for the clocks.
    MissingFields,
    /// The halfmove clock or the fullmove number is missing. `0` or `1` is used for it.
    MissingClocks,
    /// EPD operations follow the fields. `hmvc` and `fmvn` set clocks that are not given as fields; others are skipped.
    Operations,
    /// Two fields are separated by something other than one space, or the text has leading or trailing white space.
    Blanks,
    /// `_` is used in place of white space.
    Underscores,
    /// Two digits stand side by side in a rank, such as `44`.
    AdjacentDigits,
    /// A letter is in the wrong case: `W`, `B` or `E3`.
    LetterCase,
    /// The castling letters are not in the order `KQkq`, or a letter is repeated.
    CastlingOrder,
    /// The fullmove number 0 is read as 1.
    FullmoveZero,
    /// EPD operations do not follow the standard, or have an unknown opcode. They are ignored, except for `hmvc` and
    /// `fmvn` with a number.
    OddOperations,
    /// Text that is neither a field nor an EPD operation follows. It is ignored.
    Remark,
    /// The side to move is a word, such as `white`.
    TurnInWords,
    /// The side to move is missing. It is inferred from the moves that follow or from a check. Otherwise White is to
    /// move.
    MissingTurn,
}

impl Oddity {
    /// All deviations in the order of the enum, with their descriptions.
    const TEXTS: [(Self, &str); 13] = [
        (Self::MissingFields, "missing fields are taken as - - 0 1"),
        (Self::MissingClocks, "a missing halfmove clock is taken as 0, a missing move number as 1"),
        (Self::Operations, "EPD operations follow"),
        (Self::Blanks, "unusual blanks"),
        (Self::Underscores, "'_' stands for blanks"),
        (Self::AdjacentDigits, "two adjacent digits"),
        (Self::LetterCase, "a letter in the wrong case"),
        (Self::CastlingOrder, "castling letters out of order"),
        (Self::FullmoveZero, "fullmove number 0 is read as 1"),
        (Self::OddOperations, "EPD operations that are unknown or malformed are ignored"),
        (Self::Remark, "text behind the FEN is ignored"),
        (Self::TurnInWords, "the side to move is given in words"),
        (
            Self::MissingTurn,
            "the side to move is missing; it is White, unless the moves or a check show that it is Black",
        ),
    ];

    /// Returns this deviation if `there` is true, or else none.
    pub(super) fn when(self, there: bool) -> Oddities {
        if there { self.into() } else { Oddities::NONE }
    }
}

impl Display for Oddity {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(Self::TEXTS[*self as usize].1)
    }
}

/// The repairs of one reading. It is empty if the text was a correct FEN of a position that a game can have.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Repairs {
    pub(super) text: Oddities,
    pub(super) position: position::PositionRepairs,
}

impl Repairs {
    /// Whether there were no repairs.
    pub fn is_empty(self) -> bool {
        self == Self::default()
    }

    /// Returns an iterator over the repairs, those of the text first.
    pub fn iter(self) -> impl Iterator<Item = Repair> {
        self.text.iter().map(Repair::Text).chain(self.position.iter().map(Repair::Position))
    }
}

/// Writes the descriptions of the repairs, separated by `; `.
impl Display for Repairs {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (i, repair) in self.iter().enumerate() {
            let separator = if i == 0 { "" } else { "; " };
            write!(f, "{separator}{repair}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Repairs {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// The deviations of one text from a FEN.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Oddities(u16);

impl Oddities {
    pub(super) const NONE: Self = Self(0);

    fn contains(self, oddity: Oddity) -> bool {
        self | oddity.into() == self
    }

    fn iter(self) -> impl Iterator<Item = Oddity> {
        // Clocks are told with the fields before them.
        let is_told = move |oddity| oddity != Oddity::MissingClocks || !self.contains(Oddity::MissingFields);
        let all = Oddity::TEXTS.into_iter().map(|(oddity, _)| oddity);
        all.filter(move |&oddity| self.contains(oddity) && is_told(oddity))
    }
}

impl From<Oddity> for Oddities {
    fn from(oddity: Oddity) -> Self {
        Self(1 << oddity as u8)
    }
}

impl BitOr for Oddities {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Oddities {
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

#[cfg(test)]
mod tests {
    use super::{Oddities, Oddity, Repairs};

    #[test]
    fn every_oddity_has_a_place_of_its_own() {
        for (oddity, _) in Oddity::TEXTS {
            assert_eq!(Oddities::from(oddity).iter().collect::<Vec<_>>(), [oddity]);
        }
    }

    #[test]
    fn repairs_read_as_a_list() {
        let text = Oddities::from(Oddity::FullmoveZero) | Oddity::Underscores.into();
        let repairs = Repairs { text, ..Repairs::default() };
        assert_eq!(repairs.to_string(), "'_' stands for blanks; fullmove number 0 is read as 1");
        assert_eq!(Repairs::default().to_string(), "");
        assert!(Repairs::default().is_empty() && !repairs.is_empty());
    }
}
