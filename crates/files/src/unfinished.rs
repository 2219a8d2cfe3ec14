//! The temporary files of outputs that are not complete.
//!
//! A file is written beside its target. The process holds a list of such files, so that a program that is interrupted
//! can remove them. A process that is killed leaves them behind. So an open file is locked: the lock ends with the
//! process, and the next output in the folder removes files that nobody has locked
//! ([`remove_abandoned`](crate::abandoned::remove_abandoned)). Files that are closed and wait for others have no
//! lock; the list of their [group](crate::pending) has one.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, File, Metadata, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use tempfile::{NamedTempFile, TempPath};

use crate::pending::{DONE, GROUP, ID_LENGTH, OPEN};

/// The temporary files that exist.
static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn unfinished() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the temporary files of all output files that are not finished. For programs that are interrupted and end at
/// once; these files can no longer be finished. No other temporary file is made before the returned value is dropped,
/// so a program keeps it until it ends.
///
/// A file that cannot be removed stays.
#[must_use]
pub fn remove_unfinished() -> NoNewFiles {
    let mut unfinished = unfinished();
    for path in std::mem::take(&mut *unfinished) {
        let _ = fs::remove_file(path);
    }
    NoNewFiles { _list: unfinished }
}

/// As long as it lives, threads that make an output file wait.
#[derive(Debug)]
pub struct NoNewFiles {
    _list: MutexGuard<'static, BTreeSet<PathBuf>>,
}

/// A temporary file, which is removed when it is dropped.
#[derive(Debug)]
pub(super) struct Unfinished {
    /// Removes the file when it is dropped, before the file is struck off the list.
    temporary: TempPath,
    entry: Entry,
}

/// An entry in the list of temporary files.
#[derive(Debug)]
struct Entry(PathBuf);

impl Unfinished {
    /// Creates a temporary file in a folder. If it will replace a file, it gets the owner and the permissions of that
    /// file, as far as the process may set them. Until then nobody else can read it.
    pub(super) fn create(folder: &Path, replaced: Option<&Metadata>) -> io::Result<(File, Self)> {
        Self::create_locked(folder, (OPEN, 6), replaced)
    }

    /// Creates the list of a new group in its first folder.
    pub(super) fn create_group(folder: &Path) -> io::Result<(File, Self)> {
        Self::create_locked(folder, (GROUP, ID_LENGTH), None)
    }

    /// Creates and locks a file whose name has this beginning and so many random letters and digits behind it.
    fn create_locked(folder: &Path, name: (&str, usize), replaced: Option<&Metadata>) -> io::Result<(File, Self)> {
        // The lock is held while the file is created. So an interruption waits until the path of the file is known.
        let mut unfinished = unfinished();
        loop {
            let (file, temporary) = temporary_in(folder, name, replaced.is_some())?.into_parts();
            // Another process may have found the file before it was locked, and removes it. File systems without locks
            // are fine: nobody can lock the file to remove it.
            if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) || !temporary.try_exists()? {
                continue;
            }
            if let Some(replaced) = replaced {
                take_permissions(&file, replaced);
            }
            let path = temporary.to_path_buf();
            unfinished.insert(path.clone());
            return Ok((file, Self { temporary, entry: Entry(path) }));
        }
    }

    /// Returns the name of the file.
    pub(super) fn name(&self) -> &OsStr {
        self.entry.0.file_name().unwrap_or_default()
    }

    pub(super) fn path(&self) -> &Path {
        &self.entry.0
    }

    /// Renames a file that is complete and waits for the others of a group. It need not be open any more.
    pub(super) fn wait(self, id: &str) -> io::Result<Self> {
        let name = self.name().to_string_lossy();
        let random = name.rsplit('-').next().unwrap_or_default();
        let waiting = format!("{DONE}{id}-{random}");
        self.renamed(&waiting)
    }

    /// Gives the file another temporary name.
    pub(super) fn renamed(self, name: &str) -> io::Result<Self> {
        let Self { temporary, entry } = self;
        let renamed = entry.0.with_file_name(name);
        let mut unfinished = unfinished();
        rename(&entry.0, &renamed)?;
        unfinished.insert(renamed.clone());
        drop(unfinished);
        // There is no file of the old name any more that could be removed.
        let _ = temporary.keep();
        Ok(Self { temporary: TempPath::try_from_path(&renamed)?, entry: Entry(renamed) })
    }

    /// Gives the file the name of its target, which is replaced if it exists.
    pub(super) fn persist(self, target: &Path) -> io::Result<()> {
        let Self { temporary, entry } = self;
        // The lock is held, so that an interruption finds the file under one name or the other.
        let mut unfinished = unfinished();
        // On Windows, this replaces a file that others have open; the function of `tempfile` does not.
        let path = temporary.keep().map_err(|error| error.error)?;
        let renamed = rename(&path, target);
        if renamed.is_err() {
            let _ = fs::remove_file(&path);
        }
        unfinished.remove(&entry.0);
        renamed
    }
}

