//! The files whose games are in an index: where they are now, and whether they are what they were.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::index::manifest::IndexedSource;
use crate::index::names::way;
use crate::index::source::{Change, ReadSettings, Stamp};

/// A file, or a stream, whose games are in an index.
#[derive(Clone, Copy, Debug)]
pub struct IndexedFile<'i> {
    pub(super) folder: &'i Path,
    pub(super) source: &'i IndexedSource,
}

/// What became of a file since it was indexed.
#[derive(Debug)]
pub enum FileState {
    /// It is here, and is what it was.
    Unchanged(PathBuf),
    /// It is here, and something has been added to it.
    Grown(PathBuf),
    /// Another file is here.
    Changed(PathBuf),
    /// It is not where it was.
    Missing,
    /// It is there, but cannot be read.
    Unreadable(io::Error),
    /// Its games came through a pipe.
    Piped,
}

impl<'i> IndexedFile<'i> {
    /// Its name as it was given when it was indexed, or moved.
    pub fn name(&self) -> &'i Path {
        &self.source.name
    }

    /// Where it was last known to be, from the root; None for a stream.
    pub fn path(&self) -> Option<&'i Path> {
        self.source.path.as_deref()
    }

    /// Where there is a file now that may be it: where it was last known to be, or where it lies as it did beside the folder of the
    /// index. None if there is none.
    pub fn place(&self) -> Option<PathBuf> {
        self.source.places(self.folder).find(|place| place.exists())
    }

    /// How many bytes it had.
    pub fn bytes(&self) -> Option<u64> {
        self.source.path.is_some().then_some(self.source.stamp.bytes)
    }

    /// The numbers of its games in the index.
    pub fn games(&self) -> Range<u64> {
        self.source.first_game..self.source.first_game + self.source.games
    }

    /// How it was read.
    pub fn reading(&self) -> ReadSettings {
        self.source.reading
    }

    /// Which of its games were chosen, in the words that were given when it was indexed; empty if all were.
    pub fn choice(&self) -> &'i str {
        &self.source.choice
    }

    /// Looks where it is, and what became of it. A file that lies as it did beside the folder of the index is found when both have
    /// been moved. One that has another time than it had is read as a whole.
    pub fn state(&self) -> FileState {
        self.source.state(self.folder)
    }
}

impl IndexedSource {
    /// Takes note of where the file is and what it is like there.
    pub(super) fn place_at(&mut self, path: &Path, stamp: Stamp, folder: &Path) -> io::Result<()> {
        let real = path.canonicalize()?;
        self.stamp = stamp;
        self.beside = way(&folder.canonicalize()?, &real);
        self.path = Some(real);
        Ok(())
    }

    /// The places where the file may be.
    pub(super) fn places(&self, folder: &Path) -> impl Iterator<Item = PathBuf> {
        let beside = self.beside.as_ref().and_then(|way| folder.join(way).canonicalize().ok());
        self.path.iter().cloned().chain(beside)
    }

    /// Where the file is, and what became of it.
    pub(super) fn state(&self, folder: &Path) -> FileState {
        let mut state = if self.path.is_some() { FileState::Missing } else { FileState::Piped };
        for place in self.places(folder) {
            let found = match self.stamp.change(&place, self.digest) {
                Ok(Change::None) => return FileState::Unchanged(place),
                Ok(Change::Grown) => FileState::Grown(place),
                Ok(Change::Other) => FileState::Changed(place),
                Err(error) if error.kind() == io::ErrorKind::NotFound => FileState::Missing,
                Err(error) => FileState::Unreadable(error),
            };
            // Where it was last known to be counts for more, if there is anything.
            if matches!(state, FileState::Missing) {
                state = found;
            }
        }
        state
    }
}
