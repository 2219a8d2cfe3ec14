//! The kinds of starting positions that can be listed.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use pgn2fen_chess::start::StartKind;

/// The kind of a starting position other than the initial position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// A starting position of Chess960.
    Chess960,
    /// A starting position of double Chess960 (DFRC): the two sides have different arrays.
    DoubleChess960,
    /// The initial position without some pieces.
    Odds,
    /// Any other position.
    Position,
    /// No usable position: the FEN tag is bad, or the game is a variant other than chess and Chess960.
    Invalid,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 5] = [Self::Chess960, Self::DoubleChess960, Self::Odds, Self::Position, Self::Invalid];

    /// The kinds that have a position.
    pub const VALID: [Self; 4] = [Self::Chess960, Self::DoubleChess960, Self::Odds, Self::Position];

    /// Returns the kind of a starting position, or `None` for the initial position.
    pub(super) fn of(start: StartKind) -> Option<Self> {
        match start {
            StartKind::Standard => None,
            StartKind::Chess960 { .. } => Some(Self::Chess960),
            StartKind::DoubleChess960 { .. } => Some(Self::DoubleChess960),
            StartKind::Odds(_) => Some(Self::Odds),
            StartKind::Position => Some(Self::Position),
        }
    }

    /// Returns the name of the kind: `chess960`, `dfrc`, `odds`, `position` or `invalid`.
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

/// The error for a name that is not that of a [`Kind`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownKind;

impl fmt::Display for UnknownKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not a kind of starting position; the kinds are {}", Kind::ALL.map(Kind::name).join(", "))
    }
}

impl Error for UnknownKind {}
