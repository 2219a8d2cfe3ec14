//! Several output files that get their names together.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::error::OutputError;
use crate::output::{ClosedFile, OutputFile, folder_of};
use crate::pending::{COMMIT, GROUP, Line, Name, id_of, path_between, write_lines};
use crate::sync::{sync_folder, unless_unsupported};
use crate::unfinished::{Unfinished, persist_together, rename};
use pgn2fen_games::messages::shown;

/// The number of files that are written to the disk one by one. On Linux, more files are written together.
const SYNCED_ALONE: usize = 64;

/// Several output files that get their names together, or replace older files.
///
/// No system renames several files in one step. So a list of all names is written before the first file gets its name,
/// when all files are complete and on the disk. If the process is killed, or the power fails, before the list is
/// complete, no file has appeared. If it happens later, the next output in one of the folders gives all files their
/// names, on file systems that have locks. A file that somebody else has written since then stays.
///
/// If the group is dropped before it is finished, no file appears.
///
/// ```
/// use std::io::Write;
///
/// use pgn2fen_files::{Compression, FileGroup, OutputFile};
///
/// # let folder = tempfile::tempdir()?;
/// let mut group = FileGroup::new();
/// for name in ["games.pgn", "duplicates.pgn"] {
///     let mut output = OutputFile::create(folder.path().join(name), Compression::None)?;
///     output.write_all(b"1. e4 *\n")?;
///     group.add(output)?;
/// }
/// # assert!(!folder.path().join("games.pgn").exists());
/// assert_eq!(group.finish()?, 2);
/// # assert_eq!(std::fs::read_dir(folder.path())?.count(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct FileGroup {
    // Fields are dropped in this order: the lock is last.
    files: Vec<(Unfinished, PathBuf)>,
    /// The number of files, with devices and named pipes.
    count: usize,
    /// Whether files are perhaps not on the disk.
    is_unsynced: bool,
    /// The folders of the files by the paths that were used.
    folders: HashMap<PathBuf, Folder>,
    /// The lists of the other folders.
    lists: HashMap<Folder, Unfinished>,
    home: Option<Home>,
}

/// A folder of a group, as a canonical path.
type Folder = PathBuf;

/// The first folder of a group.
#[derive(Debug)]
struct Home {
    folder: Folder,
    /// The random letters and digits of the group.
    id: String,
    list: Unfinished,
    /// The list, which is locked.
    file: File,
}

impl FileGroup {
    /// Creates a group without files.
    pub fn new() -> Self {
        Self::default()
    }

    /// Completes an output, and adds it to the group. The file is closed. A device or a named pipe is complete then.
    ///
    /// # Errors
    ///
    /// The rest cannot be written. The temporary file of the output is removed.
    pub fn add(&mut self, output: OutputFile) -> Result<(), OutputError> {
        self.count += 1;
        let Some(ClosedFile { file, unfinished, target }) = output.close()? else {
            return Ok(());
        };
        let failed = |error| OutputError::Write { name: shown(&target), error };
        if self.files.len() < SYNCED_ALONE || !cfg!(target_os = "linux") {
            unless_unsupported(file.sync_all()).map_err(failed)?;
        } else {
            self.is_unsynced = true;
        }
        let waiting = self.id_for(folder_of(&target)).and_then(|id| unfinished.wait(id)).map_err(failed)?;
        drop(file);
        self.files.push((waiting, target));
        Ok(())
    }

    /// Adds the files of another group.
    ///
    /// # Errors
    ///
    /// A file cannot be renamed. No file of the other group appears.
    pub fn append(&mut self, other: Self) -> Result<(), OutputError> {
        if self.files.is_empty() {
            let count = self.count + other.count;
            *self = Self { count, ..other };
            return Ok(());
        }
        let Self { files, count, is_unsynced, .. } = other;
        for (unfinished, target) in files {
            let waiting = self.id_for(folder_of(&target)).and_then(|id| unfinished.wait(id));
            let waiting = waiting.map_err(|error| OutputError::Write { name: shown(&target), error })?;
            self.files.push((waiting, target));
        }
        self.count += count;
        self.is_unsynced |= is_unsynced;
        Ok(())
    }

