//! The errors of reading ChessBase databases.

use std::error::Error;
use std::fmt;
use std::io;

/// The error for a ChessBase database that cannot be read, or only in part. It is the inner error of an [`io::Error`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChessBaseError(ChessBaseFault);

/// The reason why a ChessBase database cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ChessBaseFault {
    /// There is no file with this ending.
    Missing(&'static str),
    /// The file of this name cannot be opened or read, for this reason.
    Unreadable(String, String),
    /// An archive cannot be read. The text completes a sentence after the name of the archive.
    Archive(String),
    /// The file of this name is damaged. The text completes a sentence after the name.
    Damaged(String, String),
}

impl ChessBaseError {
    /// Returns the error, if it is the cause of another one.
    pub fn of(error: &io::Error) -> Option<&Self> {
        error.get_ref()?.downcast_ref()
    }
}

impl fmt::Display for ChessBaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            ChessBaseFault::Missing(ending) => {
                write!(f, "is a ChessBase database, but its file with the ending .{ending} is not with it")
            }
            ChessBaseFault::Unreadable(name, reason) => {
                write!(f, "is a ChessBase database, but its file {name} cannot be read: {reason}")
            }
            ChessBaseFault::Archive(reason) => write!(f, "is an archive of ChessBase that {reason}"),
            ChessBaseFault::Damaged(name, reason) => write!(f, "is a damaged ChessBase database: {name} {reason}"),
        }
    }
}

impl Error for ChessBaseError {}

impl From<ChessBaseFault> for io::Error {
    fn from(fault: ChessBaseFault) -> Self {
        let kind = match fault {
            ChessBaseFault::Missing(_) => io::ErrorKind::NotFound,
            _ => io::ErrorKind::InvalidData,
        };
        Self::new(kind, ChessBaseError(fault))
    }
}
