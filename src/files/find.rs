//! The search for input files.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// A file to read, with an error if the search found that it cannot be read.
pub type Found = (PathBuf, io::Result<()>);

/// Returns these files. With `recursive`, a folder is replaced by the PGN files in it and its subfolders, plain or compressed, in
/// alphabetical order. Hidden files are left out. A folder without PGN files is found with an error.
///
/// Files are not opened, so a missing file is found without an error.
pub fn find(paths: impl IntoIterator<Item: AsRef<Path>>, recursive: bool) -> Vec<Found> {
    let mut found = Vec::new();
    for path in paths {
        let path = path.as_ref();
        if recursive && path.is_dir() {
            let before = found.len();
            walk_folder(path, &mut HashSet::new(), &mut found);
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

/// Returns the number of bytes to read, or None if it is unknown, as for pipes and for `-`. Compressed files count with their compressed
/// size. `range` is the range of bytes that is read of a single file.
pub fn size(files: &[Found], range: Option<&Range<u64>>) -> Option<u64> {
    let mut size = 0;
    for (path, _) in files {
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

/// Finds the PGN files of a folder and its subfolders, in alphabetical order. Hidden files are skipped. A folder that several links
/// lead to is read once.
fn walk_folder(folder: &Path, seen: &mut HashSet<PathBuf>, found: &mut Vec<Found>) {
    let entries = folder.canonicalize().and_then(|real| {
        let is_new = seen.insert(real);
        if is_new { fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>() } else { Ok(Vec::new()) }
    });
    let mut entries = match entries {
        Ok(entries) => entries,
        Err(error) => return found.push((folder.to_owned(), Err(error))),
    };
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name().to_string_lossy().to_ascii_lowercase();
        let path = entry.path();
        if name.starts_with('.') {
            continue;
        }
        if path.is_dir() {
            walk_folder(&path, seen, found);
        } else if [".pgn", ".pgn.zst", ".pgn.gz", ".pgn.bz2"].iter().any(|ending| name.ends_with(ending)) {
            found.push((path, Ok(())));
        }
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
