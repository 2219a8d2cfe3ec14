//! The folder of an index: its lock, and the steps by which new data becomes part of the index.
//!
//! One process writes at a time; it holds an exclusive lock on the file `lock`. Other processes may write runs for it,
//! in the folder of its build. A reader holds a shared lock on a file of each run that it
//! reads ([`Pin`]). A run that is being read is not removed but renamed to a hidden name, and the next process that
//! writes tries again to remove it. Both locks end with the process at the latest.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use std::{process, thread};

use tempfile::{NamedTempFile, TempDir};

use crate::error::IndexError;
use crate::games_table::{self, GamesLayout};
use crate::manifest::{self, Manifest, run_folder, run_number};
use pgn2fen_games::database::remote;

/// The name of the lock file.
const LOCK: &str = "lock";

/// The number of attempts to lock a folder that another process removes at the same time, or to remove one that another
/// process writes to.
const MOST_TRIES: usize = 100;

/// The prefix of the name of an unfinished manifest.
const UNFINISHED: &str = ".manifest-";

/// The prefix of the name of a build, so that the pattern `run-*` does not match it.
const HIDDEN: &str = ".";

/// The name of the file in the folder of a build that has the layout of the games table.
const LAYOUT: &str = "layout.json";

/// The prefix of the name of an unfinished run in the folder of a build. Random letters and digits follow.
const ATTEMPT: &str = "run-";

/// A folder that no other process can write to while this value exists.
#[derive(Debug)]
pub(super) struct LockedFolder {
    path: PathBuf,
    _lock: Lock,
    /// Whether the folder was created by this call.
    is_new: bool,
}

/// The folder of a build. It is hidden in the folder of the index, and the runs of the build are written in it. It is
/// removed on drop with everything in it; finished runs are [moved out](Self::keep) before.
#[derive(Debug)]
pub(super) struct BuildFolder {
    path: PathBuf,
    /// The folder of the index.
    index: PathBuf,
    /// The number of the next run that is kept.
    next_run: u64,
}

/// The folder of a run that is being written, within the folder of a build. It is removed on drop unless it is
/// finished.
///
/// Every attempt to write a run gets a new name. So processes that write the same run at the same time do not touch
/// each other's files.
#[derive(Debug)]
pub(super) struct RunFolder(TempDir);

/// A run that no process removes while this value exists.
#[derive(Debug)]
pub(super) struct Pin {
    /// None if the run is gone, which is reported when the run is read, or if the file system has no locks.
    _lock: Option<Lock>,
}

/// A lock on a file. The system releases it at the end of the process, even if the process is killed.
#[derive(Debug)]
struct Lock {
    file: File,
    process: u32,
}

impl Lock {
    fn new(file: File) -> Self {
        Self { file, process: process::id() }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // A process that was forked from this one has a copy of the file, so closing the file does not release the
        // lock. The other process must not release it.
        if self.process == process::id() {
            let _ = self.file.unlock();
        }
    }
}

/// Reads the manifest of a folder; None if there is none.
pub(super) fn read_manifest(folder: &Path) -> Result<Option<Manifest>, IndexError> {
    let path = folder.join(manifest::NAME);
    let text = read_text(&path)?;
    text.map(|text| Manifest::read(&path, &text)).transpose()
}

/// Reads the manifest of a folder and locks its runs against removal; None if there is no manifest.
pub(super) fn pin_manifest(folder: &Path) -> Result<Option<(Manifest, Vec<Pin>)>, IndexError> {
    let path = folder.join(manifest::NAME);
    let mut text = read_text(&path)?;
    loop {
        let Some(found) = &text else {
            return Ok(None);
        };
        let manifest = Manifest::read(&path, found)?;
        let pins = manifest.runs.iter().map(|run| pin(&folder.join(&run.folder))).collect();
        // A run is removed only after the manifest that named it was replaced. So if the manifest has not changed, its
        // runs were there when they were locked.
        let again = read_text(&path)?;
        if again == text {
            return Ok(Some((manifest, pins)));
        }
        text = again;
    }
}

