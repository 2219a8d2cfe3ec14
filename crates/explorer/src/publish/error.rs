//! Errors and warnings.

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::io;
use std::path::{Path, PathBuf};

use pgn2fen_games::messages::{counted, shown};
use pgn2fen_index::{Ended, IndexError};

/// The reason why a site could not be published.
#[derive(Debug)]
#[non_exhaustive]
pub enum PublishError {
    /// An index cannot be read.
    Index(IndexError),
    /// A file cannot be read or written.
    File(PathBuf, io::Error),
    /// The folder or the options cannot be used. The text says why.
    Refused(String),
    /// The function for progress stopped the work.
    Stopped,
}

impl PublishError {
    /// Returns a function that makes the error of a file.
    pub(super) fn file(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        move |error| Self::File(path.to_owned(), error)
    }
}

impl Display for PublishError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Index(error) => error.fmt(f),
            Self::File(path, error) => write!(f, "{}: {error}", shown(path)),
            Self::Refused(text) => f.write_str(text),
            Self::Stopped => f.write_str("the work was broken off"),
        }
    }
}

// The message includes the text of the cause, so there is no `source`.
impl Error for PublishError {}

impl From<IndexError> for PublishError {
    fn from(error: IndexError) -> Self {
        Self::Index(error)
    }
}

impl<E: Into<Self>> From<Ended<E>> for PublishError {
    fn from(ended: Ended<E>) -> Self {
        match ended {
            Ended::Failed(error) => error.into(),
            Ended::Stopped => Self::Stopped,
        }
    }
}

/// A part of the index that is not on the site.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PublishWarning {
    /// A file has changed since it was indexed, or cannot be read. Its games are listed, but cannot be opened.
    Unread {
        /// The name of the file.
        name: String,
        /// The reason.
        reason: String,
    },
    /// Positions were left out because only their games tell which games they count, and these could not be read.
    LeftOut {
        /// The number of positions.
        positions: u64,
    },
    /// Games of variants were left out: the page of a site plays chess.
    Variants {
        /// The name of the database.
        database: String,
        /// The number of games.
        games: u64,
    },
}

impl Display for PublishWarning {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unread { name, reason } => write!(f, "{name}: {reason}; they cannot be opened on the site"),
            Self::LeftOut { positions } => write!(
                f,
                "{} with an en passant square left out, because their games cannot be read",
                counted(*positions, "position")
            ),
            Self::Variants { database, games } => write!(
                f,
                "{database}: {} of variants left out, because the page of a site plays chess; `pgn2fen serve` answers \
                 for variants",
                counted(*games, "game")
            ),
        }
    }
}
