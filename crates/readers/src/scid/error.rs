//! The errors of reading Scid databases.

use std::error::Error;
use std::fmt;
use std::io;

/// The error for a Scid database that cannot be read, or only in part. It is the inner error of an [`io::Error`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScidError(ScidFault);

/// The reason why a Scid database cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ScidFault {
    /// The database has a version that is not read.
    Version(u16),
    /// There is no file beside the index that has this name.
    Missing(String),
    /// The file of this name cannot be opened or read, for this reason.
    Unreadable(String, String),
    /// The file of this name is damaged. The text completes a sentence after the name.
    Damaged(String, String),
}

impl ScidError {
    /// Returns the error, if it is the cause of another one.
    pub fn of(error: &io::Error) -> Option<&Self> {
        error.get_ref()?.downcast_ref()
    }
}

impl fmt::Display for ScidError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            ScidFault::Version(300) => {
                f.write_str("is a Scid database of version 3 (si3), which is not read; copy it to a new base with Scid")
            }
            ScidFault::Version(version) => {
                write!(f, "is a Scid database of an unknown version ({version}); versions 4 and 5 are read")
            }
            ScidFault::Missing(name) => {
                write!(f, "is the index of a Scid database, but its file {name} is not in the same folder")
            }
            ScidFault::Unreadable(name, reason) => {
                write!(f, "is the index of a Scid database, but its file {name} cannot be read: {reason}")
            }
            ScidFault::Damaged(name, reason) => write!(f, "is a damaged Scid database: {name} {reason}"),
        }
    }
}

impl Error for ScidError {}

impl From<ScidFault> for ScidError {
    fn from(fault: ScidFault) -> Self {
        Self(fault)
    }
}

impl From<ScidFault> for io::Error {
    fn from(fault: ScidFault) -> Self {
        let kind = match fault {
            ScidFault::Missing(_) => io::ErrorKind::NotFound,
            _ => io::ErrorKind::InvalidData,
        };
        Self::new(kind, ScidError(fault))
    }
}