/// The state of the manifest of a folder, by which a later one is recognised without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ManifestStamp {
    bytes: u64,
    modified: Option<SystemTime>,
    /// The number of the file in its file system. Each manifest is a new file.
    file: u64,
}

impl ManifestStamp {
    /// Returns the stamp of the current manifest; None if there is none.
    pub(super) fn of(folder: &Path) -> Option<Self> {
        let metadata = fs::metadata(folder.join(manifest::NAME)).ok()?;
        #[cfg(unix)]
        let file = std::os::unix::fs::MetadataExt::ino(&metadata);
        #[cfg(not(unix))]
        let file = 0;
        Some(Self { bytes: metadata.len(), modified: metadata.modified().ok(), file })
    }
}

fn read_text(path: &Path) -> Result<Option<String>, IndexError> {
    match fs::read(path) {
        // A text that is not UTF-8 fails the check of the checksum.
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(IndexError::io(path)(error)),
    }
}

/// Locks a run against removal, if it still exists.
fn pin(run: &Path) -> Pin {
    let file = File::open(run.join(games_table::FILE)).ok();
    Pin { _lock: file.filter(|file| file.try_lock_shared().is_ok()).map(Lock::new) }
}

/// Returns the hidden path of a run that no longer belongs to the index but is still being read. The pattern `run-*` of
/// other programs does not match it.
pub(super) fn hidden(run: &Path) -> PathBuf {
    let name = run.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    if name.starts_with(HIDDEN) { run.to_owned() } else { run.with_file_name(format!("{HIDDEN}{name}")) }
}

/// Hides a run, and removes it unless it is being read.
fn remove_run(run: &Path) -> io::Result<()> {
    let lock = File::open(run.join(games_table::FILE)).ok();
    let is_read = matches!(lock.as_ref().map(File::try_lock), Some(Err(TryLockError::WouldBlock)));
    // Windows does not rename a folder in which a file is open. The lock is not needed any more: a reader that comes
    // now finds another manifest.
    drop(lock);
    let hidden = hidden(run);
    let place = if fs::rename(run, &hidden).is_ok() { &hidden } else { run };
    if is_read { Ok(()) } else { remove_folder(place) }
}

/// Removes a folder if it exists, even if a process that has not noticed the end of its build still writes to it.
fn remove_folder(path: &Path) -> io::Result<()> {
    for _ in 0..MOST_TRIES {
        match fs::remove_dir_all(path) {
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => thread::yield_now(),
            // The other process has removed some of the files itself.
            Err(error) if error.kind() == io::ErrorKind::NotFound && path.exists() => thread::yield_now(),
            // A run that was hidden under the name of an empty folder has been removed in place of it.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            other => return other,
        }
    }
    fs::remove_dir_all(path)
}

