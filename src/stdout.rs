//! Standard output that cannot be written: a closed pipe ends a command quietly, and any other error with a message.

use std::error::Error;
use std::fmt;
use std::fs::File;
use std::io::{self, Write};

use anyhow::Result;

/// The error for a closed pipe: the program that reads the output has ended.
#[derive(Debug)]
pub(crate) struct Closed;

impl fmt::Display for Closed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("standard output is closed")
    }
}

impl Error for Closed {}

/// Turns a write error into an error message, or into [`Closed`] for a closed pipe.
pub(crate) fn written(result: io::Result<()>) -> Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(Closed.into()),
        Err(error) => Err(anyhow::Error::new(error).context("cannot write to standard output")),
        Ok(()) => Ok(()),
    }
}

/// Returns standard output as a file: each write is one write of the system, without a lock and a search for the ends
/// of lines.
pub(crate) fn as_file(stdout: &io::Stdout) -> io::Result<File> {
    #[cfg(unix)]
    let stdout = std::os::fd::AsFd::as_fd(stdout);
    #[cfg(windows)]
    let stdout = std::os::windows::io::AsHandle::as_handle(stdout);
    Ok(stdout.try_clone_to_owned()?.into())
}

/// Prints bytes.
pub(crate) fn print(bytes: &[u8]) -> Result<()> {
    let mut stdout = io::stdout();
    written(stdout.write_all(bytes).and_then(|()| stdout.flush()))
}
