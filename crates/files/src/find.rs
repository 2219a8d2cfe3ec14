//! The search for input files.

mod addresses;
mod patterns;

use std::collections::HashSet;
use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use pgn2fen_games::database::{Archive, ArchiveError, ArchiveMember, Source, SourceOptions, archive_of, remote};

/// A file to read, with an error if the search found that it cannot be read.
pub type Found = (PathBuf, io::Result<()>);

/// Returns these files. With `recursive`, a folder is replaced by the PGN files in it and its subfolders, plain or
/// compressed, and the indexes of Scid and ChessBase databases, in alphabetical order. Hidden files are left out. A
/// folder without PGN files is found with an error.
///
/// A zip archive is replaced by its members that are [read as games](Archive::readable), in the order of the archive,
/// which is the order in which `unzip -p` writes them. In a folder, only archives named `.zip` are looked into, and
/// those without a member that is named like games are left out.
///
/// Of the files in folders that are named like CSV or JSON (`.csv`, `.json`, `.jsonl`, `.ndjson`), those belong to them
/// that begin like the puzzles, evaluations or games of a site. Other files are not read, so a missing file is found
/// without an error.
///
/// A path with `*` or `?` that is no file is replaced by the files that match it, in alphabetical order.
///
/// The address of a folder of a store, such as `s3://bucket/2024/`, is replaced by the files in it that are named like
/// PGN files. A pattern in an address is replaced by the files that match it, with or without `recursive`: `*` stands
/// for any characters but slashes, `**` for any characters, and `?` for one character. An address is found under its
/// [name](remote::named), without what may be secret.
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
            match patterns::matching(path) {
                Some(Ok(files)) => files.iter().for_each(|file| find_file(file, &mut found)),
                Some(Err(error)) => found.push((path.to_owned(), Err(error))),
                None => find_file(path, &mut found),
            }
        }
    }
    found
}

/// Finds a file, or the members of an archive.
fn find_file(path: &Path, found: &mut Vec<Found>) {
    if Archive::is_at(path) {
        find_members(path, found);
    } else {
        found.push((path.to_owned(), Ok(())));
    }
}

/// Finds the members of an archive that are read.
pub(super) fn find_members(path: &Path, found: &mut Vec<Found>) {
    match Archive::open(path) {
        Ok(archive) => {
            let readable = archive.readable();
            let damage = archive.damage().map(|damage| ArchiveError::Damaged(damage.to_owned()));
            let error = damage.or((readable.is_empty()).then_some(ArchiveError::Empty));
            found.extend(readable.iter().map(|member| (member.path(), Ok(()))));
            found.extend(error.map(|error| (path.to_owned(), Err(error.into()))));
        }
        Err(error) => found.push((path.to_owned(), Err(error))),
    }
}

/// Returns the files that [`find`] leaves out with `recursive`, because they are not named like PGN files: those in
/// these folders and their subfolders, in alphabetical order, and the members of the archives among them. Hidden files,
/// and folders that cannot be read, are left out.
pub fn passed_over(paths: impl IntoIterator<Item: AsRef<Path>>) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in paths {
        let path = path.as_ref();
        if path.is_dir() {
            walk_folder(path, Entry::Other, &mut found);
        } else if Archive::is_at(path) {
            found.extend(others(path).into_iter().map(|path| (path, Ok(()))));
        }
    }
    found.into_iter().filter_map(|(path, state)| state.is_ok().then_some(path)).collect()
}

/// Returns the members of an archive that are not read.
fn others(archive: &Path) -> Vec<PathBuf> {
    let members = Archive::open(archive).map(|archive| archive.others()).unwrap_or_default();
    members.iter().map(ArchiveMember::path).collect()
}

/// Returns the number of bytes of a file, or None if it is not known, as for pipes. A member of an archive has its
/// compressed size.
///
/// # Errors
///
/// There is no such file.
pub(super) fn length(path: &Path) -> io::Result<Option<u64>> {
    if let Some(address) = remote::address(path) {
        return addresses::size(address);
    }
    match fs::metadata(path) {
        Ok(metadata) => Ok(metadata.is_file().then_some(metadata.len())),
        Err(error) => match ArchiveMember::at(path) {
            Some(member) => member.map(|member| Some(member.compressed_size())),
            None => Err(error),
        },
    }
}

