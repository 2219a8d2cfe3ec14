//! Flushes finished files to the disk while other files are being written.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;

use crate::error::IndexError;
use pgn2fen_games::parallel::threads::spawn;

/// A thread that flushes files to the disk, so that the writers do not wait for it.
#[derive(Debug)]
pub(super) struct Flusher {
    files: Sender<(PathBuf, File)>,
    thread: JoinHandle<Result<(), (PathBuf, io::Error)>>,
}

impl Flusher {
    /// Starts the thread.
    pub(super) fn new() -> io::Result<Self> {
        let (files, written) = channel::<(PathBuf, File)>();
        let flush =
            move || written.into_iter().try_for_each(|(path, file)| file.sync_all().map_err(|error| (path, error)));
        Ok(Self { files, thread: spawn(flush)? })
    }

    /// Adds a file that has been written.
    pub(super) fn take(&self, path: &Path, file: File) {
        // Sending fails only if the thread has failed; `finish` returns its error.
        let _ = self.files.send((path.to_owned(), file));
    }

    /// Waits until all files are on the disk.
    pub(super) fn finish(self) -> Result<(), IndexError> {
        drop(self.files);
        let flushed = self.thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        flushed.map_err(|(path, error)| IndexError::io(&path)(error))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::Flusher;

    #[test]
    #[cfg(unix)]
    fn a_file_that_cannot_be_flushed_is_told_in_the_end() {
        use std::fs::File;
        use std::os::fd::OwnedFd;

        let folder = tempfile::tempdir().unwrap();
        let flusher = Flusher::new().unwrap();
        flusher.take(Path::new("a.parquet"), File::create(folder.path().join("a.parquet")).unwrap());
        flusher.finish().unwrap();
        // A pipe has no disk.
        let (_reader, writer) = std::io::pipe().unwrap();
        let flusher = Flusher::new().unwrap();
        flusher.take(Path::new("b.parquet"), File::from(OwnedFd::from(writer)));
        assert!(flusher.finish().unwrap_err().to_string().starts_with("b.parquet: "));
    }
}
