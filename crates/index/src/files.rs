//! The source files of an index: their current places, and whether they have changed.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::file_access::{canonical, is_file};
use crate::manifest::IndexedSource;
use crate::names::{real_path, way};
use crate::source::{Change, ReadSettings, Stamp};

/// A source file of an index, or a stream.
#[derive(Clone, Copy, Debug)]
pub struct IndexedFile<'i> {
    pub(super) folder: &'i Path,
    pub(super) source: &'i IndexedSource,
}

/// The state of a source file compared with the time when it was indexed.
#[derive(Debug)]
pub enum FileState {
    /// The file exists and has not changed.
    Unchanged(PathBuf),
    /// The file exists, and text was added to its end.
    Grown(PathBuf),
    /// A different file is in its place.
    Changed(PathBuf),
    /// The file does not exist at any of its known places.
    Missing,
    /// The file exists but cannot be read.
    Unreadable(io::Error),
    /// The games came through a pipe.
    Piped,
}

impl FileState {
    /// Returns the name of the state: `unchanged`, `grown`, `changed`, `missing`, `unreadable` or `piped`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Unchanged(_) => "unchanged",
            Self::Grown(_) => "grown",
            Self::Changed(_) => "changed",
            Self::Missing => "missing",
            Self::Unreadable(_) => "unreadable",
            Self::Piped => "piped",
        }
    }

    /// Returns the path of the file that was found; None if there is none that can be read.
    pub fn place(&self) -> Option<&Path> {
        match self {
            Self::Unchanged(place) | Self::Grown(place) | Self::Changed(place) => Some(place),
            Self::Missing | Self::Unreadable(_) | Self::Piped => None,
        }
    }
}

impl<'i> IndexedFile<'i> {
    /// Returns the name of the file as it was given when it was indexed or relocated.
    pub fn name(&self) -> &'i Path {
        &self.source.name
    }

    /// Returns the last known absolute path; None for a stream.
    pub fn path(&self) -> Option<&'i Path> {
        self.source.path.as_deref()
    }

    /// Returns the path of an existing file that may be this one: its last known path, or else the same relative path
    /// from the folder of the index. None if there is no such file.
    pub fn place(&self) -> Option<PathBuf> {
        self.source.places(self.folder).find(|place| place.exists() || is_file(place))
    }

    /// Returns the [name](Self::name) of the file if it leads to the file from the current folder. Otherwise returns
    /// the path where the file is now, or was.
    pub fn name_from_here(&self) -> PathBuf {
        let Some(place) = self.place().or_else(|| self.path().map(Path::to_owned)) else {
            return self.name().to_owned();
        };
        if real_path(self.name()).as_ref() == Some(&place) { self.name().to_owned() } else { place }
    }

    /// Returns the size of the file in bytes when it was indexed; None for a stream.
    pub fn bytes(&self) -> Option<u64> {
        self.source.path.is_some().then_some(self.source.stamp.bytes)
    }

    /// Returns the numbers of its games in the index.
    pub fn games(&self) -> Range<u64> {
        self.source.first_game..self.source.first_game + self.source.games
    }

    /// Returns the settings with which the file was read.
    pub fn reading(&self) -> ReadSettings {
        self.source.reading.clone()
    }

    /// Returns the filter on its games, in the words given when it was indexed; empty if all games were taken.
    pub fn choice(&self) -> &'i str {
        &self.source.choice
    }

    /// Looks for the file and compares it with the indexed one. If the file and the folder of the index were moved
    /// together, the file is found by its path relative to that folder. A file with a different modification time is
    /// read completely.
    pub fn state(&self) -> FileState {
        self.source.state(self.folder)
    }
}

impl IndexedSource {
    /// Records the path and the stamp of the file.
    pub(super) fn place_at(&mut self, path: &Path, stamp: Stamp, folder: &Path) -> io::Result<()> {
        let real = canonical(path)?;
        self.stamp = stamp;
        self.beside = way(&folder.canonicalize()?, &real);
        self.path = Some(real);
        Ok(())
    }

    /// Returns the paths at which the file may be.
    pub(super) fn places(&self, folder: &Path) -> impl Iterator<Item = PathBuf> {
        let beside = self.beside.as_ref().and_then(|way| canonical(&folder.join(way)).ok());
        self.path.iter().cloned().chain(beside)
    }

    /// Looks for the file and compares it with the indexed one.
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
            // The last known path is preferred if a file exists there.
            if matches!(state, FileState::Missing) {
                state = found;
            }
        }
        state
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::{FileState, IndexedFile};
    use crate::manifest::IndexedSource;
    use crate::source::{ReadSettings, Stamp};

    #[test]
    fn a_file_tells_how_it_was_read_and_where_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().canonicalize().unwrap();
        let path = folder.join("games.pgn");
        fs::write(&path, "1. e4 *\n").unwrap();
        let mut source = IndexedSource::of_games("gone.pgn", 1, 1);
        source.reading = ReadSettings { movetext: Some("moves".to_owned()), ..ReadSettings::default() };
        source.choice = "White=A".to_owned();
        source.place_at(&path, Stamp::take(&path).unwrap(), &folder).unwrap();
        let file = IndexedFile { folder: &folder, source: &source };
        assert_eq!((file.reading().movetext.as_deref(), file.choice()), (Some("moves"), "White=A"));
        assert_eq!((file.path(), file.place()), (Some(&*path), Some(path.clone())));
        assert_eq!(file.state().place(), Some(&*path));
        // The name leads to no file, or to this one.
        assert_eq!(file.name_from_here(), path);
        let name = folder.join(".").join("games.pgn");
        let named = IndexedSource { name: name.clone(), ..source.clone() };
        let file = IndexedFile { folder: &folder, source: &named };
        assert_eq!(file.name_from_here().as_os_str(), name.as_os_str());
        fs::remove_file(&path).unwrap();
        assert_eq!((file.state().name(), file.state().place(), file.place()), ("missing", None, None));
    }

    #[test]
    fn a_member_of_an_archive_has_a_place() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().canonicalize().unwrap();
        crate::tests::write_archive(&folder.join("a.zip"), "", &[("b.pgn", "1. e4 *")]);
        let [member, none] = ["b.pgn", "c.pgn"].map(|name| folder.join("a.zip").join(name));
        for (path, place) in [(member.clone(), Some(member)), (none, None)] {
            let source = IndexedSource { path: Some(path), ..IndexedSource::of_games("b.pgn", 1, 1) };
            assert_eq!(IndexedFile { folder: &folder, source: &source }.place(), place);
        }
    }

    #[test]
    #[cfg(unix)]
    fn a_file_that_cannot_be_read_is_not_missing() {
        let folder = tempfile::tempdir().unwrap();
        let source = IndexedSource { path: Some(folder.path().to_owned()), ..IndexedSource::of_games("a.pgn", 1, 1) };
        let state = source.state(Path::new("games.idx"));
        assert!(matches!(state, FileState::Unreadable(_)), "{state:?}");
        assert_eq!((state.name(), state.place()), ("unreadable", None));
    }
}
