//! Errors of books.

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::io;

use crate::{IndexError, UnknownTag};

/// The reason why a book cannot be written.
#[derive(Debug)]
#[non_exhaustive]
pub enum BookError {
    /// The index cannot be read.
    Index(IndexError),
    /// The function for progress stopped the work.
    Stopped,
    /// The output cannot be written.
    Write(io::Error),
    /// The index does not keep the tag of a filter.
    Tag(UnknownTag),
    /// The plies count from the end of games.
    PliesFromEnd,
    /// The name of the player is empty.
    NoPlayer,
}

impl Display for BookError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Index(error) => error.fmt(f),
            Self::Stopped => f.write_str("the work was broken off"),
            Self::Write(_) => f.write_str("cannot write the book"),
            Self::Tag(error) => error.fmt(f),
            Self::NoPlayer => f.write_str("`player` needs a name"),
            Self::PliesFromEnd => {
                f.write_str("a book counts plies from the start of games; write -p ..30 without negative numbers")
            }
        }
    }
}

impl Error for BookError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            // The other messages include the texts of their causes.
            Self::Write(error) => Some(error),
            _ => None,
        }
    }
}

impl From<IndexError> for BookError {
    fn from(error: IndexError) -> Self {
        Self::Index(error)
    }
}

impl From<UnknownTag> for BookError {
    fn from(error: UnknownTag) -> Self {
        Self::Tag(error)
    }
}

impl From<io::Error> for BookError {
    fn from(error: io::Error) -> Self {
        Self::Write(error)
    }
}
