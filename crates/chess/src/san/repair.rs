//! The deviations from SAN that are accepted, and how many of them one symbol may have.
//!
//! A deviation is either a form or a guess. A **form** writes the content of SAN with other characters, or leaves part
//! of it out. A symbol may have any number of forms. A **guess** reads a character as a different one, or contradicts
//! the board. A guess may be wrong, so a symbol may need at most one. With two guesses, nearly any mistake would fit
//! some legal move: `bxc4` could become a bishop's move to an empty square.
//!
//! | deviation | example | |
//! |---|---|---|
//! | check marks wrong, doubled or missing; more origin than needed | `Nf3++`, `Ng1f3` | none |
//! | a figurine, a pawn letter | `♘f3`, `Pe4` | form |
//! | a pawn move with two squares, castling written with squares | `e2-e4`, `e1g1` | form |
//! | `x` left out, or written `:` or `×`, also behind the target | `ed5`, `Qd5`, `e:d5`, `ed5:` | form |
//! | another kind of dash, or a dash where SAN has none | `e2–e4`, `N-f3` | form |
//! | a promotion in another format, a mark for en passant | `e8Q`, `e8=q`, `exd6e.p.` | form |
//! | castling with zeros, lower-case letters or blanks, without dashes | `0-0`, `o-o`, `00`, `OO`, `O - O` | form |
//! | digits for the files and the promotion piece | `5254`, `57581` | form |
//! | letters of another alphabet that look alike | `О-О`, `Nхе5` | form |
//! | a letter in the wrong case | `nf3`, `NF3`, `bxc3` for a bishop | guess |
//! | `x` although nothing is captured | `Nxf3` | guess |
//! | the target rank left out | `exd` | guess |
//!
//! The parser never ignores a part of a symbol that has its own character: a square, a rank, a file, an upper-case
//! piece letter, a promotion piece. Two squares name the move completely: if that move is illegal, no other reading is
//! tried.

use std::fmt::{self, Display, Formatter};

/// A deviation from SAN that was accepted. If a symbol has several, only the first in the order of this list is
/// reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SanRepair {
    /// A figurine is used as the piece letter: `♘f3`.
    Figurine,
    /// A letter is in the wrong case: `nf3`, `NF3`, `BxC3`.
    LetterCase,
    /// A pawn move has a piece letter: `Pe4`.
    PawnLetter,
    /// A pawn move includes its origin square: `e2e4`, `e2-e4`, `e4xd5`.
    PawnCoordinates,
    /// A pawn capture names only the two files: `exd`, `ed`.
    ShortCapture,
    /// A capture lacks the `x` or has another sign for it, or an `x` stands in a move that captures nothing: `ed5`,
    /// `e5:d6`.
    CaptureMark,
    /// A dash is not the ASCII `-`, or does not stand between two squares: `N-f3`.
    Dash,
    /// The promotion is not written in the form `=Q`: `e8Q`, `e8(Q)`, `e8/Q`, `e8=q`.
    Promotion,
    /// An en passant capture has a mark: `exd6e.p.`.
    EnPassantMark,
    /// Castling is written with zeros, lower-case letters or other dashes, without dashes, or with blanks: `0-0`,
    /// `o-o`, `O–O`, `00`, `O - O`.
    Castling,
    /// Castling is written with squares: `e1g1`, or `e1h1` for the king capturing its own rook.
    CastlingCoordinates,
    /// The move is written in digits, as in correspondence chess: `5254` for `e2e4`, `57581` for `e7e8q`.
    Numeric,
    /// Letters of another alphabet stand for those of SAN that look like them: a Cyrillic `О-О`, `Nхе5`.
    LookAlike,
    /// The parts of the move stand apart: `N c3`.
    Apart,
}

impl SanRepair {
    /// All deviations in the order of the enum, with their descriptions.
    const TEXTS: [(Self, &str); 14] = [
        (Self::Figurine, "a figurine for a letter"),
        (Self::LetterCase, "a letter in the wrong case"),
        (Self::PawnLetter, "a letter for the pawn"),
        (Self::PawnCoordinates, "a pawn move with two squares"),
        (Self::ShortCapture, "a pawn capture with files only"),
        (Self::CaptureMark, "x is missing, superfluous or unusual"),
        (Self::Dash, "an unusual dash"),
        (Self::Promotion, "a promotion without = or a capital letter"),
        (Self::EnPassantMark, "a mark for en passant"),
        (Self::Castling, "castling not written O-O or O-O-O"),
        (Self::CastlingCoordinates, "castling written with squares"),
        (Self::Numeric, "a move in digits"),
        (Self::LookAlike, "letters of another alphabet that look like those of a move"),
        (Self::Apart, "a move in several parts"),
    ];
}

impl Display for SanRepair {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(Self::TEXTS[*self as usize].1)
    }
}

/// The set of deviations in one reading of a symbol.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SanRepairs(u16);

impl SanRepairs {
    pub(super) const NOTHING: Self = Self(0);

    const GUESSES: Self = Self(Self::only(SanRepair::LetterCase).0 | Self::only(SanRepair::ShortCapture).0);

    pub(super) const fn only(repair: SanRepair) -> Self {
        Self(1 << repair as u16)
    }

    pub(super) fn when(condition: bool, repair: SanRepair) -> Self {
        if condition { Self::only(repair) } else { Self::NOTHING }
    }

    pub(super) fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) fn has(self, repair: SanRepair) -> bool {
        self.0 & Self::only(repair).0 != 0
    }

    /// Returns the number of guesses that the spelling alone needs. A guess that depends on the board is not counted.
    pub(super) fn guesses(self) -> u32 {
        (self.0 & Self::GUESSES.0).count_ones()
    }

    /// Returns the deviation to report: the first in the order of [`SanRepair`].
    pub(super) fn told(self) -> Option<SanRepair> {
        SanRepair::TEXTS.into_iter().map(|(repair, _)| repair).find(|&repair| self.has(repair))
    }
}

#[cfg(test)]
mod tests {
    use super::SanRepair;

    #[test]
    fn every_deviation_is_described_in_its_own_words() {
        for (repair, text) in SanRepair::TEXTS {
            assert_eq!(repair.to_string(), text);
        }
        assert_eq!(SanRepair::Apart.to_string(), "a move in several parts");
    }
}
