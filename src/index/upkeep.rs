//! An index is looked after: files that were moved are found again, and the games of files are taken out.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::index::build::{Built, Shares};
use crate::index::digest::Digest;
use crate::index::error::IndexError;
use crate::index::files::{FileState, IndexedFile};
use crate::index::folder::{LockedFolder, read_manifest};
use crate::index::kept::Kept;
use crate::index::lookup::Index;
use crate::index::manifest::Manifest;
use crate::index::merge;
use crate::index::progress::Progress;
use crate::index::sizes::Sizes;
use crate::index::source::Stamp;
use crate::parallel::Workers;

/// An index that is looked after. Nobody else writes to it meanwhile.
#[derive(Debug)]
pub struct Upkeep {
    folder: LockedFolder,
    manifest: Manifest,
}

/// A file of an index that was looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relocated {
    /// The name that it had.
    pub name: PathBuf,
    /// Where it was.
    pub path: PathBuf,
    /// Where it is.
    pub whereabouts: Whereabouts,
}

/// Where a file of an index is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Whereabouts {
    /// Where it was, or beside the folder of the index as it was.
    InPlace,
    /// Here. The index knows it by this name from now on.
    Found(PathBuf),
    /// It was not found, and there is nothing where it was.
    Missing,
    /// It was not found, and another file is where it was.
    Replaced,
}

/// A file that might have been one of those that were looked for, and cannot be read.
pub type Unreadable = (PathBuf, io::Error);

/// A file that may be one of those that are looked for.
struct Candidate<'c> {
    path: &'c Path,
    stamp: Stamp,
    digest: OnceCell<Digest>,
}

impl Upkeep {
    /// Takes the index in a folder.
    ///
    /// # Errors
    ///
    /// There is no index, it cannot be read, or somebody else is writing to it.
    pub fn begin(folder: &Path) -> Result<Self, IndexError> {
        // Where there is none, nothing is made.
        let there_is_one = Index::open(folder)?;
        let folder = LockedFolder::take(folder)?;
        let manifest = read_manifest(folder.path())?;
        let manifest = manifest.ok_or_else(|| IndexError::new(folder.path(), "the index is gone"))?;
        drop(there_is_one);
        Ok(Self { folder, manifest })
    }

    /// The files whose games it has, in the order of the games.
    pub fn files(&self) -> impl ExactSizeIterator<Item = IndexedFile<'_>> {
        self.manifest.sources.iter().map(|source| IndexedFile { folder: self.folder.path(), source })
    }

    /// Looks for the files of the index that are not where they were, or are not what they were, among some others: one with as many
    /// bytes and the same hash of all of them is the file, whatever it is called. No game is read. Tells where each file of the index
    /// is, and which of the others could not be read.
    ///
    /// # Errors
    ///
    /// The index cannot be written to.
    pub fn relocate(self, candidates: &[&Path]) -> Result<(Vec<Relocated>, Vec<Unreadable>), IndexError> {
        let Self { folder, mut manifest } = self;
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
                    // What had to be found out is known the next time.
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

    /// Takes the games of some of the [files](Self::files) out. The index is then that of the others, byte for byte what building
    /// it of them and compacting it gives; games behind those that are taken out get lower numbers. `memory` and `progress` are
    /// those of a build.
    ///
    /// # Errors
    ///
    /// Something could not be read or written, or `progress` broke off. The index is what it was then, unless that is
    /// [in doubt](IndexError::is_in_doubt).
    pub fn remove(
        self,
        files: &[usize],
        memory: usize,
        workers: &Workers,
        progress: &Progress<'_>,
    ) -> Result<Built, IndexError> {
        self.remove_with_sizes(files, memory, &Sizes::USUAL, workers, progress)
    }

    /// The same, with tables of other sizes.
    pub(super) fn remove_with_sizes(
        self,
        files: &[usize],
        memory: usize,
        sizes: &Sizes,
        workers: &Workers,
        progress: &Progress<'_>,
    ) -> Result<Built, IndexError> {
        let Self { folder, manifest } = self;
        let (kept, sources) = Kept::without(&manifest, |at| files.contains(&at));
        let writers = Shares::of(memory, workers.count()).writers;
        let run = folder.new_run()?;
        let rest = merge::merge(&folder, &manifest, (&kept, sources), run, (workers, writers), sizes, progress)?;
        folder.publish(&rest)?;
        let (before, after) = (Built::new(0, 0, &manifest), Built::new(0, 0, &rest));
        let games = before.all_games - after.all_games;
        Ok(Built { games, postings: before.all_postings - after.all_postings, ..after })
    }
}

/// Files by their sizes, of which only those are read that may be one of the index.
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
        let metadata = fs::metadata(path)?;
        if let Some(candidates) = self.by_size.get_mut(&metadata.len())
            && metadata.is_file()
        {
            candidates.push(Candidate { path, stamp: Stamp::take(path)?, digest: OnceCell::new() });
        }
        Ok(())
    }

    /// The first of the files that has this size and this digest.
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
