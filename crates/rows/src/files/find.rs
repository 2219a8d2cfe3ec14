//! The search for input files.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::files::addresses;
use pgn2fen_games::database::remote;

/// A file to read, with an error if the search found that it cannot be read.
pub type Found = (PathBuf, io::Result<()>);

/// Returns these files. With `recursive`, a folder is replaced by the PGN files in it and its subfolders, plain or
/// compressed, in alphabetical order. Hidden files are left out. A folder without PGN files is found with an error.
///
/// So is the address of a folder of a store, such as `s3://bucket/2024/`. A pattern in an address is replaced by the
/// files that match it, with or without `recursive`: `*` stands for any characters but slashes, `**` for any characters,
/// and `?` for one character. An address is found under its [name](remote::named), without what may be secret.
///
/// Files are not opened, so a missing file is found without an error.
pub fn find(paths: impl IntoIterator<Item: AsRef<Path>>, recursive: bool) -> Vec<Found> {
    let mut found = Vec::new();
    for path in paths {
        let path = path.as_ref();
        if remote::address(path).is_some() {
            addresses::find(&remote::named(path), recursive, &mut found);
        } else if recursive && path.is_dir() {
            let before = found.len();
            walk_folder(path, Entry::Pgn, &mut found);
            if found.len() == before {
                let error = io::Error::new(io::ErrorKind::NotFound, "the folder contains no PGN files");
                found.push((path.to_owned(), Err(error)));
            }
        } else {
            found.push((path.to_owned(), Ok(())));
        }
    }
    found
}

/// Returns the files in these folders and their subfolders that [`find`] leaves out with `recursive`, because they are
/// not named like PGN files, in alphabetical order. Hidden files, and folders that cannot be read, are left out.
pub fn passed_over(paths: impl IntoIterator<Item: AsRef<Path>>) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in paths {
        if path.as_ref().is_dir() {
            walk_folder(path.as_ref(), Entry::Other, &mut found);
        }
    }
    found.into_iter().filter_map(|(path, state)| state.is_ok().then_some(path)).collect()
}

/// Returns the number of bytes to read, or None if it is unknown, as for pipes and for `-`. Compressed files count with
/// their compressed size. `range` is the range of bytes that is read of a single file.
pub fn size(files: &[Found], range: Option<&Range<u64>>) -> Option<u64> {
    let mut size = 0;
    let mut asked = 0;
    for (path, _) in files {
        if let Some(address) = remote::address(path) {
            asked += 1;
            // Each request takes a moment. The sizes of listed files are known.
            size += addresses::size(address).filter(|_| asked <= MOST_ASKED)?;
            continue;
        }
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_file() => size += metadata.len(),
            // A missing file adds no bytes. It is reported when it is opened.
            Err(_) if path != Path::new("-") => {}
            _ => return None,
        }
    }
    Some(match range {
        None => size,
        Some(range) => range.end.min(size).saturating_sub(range.start),
    })
}

/// The most addresses whose size is asked for.
const MOST_ASKED: usize = 1000;

/// What stands in a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Entry {
    Folder,
    /// A file that is named like PGN.
    Pgn,
    Other,
}

/// Finds the PGN files of a folder and its subfolders, or the others, in alphabetical order. Hidden files are skipped.
/// A folder that several links lead to is read once. What cannot be read like a file, such as a named pipe, is found
/// with an error: opening it may wait for ever.
fn walk_folder(folder: &Path, wanted: Entry, found: &mut Vec<Found>) {
    let mut seen = HashSet::new();
    // The paths that are still to come, the next one last. Folders may be nested too deeply for recursion.
    let mut waiting = vec![(folder.to_owned(), Entry::Folder)];
    while let Some((path, entry)) = waiting.pop() {
        if entry != Entry::Folder {
            let state = readable(&path);
            found.push((path, state));
            continue;
        }
        let entries = Identity::of(&path).and_then(
            |identity| {
                if seen.insert(identity) { entries(&path) } else { Ok(Vec::new()) }
            },
        );
        match entries {
            Ok(mut entries) => {
                entries.retain(|(_, entry)| [Entry::Folder, wanted].contains(entry));
                waiting.extend(entries.into_iter().rev());
            }
            Err(error) => found.push((path, Err(error))),
        }
    }
}

