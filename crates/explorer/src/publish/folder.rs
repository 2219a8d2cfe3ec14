//! The folder of a site: it is built beside the old one, which it replaces as a whole.
//!
//! A run has hidden names beside the folder, which differ in random letters and digits (ID) from those of other runs.
//! For the folder `site` they are:
//!
//! - `.site.lock-ID`, a file that the run locks. The lock ends with the process, however it ends
//! - `.site.new-ID`, the folder that is built
//! - `.site.old-ID`, the old folder for a moment, where the system cannot exchange two folders in one step
//!
//! The next run finds the names of runs that have ended, by the files that nobody has locked, and removes them. If a
//! run was killed between its two steps, the old folder gets its name back ([`recover`]).

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempPath;

use crate::publish::error::PublishError;
use crate::publish::file_list;
use pgn2fen_games::messages::shown;

/// An empty file for GitHub Pages. It is not listed, because hosts and programs that upload may leave out hidden files.
pub(super) const NO_JEKYLL: &str = ".nojekyll";

/// The number of random letters and digits in the hidden names of a run.
const ID_LENGTH: usize = 12;

/// A site that is being built. It is removed when it is dropped before it is finished.
#[derive(Debug)]
pub(super) struct Staging {
    /// The folder that is wanted.
    folder: PathBuf,
    /// The folder in which files are written.
    new: PathBuf,
    /// The name of the old folder between two steps.
    old: PathBuf,
    /// Tells other runs that this one goes on. The file is removed on drop, after the folders.
    _lock: Lock,
}

/// A file that is locked, and removed on drop.
#[derive(Debug)]
struct Lock {
    _path: TempPath,
    _file: File,
}

impl Staging {
    /// Creates a folder beside the wanted one. Removes what runs have left that were killed.
    ///
    /// # Errors
    ///
    /// Refuses a folder that has files that are not part of a site.
    pub(super) fn begin(folder: &Path) -> Result<Self, PublishError> {
        let folder = std::path::absolute(folder).map_err(PublishError::file(folder))?;
        let Some(name) = folder.file_name() else {
            return Err(PublishError::Refused(format!("{}: this folder cannot be replaced", shown(&folder))));
        };
        recover(&folder, name);
        check_replaceable(&folder)?;
        let (lock, id) = Lock::new(&folder, name).map_err(PublishError::file(&folder))?;
        let [new, old] = ["new", "old"].map(|what| beside(&folder, name, what, &id));
        fs::create_dir(&new).map_err(PublishError::file(&new))?;
        Ok(Self { folder, new, old, _lock: lock })
    }

    pub(super) fn path(&self) -> &Path {
        &self.new
    }

    /// Puts the new folder in the place of the old one, and removes that. Where the system can exchange two folders,
    /// there is a whole site at every moment. Elsewhere there is none between two steps.
    pub(super) fn finish(self) -> Result<(), PublishError> {
        // Something may have been put there meanwhile.
        check_replaceable(&self.folder)?;
        sync_files(&self.new).map_err(PublishError::file(&self.folder))?;
        if exchange(&self.new, &self.folder).is_err() {
            // There is no old folder, or the file system cannot exchange.
            self.replace_in_two_steps().map_err(PublishError::file(&self.folder))?;
        }
        sync_names(&self.folder);
        for left in [&self.new, &self.old] {
            remove(left).map_err(PublishError::file(left))?;
        }
        Ok(())
    }

    fn replace_in_two_steps(&self) -> io::Result<()> {
        let had_old = match fs::rename(&self.folder, &self.old) {
            Ok(()) => true,
            Err(error) if error.kind() == io::ErrorKind::NotFound => false,
            Err(error) => return Err(error),
        };
        fs::rename(&self.new, &self.folder).or_else(|error| {
            if had_old {
                fs::rename(&self.old, &self.folder)?;
            }
            Err(error)
        })
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // After `finish`, there is nothing with this name.
        let _ = remove(&self.new);
    }
}

impl Lock {
    /// Creates and locks the file of a run. Returns it with the letters and digits of the run.
    fn new(folder: &Path, name: &OsStr) -> io::Result<(Self, String)> {
        let parent = folder.parent().unwrap_or(Path::new("."));
        let prefix = hidden(name, "lock", "");
        loop {
            let named = tempfile::Builder::new().prefix(&prefix).rand_bytes(ID_LENGTH).tempfile_in(parent)?;
            let (file, path) = named.into_parts();
            // Another run may have found the file before it was locked, and removes it. On file systems without locks,
            // no run can lock the file to remove it.
            if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) || !path.try_exists()? {
                continue;
            }
            let id = path.file_name().and_then(|file| id_of(file, &prefix)).unwrap_or_default();
            return Ok((Self { _path: path, _file: file }, id));
        }
    }
}

