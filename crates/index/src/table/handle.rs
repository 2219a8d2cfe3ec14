//! The open file of a table. A process keeps a limited number of them open.
//!
//! A run has up to 129 tables, an index has any number of runs, and some systems let a process open 256 files. So the
//! tables beyond the limit are opened for each read, which takes a few microseconds.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use pgn2fen_games::database::PositionedFile;

/// The number of tables that a process keeps open: all those of one run.
static ROOM: Room = Room::new(160);

/// A number of files that may be kept open.
#[derive(Debug)]
struct Room(AtomicUsize);

/// The right to keep a file open, until it is dropped.
#[derive(Debug)]
struct Permit(&'static Room);

/// The file of a table.
#[derive(Debug)]
pub(super) struct Handle {
    path: PathBuf,
    /// The path that the file gets when its run no longer belongs to the index.
    hidden: PathBuf,
    kept: Option<(PositionedFile, Permit)>,
}

impl Room {
    const fn new(files: usize) -> Self {
        Self(AtomicUsize::new(files))
    }

    fn take(&'static self) -> Option<Permit> {
        let less = |room: usize| room.checked_sub(1);
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).ok().map(|_| Permit(self))
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.0.0.fetch_add(1, Ordering::Relaxed);
    }
}

impl Handle {
    /// Opens a file that may be at one of two paths now, or be moved from the first one to the second one later.
    pub(super) fn open(path: &Path, hidden: &Path) -> io::Result<Self> {
        Self::open_in(&ROOM, path, hidden)
    }

    fn open_in(room: &'static Room, path: &Path, hidden: &Path) -> io::Result<Self> {
        let file = open(path, hidden)?;
        let kept = room.take().map(|permit| (file, permit));
        Ok(Self { path: path.to_owned(), hidden: hidden.to_owned(), kept })
    }

    /// Calls a function with the open file.
    pub(super) fn with<T>(&self, read: impl FnOnce(&PositionedFile) -> io::Result<T>) -> io::Result<T> {
        match &self.kept {
            Some((file, _)) => read(file),
            None => read(&open(&self.path, &self.hidden)?),
        }
    }
}

fn open(path: &Path, hidden: &Path) -> io::Result<PositionedFile> {
    PositionedFile::open(path).or_else(|error| match error.kind() {
        io::ErrorKind::NotFound => PositionedFile::open(hidden).map_err(|_| error),
        _ => Err(error),
    })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::atomic::Ordering;

    use pgn2fen_games::database::RandomAccess;

    use super::{Handle, Room};

    #[test]
    fn files_beyond_the_limit_are_opened_for_each_read_wherever_they_are() {
        static ROOM: Room = Room::new(1);
        let folder = tempfile::tempdir().unwrap();
        let [path, hidden] = ["run", "hidden"].map(|name| folder.path().join(name));
        let first_byte = |handle: &Handle| {
            let mut byte = [0];
            handle.with(|file| file.read_exact_at(&mut byte, 0)).map(|()| byte[0]).ok()
        };
        fs::write(&path, b"1").unwrap();
        let kept = Handle::open_in(&ROOM, &path, &hidden).unwrap();
        let reopened = Handle::open_in(&ROOM, &path, &hidden).unwrap();
        assert!(kept.kept.is_some() && reopened.kept.is_none());
        assert_eq!([&kept, &reopened].map(first_byte), [Some(b'1'); 2]);
        fs::rename(&path, &hidden).unwrap();
        assert_eq!([&kept, &reopened].map(first_byte), [Some(b'1'); 2]);
        fs::remove_file(&hidden).unwrap();
        assert_eq!(first_byte(&reopened), None);
        assert!(Handle::open_in(&ROOM, &path, &hidden).is_err());
        drop([kept, reopened]);
        assert_eq!(ROOM.0.load(Ordering::Relaxed), 1);
    }
}
