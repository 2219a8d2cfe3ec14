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

    /// Returns the paths of the files.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(|(path, _)| path.as_path())
    }

    /// Damages files as often as there are groups of four bytes: one byte chooses a file, two bytes an offset in it,
    /// and one byte the bits that are flipped. If it flips no bits, the file is truncated there. The files are damaged
    /// until the result is dropped.
    pub(crate) fn damage(&self, choices: Choices<'_>) -> Damaged<'_> {
        let mut damaged = Damaged { files: &self.files, numbers: Vec::new() };
        let (groups, _) = choices.bytes().as_chunks();
        for [file, high, low, bits] in groups.iter().take(MOST) {
            let number = usize::from(*file) % self.files.len();
            damaged.numbers.push(number);
            let (path, _) = &self.files[number];
            let mut bytes = fs::read(path).expect("a file");
            let at = usize::from(u16::from_be_bytes([*high, *low])) % bytes.len().max(1);
            match bytes.get_mut(at) {
                Some(byte) if *bits != 0 => *byte ^= bits,
                _ => bytes.truncate(at),
            }
            fs::write(path, bytes).expect("a file");
        }
        damaged
    }
}

/// Damaged files. What was in them is written again when this is dropped, also when a law is broken.
pub(crate) struct Damaged<'f> {
    files: &'f [(PathBuf, Vec<u8>)],
    /// The numbers of the damaged ones.
    numbers: Vec<usize>,
}

impl Drop for Damaged<'_> {
    fn drop(&mut self) {
        for number in &self.numbers {
            let (path, bytes) = &self.files[*number];
            fs::write(path, bytes).expect("a file");
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