/// Removes what runs for this folder have left that have ended. A folder that was between two steps gets its name back.
/// Errors are ignored: what is left does no harm, and the next run tries again.
fn recover(folder: &Path, name: &OsStr) {
    let Some(Ok(entries)) = folder.parent().map(fs::read_dir) else {
        return;
    };
    let prefix = hidden(name, "lock", "");
    for entry in entries.flatten() {
        let Some(id) = id_of(&entry.file_name(), &prefix) else {
            continue;
        };
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        let lock = File::options().read(true).write(true).open(entry.path());
        // The lock is held meanwhile, so that two runs do not recover the same one.
        let Some(_lock) = lock.ok().filter(|lock| is_file && lock.try_lock().is_ok()) else {
            continue;
        };
        let [new, old] = ["new", "old"].map(|what| beside(folder, name, what, &id));
        if fs::symlink_metadata(folder).is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
            let _ = fs::rename(&old, folder);
        }
        if remove(&new).is_ok() && remove(&old).is_ok() {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Removes a folder, if there is one.
fn remove(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

/// Returns a hidden path beside a folder.
fn beside(folder: &Path, name: &OsStr, what: &str, id: &str) -> PathBuf {
    folder.with_file_name(hidden(name, what, id))
}

fn hidden(name: &OsStr, what: &str, id: &str) -> OsString {
    let mut hidden = OsString::from(".");
    hidden.push(name);
    hidden.push(format!(".{what}-{id}"));
    hidden
}

/// Returns the letters and digits of a run behind the prefix of a name.
fn id_of(name: &OsStr, prefix: &OsStr) -> Option<String> {
    let id = name.as_encoded_bytes().strip_prefix(prefix.as_encoded_bytes())?;
    let is_id = id.len() == ID_LENGTH && id.iter().all(u8::is_ascii_alphanumeric);
    is_id.then(|| String::from_utf8_lossy(id).into_owned())
}

/// Exchanges two folders in one step.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};

    Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn exchange(_one: &Path, _other: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Writes all files of the file system of a folder to the disk, so that a power failure does not leave a site with
/// empty files. Other systems than Linux have no call for it.
fn sync_files(folder: &Path) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    rustix::fs::syncfs(File::open(folder)?)?;
    let _ = folder;
    Ok(())
}

/// Writes the names beside a folder to the disk, if the system can.
fn sync_names(folder: &Path) {
    if cfg!(unix)
        && let Some(Ok(parent)) = folder.parent().map(File::open)
    {
        let _ = parent.sync_all();
    }
}

/// Refuses a folder with anything but a site, so that nothing else is ever removed.
fn check_replaceable(folder: &Path) -> Result<(), PublishError> {
    match fs::symlink_metadata(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(PublishError::File(folder.to_owned(), error)),
        Ok(found) if !found.is_dir() => {
            return Err(PublishError::Refused(format!("{}: this is not a folder", shown(folder))));
        }
        Ok(_) => {}
    }
    let found = files_in(folder)?;
    let listed: HashSet<String> = file_list::read(folder)?.into_iter().flatten().map(|file| file.path).collect();
    let is_part = |file: &FoundFile| file.is_plain && (listed.contains(&file.path) || file.path == file_list::NAME);
    match found.iter().find(|file| !is_part(file)) {
        None => Ok(()),
        Some(_) if listed.is_empty() => Err(PublishError::Refused(format!(
            "{}: this folder is neither empty nor a site that `pgn2fen site` wrote; choose another one",
            shown(folder)
        ))),
        Some(file) => Err(PublishError::Refused(format!(
            "{}: {} is not part of the site, and would be removed with it; move it to another folder first",
            shown(folder),
            shown(Path::new(&file.path))
        ))),
    }
}

/// A file that is in the folder of a site.
#[derive(Debug)]
pub(super) struct FoundFile {
    /// The path in the site, with slashes.
    pub(super) path: String,
    /// Whether it is a plain file, and not a symbolic link, a pipe or a device.
    pub(super) is_plain: bool,
}

/// Returns all files in the folder of a site, in the order of their paths. Symbolic links are not followed: they are
/// files that are not plain.
pub(super) fn files_in(site: &Path) -> Result<Vec<FoundFile>, PublishError> {
    let mut files = Vec::new();
    let mut folders = vec![String::new()];
    while let Some(prefix) = folders.pop() {
        let folder = site.join(&prefix);
        for entry in fs::read_dir(&folder).map_err(PublishError::file(&folder))? {
            let entry = entry.map_err(PublishError::file(&folder))?;
            let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
            let kind = entry.file_type().map_err(PublishError::file(&folder))?;
            if kind.is_dir() {
                folders.push(format!("{path}/"));
            } else if path != NO_JEKYLL {
                files.push(FoundFile { path, is_plain: kind.is_file() });
            }
        }
    }
    files.sort_unstable_by(|one, other| one.path.cmp(&other.path));
    Ok(files)
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::path::Path;

    use super::Staging;

    /// Returns the names in a folder, in order.
    fn names(folder: &Path) -> Vec<String> {
        let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    fn site(folder: &Path, text: &str) {
        fs::create_dir(folder).unwrap();
        fs::write(folder.join("files.json"), format!("{{\"files\":[], \"is\": \"{text}\"}}")).unwrap();
    }

    #[track_caller]
    fn is(folder: &Path, text: &str) {
        assert!(fs::read_to_string(folder.join("files.json")).unwrap().contains(text));
    }

    const ONE: &str = "aaaaaaaaaaaa";
    const TWO: &str = "bbbbbbbbbbbb";
    const THREE: &str = "cccccccccccc";

    #[test]
    fn what_dead_runs_left_is_removed_and_what_others_have_stays() {
        let parent = tempfile::tempdir().unwrap();
        let at = |name: &str| parent.path().join(name);
        site(&at("s"), "old");
        site(&at(&format!(".s.new-{ONE}")), "unfinished");
        site(&at(&format!(".s.old-{TWO}")), "older");
        site(&at(&format!(".s.new-{THREE}")), "of a run that goes on");
        for id in [ONE, TWO, THREE] {
            File::create(at(&format!(".s.lock-{id}"))).unwrap();
        }
        // A run of another site, names of the user, and one that was begun as process 1 by an older version.
        let kept = [".s.new-1", ".s.x.lock-aaaaaaaaaaaa", ".s.lock-mine", ".s.new-dddddddddddd"];
        kept.iter().for_each(|name| fs::create_dir(at(name)).unwrap());
        let goes_on = File::open(at(&format!(".s.lock-{THREE}"))).unwrap();
        goes_on.lock().unwrap();
        let staging = Staging::begin(&at("s")).unwrap();
        let mut expected: Vec<String> = kept.iter().map(|name| (*name).to_owned()).collect();
        expected.extend([format!(".s.lock-{THREE}"), format!(".s.new-{THREE}"), "s".to_owned()]);
        expected.sort();
        let own =
            |name: &String| [&staging.new, &staging._lock._path.to_path_buf()].iter().any(|path| path.ends_with(name));
        let (mine, others): (Vec<String>, Vec<String>) = names(parent.path()).into_iter().partition(own);
        assert_eq!((mine.len(), &others), (2, &expected));
        is(&at("s"), "old");
        drop(staging);
        assert_eq!(names(parent.path()), expected);
    }

    #[test]
    fn a_folder_between_two_steps_gets_its_name_back() {
        let parent = tempfile::tempdir().unwrap();
        let at = |name: &str| parent.path().join(name);
        site(&at(&format!(".s.new-{ONE}")), "new");
        site(&at(&format!(".s.old-{ONE}")), "old");
        File::create(at(&format!(".s.lock-{ONE}"))).unwrap();
        drop(Staging::begin(&at("s")).unwrap());
        assert_eq!(names(parent.path()), ["s"]);
        is(&at("s"), "old");
    }

    #[test]
    fn two_runs_at_a_time_do_not_touch_each_other_and_the_last_one_stays() {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("s");
        for is_there in [false, true] {
            let [first, second] = [(); 2].map(|()| Staging::begin(&folder).unwrap());
            assert_eq!(names(parent.path()).len(), 4 + usize::from(is_there));
            for (staging, text) in [(first, "first"), (second, "second")] {
                fs::write(staging.path().join("files.json"), format!("{{\"files\":[], \"is\": \"{text}\"}}")).unwrap();
                staging.finish().unwrap();
                is(&folder, text);
            }
            assert_eq!(names(parent.path()), ["s"]);
        }
    }

    #[test]
    fn without_an_exchange_the_old_folder_is_replaced_in_two_steps() {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("s");
        site(&folder, "old");
        let staging = Staging::begin(&folder).unwrap();
        fs::write(staging.path().join("files.json"), "{\"files\":[], \"is\": \"new\"}").unwrap();
        staging.replace_in_two_steps().unwrap();
        is(&folder, "new");
        is(&staging.old, "old");
        // The next step fails, so the folder that is there gets its name back.
        assert!(staging.replace_in_two_steps().is_err());
    }
}
