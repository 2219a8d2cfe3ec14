//! A finding: its kind, its place and its words.

use std::fmt;
use std::path::PathBuf;

use crate::messages::shown;

/// Something that cannot be right in a tournament, or that somebody should look at.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The path of the file.
    pub file: PathBuf,
    /// The line, counted from 1.
    pub line: u64,
    /// The column in bytes, counted from 1.
    pub column: usize,
    /// The kind.
    pub kind: FindingKind,
    /// The description, without the place.
    pub text: String,
}

/// The kind of a [`Finding`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum FindingKind {
    /// Two games of a round have the same players with the same colors.
    PairingTwice,
    /// A player has games in rounds before and after a round of the tournament, but not in this one. If the number of
    /// players is odd, one of them may miss a round, and so may all if they are more than a quarter of the players.
    MissingRound,
    /// The game ends in mate or stalemate, and the result is another one.
    ResultOnBoard,
    /// The result is unknown.
    NoResult,
    /// The game has no moves, and the tag Termination does not say why.
    NoMoves,
    /// The value of a tag is not a date, a time, a time control, a rating or a number, as its name says.
    UnreadableTag,
    /// A player has several names.
    Spelling,
    /// A player may be another one, whose name is written differently.
    PossibleSpelling,
}

impl FindingKind {
    /// All kinds.
    pub const ALL: [Self; 8] = [
        Self::PairingTwice,
        Self::MissingRound,
        Self::ResultOnBoard,
        Self::NoResult,
        Self::NoMoves,
        Self::UnreadableTag,
        Self::Spelling,
        Self::PossibleSpelling,
    ];

    /// Returns the name of the kind: `pairing-twice`, `missing-round`, `result-on-board`, `no-result`, `no-moves`,
    /// `unreadable-tag`, `spelling` or `possible-spelling`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::PairingTwice => "pairing-twice",
            Self::MissingRound => "missing-round",
            Self::ResultOnBoard => "result-on-board",
            Self::NoResult => "no-result",
            Self::NoMoves => "no-moves",
            Self::UnreadableTag => "unreadable-tag",
            Self::Spelling => "spelling",
            Self::PossibleSpelling => "possible-spelling",
        }
    }
}

/// Writes the finding as a message: `games.pgn:12:1: no-result: the game has no result`.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, column, kind, text } = self;
        write!(f, "{}:{line}:{column}: {}: {text}", shown(file), kind.as_str())
    }
}