impl LockedFolder {
    /// Locks a folder, and creates it if it does not exist. It must be empty, an index, or the remains of an unfinished
    /// index.
    pub(super) fn take(path: &Path) -> Result<Self, IndexError> {
        refuse_address(path)?;
        let lock_path = path.join(LOCK);
        for _ in 0..MOST_TRIES {
            if path.exists() && !path.is_dir() {
                return Err(IndexError::new(path, "this is a file, and an index is a folder; choose another name"));
            }
            let is_new = !path.exists();
            fs::create_dir_all(path).map_err(IndexError::io(path))?;
            match refuse_other_folder(path) {
                // Another process has just removed the folder.
                Err(_) if !path.exists() => continue,
                other => other?,
            }
            let lock = match File::options().create(true).truncate(false).write(true).open(&lock_path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                other => other.map_err(IndexError::io(&lock_path))?,
            };
            match lock.try_lock() {
                Ok(()) if is_still(&lock, &lock_path) => {
                    return Ok(Self { path: path.to_owned(), _lock: Lock::new(lock), is_new });
                }
                // The process that held the lock has removed the file, so a lock on it excludes nobody.
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => break,
                Err(TryLockError::Error(error)) => return Err(IndexError::io(&lock_path)(error)),
            }
        }
        Err(IndexError::new(path, "another pgn2fen is writing to this index; wait until it is done"))
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Removes runs and files that the manifest does not name and nobody reads: the remains of interrupted or merged
    /// runs.
    pub(super) fn clean(&self, manifest: Option<&Manifest>) -> Result<(), IndexError> {
        for name in names(&self.path).map_err(IndexError::io(&self.path))? {
            let is_known = manifest.is_some_and(|manifest| manifest.runs.iter().any(|run| run.folder == name));
            let path = self.path.join(&name);
            if any_run_number(&name).is_some() && !is_known {
                remove_run(&path).map_err(IndexError::io(&path))?;
            } else if name.starts_with(UNFINISHED) {
                fs::remove_file(&path).map_err(IndexError::io(&path))?;
            }
        }
        Ok(())
    }

    /// Creates the folder of a build.
    pub(super) fn begin_build(&self) -> Result<BuildFolder, IndexError> {
        let names = names(&self.path).map_err(IndexError::io(&self.path))?;
        let last = names.iter().filter_map(|name| any_run_number(name)).max().unwrap_or(0);
        let next_run = last + 1;
        let path = self.path.join(format!("{HIDDEN}{}", run_folder(next_run)));
        fs::create_dir(&path).map_err(IndexError::io(&path))?;
        Ok(BuildFolder { path, index: self.path.clone(), next_run })
    }

    /// Replaces the manifest in one step, and then removes what it does not name.
    pub(super) fn publish(&self, manifest: &Manifest) -> Result<(), IndexError> {
        let path = self.path.join(manifest::NAME);
        let text = manifest.write();
        let write = || -> io::Result<NamedTempFile> {
            let mut file = tempfile::Builder::new().prefix(UNFINISHED).tempfile_in(&self.path)?;
            #[cfg(unix)]
            {
                // The manifest gets the same permissions as the tables.
                use std::os::unix::fs::PermissionsExt;
                let mode = fs::metadata(self.path.join(LOCK))?.permissions().mode();
                file.as_file().set_permissions(fs::Permissions::from_mode(mode))?;
            }
            file.write_all(text.as_bytes())?;
            file.as_file().sync_all()?;
            Ok(file)
        };
        let (unfinished, temporary) = write().map_err(IndexError::io(&path))?.into_parts();
        drop(unfinished);
        // On Windows, this replaces a manifest that others read; the function of `tempfile` does not.
        let renamed = temporary.keep().map_err(|error| error.error).and_then(|from| {
            fs::rename(&from, &path).inspect_err(|_| {
                let _ = fs::remove_file(&from);
            })
        });
        if let Err(error) = renamed {
            // On a network file system a rename may succeed although it reports a failure.
            let is_as_it_was = read_text(&path).is_ok_and(|found| found.as_ref() != Some(&text));
            let error = IndexError::io(&path)(error);
            return Err(if is_as_it_was { error } else { error.in_doubt() });
        }
        sync_folder(&self.path).map_err(|error| IndexError::io(&path)(error).in_doubt())?;
        // The new manifest is in effect. Files that cannot be removed now are removed by the next process that writes.
        let _ = self.clean(Some(manifest));
        Ok(())
    }
}

impl Drop for LockedFolder {
    fn drop(&mut self) {
        // A new folder that was not used is removed. On systems that cannot tell whether the lock file is still the
        // locked one, it stays.
        if cfg!(unix) && self.is_new && names(&self.path).is_ok_and(|names| names.iter().all(|name| name == LOCK)) {
            let _ = fs::remove_file(self.path.join(LOCK));
            let _ = fs::remove_dir(&self.path);
        }
    }
}

impl BuildFolder {
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the layout of the games tables of its runs, which [other processes read](read_layout).
    pub(super) fn write_layout(&self, layout: &GamesLayout) -> Result<(), IndexError> {
        let path = self.path.join(LAYOUT);
        fs::write(&path, layout.to_json()).map_err(IndexError::io(&path))
    }

