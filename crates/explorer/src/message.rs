//! Messages for the person who runs a server, and the error for a server that cannot start.

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

use pgn2fen_games::messages::{counted, shown};
use pgn2fen_index::IndexError;

/// A message about a server while it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Message {
    /// An index has changed on the disk and was opened again.
    Reopened {
        /// The folder of the index.
        folder: PathBuf,
        /// The number of its games now.
        games: u64,
    },
    /// An index has changed on the disk and cannot be opened again. Requests are answered from the index as it was.
    NotReopened {
        /// The reason, with the name of the file.
        reason: String,
    },
    /// A request could not be answered because an index is damaged or cannot be read.
    Unreadable {
        /// The reason, with the name of the file.
        reason: String,
    },
    /// A request could not be answered because of an error in the program.
    Panicked,
    /// Connections cannot be accepted, because the process has too many open files or for another reason. The server
    /// tries again.
    NotAccepted {
        /// The reason.
        reason: String,
    },
}

impl Display for Message {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reopened { folder, games } => {
                write!(f, "{}: the index has changed; it has {} now", shown(folder), counted(*games, "game"))
            }
            Self::NotReopened { reason } => write!(f, "{reason}; answers come from the index as it was before"),
            Self::Unreadable { reason } => f.write_str(reason),
            Self::Panicked => f.write_str("a request was not answered because of an internal error"),
            Self::NotAccepted { reason } => write!(f, "cannot accept connections: {reason}"),
        }
    }
}

/// The reason why a server could not start.
#[derive(Debug)]
#[non_exhaustive]
pub enum ServeError {
    /// No index was given.
    NoIndex,
    /// An index cannot be read.
    Index(IndexError),
    /// The server cannot listen on the address.
    Address(SocketAddr, io::Error),
    /// A name of [`allow_hosts`](crate::ServeOptions::allow_hosts) is not that of a host.
    Host(String),
    /// Threads cannot be started.
    Threads(io::Error),
    /// A file or the folder of [`site`](crate::ServeOptions::site) cannot be read, or the folder has no `index.html`.
    Site(PathBuf, Option<io::Error>),
}

impl Display for ServeError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoIndex => f.write_str("no index is given"),
            Self::Index(error) => error.fmt(f),
            Self::Address(address, error) if error.kind() == io::ErrorKind::AddrInUse => {
                write!(f, "another program uses the address {address}")
            }
            Self::Address(address, error) => write!(f, "cannot listen on {address}: {error}"),
            Self::Host(name) => write!(
                f,
                "`allow_host`: {name:?} is not the name of a host; write chess.example.org or \
                 chess.example.org:8080, without http:// and a path"
            ),
            Self::Threads(error) => write!(f, "cannot start threads: {error}"),
            Self::Site(path, Some(error)) => write!(f, "{}: {error}", shown(path)),
            Self::Site(folder, None) => {
                write!(f, "{}: there is no index.html in this folder, so it is not a built page", shown(folder))
            }
        }
    }
}

// The message includes the text of the cause, so there is no `source`.
impl Error for ServeError {}

impl From<IndexError> for ServeError {
    fn from(error: IndexError) -> Self {
        Self::Index(error)
    }
}
