//! The temporary files of outputs that are not complete.
//!
//! A file is written beside its target. The process holds a list of such files, so that a program that is interrupted can remove them.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use tempfile::{NamedTempFile, TempPath};

/// The temporary files that exist.
static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn unfinished() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the temporary files of all output files that are not finished. For programs that are interrupted and end at once; these files
/// can no longer be finished.
///
/// A file that cannot be removed stays.
pub fn remove_unfinished() {
    for path in std::mem::take(&mut *unfinished()) {
        let _ = fs::remove_file(path);
    }
}

/// A temporary file, which is removed when it is dropped.
#[derive(Debug)]
pub(super) struct Unfinished {
    /// Removes the file when it is dropped, before the file is struck off the list.
    temporary: TempPath,
    listed: Listed,
}

/// An entry in the list of temporary files.
#[derive(Debug)]
struct Listed(PathBuf);

impl Unfinished {
    /// Creates a temporary file in a folder.
    pub(super) fn create(folder: &Path) -> io::Result<(File, Self)> {
        // The lock is held while the file is created. So an interruption waits until the path of the file is known.
        let mut unfinished = unfinished();
        let (file, temporary) = temporary_in(folder)?.into_parts();
        let path = temporary.to_path_buf();
        unfinished.insert(path.clone());
        Ok((file, Self { temporary, listed: Listed(path) }))
    }

    /// Gives the file the name of its target, which is replaced if it exists.
    pub(super) fn persist(self, target: &Path) -> io::Result<()> {
        let Self { temporary, listed } = self;
        // The lock is held, so that an interruption finds the file under one name or the other.
        let mut unfinished = unfinished();
        // On Windows, this replaces a file that others have open; the function of `tempfile` does not.
        let path = temporary.keep().map_err(|error| error.error)?;
        let renamed = rename(&path, target);
        if renamed.is_err() {
            let _ = fs::remove_file(&path);
        }
        unfinished.remove(&listed.0);
        renamed
    }
}

impl Drop for Listed {
    fn drop(&mut self) {
        unfinished().remove(&self.0);
    }
}

/// Renames a file. On Windows, programs that look at every new file, such as virus scanners, may keep it from being renamed for a moment.
fn rename(from: &Path, to: &Path) -> io::Result<()> {
    let mut renamed = fs::rename(from, to);
    let mut tries = if cfg!(windows) { 20 } else { 0 };
    while tries > 0 && matches!(&renamed, Err(error) if error.kind() == io::ErrorKind::PermissionDenied) {
        thread::sleep(Duration::from_millis(50));
        renamed = fs::rename(from, to);
        tries -= 1;
    }
    renamed
}

/// Creates a temporary file in a folder, with the permissions of a new file.
fn temporary_in(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".pgn2fen-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}
