//! The kinds of games whose starts are listed.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use crate::chess::start::StartKind;

/// What a game starts from, if not from the initial array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A start of Chess960.
    Chess960,
    /// A start of Chess960 for each side, and not the same.
    DoubleChess960,
    /// The initial array less some men.
    Odds,
    /// Any other position.
    Position,
    /// Nothing that can be played from: the FEN tag is bad, or it is another game than chess.
    Invalid,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Chess960, Self::DoubleChess960, Self::Odds, Self::Position, Self::Invalid];

    /// Those with a position.
    pub const VALID: [Self; 4] = [Self::Chess960, Self::DoubleChess960, Self::Odds, Self::Position];

    /// The kind of a start; None of the initial array.
    pub(super) fn of(start: StartKind) -> Option<Self> {
        match start {
            StartKind::Standard => None,
            StartKind::Chess960 { .. } => Some(Self::Chess960),
            StartKind::DoubleChess960 { .. } => Some(Self::DoubleChess960),
            StartKind::Odds(_) => Some(Self::Odds),
            StartKind::Position => Some(Self::Position),
        }
    }

    /// The name that is typed and printed: `chess960`, `dfrc`, `odds`, `position` or `invalid`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Chess960 => "chess960",
            Self::DoubleChess960 => "dfrc",
            Self::Odds => "odds",
            Self::Position => "position",
            Self::Invalid => "invalid",
        }
    }
}

impl FromStr for Kind {
    type Err = UnknownKind;

    fn from_str(name: &str) -> Result<Self, UnknownKind> {
        Self::ALL.into_iter().find(|kind| kind.name() == name).ok_or(UnknownKind)
    }
}

/// There is no kind of that name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownKind;

impl fmt::Display for UnknownKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not a kind of start; there are {}", Kind::ALL.map(Kind::name).join(", "))
    }
}

impl Error for UnknownKind {}
