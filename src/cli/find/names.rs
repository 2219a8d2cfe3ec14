//! Names of indexed files, as they are found from the current folder.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use pgn2fen::index::{Index, IndexedFile, shown};

/// The names that have been asked for, by the places of the files in the index.
#[derive(Debug, Default)]
pub(super) struct Names(HashMap<usize, String>);

impl Names {
    /// The name of the file of a game; empty if there is no such game.
    pub(super) fn of(&mut self, index: &Index, game: u64) -> &str {
        match index.file_of(game) {
            Some((at, file)) => self.0.entry(at).or_insert_with(|| shown(&name_from_here(file))),
            None => "",
        }
    }
}

/// The name that was given to a file when it was indexed, if it leads to the file from the current folder; else the place where the
/// file is, or was.
pub(in crate::cli) fn name_from_here(file: IndexedFile<'_>) -> PathBuf {
    let Some(place) = file.place().or_else(|| file.path().map(Path::to_owned)) else {
        return file.name().to_owned();
    };
    if real(file.name()).as_ref() == Some(&place) { file.name().to_owned() } else { place }
}

/// A path from the root without links. The file itself may be missing.
pub(in crate::cli) fn real(name: &Path) -> Option<PathBuf> {
    let folder = || {
        let folder = name.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Some(folder.canonicalize().ok()?.join(name.file_name()?))
    };
    name.canonicalize().ok().or_else(folder)
}
