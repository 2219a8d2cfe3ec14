//! The inputs of a job, and a function that reads all of them.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::database::{Database, Source};
use crate::parallel::Workers;
use crate::walk::run::{Job, Listener};

/// A path of a file, or a database that is already open.
#[derive(Debug)]
pub struct Input(Origin);

#[derive(Debug)]
enum Origin {
    Path(PathBuf),
    Source(Source),
}

impl<P: AsRef<Path> + ?Sized> From<&P> for Input {
    fn from(path: &P) -> Self {
        Self(Origin::Path(path.as_ref().to_owned()))
    }
}

impl From<PathBuf> for Input {
    fn from(path: PathBuf) -> Self {
        Self(Origin::Path(path))
    }
}

impl From<String> for Input {
    fn from(path: String) -> Self {
        Self(Origin::Path(path.into()))
    }
}

impl From<Source> for Input {
    fn from(source: Source) -> Self {
        Self(Origin::Source(source))
    }
}

impl From<Database> for Input {
    fn from(database: Database) -> Self {
        Self(Origin::Source(Source::Whole(database)))
    }
}

/// The error when a file cannot be read to its end.
#[derive(Debug)]
pub struct ReadError {
    /// The path of the file. Empty for a database that was already open.
    pub path: PathBuf,
    error: io::Error,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.as_os_str().is_empty() {
            true => write!(f, "cannot read the database: {}", self.error),
            false => write!(f, "cannot read {}: {}", self.path.display(), self.error),
        }
    }
}

impl Error for ReadError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.error)
    }
}

/// Reads all inputs, until the job is over.
pub(crate) fn read_all(
    job: &mut dyn Job,
    workers: &Workers,
    inputs: impl IntoIterator<Item: Into<Input>>,
    listener: &mut dyn Listener,
) -> Result<(), ReadError> {
    for input in inputs {
        if job.is_over() {
            break;
        }
        let (path, source) = match input.into().0 {
            Origin::Path(path) => {
                let source = Source::open(&path, true, None);
                (path, source)
            }
            Origin::Source(source) => (PathBuf::new(), Ok(source)),
        };
        let read = source.and_then(|source| job.read(workers, &path, source, listener));
        read.map_err(|error| ReadError { path, error })?;
    }
    Ok(())
}