/// Returns an error for a path that leads to no file or to a folder.
///
/// # Errors
///
/// There is no such file, or it is a folder.
pub fn must_be_file(path: &Path) -> io::Result<()> {
    length(path)?;
    if path.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a directory"));
    }
    Ok(())
}

/// Returns the file on the disk with the bytes of this file: the archive of a member, or the file itself.
pub fn on_disk(path: &Path) -> &Path {
    archive_of(path).unwrap_or(path)
}

/// Returns the number of bytes to read, or None if it is unknown, as for pipes and for `-`. Compressed files count with
/// their compressed size. `range` is the range of bytes that is read of a single file.
pub fn size(files: &[Found], range: Option<&Range<u64>>) -> Option<u64> {
    let mut size = 0;
    let mut asked = 0;
    for (path, _) in files {
        if remote::address(path).is_some() {
            // Each request takes a moment.
            asked += 1;
            if asked > MOST_ASKED {
                return None;
            }
        }
        match length(path) {
            Ok(Some(length)) => size += length,
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
    /// A file that is named like a zip archive.
    Zip,
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
        if entry == Entry::Zip {
            walk_archive(path, wanted, found);
            continue;
        }
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
                entries.retain(|(_, entry)| [Entry::Folder, Entry::Zip, wanted].contains(entry));
                waiting.extend(entries.into_iter().rev());
            }
            Err(error) => found.push((path, Err(error))),
        }
    }
}

/// Finds the members of an archive in a folder that are read, or the others. An archive without members that are named
/// like games is one of the others.
fn walk_archive(path: PathBuf, wanted: Entry, found: &mut Vec<Found>) {
    let archive = Archive::is_at(&path).then(|| Archive::open(&path));
    let has_games = match &archive {
        Some(Ok(archive)) => archive.has_games() || archive.damage().is_some(),
        Some(Err(_)) | None => true,
    };
    match (wanted, archive) {
        (Entry::Pgn, Some(_)) if has_games => find_members(&path, found),
        // What is named like an archive and is none is told when it is opened.
        (Entry::Pgn, None) => {
            let state = readable(&path);
            found.push((path, state));
        }
        (Entry::Other, Some(_)) if has_games => found.extend(others(&path).into_iter().map(|path| (path, Ok(())))),
        (Entry::Other, Some(_)) => found.push((path, Ok(()))),
        _ => {}
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
        let is_pgn = is_named_like_pgn(&name)
            || [".si4", ".si5", ".cbh", ".cbv"].iter().any(|ending| name.ends_with(ending))
            || !is_folder && may_be_records(&name) && has_records(&path);
        Some((
            path,
            if is_folder {
                Entry::Folder
            } else if is_pgn {
                Entry::Pgn
            } else if name.ends_with(".zip") {
                Entry::Zip
            } else {
                Entry::Other
            },
        ))
    });
    Ok(wanted.collect())
}

/// The endings of compressed files.
const COMPRESSED: [&str; 3] = [".zst", ".gz", ".bz2"];

/// Whether a name in lower-case letters has the ending of a PGN file.
pub(super) fn is_named_like_pgn(name: &str) -> bool {
    plain(name).ends_with(".pgn")
}

/// Whether a name in lower-case letters has the ending of files that may have puzzles, evaluations or games of a site.
fn may_be_records(name: &str) -> bool {
    [".csv", ".json", ".jsonl", ".ndjson"].iter().any(|ending| plain(name).ends_with(ending))
}

/// Returns the name without the ending of a compressed file.
fn plain(name: &str) -> &str {
    COMPRESSED.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name)
}

/// Whether a file begins like the records of a site. Folders have tables and JSON for many purposes, among them what
/// was written of their games, so the names do not tell.
fn has_records(path: &Path) -> bool {
    let options = SourceOptions { map: false, ..SourceOptions::default() };
    let is_file = fs::metadata(path).is_ok_and(|metadata| metadata.is_file());
    is_file && Source::open_with(path, &options).is_ok_and(|source| source.has_records_of_site())
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
