//! Finds files that are in an index already, by their paths and by their contents, so that no file is counted twice.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::digest::Digest;
use crate::file_access::{canonical, length};
use crate::files::FileState;
use crate::manifest::{IndexedSource, Manifest};
use crate::source::Change;

/// The result of looking up a file that is to be indexed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Known {
    /// The file is new; its games must be read.
    New,
    /// The games of the file are in the index.
    Indexed {
        /// The [choice](crate::IndexedFile::choice) of games with which it was indexed.
        choice: String,
    },
    /// The file is in the index, and text has been added to its end since.
    Grown,
    /// The file is in the index, and has changed since.
    Changed,
    /// A file with the same bytes is in the index.
    Copy {
        /// The name of that file.
        of: PathBuf,
        /// Whether that file still exists.
        is_there: bool,
        /// The [choice](crate::IndexedFile::choice) of games with which that file was indexed.
        choice: String,
    },
    /// The list names this file, or a file with the same bytes, more than once: the name given first.
    Again(PathBuf),
}

/// The handling of a file that is given to an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handling {
    /// Its games are read.
    Read,
    /// It is skipped: its games are in the index, or are read from another file.
    Skip,
    /// It is refused, and nothing is written: the index contains older games of the same file.
    Refuse,
}

impl Known {
    /// Returns the handling of a file of which this is known. [`explain`](Self::explain) gives the reason.
    pub fn handling(&self) -> Handling {
        match self {
            Self::New => Handling::Read,
            Self::Indexed { .. } | Self::Copy { .. } | Self::Again(_) => Handling::Skip,
            Self::Grown | Self::Changed => Handling::Refuse,
        }
    }
}

/// Looks up files in an index.
pub(super) fn known(manifest: &Manifest, folder: &Path, paths: &[&Path]) -> Vec<Known> {
    let mut census = Census { folder, by_place: HashMap::new(), by_size: HashMap::new(), named: HashMap::new() };
    for source in &manifest.sources {
        census.by_place.extend(source.places(folder).map(|place| (place, source)));
        if let Some(digest) = source.digest {
            let holder = Holder { name: &source.name, source: Some(source), digest: digest.into() };
            census.by_size.entry(source.stamp.bytes).or_default().push(holder);
        }
    }
    paths.iter().map(|path| census.known(path).unwrap_or(Known::New)).collect()
}

/// The files of the index and the new files.
struct Census<'m> {
    folder: &'m Path,
    by_place: HashMap<PathBuf, &'m IndexedSource>,
    by_size: HashMap<u64, Vec<Holder<'m>>>,
    /// The new files by path, with their names as given.
    named: HashMap<PathBuf, &'m Path>,
}

/// A file with its digest, which is computed when another file has the same size.
struct Holder<'m> {
    name: &'m Path,
    source: Option<&'m IndexedSource>,
    digest: OnceCell<Digest>,
}

impl<'m> Census<'m> {
    /// Looks up the next file; None if it cannot be read.
    fn known(&mut self, path: &'m Path) -> Option<Known> {
        let length = length(path).ok()??;
        let real = canonical(path).ok()?;
        if let Some(source) = self.by_place.get(&real) {
            return Some(match source.stamp.change(&real, source.digest).ok()? {
                Change::None => Known::Indexed { choice: source.choice.clone() },
                Change::Grown => Known::Grown,
                Change::Other => Known::Changed,
            });
        }
        if let Some(name) = self.named.get(&real) {
            return Some(Known::Again(name.to_path_buf()));
        }
        let digest = OnceCell::new();
        let holders = self.by_size.entry(length).or_default();
        for holder in &*holders {
            // Empty files are ignored: they have no games that could be counted twice.
            if length > 0 && get(&digest, path)? == get(&holder.digest, holder.name)? {
                return Some(holder.is_known(self.folder));
            }
        }
        holders.push(Holder { name: path, source: None, digest });
        self.named.insert(real, path);
        Some(Known::New)
    }
}

fn get(digest: &OnceCell<Digest>, path: &Path) -> Option<Digest> {
    if digest.get().is_none() {
        let _ = digest.set(Digest::of(path).ok()?);
    }
    digest.get().copied()
}

impl Holder<'_> {
    /// Returns the result for a file with the same bytes.
    fn is_known(&self, folder: &Path) -> Known {
        let of = self.name.to_owned();
        match self.source {
            Some(source) => Known::Copy {
                of,
                is_there: matches!(source.state(folder), FileState::Unchanged(_)),
                choice: source.choice.clone(),
            },
            None => Known::Again(of),
        }
    }
}