/// Returns the subfolders and the files in a folder, in alphabetical order. Hidden ones are left out.
fn entries(folder: &Path) -> io::Result<Vec<(PathBuf, Entry)>> {
    let mut entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    let wanted = entries.into_iter().filter_map(|entry| {
        let name = entry.file_name().to_string_lossy().to_ascii_lowercase();
        if name.starts_with('.') {
            return None;
        }
        let path = entry.path();
        let is_folder = match entry.file_type() {
            Ok(kind) if !kind.is_symlink() => kind.is_dir(),
            _ => path.is_dir(),
        };
        let is_pgn = is_named_like_pgn(&name);
        Some((
            path,
            if is_folder {
                Entry::Folder
            } else if is_pgn {
                Entry::Pgn
            } else {
                Entry::Other
            },
        ))
    });
    Ok(wanted.collect())
}

/// Whether a name in lower-case letters has the ending of a PGN file.
pub(super) fn is_named_like_pgn(name: &str) -> bool {
    [".pgn", ".pgn.zst", ".pgn.gz", ".pgn.bz2"].iter().any(|ending| name.ends_with(ending))
}

/// Returns an error for what is there and is no file. What is missing is reported when it is opened.
fn readable(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "is a pipe, a socket or a device, which is not read with its folder; name it to read it",
        )),
        _ => Ok(()),
    }
}

/// What makes a folder the same under all its paths.
#[cfg(unix)]
#[derive(PartialEq, Eq, Hash)]
struct Identity {
    device: u64,
    inode: u64,
}

#[cfg(unix)]
impl Identity {
    fn of(folder: &Path) -> io::Result<Self> {
        use std::os::unix::fs::MetadataExt;

        let metadata = fs::metadata(folder)?;
        Ok(Self { device: metadata.dev(), inode: metadata.ino() })
    }
}

/// What makes a folder the same under all its paths: the path without links.
#[cfg(not(unix))]
#[derive(PartialEq, Eq, Hash)]
struct Identity(PathBuf);

#[cfg(not(unix))]
impl Identity {
    fn of(folder: &Path) -> io::Result<Self> {
        folder.canonicalize().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::{find, size};

    #[test]
    fn folders_are_replaced_by_the_pgn_files_in_them() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir_all(at("a/empty")).unwrap();
        for name in ["b.pgn", "a/z.PGN.gz", "a/notes.txt", "a/.hidden.pgn"] {
            fs::write(at(name), "1. e4 *").unwrap();
        }
        #[track_caller]
        fn check(folder: &Path, paths: &[&str], is_recursive: bool, expected: &[(&str, bool)]) {
            let found = find(paths.iter().map(|path| folder.join(path)), is_recursive);
            let found = found.iter().map(|(path, state)| (path.strip_prefix(folder).unwrap(), state.is_ok()));
            let expected: Vec<_> = expected.iter().map(|(path, is_ok)| (Path::new(*path), *is_ok)).collect();
            assert_eq!(found.collect::<Vec<_>>(), expected);
        }
        check(folder.path(), &["b.pgn", "a"], true, &[("b.pgn", true), ("a/z.PGN.gz", true)]);
        check(folder.path(), &["a", "none"], false, &[("a", true), ("none", true)]);
        check(folder.path(), &["a/empty"], true, &[("a/empty", false)]);
    }

    #[cfg(unix)]
    #[test]
    fn folders_may_be_deep_and_linked_in_a_circle() {
        let folder = tempfile::tempdir().unwrap();
        let deep = "a/".repeat(1000);
        fs::create_dir_all(folder.path().join(&deep)).unwrap();
        fs::write(folder.path().join(&deep).join("b.pgn"), "1. e4 *").unwrap();
        std::os::unix::fs::symlink("..", folder.path().join("a/up")).unwrap();
        let found = find([folder.path()], true);
        assert_eq!(found.len(), 1);
        assert!(found[0].0.ends_with(deep + "b.pgn") && found[0].1.is_ok());
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_file_is_told_and_not_opened() {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("b.pgn");
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        fs::write(folder.path().join("c.pgn"), "1. e4 *").unwrap();
        let found = find([folder.path()], true);
        let error = found[0].1.as_ref().unwrap_err().to_string();
        assert!(error.starts_with("is a pipe, a socket or a device"), "{error}");
        assert!(found.len() == 2 && found[1].1.is_ok());
    }

    #[test]
    fn sizes_are_added_up_where_they_are_known() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.pgn");
        fs::write(&path, "1. e4 *").unwrap();
        assert_eq!(size(&find([&path, &path, &folder.path().join("none")], false), None), Some(14));
        assert_eq!(size(&find([&path], false), Some(&(3..u64::MAX))), Some(4));
        assert_eq!(size(&find([&path, Path::new("-")], false), None), None);
        assert_eq!(size(&find([folder.path()], false), None), None);
    }
}
