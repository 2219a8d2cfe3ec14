//! The inputs of a job, and a function that reads all of them.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::parallel::Workers;
use crate::walk::listener::Listener;
use crate::walk::memory_limit::MemoryLimit;
use crate::walk::run::Job;
use pgn2fen_sources::{Database, Source, SourceOptions};

/// A path of a file, a database that is already open, or one that is [opened](Self::opening) when its turn comes.
#[derive(Debug)]
pub struct Input(Origin);

enum Origin {
    Path(PathBuf),
    Source(Source),
    Opening(PathBuf, Open),
}

/// A function that opens an input.
type Open = Box<dyn FnOnce() -> io::Result<Source> + Send>;

impl fmt::Debug for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(path) => f.debug_tuple("Path").field(path).finish(),
            Self::Source(source) => f.debug_tuple("Source").field(source).finish(),
            Self::Opening(path, _) => f.debug_tuple("Opening").field(path).finish_non_exhaustive(),
        }
    }
}

impl Input {
    /// Creates an input that is opened when its turn comes, by a function of the caller. `path` is its name in messages
    /// and rows. The job ends with a [`ReadError`] if the function fails.
    ///
    /// ```
    /// use pgn2fen_games::database::Source;
    /// use pgn2fen_games::stream::GameReader;
    /// use pgn2fen_games::walk::Input;
    ///
    /// let text = std::io::Cursor::new("1. e4 *");
    /// let input = Input::opening("mail.pgn", || Source::stream(Box::new(text), None));
    /// for game in GameReader::new().stream([input])? {
    ///     assert_eq!(game?.path().to_str(), Some("mail.pgn"));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn opening(path: impl Into<PathBuf>, open: impl FnOnce() -> io::Result<Source> + Send + 'static) -> Self {
        Self(Origin::Opening(path.into(), Box::new(open)))
    }

    /// Opens the input. Returns its path, which is empty for a database that was already open. `options` are those of
    /// files.
    fn open(self, options: &SourceOptions) -> (PathBuf, io::Result<Source>) {
        match self.0 {
            Origin::Path(path) => {
                let source = Source::open_with(&path, options);
                (path, source)
            }
            Origin::Source(source) => (PathBuf::new(), Ok(source)),
            Origin::Opening(path, open) => (path, open()),
        }
    }
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

/// The error when a file cannot be opened, or cannot be read to its end.
#[derive(Debug)]
pub struct ReadError {
    /// The path of the file. Empty for a database that was already open.
    pub path: PathBuf,
    error: io::Error,
}

impl ReadError {
    /// Returns the error of the operating system or of the decoder.
    pub fn error(&self) -> &io::Error {
        &self.error
    }
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

/// Reads all inputs, until the job is over, and reports the totals to the listener.
///
/// # Errors
///
/// An input cannot be opened or read to its end, and the listener does not [let the run go on](Listener::unread); or
/// the listener does, but no input could be read. Memory that runs out always ends the run.
pub fn read_all(
    job: &mut dyn Job,
    workers: &Workers,
    inputs: impl IntoIterator<Item: Into<Input>>,
    listener: &mut dyn Listener,
) -> Result<(), ReadError> {
    let read = read_each(job, workers, inputs, listener);
    listener.end(&job.totals());
    read
}

fn read_each(
    job: &mut dyn Job,
    workers: &Workers,
    inputs: impl IntoIterator<Item: Into<Input>>,
    listener: &mut dyn Listener,
) -> Result<(), ReadError> {
    let (mut has_read, mut skipped) = (false, None);
    for input in inputs {
        if job.is_over() {
            break;
        }
        let options = SourceOptions {
            encoding: job.encoding(),
            movetext: job.movetext().map(str::to_owned),
            ..SourceOptions::default()
        };
        let (path, source) = input.into().open(&options);
        let read = source.and_then(|source| job.read(workers, &path, source, listener));
        match read {
            Ok(()) => has_read = true,
            Err(error) if !MemoryLimit::is_reason_of(&error) && listener.unread(&path, &error) => {
                skipped.get_or_insert(ReadError { path, error });
            }
            Err(error) => return Err(ReadError { path, error }),
        }
    }
    match skipped {
        Some(error) if !has_read && job.totals().count.games == 0 => Err(error),
        _ => Ok(()),
    }
}
