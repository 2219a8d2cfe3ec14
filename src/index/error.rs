//! What can go wrong with an index.

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::io;
use std::path::{Path, PathBuf};

/// Why an index could not be read or written, and which file or folder is concerned.
#[derive(Debug)]
pub struct IndexError {
    path: PathBuf,
    reason: Reason,
    is_in_doubt: bool,
}

/// The sorts of [`IndexError`].
#[derive(Debug)]
enum Reason {
    Io(io::Error),
    Said(String),
    /// The index has a version which is newer than the one that is known.
    Newer(u64, u64),
}

impl IndexError {
    /// Something that is said of a file or folder, as a phrase.
    pub(super) fn new(path: &Path, reason: impl Into<String>) -> Self {
        Self { path: path.to_owned(), reason: Reason::Said(reason.into()), is_in_doubt: false }
    }

    /// An index of a version that is not known yet.
    pub(super) fn newer(path: &Path, version: u64, known: u64) -> Self {
        Self { path: path.to_owned(), reason: Reason::Newer(version, known), is_in_doubt: false }
    }

    /// Whether the index is one that a newer program can read.
    pub(super) fn is_newer(&self) -> bool {
        matches!(self.reason, Reason::Newer(..))
    }

    /// The system refused.
    pub(super) fn io(path: &Path) -> impl Fn(io::Error) -> Self + '_ {
        |error| Self { path: path.to_owned(), reason: Reason::Io(error), is_in_doubt: false }
    }

    /// The same, after which nobody knows what is on the disk.
    pub(super) fn in_doubt(self) -> Self {
        Self { is_in_doubt: true, ..self }
    }

    /// Whether it is not known which index is there now, the old one or the new one. Both are whole. Without doubt, what
    /// failed has changed nothing.
    pub fn is_in_doubt(&self) -> bool {
        self.is_in_doubt
    }

    /// The file or folder.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Display for IndexError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.path.display())?;
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

// What is behind it is said in its own words.
impl Error for IndexError {}