    /// Gives all files their names. Returns their number, with devices and named pipes.
    ///
    /// # Errors
    ///
    /// The files cannot be written to the disk, or a folder has the name of one; then none appears. A file cannot get
    /// its name for another reason; then the others appear nevertheless.
    pub fn finish(self) -> Result<usize, OutputError> {
        let Self { files, count, is_unsynced, folders, lists, home } = self;
        let (Some((_, first)), Some(home)) = (files.first(), home) else {
            return Ok(count);
        };
        let name = shown(first);
        let failed = |error| OutputError::Write { name: name.clone(), error };
        if let Some((_, target)) = files.iter().find(|(_, target)| target.is_dir()) {
            let error = io::Error::new(io::ErrorKind::IsADirectory, "is a directory");
            return Err(OutputError::Write { name: shown(target), error });
        }
        // One file appears in one step, without a list.
        let has_list = files.len() > 1;
        let names: HashSet<&Path> = folders.values().map(PathBuf::as_path).collect();
        if has_list {
            write_lists(&files, &folders, (&home, &lists)).map_err(failed)?;
            sync(is_unsynced, &names, (&home, &lists)).map_err(failed)?;
        }
        let committed = home.folder.join(format!("{COMMIT}{}", home.id));
        let commit = || {
            if !has_list {
                return Ok(());
            }
            rename(home.list.path(), &committed)?;
            sync_folder(&home.folder).inspect_err(|_| drop(fs::remove_file(&committed)))
        };
        let mut synced = Ok(());
        let clean = |()| {
            synced = sync_names(is_unsynced, &names);
            // The list of the first folder is needed as long as there are others.
            lists.values().for_each(|list| drop(fs::remove_file(list.path())));
            let _ = fs::remove_file(if has_list { &committed } else { home.list.path() });
        };
        let unnamed = persist_together(files, commit, clean).map_err(failed)?;
        if let Some((target, error)) = unnamed.into_iter().next() {
            return Err(OutputError::Write { name: shown(&target), error });
        }
        synced.map_err(|error| OutputError::NotSynced { name, error })?;
        Ok(count)
    }

    /// Returns the letters and digits of the group, which has a list in this folder from now on.
    fn id_for(&mut self, folder: &Path) -> io::Result<&str> {
        if !self.folders.contains_key(folder) {
            let canonical = folder.canonicalize()?;
            self.join(&canonical)?;
            self.folders.insert(folder.to_owned(), canonical);
        }
        Ok(self.home.as_ref().map_or("", |home| &*home.id))
    }

    fn join(&mut self, folder: &Path) -> io::Result<()> {
        let Some(home) = &self.home else {
            let (file, list) = Unfinished::create_group(folder)?;
            let id = list.name().to_str().and_then(|name| id_of(name, GROUP)).unwrap_or_default().to_owned();
            self.home = Some(Home { folder: folder.to_owned(), id, list, file });
            return Ok(());
        };
        if home.folder == folder || self.lists.contains_key(folder) {
            return Ok(());
        }
        // The list gets its name when it has its first line, so that nobody takes it for that of a first folder.
        let (file, list) = Unfinished::create(folder, None)?;
        let path = |from, to| Name::from(path_between(from, to).as_os_str());
        write_lines(&file, [Line::Home(path(folder, &home.folder))].into_iter())?;
        let list = list.renamed(&format!("{GROUP}{}", home.id))?;
        write_lines(&home.file, [Line::Folder(path(&home.folder, folder))].into_iter())?;
        self.lists.insert(folder.to_owned(), list);
        Ok(())
    }
}

/// Writes the names of all files to the lists of their folders.
fn write_lists(
    files: &[(Unfinished, PathBuf)],
    folders: &HashMap<PathBuf, Folder>,
    (home, lists): (&Home, &HashMap<Folder, Unfinished>),
) -> io::Result<()> {
    let mut lines: HashMap<&Path, Vec<Line>> = HashMap::new();
    for (unfinished, target) in files {
        let folder = folders.get(folder_of(target)).unwrap_or(&home.folder);
        let line = Line::Rename(unfinished.name().into(), target.file_name().unwrap_or_default().into());
        lines.entry(folder).or_default().push(line);
    }
    for (folder, lines) in lines {
        match lists.get(folder) {
            None => write_lines(&home.file, lines.into_iter())?,
            Some(list) => write_lines(&File::options().append(true).open(list.path())?, lines.into_iter())?,
        }
    }
    Ok(())
}

