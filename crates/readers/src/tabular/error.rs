//! The formats of tables, and the errors of reading them.

use std::error::Error;
use std::fmt;
use std::io;

/// A format of tables that are read as games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum TableFormat {
    /// A Parquet file.
    Parquet,
    /// An Arrow IPC file (Feather version 2) or stream.
    Arrow,
    /// Text with separators.
    #[cfg(feature = "records")]
    Text,
}

impl TableFormat {
    /// Returns the format of a file with these first bytes.
    pub(crate) fn detect(head: &[u8]) -> Option<Self> {
        match head {
            [b'P', b'A', b'R', b'1', ..] => Some(Self::Parquet),
            [b'A', b'R', b'R', b'O', b'W', b'1', ..] | [0xFF, 0xFF, 0xFF, 0xFF, _, _, _, 0, ..] => Some(Self::Arrow),
            _ => None,
        }
    }

    /// Returns the name, as in "a Parquet file".
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Parquet => "a Parquet file",
            Self::Arrow => "an Arrow file",
            #[cfg(feature = "records")]
            Self::Text => "a table (CSV)",
        }
    }
}

/// The error for a Parquet or Arrow file, or a table of text, that cannot be read as games. It is the inner error of an
/// [`io::Error`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableError {
    format: TableFormat,
    fault: TableFault,
}

/// The reason why a table cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    not(all(feature = "tables", feature = "records")),
    allow(dead_code, reason = "some faults are found by one reader only")
)]
pub(super) enum TableFault {
    /// The format needs the feature `tables` of the crate.
    #[cfg(not(feature = "tables"))]
    Feature,
    /// The format cannot be read from a pipe.
    Piped,
    /// A file that comes through a pipe has no schema at its start.
    #[cfg(feature = "tables")]
    LateSchema,
    /// The format cannot be read from a member of an archive that is compressed.
    Packed,
    /// The file uses something that is not supported. The text completes a sentence after "with".
    Unsupported(String),
    /// The file has no columns of games. The columns are named with their types.
    NoMovetext(String),
    /// The file has no column of this name. The columns are named with their types.
    NoColumn(String, String),
    /// The column of this name has a type that cannot hold moves.
    NotMoves(String, String),
    /// The file is damaged at this place, for this reason.
    Damaged(String, String),
}

impl TableError {
    pub(super) fn new(format: TableFormat, fault: TableFault) -> Self {
        Self { format, fault }
    }

    /// Returns an error for a file that comes through a pipe.
    pub(crate) fn piped(format: TableFormat) -> Self {
        Self::new(format, TableFault::Piped)
    }

    /// Returns an error for a file without a schema at its start that comes through a pipe.
    #[cfg(feature = "tables")]
    pub(super) fn late_schema(format: TableFormat) -> Self {
        Self::new(format, TableFault::LateSchema)
    }

    /// Returns an error for a file that is compressed in a zip archive.
    pub(crate) fn packed(format: TableFormat) -> Self {
        Self::new(format, TableFault::Packed)
    }

    /// Returns an error for damage. The place completes a sentence after "damaged".
    #[cfg(feature = "tables")]
    pub(super) fn damaged(format: TableFormat, place: impl Into<String>, reason: impl fmt::Display) -> Self {
        // A reason of a package may have several lines.
        let reason = reason.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
        Self::new(format, TableFault::Damaged(place.into(), reason))
    }

    /// Returns an error for something that is not supported. The text completes a sentence after "with".
    #[cfg(feature = "tables")]
    pub(super) fn unsupported(format: TableFormat, what: impl Into<String>) -> Self {
        Self::new(format, TableFault::Unsupported(what.into()))
    }

    /// Returns the error, if it is the cause of another one.
    pub fn of(error: &io::Error) -> Option<&Self> {
        error.get_ref()?.downcast_ref()
    }
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let format = self.format.name();
        match &self.fault {
            #[cfg(not(feature = "tables"))]
            TableFault::Feature => {
                write!(f, "is {format}, which this build of pgn2fen does not read (feature `tables`)")
            }
            TableFault::Piped => {
                write!(f, "is {format}, which cannot be read from a pipe because its end is read first; give its name")
            }
            #[cfg(feature = "tables")]
            TableFault::LateSchema => {
                write!(
                    f,
                    "is {format} without a schema at its start, so its end is read first; give the name of a file"
                )
            }
            TableFault::Packed => {
                write!(
                    f,
                    "is {format}, whose end is read first, and is compressed in a zip archive; unpack the archive"
                )
            }
            TableFault::Unsupported(what) => write!(
                f,
                "is {format} with {what}, which is not supported; write it anew with zstd or snappy compression, as \
                 DuckDB does with COPY (FROM 'old.parquet') TO 'new.parquet' (COMPRESSION zstd)"
            ),
            TableFault::NoMovetext(columns) => write!(
                f,
                "is {format} without a column of games; it has {columns}; if one of them has the moves, name it with \
                 the option movetext"
            ),
            TableFault::NoColumn(name, columns) => write!(f, "is {format} without a column {name}; it has {columns}"),
            TableFault::NotMoves(name, kind) => {
                write!(f, "is {format} whose column {name} ({kind}) is neither text nor a list of moves")
            }
            TableFault::Damaged(place, reason) => write!(f, "is {format} that is damaged {place}: {reason}"),
        }
    }
}

impl Error for TableError {}

impl From<TableError> for io::Error {
    fn from(error: TableError) -> Self {
        Self::new(io::ErrorKind::InvalidData, error)
    }
}
