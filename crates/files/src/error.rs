//! Errors of output files: the name of the file does not go with its format, or the file cannot be written.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::PathBuf;

use pgn2fen_games::messages::shown;

/// The error for an output file whose name does not go with its format.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EndingError {
    /// The name has the ending of a format that is not written.
    Foreign {
        /// The path of the file.
        file: PathBuf,
        /// The kind of file that has this ending, such as `a spreadsheet`.
        what: &'static str,
        /// Advice about the ending to use instead.
        instead: &'static str,
    },
    /// The format is chosen, and the name has the ending of another format.
    Contradiction {
        /// The path of the file.
        file: PathBuf,
        /// The name of the chosen format.
        format: &'static str,
        /// The name of the format of the ending.
        ending: &'static str,
    },
    /// The name has the ending of a compression, and files of the format contain compressed data already.
    CompressedTwice {
        /// The name of the format.
        format: &'static str,
    },
}

impl EndingError {
    /// Replaces the advice about a format that is not written, for a command with formats of its own.
    pub fn advise(self, advice: &'static str) -> Self {
        match self {
            Self::Foreign { file, what, .. } => Self::Foreign { file, what, instead: advice },
            error => error,
        }
    }
}

impl fmt::Display for EndingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Foreign { file, what, instead } => {
                write!(f, "{} has the ending of {what}, which cannot be written here; {instead}", shown(file))
            }
            Self::Contradiction { file, format, ending } => {
                let file = shown(file);
                write!(f, "the format is {format}, but {file} has the ending of {ending}; leave one of them out")
            }
            Self::CompressedTwice { format } => {
                let (first, rest) = format.split_at(1);
                let name = first.to_ascii_uppercase() + rest;
                write!(f, "{name} files have compression of their own; let the name end in .{format}")
            }
        }
    }
}

impl Error for EndingError {}

/// The error for an output file that cannot be written. The [source](Error::source) of the error is the error of the
/// system.
#[derive(Debug)]
#[non_exhaustive]
pub enum OutputError {
    /// The file cannot be created, written or renamed. It has not appeared.
    Write {
        /// The name of the file, for messages.
        name: String,
        /// The error of the system.
        error: io::Error,
    },
    /// The file is complete, but its name is perhaps not on the disk yet.
    NotSynced {
        /// The name of the file, for messages.
        name: String,
        /// The error of the system.
        error: io::Error,
    },
    /// Two output files have the same name.
    Twice {
        /// The name of the files, for messages.
        name: String,
    },
    /// The output file is also an input file.
    IsInput {
        /// The name of the file, for messages.
        name: String,
    },
}

impl OutputError {
    /// Returns the error of the system, if there is one.
    pub fn io(&self) -> Option<&io::Error> {
        match self {
            Self::Write { error, .. } | Self::NotSynced { error, .. } => Some(error),
            Self::Twice { .. } | Self::IsInput { .. } => None,
        }
    }
}

impl fmt::Display for OutputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Write { name, .. } => write!(f, "cannot write {name}"),
            Self::NotSynced { name, .. } => write!(f, "{name} is written, but may be lost if the power fails"),
            Self::Twice { name } => {
                write!(
                    f,
                    "two output files would have the name {name}; put a mark before the number, as in \
                     {{White}}-{{part}}.pgn"
                )
            }
            Self::IsInput { name } => write!(f, "{name} is both input and output"),
        }
    }
}

impl Error for OutputError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.io().map(|error| error as _)
    }
}
