//! The folder of an index: who may write there, and how what was written comes to count.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::index::error::IndexError;
use crate::index::manifest::{self, Manifest, run_folder, run_number};

/// The name of the file that who writes holds a lock on.
const LOCK: &str = "lock";

/// What an unfinished manifest is called.
const UNFINISHED: &str = ".manifest-";

/// What stands before the name of an unfinished run, so that who reads `run-*` does not come upon it.
const HIDDEN: &str = ".";

/// A folder that nobody else writes to as long as this is held.
#[derive(Debug)]
pub(super) struct LockedFolder {
    path: PathBuf,
    /// The system lets go of the lock when the file is closed, however the run ends.
    _lock: File,
    /// Whether the folder was made for this.
    is_new: bool,
}

/// The folder of a run in the making. It is removed unless it is kept.
#[derive(Debug)]
pub(super) struct RunFolder {
    path: PathBuf,
    folder: PathBuf,
    name: String,
    is_kept: bool,
}

/// Reads the manifest of a folder; None if there is none.
pub(super) fn read_manifest(folder: &Path) -> Result<Option<Manifest>, IndexError> {
    let path = folder.join(manifest::NAME);
    match fs::read_to_string(&path) {
        Ok(text) => Manifest::read(&path, &text).map(Some),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(IndexError::io(&path)(error)),
    }
}

impl LockedFolder {
    /// Takes a folder, which is made if it is not there. It must be empty, or an index, or what is left of one that was never
    /// finished.
    pub(super) fn take(path: &Path) -> Result<Self, IndexError> {
        let is_new = !path.exists();
        fs::create_dir_all(path).map_err(IndexError::io(path))?;
        refuse_other_folder(path)?;
        let lock_path = path.join(LOCK);
        let lock = File::options().create(true).truncate(false).write(true).open(&lock_path);
        let lock = lock.map_err(IndexError::io(&lock_path))?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { path: path.to_owned(), _lock: lock, is_new }),
            Err(TryLockError::WouldBlock) => {
                Err(IndexError::new(path, "another pgn2fen is writing to this index; wait until it is done"))
            }
            Err(TryLockError::Error(error)) => Err(IndexError::io(&lock_path)(error)),
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Removes what the manifest does not name: what is left of runs that were broken off or merged.
    pub(super) fn clean(&self, manifest: Option<&Manifest>) -> Result<(), IndexError> {
        for name in names(&self.path).map_err(IndexError::io(&self.path))? {
            let is_known = manifest.is_some_and(|manifest| manifest.runs.iter().any(|run| run.folder == name));
            let path = self.path.join(&name);
            if any_run_number(&name).is_some() && !is_known {
                fs::remove_dir_all(&path).map_err(IndexError::io(&path))?;
            } else if name.starts_with(UNFINISHED) {
                fs::remove_file(&path).map_err(IndexError::io(&path))?;
            }
        }
        Ok(())
    }

    /// Makes the folder of a new run.
    pub(super) fn new_run(&self) -> Result<RunFolder, IndexError> {
        let names = names(&self.path).map_err(IndexError::io(&self.path))?;
        let last = names.iter().filter_map(|name| any_run_number(name)).max().unwrap_or(0);
        let name = run_folder(last + 1);
        let path = self.path.join(format!("{HIDDEN}{name}"));
        fs::create_dir(&path).map_err(IndexError::io(&path))?;
        Ok(RunFolder { path, folder: self.path.clone(), name, is_kept: false })
    }

    /// Replaces the manifest by another, in one step; then what it does not name is removed.
    pub(super) fn publish(&self, manifest: &Manifest) -> Result<(), IndexError> {
        let path = self.path.join(manifest::NAME);
        let write = || -> io::Result<()> {
            let mut file = tempfile::Builder::new().prefix(UNFINISHED).tempfile_in(&self.path)?;
            #[cfg(unix)]
            {
                // Who may read the tables may read what names them.
                use std::os::unix::fs::PermissionsExt;
                let mode = fs::metadata(self.path.join(LOCK))?.permissions().mode();
                file.as_file().set_permissions(fs::Permissions::from_mode(mode))?;
            }
            file.write_all(manifest.write().as_bytes())?;
            file.as_file().sync_all()?;
            file.persist(&path)?;
            sync_folder(&self.path)
        };
        write().map_err(IndexError::io(&path))?;
        // The index is what the manifest says. What cannot be removed now is removed by the next who writes.
        let _ = self.clean(Some(manifest));
        Ok(())
    }
}

impl Drop for LockedFolder {
    fn drop(&mut self) {
        // A folder in which nothing came to be is not left behind.
        if self.is_new && names(&self.path).is_ok_and(|names| names.iter().all(|name| name == LOCK)) {
            let _ = fs::remove_file(self.path.join(LOCK));
            let _ = fs::remove_dir(&self.path);
        }
    }
}

impl RunFolder {
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// All has been written: the folder gets its name, and tells it.
    pub(super) fn keep(mut self) -> Result<String, IndexError> {
        let keep = || -> io::Result<()> {
            sync_folder(&self.path)?;
            fs::rename(&self.path, self.folder.join(&self.name))?;
            sync_folder(&self.folder)
        };
        keep().map_err(IndexError::io(&self.path))?;
        self.is_kept = true;
        Ok(std::mem::take(&mut self.name))
    }
}

impl Drop for RunFolder {
    fn drop(&mut self) {
        if !self.is_kept {
            // What cannot be removed now is removed by the next who writes.
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}

/// Whoever names the wrong folder shall not lose it.
fn refuse_other_folder(path: &Path) -> Result<(), IndexError> {
    let names = names(path).map_err(IndexError::io(path))?;
    let has = |name: &str| names.iter().any(|other| other == name);
    let is_index = has(manifest::NAME) && read_manifest(path)?.is_some();
    let is_ours = |name: &String| name == LOCK || name.starts_with(UNFINISHED) || any_run_number(name).is_some();
    let is_unfinished = has(LOCK) && names.iter().all(is_ours);
    if is_index || is_unfinished || names.is_empty() {
        return Ok(());
    }
    Err(IndexError::new(path, "this folder is not empty, and is no index"))
}

/// The number of a run, finished or not, by the name of its folder.
fn any_run_number(name: &str) -> Option<u64> {
    run_number(name.strip_prefix(HIDDEN).unwrap_or(name))
}

fn names(folder: &Path) -> io::Result<Vec<String>> {
    fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned())).collect()
}

/// What was created in a folder is on the disk then.
fn sync_folder(path: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(path)?.sync_all() } else { Ok(()) }
}
