//! Files that are damaged and mended again.

use std::fs;
use std::path::{Path, PathBuf};

use crate::choices::Choices;

/// The files of a folder, with what was in them.
pub(crate) struct Damageable {
    files: Vec<(PathBuf, Vec<u8>)>,
}

/// The most times that files are damaged at once.
const MOST: usize = 8;

impl Damageable {
    /// Returns the files below a folder, except for locks.
    pub(crate) fn below(folder: &Path) -> Self {
        let mut paths = files(folder);
        paths.retain(|path| !path.ends_with("lock"));
        let read = |path: PathBuf| {
            let bytes = fs::read(&path).expect("a file");
            (path, bytes)
        };
        Self { files: paths.into_iter().map(read).collect() }
    }

    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(|(path, _)| path.as_path())
    }

    /// Damages files as often as there are groups of four bytes: one byte chooses a file, two bytes an offset in it,
    /// and one byte the bits that are flipped. If it flips no bits, the file is truncated there.
    pub(crate) fn damage(&self, choices: &mut Choices<'_>, groups: usize) {
        for _ in 0..groups.min(MOST) {
            let (path, _) = &self.files[usize::from(choices.byte()) % self.files.len()];
            let (place, bits) = (choices.number(), choices.byte());
            let mut bytes = fs::read(path).expect("a file");
            let at = place % bytes.len().max(1);
            match bytes.get_mut(at) {
                Some(byte) if bits != 0 => *byte ^= bits,
                _ => bytes.truncate(at),
            }
            fs::write(path, bytes).expect("a file");
        }
    }

    /// Writes what was in the files.
    pub(crate) fn mend(&self) {
        for (path, bytes) in &self.files {
            if fs::read(path).ok().as_ref() != Some(bytes) {
                fs::write(path, bytes).expect("a file");
            }
        }
    }
}

/// Returns the files below a folder, in the order of their names.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("an entry").path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}