    /// Returns the path of a finished run, by the name that [`RunFolder::finish`] returned.
    pub(super) fn run(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Moves a finished run to the folder of the index, and returns its new name.
    pub(super) fn keep(&mut self, name: &str) -> Result<String, IndexError> {
        let (from, name) = (self.run(name), run_folder(self.next_run));
        let keep = || fs::rename(&from, self.index.join(&name)).and_then(|()| sync_folder(&self.index));
        keep().map_err(IndexError::io(&from))?;
        self.next_run += 1;
        Ok(name)
    }
}

impl Drop for BuildFolder {
    fn drop(&mut self) {
        // A folder that cannot be removed now is removed by the next process that writes.
        let _ = remove_folder(&self.path);
    }
}

impl RunFolder {
    /// Creates the folder of a new run in the folder of a build. The process need not hold the lock of the index.
    pub(super) fn create(build: &Path) -> Result<Self, IndexError> {
        let folder = tempfile::Builder::new().prefix(ATTEMPT).rand_bytes(12).tempdir_in(build);
        folder.map(Self).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => has_ended(build),
            _ => IndexError::io(build)(error),
        })
    }

    pub(super) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Flushes the entries of the folder to the disk, and returns its name in the folder of the build, where it stays.
    pub(super) fn finish(self) -> Result<String, IndexError> {
        sync_folder(self.path()).map_err(IndexError::io(self.path()))?;
        Ok(self.0.keep().file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default())
    }
}

/// Reads the layout of the games table that the runs of a build have, from the folder of the build.
pub(super) fn read_layout(build: &Path) -> Result<GamesLayout, IndexError> {
    let layout = read_text(&build.join(LAYOUT))?.ok_or_else(|| has_ended(build))?;
    GamesLayout::from_json(&layout).ok_or_else(|| IndexError::new(build, "a different pgn2fen has begun the build"))
}

/// Returns the error for a build whose folder is gone.
fn has_ended(build: &Path) -> IndexError {
    IndexError::new(build, "the build has ended, or its folder cannot be seen from here")
}

/// Whether this may be the name of an unfinished run in the folder of a build.
pub(super) fn is_attempt(name: &str) -> bool {
    name.strip_prefix(ATTEMPT).is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

/// Refuses an address. An index is read at many places, and changed in place.
pub(super) fn refuse_address(folder: &Path) -> Result<(), IndexError> {
    match remote::address(folder) {
        None => Ok(()),
        Some(_) => Err(IndexError::new(
            &remote::named(folder),
            "this is an address, and an index is a folder on this machine; copy it here",
        )),
    }
}

/// Returns an error for a folder with other files, so that a wrong name on the command line destroys nothing.
fn refuse_other_folder(path: &Path) -> Result<(), IndexError> {
    let names = names(path).map_err(IndexError::io(path))?;
    let has = |name: &str| names.iter().any(|other| other == name);
    let is_ours = |name: &String| {
        name == LOCK || name == manifest::NAME || name.starts_with(UNFINISHED) || any_run_number(name).is_some()
    };
    // A damaged or unfinished index may be replaced.
    if names.is_empty() || has(LOCK) && names.iter().all(is_ours) {
        return Ok(());
    }
    let is_index = has(manifest::NAME) && read_manifest(path)?.is_some();
    if is_index { Ok(()) } else { Err(IndexError::new(path, "this folder is not empty and is not an index")) }
}

/// Whether an open file still has this path.
fn is_still(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let place = |metadata: io::Result<fs::Metadata>| metadata.ok().map(|metadata| (metadata.dev(), metadata.ino()));
        let open = place(file.metadata());
        open.is_some() && open == place(fs::metadata(path))
    }
    #[cfg(not(unix))]
    {
        file.metadata().is_ok() && path.exists()
    }
}