/// Writes the lists and the names of the files that wait to the disk, and the files that are perhaps not there.
fn sync(
    is_unsynced: bool,
    folders: &HashSet<&Path>,
    (home, lists): (&Home, &HashMap<Folder, Unfinished>),
) -> io::Result<()> {
    if is_unsynced {
        return sync_file_systems(folders);
    }
    unless_unsupported(home.file.sync_all())?;
    for list in lists.values() {
        unless_unsupported(File::options().append(true).open(list.path())?.sync_all())?;
    }
    folders.iter().try_for_each(|folder| sync_folder(folder))
}

/// Writes the names of the files to the disk.
fn sync_names(is_unsynced: bool, folders: &HashSet<&Path>) -> io::Result<()> {
    if is_unsynced && folders.len() > SYNCED_ALONE {
        return sync_file_systems(folders);
    }
    folders.iter().try_for_each(|folder| sync_folder(folder))
}

/// Writes everything of the file systems of these folders to the disk, which takes less time than many files one by
/// one.
#[cfg(target_os = "linux")]
fn sync_file_systems(folders: &HashSet<&Path>) -> io::Result<()> {
    use std::os::unix::fs::MetadataExt;

    let mut systems = HashSet::new();
    for folder in folders {
        let folder = File::open(folder)?;
        if systems.insert(folder.metadata()?.dev()) {
            unless_unsupported(rustix::fs::syncfs(&folder).map_err(io::Error::from))?;
        }
    }
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn sync_file_systems(folders: &HashSet<&Path>) -> io::Result<()> {
    folders.iter().try_for_each(|folder| sync_folder(folder))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;
    use std::path::Path;

    use super::{FileGroup, SYNCED_ALONE};
    use crate::compress::Compression;
    use crate::output::OutputFile;

    /// Returns the number of files, with hidden ones, in the folder and in its folders.
    fn count(folder: &Path) -> usize {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        entries.map(|path| if path.is_dir() { count(&path) } else { 1 }).sum()
    }

    fn group(folder: &Path, names: impl Iterator<Item = String>) -> FileGroup {
        let mut group = FileGroup::new();
        for name in names {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            let mut output = OutputFile::create(path, Compression::None).unwrap();
            output.write_all(b"new").unwrap();
            group.add(output).unwrap();
        }
        group
    }

    #[test]
    fn files_in_any_number_of_folders_appear_together_and_leave_nothing() {
        for (files, folders) in
            [(1, 1), (2, 1), (5, 3), (SYNCED_ALONE + 2, 1), (2 * SYNCED_ALONE + 8, SYNCED_ALONE + 2)]
        {
            let folder = tempfile::tempdir().unwrap();
            let names = || (0..files).map(|nth| format!("{}/{nth}.pgn", nth % folders));
            drop(group(folder.path(), names()));
            assert_eq!(count(folder.path()), 0, "{files} files are dropped");
            let group = group(folder.path(), names());
            assert_eq!(count(folder.path()), files + folders, "each folder has a list");
            assert!(names().all(|name| !folder.path().join(name).exists()));
            assert_eq!(group.finish().unwrap(), files);
            assert!(names().all(|name| fs::read(folder.path().join(name)).unwrap() == b"new"));
            assert_eq!(count(folder.path()), files);
        }
    }

    #[test]
    fn groups_are_joined() {
        let folder = tempfile::tempdir().unwrap();
        let named = |names: &[&str]| group(folder.path(), names.iter().map(|name| (*name).to_owned()));
        let mut all = named(&[]);
        for names in [&["a/1", "b/1"][..], &["c/2"], &["a/3", "b/3"]] {
            all.append(named(names)).unwrap();
        }
        assert_eq!((all.finish().unwrap(), count(folder.path())), (5, 5));
    }

    #[test]
    fn a_folder_in_the_place_of_a_file_keeps_all_from_appearing() {
        let folder = tempfile::tempdir().unwrap();
        let group = group(folder.path(), ["1.pgn", "2.pgn", "3.pgn"].map(str::to_owned).into_iter());
        fs::create_dir(folder.path().join("2.pgn")).unwrap();
        let error = group.finish().unwrap_err();
        assert!(error.to_string().ends_with("2.pgn") && error.io().unwrap().to_string() == "is a directory");
        assert_eq!(count(folder.path()), 0);
    }
}