/// Gives files the names of their targets, between a first and a last step. If the first step fails, no file gets its
/// name. Returns the errors of files that could not be renamed and were removed; the others have their names.
///
/// An interruption comes before the first step, and removes all files, or after the last one.
pub(super) fn persist_together<T>(
    files: Vec<(Unfinished, PathBuf)>,
    first: impl FnOnce() -> io::Result<T>,
    last: impl FnOnce(T),
) -> io::Result<Vec<(PathBuf, io::Error)>> {
    let mut entries = Vec::with_capacity(files.len());
    let mut failed = Vec::new();
    let mut unfinished = unfinished();
    let begun = match first() {
        Ok(begun) => begun,
        Err(error) => {
            // What is dropped is struck off the list.
            drop(unfinished);
            return Err(error);
        }
    };
    for (Unfinished { temporary, entry }, target) in files {
        let renamed = temporary.keep().map_err(|error| error.error).and_then(|path| {
            rename(&path, &target).inspect_err(|_| {
                let _ = fs::remove_file(&path);
            })
        });
        unfinished.remove(&entry.0);
        // An entry that is dropped waits for the list.
        entries.push(entry);
        failed.extend(renamed.err().map(|error| (target, error)));
    }
    last(begun);
    drop(unfinished);
    Ok(failed)
}

impl Drop for Entry {
    fn drop(&mut self) {
        unfinished().remove(&self.0);
    }
}

/// Whether a file of this name is one of this process.
pub(super) fn is_ours(name: &str) -> bool {
    unfinished().iter().any(|path| path.file_name().is_some_and(|known| known == name))
}

/// Renames a file. On Windows, programs that look at every new file, such as virus scanners, may keep it from being
/// renamed for a moment.
pub(super) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    let mut renamed = fs::rename(from, to);
    let mut tries = if cfg!(windows) { 20 } else { 0 };
    while tries > 0 && matches!(&renamed, Err(error) if error.kind() == io::ErrorKind::PermissionDenied) {
        thread::sleep(Duration::from_millis(50));
        renamed = fs::rename(from, to);
        tries -= 1;
    }
    renamed
}

/// Creates a temporary file in a folder, with the permissions of a new file, or so that nobody else can read it.
fn temporary_in(folder: &Path, (beginning, random): (&str, usize), is_private: bool) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(beginning).rand_bytes(random);
    #[cfg(unix)]
    if !is_private {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    #[cfg(not(unix))]
    let _ = is_private;
    builder.tempfile_in(folder).map_err(|error| not_created(folder, &error))
}

/// Returns an error without the name of the temporary file, which says nothing about the file that was asked for.
fn not_created(folder: &Path, error: &io::Error) -> io::Error {
    if error.kind() == io::ErrorKind::NotFound && !folder.exists() {
        return io::Error::new(error.kind(), format!("there is no folder {}", folder.display()));
    }
    // The library writes `REASON at path "FILE"`, and gives the reason in no other way.
    let text = error.to_string();
    io::Error::new(error.kind(), text.split_once(" at path ").map_or(text.as_str(), |(reason, _)| reason))
}

/// Gives a file the owner, the group and the permissions of another. What the process may not set stays as it is: a
/// process can give a file away only if it is privileged, and a group that cannot be set gets the permissions of
/// everybody.
fn take_permissions(file: &File, other: &Metadata) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};

        let (uid, gid) = (other.uid(), other.gid());
        let Ok(own) = file.metadata() else {
            return;
        };
        let mut mode = other.mode() & 0o777;
        let is_own = (own.uid(), own.gid()) == (uid, gid);
        if !is_own
            && fchown(file, Some(uid), Some(gid)).is_err()
            && own.gid() != gid
            && fchown(file, None, Some(gid)).is_err()
        {
            mode = mode & 0o707 | (mode & 0o007) << 3;
        }
        // If it fails, the file stays private.
        let _ = file.set_permissions(fs::Permissions::from_mode(mode));
    }
    #[cfg(not(unix))]
    let _ = (file, other);
}
