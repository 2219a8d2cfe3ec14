//! Errors of an index.

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::io;
use std::path::{Path, PathBuf};

use crate::names::shown;

/// An error while an index is read or written, with the file or folder that it concerns.
#[derive(Debug)]
pub struct IndexError {
    path: PathBuf,
    reason: Reason,
    is_in_doubt: bool,
}

/// The kinds of [`IndexError`].
#[derive(Debug)]
enum Reason {
    Io(io::Error),
    Said(String),
    /// The index has a newer format version than this program knows: its version, and the newest known one.
    Newer(u64, u64),
}

impl IndexError {
    /// Makes an error from a phrase about a file or folder.
    pub(super) fn new(path: &Path, reason: impl Into<String>) -> Self {
        Self { path: path.to_owned(), reason: Reason::Said(reason.into()), is_in_doubt: false }
    }

    /// Makes an error for an index with a newer format version.
    pub(super) fn newer(path: &Path, version: u64, known: u64) -> Self {
        Self { path: path.to_owned(), reason: Reason::Newer(version, known), is_in_doubt: false }
    }

    /// Whether a newer program can read the index.
    pub(super) fn is_newer(&self) -> bool {
        matches!(self.reason, Reason::Newer(..))
    }

    /// Returns a function that makes an error from an I/O error for this path.
    pub(super) fn io(path: &Path) -> impl Fn(io::Error) -> Self + '_ {
        |error| Self { path: path.to_owned(), reason: Reason::Io(error), is_in_doubt: false }
    }

    /// Marks the error as [in doubt](Self::is_in_doubt).
    pub(super) fn in_doubt(self) -> Self {
        Self { is_in_doubt: true, ..self }
    }

    /// Whether it is unknown which index is on the disk now, the old one or the new one. Both are complete. Otherwise
    /// the operation that failed has changed nothing.
    pub fn is_in_doubt(&self) -> bool {
        self.is_in_doubt
    }

    /// Returns the file or folder that the error concerns.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Display for IndexError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", shown(&self.path))?;
        match &self.reason {
            Reason::Io(error) => error.fmt(f),
            Reason::Said(reason) => f.write_str(reason),
            Reason::Newer(version, known) => write!(
                f,
                "a newer pgn2fen built the index (format version {version}; this one knows {known}); use that one"
            ),
        }
    }
}

// The message includes the text of the cause, so there is no `source`.
impl Error for IndexError {}