/// Returns the number of a run, finished or not, from the name of its folder.
fn any_run_number(name: &str) -> Option<u64> {
    run_number(name.strip_prefix(HIDDEN).unwrap_or(name))
}

fn names(folder: &Path) -> io::Result<Vec<String>> {
    fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned())).collect()
}

/// Writes the entries of a folder to the disk.
fn sync_folder(path: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(path)?.sync_all() } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::ops::ControlFlow;
    use std::path::Path;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use super::{
        LAYOUT, Lock, LockedFolder, RunFolder, hidden, is_attempt, is_still, names, read_layout, refuse_address,
        remove_folder, sync_folder,
    };
    use crate::games_table::{self, GamesLayout};
    use crate::tests::{Desk, FIRST, after};
    use crate::{BuildOptions, Builder, Index, Upkeep};
    use pgn2fen_chess::position::Position;
    use pgn2fen_games::parallel::Workers;

    #[test]
    fn one_at_a_time_holds_a_folder_that_comes_and_goes() {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("idx");
        let (holders, taken) = (AtomicUsize::new(0), AtomicUsize::new(0));
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..1000 {
                        // The folder is new and empty, so the process that releases the lock removes both.
                        if let Ok(folder) = LockedFolder::take(&path) {
                            assert_eq!(holders.fetch_add(1, Ordering::SeqCst), 0);
                            thread::yield_now();
                            holders.fetch_sub(1, Ordering::SeqCst);
                            taken.fetch_add(1, Ordering::Relaxed);
                            drop(folder);
                        }
                    }
                });
            }
        });
        assert!(taken.into_inner() > 0);
    }

    #[test]
    fn a_lock_ends_although_another_process_has_a_copy_of_its_file() {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("lock");
        let file = File::create(&path).unwrap();
        file.lock().unwrap();
        // A forked process has such a copy.
        let copy = file.try_clone().unwrap();
        let lock = Lock::new(file);
        let other = File::open(&path).unwrap();
        assert!(other.try_lock().is_err());
        drop(lock);
        assert!(other.try_lock().is_ok());
        drop(copy);
    }

    /// Returns the sorted names of the files and folders in a folder.
    fn sorted_names(folder: &Path) -> Vec<String> {
        let mut names = names(folder).unwrap();
        names.sort();
        names
    }

    /// Replaces an index by one without games.
    fn replace(folder: &Path) {
        let workers = Workers::new(1).unwrap();
        let builder = Builder::new(folder, BuildOptions::default(), &workers).unwrap();
        builder.finish(&workers, &|_, _| ControlFlow::Continue(())).unwrap();
    }

    #[test]
    fn a_folder_is_locked_by_one_process_and_a_new_one_is_removed_if_it_is_not_used() {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("new/idx");
        let held = LockedFolder::take(&path).unwrap();
        let error = LockedFolder::take(&path).unwrap_err().to_string();
        assert!(error.ends_with("another pgn2fen is writing to this index; wait until it is done"), "{error}");
        drop(held);
        assert!(!cfg!(unix) || !path.exists());
        // A folder that was there stays, and so does one that was used.
        fs::create_dir_all(&path).unwrap();
        drop(LockedFolder::take(&path).unwrap());
        assert_eq!(sorted_names(&path), ["lock"]);
        fs::remove_dir_all(&path).unwrap();
        let used = LockedFolder::take(&path).unwrap();
        fs::write(path.join("run-000001"), "").unwrap();
        drop(used);
        assert_eq!(sorted_names(&path), ["lock", "run-000001"]);
    }

    #[test]
    fn a_lock_that_cannot_be_opened_is_an_error_of_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let lock = folder.path().join("lock");
        fs::create_dir(&lock).unwrap();
        assert_eq!(LockedFolder::take(folder.path()).unwrap_err().path(), lock);
    }

    #[test]
    fn a_folder_with_other_files_is_not_written_to() {
        let folder = tempfile::tempdir().unwrap();
        let is_refused = || {
            let result = LockedFolder::take(folder.path()).map(drop);
            result.is_err_and(|error| error.to_string().ends_with("this folder is not empty and is not an index"))
        };
        // Without a lock, a file with any name may be one of the user's.
        for name in ["games.pgn", "run-000001", ".run-000001", ".manifest-1"] {
            fs::write(folder.path().join(name), "").unwrap();
            assert!(is_refused());
            assert_eq!(sorted_names(folder.path()), [name]);
            fs::remove_file(folder.path().join(name)).unwrap();
        }
        // The remains of an index have a lock, and no other files.
        for name in ["lock", "run-000001", ".run-000002", ".manifest-1", "manifest.json"] {
            fs::write(folder.path().join(name), "").unwrap();
            assert!(!is_refused(), "{name}");
        }
        fs::write(folder.path().join("games.pgn"), "").unwrap();
        fs::remove_file(folder.path().join("manifest.json")).unwrap();
        assert!(is_refused());
    }

    #[test]
    fn other_files_in_the_folder_of_an_index_stay() {
        let desk = Desk::of(&[("first.pgn", FIRST)]);
        let folder = desk.index.folder();
        for name in ["notes.txt", ".manifest-x", ".manifes"] {
            fs::write(folder.join(name), "").unwrap();
        }
        for run in ["run-000007", ".run-000009", "run-old"] {
            fs::create_dir(folder.join(run)).unwrap();
        }
        Upkeep::begin(folder).map(drop).unwrap();
        assert_eq!(sorted_names(folder).len(), 9, "what is read only is not cleaned");
        let old = super::read_manifest(folder).unwrap();
        LockedFolder::take(folder).unwrap().clean(old.as_ref()).unwrap();
        assert_eq!(sorted_names(folder), [".manifes", "lock", "manifest.json", "notes.txt", "run-000001", "run-old"]);
    }

    #[test]
    fn a_run_that_is_read_gets_a_hidden_name_and_is_removed_later() {
        let desk = Desk::of(&[("first.pgn", FIRST)]);
        let folder = desk.index.folder().to_owned();
        let start = Position::initial();
        let games = |index: &Index| index.count(&start).unwrap().games();
        assert!(!desk.index.is_outdated());
        replace(&folder);
        assert!(desk.index.is_outdated());
        assert_eq!((games(&desk.index), games(&Index::open(&folder).unwrap())), (3, 0));
        assert_eq!(desk.index.count(&after("1. e4")).unwrap().games(), 2);
        if cfg!(unix) {
            assert_eq!(sorted_names(&folder), [".run-000001", "lock", "manifest.json", "run-000002"]);
        }
        let Desk { index, folder: _files, .. } = desk;
        drop(index);
        replace(&folder);
        assert_eq!(sorted_names(&folder), ["lock", "manifest.json", "run-000003"]);
    }

    #[test]
    fn a_build_that_is_given_up_leaves_the_folder_as_it_was() {
        let desk = Desk::of(&[("first.pgn", FIRST)]);
        let folder = desk.index.folder();
        let workers = Workers::new(1).unwrap();
        let builder = Builder::new(folder, BuildOptions::default(), &workers).unwrap();
        assert_eq!(sorted_names(folder), [".run-000002", "lock", "manifest.json", "run-000001"]);
        builder.finish(&workers, &|_, _| ControlFlow::Break(())).unwrap_err();
        assert_eq!(sorted_names(folder), ["lock", "manifest.json", "run-000001"]);
        assert_eq!(Index::open(folder).unwrap().game_count(), 3);
    }

    #[test]
    fn what_is_no_index_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let reason = |path: &Path| Index::open(path).unwrap_err().to_string();
        assert!(reason(folder.path()).ends_with("there is no index in this folder"));
        assert!(reason(&folder.path().join("none")).ends_with("there is no such folder"));
        fs::write(folder.path().join("games.pgn"), FIRST).unwrap();
        assert!(reason(&folder.path().join("games.pgn")).contains("this is a file, and an index is a folder"));
        // A manifest that cannot be read is not a missing one.
        let manifest = folder.path().join("manifest.json");
        fs::create_dir(&manifest).unwrap();
        assert_eq!(Index::open(folder.path()).unwrap_err().path(), manifest);
        assert_eq!(LockedFolder::take(folder.path()).unwrap_err().path(), manifest);
    }

    #[test]
    fn an_address_is_no_folder() {
        let address = Path::new("s3://bucket/games.idx");
        for error in [refuse_address(address).unwrap_err(), Index::open(address).unwrap_err()] {
            assert!(error.to_string().starts_with("s3://bucket/games.idx: this is an address"), "{error}");
        }
        assert!(refuse_address(Path::new("games.idx")).is_ok());
    }

    #[test]
    fn a_folder_is_removed_and_nothing_else() {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("run");
        assert!(remove_folder(&path).is_ok(), "it may be gone already");
        fs::create_dir_all(path.join("in")).unwrap();
        assert!(remove_folder(&path).is_ok() && !path.exists());
        fs::write(&path, "").unwrap();
        assert!(remove_folder(&path).is_err() && path.exists());
    }

    #[test]
    fn a_run_is_written_while_its_build_goes_on() {
        let parent = tempfile::tempdir().unwrap();
        let reason = |error: crate::IndexError| error.to_string();
        let gone = parent.path().join("gone");
        for error in [RunFolder::create(&gone).map(drop).unwrap_err(), read_layout(&gone).unwrap_err()] {
            assert!(reason(error).contains("the build has ended"));
        }
        let locked = LockedFolder::take(&parent.path().join("games.idx")).unwrap();
        let build = locked.begin_build().unwrap();
        let layout = GamesLayout::new(&"Annotator".parse().unwrap());
        build.write_layout(&layout).unwrap();
        assert_eq!(read_layout(build.path()).unwrap(), layout);
        fs::write(build.path().join(LAYOUT), "other").unwrap();
        assert!(reason(read_layout(build.path()).unwrap_err()).contains("a different pgn2fen has begun the build"));
    }

    #[test]
    #[cfg(unix)]
    fn a_file_is_not_its_path_when_another_has_taken_its_place() {
        let parent = tempfile::tempdir().unwrap();
        let (path, other) = (parent.path().join("lock"), parent.path().join("other"));
        let file = File::create(&path).unwrap();
        assert!(is_still(&file, &path));
        fs::write(&other, "").unwrap();
        fs::rename(&other, &path).unwrap();
        assert!(!is_still(&file, &path));
        fs::remove_file(&path).unwrap();
        assert!(!is_still(&file, &path));
    }

    #[test]
    #[cfg(unix)]
    fn a_folder_that_is_gone_cannot_be_flushed() {
        let parent = tempfile::tempdir().unwrap();
        assert!(sync_folder(parent.path()).is_ok());
        assert!(sync_folder(&parent.path().join("gone")).is_err());
    }

    #[test]
    fn the_names_of_runs_tell_what_they_are() {
        assert_eq!(hidden(Path::new("idx/run-000001")), Path::new("idx/.run-000001"));
        assert_eq!(hidden(Path::new("idx/.run-000001")), Path::new("idx/.run-000001"));
        assert!(is_attempt("run-a7Z") && !is_attempt("run-a/Z") && !is_attempt("walk-a7Z"));
        let desk = Desk::of(&[("first.pgn", FIRST)]);
        assert!(desk.index.folder().join("run-000001").join(games_table::FILE).is_file());
    }
}
