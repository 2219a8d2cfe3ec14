//! Maintains an index: finds source files that were moved, and removes the games of files.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use crate::digest::Digest;
use crate::error::IndexError;
use crate::file_access::length;
use crate::files::{FileState, IndexedFile};
use crate::finished::Built;
use crate::folder::{LockedFolder, read_manifest};
use crate::kept::Kept;
use crate::lookup::Index;
use crate::manifest::Manifest;
use crate::merge;
use crate::options::BuildOptions;
use crate::progress::Progress;
use crate::sizes::Sizes;
use crate::source::Stamp;
use pgn2fen_games::parallel::Workers;

/// An index that is open for maintenance. No other process can write to it meanwhile.
#[derive(Debug)]
pub struct Upkeep {
    folder: LockedFolder,
    manifest: Manifest,
    pub(super) sizes: Sizes,
}

/// A source file of an index, and the result of the search for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relocated {
    /// The name of the file before the search.
    pub name: PathBuf,
    /// The path of the file before the search.
    pub path: PathBuf,
    /// The result of the search.
    pub whereabouts: Whereabouts,
}

/// The place of a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Whereabouts {
    /// At its known path, or at the same relative path from the folder of the index.
    InPlace,
    /// At this path. The index knows it by this name from now on.
    Found(PathBuf),
    /// Not found, and there is no file at its known path.
    Missing,
    /// Not found, and a different file is at its known path.
    Replaced,
}

/// A file that could not be read while files were searched for.
pub type Unreadable = (PathBuf, io::Error);

/// A file that may be one of the missing files.
struct Candidate<'c> {
    path: &'c Path,
    stamp: Stamp,
    digest: OnceCell<Digest>,
}

impl Upkeep {
    /// Opens the index in a folder for maintenance.
    ///
    /// # Errors
    ///
    /// Fails if there is no index, if it cannot be read, or if another process is writing to it.
    pub fn begin(folder: &Path) -> Result<Self, IndexError> {
        // If there is no index, no folder is created.
        let there_is_one = Index::open(folder)?;
        let folder = LockedFolder::take(folder)?;
        let manifest = read_manifest(folder.path())?;
        let manifest = manifest.ok_or_else(|| IndexError::new(folder.path(), "the index is gone"))?;
        drop(there_is_one);
        Ok(Self { folder, manifest, sizes: Sizes::USUAL })
    }

    /// Returns the source files of the index, in the order of their games.
    pub fn files(&self) -> impl ExactSizeIterator<Item = IndexedFile<'_>> {
        self.manifest.sources.iter().map(|source| IndexedFile { folder: self.folder.path(), source })
    }

    /// Searches among `candidates` for the source files that are missing or have changed. A candidate with the same
    /// size and the same hash of all bytes is the file, whatever its name is. No game is read. Returns the place of
    /// each source file, and the candidates that could not be read.
    ///
    /// # Errors
    ///
    /// Fails if the index cannot be written to.
    pub fn relocate(self, candidates: &[&Path]) -> Result<(Vec<Relocated>, Vec<Unreadable>), IndexError> {
        let Self { folder, mut manifest, .. } = self;
        let before = manifest.clone();
        let mut search = Search::among(candidates, &manifest);
        let mut relocated = Vec::new();
        for source in &mut manifest.sources {
            let (Some(path), Some(digest)) = (source.path.clone(), source.digest) else {
                continue;
            };
            let name = source.name.clone();
            let stamp_at = |place: &Path| Stamp::take(place).map_err(IndexError::io(place));
            let whereabouts = match source.state(folder.path()) {
                FileState::Unchanged(place) => {
                    // The stamp is stored, so that the next check is quick.
                    let stamp = stamp_at(&place)?;
                    source.place_at(&place, stamp, folder.path()).map_err(IndexError::io(&place))?;
                    Whereabouts::InPlace
                }
                state => match (search.find(source.stamp.bytes, digest), state) {
                    (Some(found), _) => {
                        source.name = found.path.to_owned();
                        source.place_at(found.path, found.stamp, folder.path()).map_err(IndexError::io(found.path))?;
                        Whereabouts::Found(found.path.to_owned())
                    }
                    (None, FileState::Grown(_) | FileState::Changed(_)) => Whereabouts::Replaced,
                    (None, FileState::Unreadable(error)) => {
                        search.unreadable.push((path.clone(), error));
                        Whereabouts::Missing
                    }
                    (None, _) => Whereabouts::Missing,
                },
            };
            relocated.push(Relocated { name, path, whereabouts });
        }
        if manifest != before {
            folder.publish(&manifest)?;
        }
        Ok((relocated, search.unreadable))
    }

    /// Removes the games of some of the [files](Self::files). The index is then byte for byte the index that would be
    /// built of the other files and compacted. Games behind removed games get lower numbers. `memory` and `progress`
    /// work as in a build.
    ///
    /// # Errors
    ///
    /// Fails if a file could not be read or written, or if `progress` stopped the removal. The index is then unchanged,
    /// unless the error is [in doubt](IndexError::is_in_doubt).
    pub fn remove(
        self,
        files: &[usize],
        memory: usize,
        workers: &Workers,
        progress: &Progress<'_>,
    ) -> Result<Built, IndexError> {
        let Self { folder, manifest, sizes } = self;
        let (kept, sources) = Kept::without(&manifest, |at| files.contains(&at));
        let options = BuildOptions { memory, sizes, ..BuildOptions::default() };
        let rest = merge::merge(&folder, &manifest, (&kept, sources), &options, workers, progress)?;
        folder.publish(&rest)?;
        let (before, after) = (Built::new(0, 0, &manifest), Built::new(0, 0, &rest));
        let games = before.all_games - after.all_games;
        Ok(Built { games, postings: before.all_postings - after.all_postings, ..after })
    }
}

/// The candidates by size. Only those that may be a missing file are read.
struct Search<'c> {
    by_size: HashMap<u64, Vec<Candidate<'c>>>,
    unreadable: Vec<Unreadable>,
}

impl<'c> Search<'c> {
    fn among(paths: &[&'c Path], manifest: &Manifest) -> Self {
        let mut search = Self { by_size: HashMap::new(), unreadable: Vec::new() };
        for source in manifest.sources.iter().filter(|source| source.path.is_some()) {
            search.by_size.entry(source.stamp.bytes).or_default();
        }
        for path in paths {
            if let Err(error) = search.add(path) {
                search.unreadable.push((path.to_path_buf(), error));
            }
        }
        search
    }

    fn add(&mut self, path: &'c Path) -> io::Result<()> {
        if let Some(length) = length(path)?
            && let Some(candidates) = self.by_size.get_mut(&length)
        {
            candidates.push(Candidate { path, stamp: Stamp::take(path)?, digest: OnceCell::new() });
        }
        Ok(())
    }

    /// Returns the first candidate with this size and this digest.
    fn find(&mut self, bytes: u64, digest: Digest) -> Option<&Candidate<'c>> {
        let candidates = self.by_size.get(&bytes)?;
        candidates.iter().find(|candidate| {
            if candidate.digest.get().is_none() {
                match Digest::of(candidate.path) {
                    Ok(digest) => drop(candidate.digest.set(digest)),
                    Err(error) => self.unreadable.push((candidate.path.to_owned(), error)),
                }
            }
            candidate.digest.get() == Some(&digest)
        })
    }
}
