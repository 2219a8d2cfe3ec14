//! The error for a zip archive or a member that cannot be read.

use std::error::Error;
use std::fmt;
use std::io;

use crate::archive::ArchiveMember;
use pgn2fen_pgn::plain::plain;

/// The error for a zip archive, or a member of it, that cannot be read. It is the inner error of an [`io::Error`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ArchiveError {
    /// The list of members is not at the end of the file, where it must be.
    CutShort,
    /// The list of members, or the header of a member, is damaged. The text is the reason.
    Damaged(String),
    /// The archive has no files.
    Empty,
    /// The archive has no member with this name.
    NoMember {
        /// The names of some of its members.
        members: Vec<String>,
        /// The number of the other members.
        more: usize,
    },
    /// The archive has several members, and none was named.
    Several {
        /// The names of some of them.
        members: Vec<String>,
        /// The number of the others.
        more: usize,
    },
    /// The member is an archive itself.
    Nested,
    /// The member is encrypted.
    Encrypted,
    /// The member is compressed by this method.
    Method(String),
    /// The server does not serve ranges of bytes.
    NoRanges,
    /// Archives cannot be read without the feature `zip`.
    Feature,
}

/// The maximum number of members that an error names.
const MOST_NAMES: usize = 10;

impl ArchiveError {
    /// Returns the error, if it is the cause of another one.
    pub fn of(error: &io::Error) -> Option<&Self> {
        error.get_ref()?.downcast_ref()
    }

    pub(super) fn no_member(damage: Option<&str>, members: &[ArchiveMember]) -> Self {
        match damage {
            Some(damage) => Self::Damaged(damage.to_owned()),
            None => {
                let (members, more) = some_of(members);
                Self::NoMember { members, more }
            }
        }
    }

    pub(super) fn several(members: &[ArchiveMember]) -> Self {
        let (members, more) = some_of(members);
        Self::Several { members, more }
    }
}

/// Returns the names of the first members, and the number of the others.
fn some_of(members: &[ArchiveMember]) -> (Vec<String>, usize) {
    let more = members.len().saturating_sub(MOST_NAMES);
    (members.iter().take(MOST_NAMES).map(|member| member.name().to_owned()).collect(), more)
}

impl fmt::Display for ArchiveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = |members: &[String], more: usize| {
            let mut names: Vec<String> = members.iter().map(|name| plain(name).into_owned()).collect();
            if more > 0 {
                names.push(format!("and {more} more"));
            }
            names.join(", ")
        };
        match self {
            Self::CutShort => f.write_str(
                "is a zip archive that is cut short: the list of its members, which stands at its end, is missing",
            ),
            Self::Damaged(reason) => write!(f, "is a zip archive that is damaged: {reason}"),
            Self::Empty => f.write_str("is a zip archive without files"),
            Self::NoMember { members, .. } if members.is_empty() => {
                f.write_str("the zip archive has no member with this name")
            }
            Self::NoMember { members, more } => {
                write!(f, "the zip archive has no member with this name; it has {}", names(members, *more))
            }
            Self::Several { members, more } => write!(
                f,
                "is a zip archive with several members ({}); name one of them behind the archive and a slash",
                names(members, *more)
            ),
            Self::Nested => f.write_str("is a zip archive in a zip archive"),
            Self::Encrypted => f.write_str("is encrypted with a password"),
            Self::Method(name) => write!(f, "is compressed with {name}, which is not read from zip archives"),
            Self::NoRanges => {
                f.write_str("is a zip archive, whose end is read first, and the server sends whole files")
            }
            Self::Feature => f.write_str("is a zip archive, which this build of pgn2fen does not read (feature `zip`)"),
        }
    }
}

impl Error for ArchiveError {}

impl From<ArchiveError> for io::Error {
    fn from(error: ArchiveError) -> Self {
        let kind = match error {
            ArchiveError::NoMember { .. } => io::ErrorKind::NotFound,
            ArchiveError::Encrypted | ArchiveError::Method(_) | ArchiveError::NoRanges | ArchiveError::Feature => {
                io::ErrorKind::Unsupported
            }
            _ => io::ErrorKind::InvalidData,
        };
        Self::new(kind, error)
    }
}
