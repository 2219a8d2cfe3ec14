//! Names of indexed files for people: paths that lead to the files from the current folder.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::index::{Index, IndexedFile, shown};

/// A cache of file names, by the indices of the files in the index.
#[derive(Debug, Default)]
pub(super) struct Names(HashMap<usize, String>);

impl Names {
    /// Returns the name of the file of a game, or an empty text if there is no such game.
    pub(super) fn of(&mut self, index: &Index, game: u64) -> &str {
        match index.file_of(game) {
            Some((at, file)) => self.0.entry(at).or_insert_with(|| shown(&name_from_here(file))),
            None => "",
        }
    }
}

/// Returns the name that a file had on the command line when it was indexed, if that name leads to the file from the current folder.
/// Otherwise returns the path where the file is now, or was.
pub(in crate::cli) fn name_from_here(file: IndexedFile<'_>) -> PathBuf {
    let Some(place) = file.place().or_else(|| file.path().map(Path::to_owned)) else {
        return file.name().to_owned();
    };
    if real(file.name()).as_ref() == Some(&place) { file.name().to_owned() } else { place }
}

/// Returns an absolute path without symbolic links. The file itself may be missing, but not its folder.
pub(in crate::cli) fn real(name: &Path) -> Option<PathBuf> {
    let folder = || {
        let folder = name.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Some(folder.canonicalize().ok()?.join(name.file_name()?))
    };
    name.canonicalize().ok().or_else(folder)
}
