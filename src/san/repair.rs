//! What is odd about the spelling of a move, and how much of it one symbol may have.
//!
//! An oddity is either a matter of form or a guess. A **form** says what SAN says in other signs, or leaves something out, so any
//! number of forms may come together. A **guess** takes a sign for another than the one that is written, or against the board;
//! it may be wrong, so a symbol may need one guess and no more. Two guesses together find a legal move for nearly any
//! mistake: with them `bxc4` would be the bishop's move to an empty square.
//!
//! | oddity | example | |
//! |---|---|---|
//! | check marks wrong, doubled or missing; more origin than needed | `Nf3++`, `Ng1f3` | no oddity |
//! | a figurine, the pawn's letter | `♘f3`, `Pe4` | form |
//! | a pawn move with two squares, castling written with squares | `e2-e4`, `e1g1` | form |
//! | `x` left out, or written `:` or `×` | `ed5`, `Qd5`, `e:d5` | form |
//! | another dash, or one where SAN has none | `e2–e4`, `N-f3` | form |
//! | a promotion in another dress, a mark for en passant | `e8Q`, `e8=q`, `exd6e.p.` | form |
//! | castling with zeros or small letters, zeros without dashes | `0-0`, `o-o`, `00` | form |
//! | a letter in the wrong case | `nf3`, `NF3`, `bxc3` for a bishop | guess |
//! | `x` where nothing is taken | `Nxf3` | guess |
//! | the rank of the target left out | `exd` | guess |
//!
//! What a symbol says with a sign of its own (a square, a rank, a file, a piece in a capital letter, what a pawn becomes)
//! is never overlooked. Two squares name the move completely: if it is illegal, no other reading is tried.

use std::fmt::{self, Display, Formatter};

/// A spelling that is not SAN, and is understood all the same. Of several in one symbol one is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SanRepair {
    /// A figurine stands for a piece: `♘f3`.
    Figurine,
    /// A letter is in the wrong case: `nf3`, `NF3`, `BxC3`.
    LetterCase,
    /// The pawn has a letter: `Pe4`.
    PawnLetter,
    /// A pawn's move tells where it comes from: `e2e4`, `e2-e4`, `e4xd5`.
    PawnCoordinates,
    /// A pawn's capture tells the files alone: `exd`, `ed`.
    ShortCapture,
    /// A capture without `x`, an `x` without a capture, or another sign for it: `ed5`, `e5:d6`.
    CaptureMark,
    /// A dash that is not `-`, or one that does not stand between two squares: `N-f3`.
    Dash,
    /// The promotion is not written `=Q`: `e8Q`, `e8(Q)`, `e8/Q`, `e8=q`.
    Promotion,
    /// En passant is marked: `exd6e.p.`.
    EnPassantMark,
    /// Castling is written with zeros, small letters or other dashes, or with zeros alone: `0-0`, `o-o`, `O–O`, `00`.
    Castling,
    /// Castling is written by squares: `e1g1`, or `e1h1` where king takes rook.
    CastlingCoordinates,
}

impl SanRepair {
    const ALL: [Self; 11] = [
        Self::Figurine,
        Self::LetterCase,
        Self::PawnLetter,
        Self::PawnCoordinates,
        Self::ShortCapture,
        Self::CaptureMark,
        Self::Dash,
        Self::Promotion,
        Self::EnPassantMark,
        Self::Castling,
        Self::CastlingCoordinates,
    ];
}

impl Display for SanRepair {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Figurine => "a figurine for a letter",
            Self::LetterCase => "a letter in the wrong case",
            Self::PawnLetter => "a letter for the pawn",
            Self::PawnCoordinates => "a pawn move with two squares",
            Self::ShortCapture => "a pawn capture with files only",
            Self::CaptureMark => "x is missing, superfluous or unusual",
            Self::Dash => "an unusual dash",
            Self::Promotion => "a promotion without = or a capital letter",
            Self::EnPassantMark => "a mark for en passant",
            Self::Castling => "castling not written O-O or O-O-O",
            Self::CastlingCoordinates => "castling written with squares",
        })
    }
}

/// All that had to be overlooked in one reading of a symbol.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Overlooked(u16);

impl Overlooked {
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

    /// How many guesses the reading needs, as far as the board is not asked.
    pub(super) fn guesses(self) -> u32 {
        (self.0 & Self::GUESSES.0).count_ones()
    }

    /// The one that is told, in the order of [`SanRepair`].
    pub(super) fn told(self) -> Option<SanRepair> {
        SanRepair::ALL.into_iter().find(|&repair| self.has(repair))
    }
}
