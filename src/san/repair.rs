//! What was odd about the spelling of a move.

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
    /// Castling is written with zeros, small letters or other dashes: `0-0`, `o-o`, `O–O`.
    Castling,
    /// Castling is written by squares: `e1g1`, or `e1h1` where king takes rook.
    CastlingCoordinates,
}

impl Display for SanRepair {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Figurine => "a figurine for a letter",
            Self::LetterCase => "a letter in the wrong case",
            Self::PawnLetter => "a letter for the pawn",
            Self::PawnCoordinates => "a pawn's move by its squares",
            Self::ShortCapture => "a pawn's capture by files alone",
            Self::CaptureMark => "x missing, superfluous or written otherwise",
            Self::Dash => "an odd dash",
            Self::Promotion => "a promotion not written with = and a capital",
            Self::EnPassantMark => "en passant marked",
            Self::Castling => "castling not written O-O or O-O-O",
            Self::CastlingCoordinates => "castling by squares",
        })
    }
}
