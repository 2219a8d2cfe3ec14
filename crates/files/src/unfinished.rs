//! The temporary files of outputs that are not complete.
//!
//! A file is written beside its target. The process holds a list of such files, so that a program that is interrupted
//! can remove them. A process that is killed leaves them behind. So an open file is locked: the lock ends with the
//! process, and the next output in the folder removes files that nobody has locked ([`remove_abandoned`]).

use std::collections::BTreeSet;
use std::fs::{self, File, Metadata, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, SystemTime};

use tempfile::{NamedTempFile, TempPath};

/// The beginning of the names of all temporary files.
const PREFIX: &str = ".pgn2fen-";

/// The beginning of the names of files that are being written, and are locked.
const OPEN: &str = ".pgn2fen-open-";

/// The beginning of the names of files that are complete and closed, and wait for others. They are not locked.
const CLOSED: &str = ".pgn2fen-done-";

/// The time after which a file that is not locked is abandoned, if it was not changed.
const ABANDONED: Duration = Duration::from_secs(24 * 60 * 60);

/// The temporary files that exist.
static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn unfinished() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the temporary files of all output files that are not finished. For programs that are interrupted and end at
/// once; these files can no longer be finished.
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
    entry: Entry,
}

/// An entry in the list of temporary files.
#[derive(Debug)]
struct Entry(PathBuf);

impl Unfinished {
    /// Creates a temporary file in a folder. If it will replace a file, it gets the owner and the permissions of that
    /// file, as far as the process may set them. Until then nobody else can read it.
    pub(super) fn create(folder: &Path, replaced: Option<&Metadata>) -> io::Result<(File, Self)> {
        // The lock is held while the file is created. So an interruption waits until the path of the file is known.
        let mut unfinished = unfinished();
        loop {
            let (file, temporary) = temporary_in(folder, replaced.is_some())?.into_parts();
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

    /// Renames a file that is complete, and will be closed. Its lock ends then.
    pub(super) fn close(self) -> io::Result<Self> {
        let Self { temporary, entry } = self;
        let name = entry.0.file_name().map(|name| name.to_string_lossy().replacen(OPEN, CLOSED, 1)).unwrap_or_default();
        let closed = entry.0.with_file_name(name);
        let mut unfinished = unfinished();
        rename(&entry.0, &closed)?;
        unfinished.insert(closed.clone());
        drop(unfinished);
        // There is no file of this name any more.
        drop(temporary);
        Ok(Self { temporary: TempPath::try_from_path(&closed)?, entry: Entry(closed) })
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

impl Drop for Entry {
    fn drop(&mut self) {
        unfinished().remove(&self.0);
    }
}

/// Renames a file. On Windows, programs that look at every new file, such as virus scanners, may keep it from being
/// renamed for a moment.
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

/// Creates a temporary file in a folder, with the permissions of a new file, or so that nobody else can read it.
fn temporary_in(folder: &Path, is_private: bool) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(OPEN);
    #[cfg(unix)]
    if !is_private {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    #[cfg(not(unix))]
    let _ = is_private;
    builder.tempfile_in(folder)
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

/// Removes the temporary files in a folder that processes have left behind which were killed. Errors are ignored: such
/// files do no harm.
pub(super) fn remove_abandoned(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        match name.to_str() {
            Some(name) if !is_file || !name.starts_with(PREFIX) || is_ours(name) => {}
            Some(name) if name.starts_with(OPEN) => remove_unlocked(&entry.path()),
            Some(_) if is_old(&entry) => {
                let _ = fs::remove_file(entry.path());
            }
            _ => {}
        }
    }
}

/// Whether a file of this name is one of this process.
fn is_ours(name: &str) -> bool {
    unfinished().iter().any(|path| path.file_name().is_some_and(|known| known == name))
}

/// Removes a file unless a process has locked it. The lock is held meanwhile, so that a process that has just created
/// the file notices.
fn remove_unlocked(path: &Path) {
    if let Ok(file) = File::options().read(true).write(true).open(path)
        && file.try_lock().is_ok()
    {
        let _ = fs::remove_file(path);
    }
}

/// Whether a file was not changed for so long that no process waits with it.
fn is_old(entry: &fs::DirEntry) -> bool {
    let changed = entry.metadata().and_then(|metadata| metadata.modified());
    changed.is_ok_and(|changed| SystemTime::now().duration_since(changed).is_ok_and(|age| age > ABANDONED))
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::time::{Duration, SystemTime};

    use super::{ABANDONED, Unfinished, remove_abandoned};

    #[test]
    fn what_nobody_has_locked_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let old = SystemTime::now() - ABANDONED - Duration::from_secs(60);
        for (name, is_old) in [
            (".pgn2fen-open-killed", false),
            (".pgn2fen-done-waiting", false),
            (".pgn2fen-done-killed", true),
            (".pgn2fen-killed", true),
            ("pgn2fen-open-kept", true),
            (".pgn2fen", true),
        ] {
            let file = File::create(at(name)).unwrap();
            if is_old {
                file.set_modified(old).unwrap();
            }
        }
        fs::create_dir(at(".pgn2fen-open-folder")).unwrap();
        let locked = File::create(at(".pgn2fen-open-locked")).unwrap();
        locked.lock().unwrap();
        let (_file, ours) = Unfinished::create(folder.path(), None).unwrap();
        let closed = Unfinished::create(folder.path(), None).unwrap().1.close().unwrap();
        remove_abandoned(folder.path());
        assert!(ours.temporary.exists() && closed.temporary.exists());
        let [ours, closed] = [ours, closed].map(|file| file.temporary.file_name().unwrap().to_owned());
        let names = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<_> = names.filter(|name| *name != ours && *name != closed).collect();
        names.sort();
        let expected =
            [".pgn2fen", ".pgn2fen-done-waiting", ".pgn2fen-open-folder", ".pgn2fen-open-locked", "pgn2fen-open-kept"];
        assert_eq!(names, expected);
    }
}
