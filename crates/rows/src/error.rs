//! Errors of rows: they cannot be encoded, written or read.

use std::error::Error;
use std::fmt;
use std::io;

use crate::encode::export_error::ExportError;
use crate::encode::pictures::NameError;
use crate::jobs::games::GameNameError;
use crate::shape::ShapeError;
use pgn2fen_games::parallel::WorkersError;
use pgn2fen_games::walk::ReadError;

/// An output that could not be written.
#[derive(Debug)]
#[non_exhaustive]
pub enum WriteError {
    /// Bytes could not be written.
    Io(io::Error),
    /// Rows could not be encoded.
    Encode(ExportError),
    /// There is more than one picture, and only one name.
    Names(NameError),
}

impl WriteError {
    fn inner(&self) -> &(dyn Error + 'static) {
        match self {
            Self::Io(error) => error,
            Self::Encode(error) => error,
            Self::Names(error) => error,
        }
    }
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.inner(), f)
    }
}

impl Error for WriteError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.inner().source()
    }
}

/// The error of a job that makes or writes rows.
#[derive(Debug)]
#[non_exhaustive]
pub enum RowsError {
    /// The format cannot have these columns.
    Shape(ShapeError),
    /// The names of parts do not suffice.
    PartNames(GameNameError),
    /// A column or value cannot be encoded.
    Encode(ExportError),
    /// A file cannot be read.
    Read(ReadError),
    /// The output cannot be written.
    Write(WriteError),
    /// Threads cannot be started.
    Workers(WorkersError),
    /// The thread that makes record batches cannot be started.
    Thread(io::Error),
}

impl RowsError {
    fn inner(&self) -> &(dyn Error + 'static) {
        match self {
            Self::Shape(error) => error,
            Self::PartNames(error) => error,
            Self::Encode(error) => error,
            Self::Read(error) => error,
            Self::Write(error) => error,
            Self::Workers(error) => error,
            Self::Thread(error) => error,
        }
    }
}

impl fmt::Display for RowsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.inner(), f)
    }
}

impl Error for RowsError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.inner().source()
    }
}

/// Converts errors to the error that they are a case of.
macro_rules! cases {
    ($($error:ty => $all:ident::$case:ident;)*) => {
        $(impl From<$error> for $all {
            fn from(error: $error) -> Self {
                Self::$case(error)
            }
        })*
    };
}

cases! {
    io::Error => WriteError::Io;
    ShapeError => RowsError::Shape;
    GameNameError => RowsError::PartNames;
    ExportError => RowsError::Encode;
    ReadError => RowsError::Read;
    WriteError => RowsError::Write;
    WorkersError => RowsError::Workers;
}

#[cfg(test)]
mod tests {
    use std::error::Error;
    use std::io;

    use super::{RowsError, WriteError};
    use crate::encode::export_error::ExportError;
    use crate::{Format, ShapeError};

    #[test]
    fn an_error_has_the_text_and_the_source_of_its_case() {
        let encode = || ExportError::new(io::Error::other("too long"));
        assert_eq!(encode().to_string(), "cannot encode the rows");
        let sources = [
            encode().source().map(ToString::to_string),
            WriteError::Encode(encode()).source().map(ToString::to_string),
            RowsError::from(WriteError::Encode(encode())).source().map(ToString::to_string),
        ];
        assert_eq!(sources, [const { "too long" }; 3].map(|text| Some(text.to_owned())));
        assert!(WriteError::from(io::Error::other("full")).source().is_none());
        let shape = ShapeError::NoHeader(Format::Fen);
        assert_eq!(RowsError::from(shape).to_string(), shape.to_string());
    }
}
