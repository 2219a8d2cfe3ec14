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
}

/// The sorts of [`IndexError`].
#[derive(Debug)]
enum Reason {
    Io(io::Error),
    Said(String),
}

impl IndexError {
    /// Something that is said of a file or folder, as a phrase.
    pub(super) fn new(path: &Path, reason: impl Into<String>) -> Self {
        Self { path: path.to_owned(), reason: Reason::Said(reason.into()) }
    }

    /// The system refused.
    pub(super) fn io(path: &Path) -> impl Fn(io::Error) -> Self + '_ {
        |error| Self { path: path.to_owned(), reason: Reason::Io(error) }
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
        }
    }
}

// What is behind it is said in its own words.
impl Error for IndexError {}
