//! Access to source files: files on the disk, and members of zip archives, which have the path of the archive, a slash
//! and their name.
//!
//! The bytes of a member are those that it has when the archive is unpacked. So a member and the unpacked file are
//! copies of each other. The bytes of a Scid or ChessBase database are those of its index and of its other files, one
//! after another.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{MAIN_SEPARATOR_STR, Path, PathBuf};

use pgn2fen_games::database::{ArchiveMember, companions, remote};

/// Returns the member of an archive with this path. None if there is no archive.
pub(super) fn member(path: &Path) -> Option<io::Result<ArchiveMember>> {
    // The state of what lies in a store is not known without asking for it.
    if remote::address(path).is_some() { None } else { ArchiveMember::at(path) }
}

/// Opens a file.
pub(super) fn open(path: &Path) -> io::Result<Box<dyn Read + Send>> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) => return member(path).ok_or(error)??.reader(),
    };
    let mut reader: Box<dyn Read + Send> = Box::new(file);
    for companion in companions(path) {
        reader = Box::new(reader.chain(File::open(companion)?));
    }
    Ok(reader)
}

/// Returns the number of bytes of a file, or None if there is something else at this path.
pub(super) fn length(path: &Path) -> io::Result<Option<u64>> {
    let metadata = match fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) => return Ok(Some(member(path).ok_or(error)??.size())),
    };
    if !metadata.is_file() {
        return Ok(None);
    }
    let others = companions(path).iter().map(|path| Ok(fs::metadata(path)?.len())).sum::<io::Result<u64>>()?;
    Ok(Some(metadata.len() + others))
}

/// Whether there is a file at this path.
pub(super) fn is_file(path: &Path) -> bool {
    length(path).is_ok_and(|length| length.is_some())
}

/// Returns an absolute path without symbolic links.
pub(super) fn canonical(path: &Path) -> io::Result<PathBuf> {
    match path.canonicalize() {
        Ok(path) => Ok(path),
        Err(error) => {
            let member = member(path).ok_or(error)??;
            let mut path = member.archive().canonicalize()?.into_os_string();
            for part in member.name().split('/') {
                path.push(MAIN_SEPARATOR_STR);
                path.push(part);
            }
            Ok(path.into())
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Read;

    use super::{canonical, is_file, length, open};
    use crate::digest::Digest;
    use crate::source::{Change, Stamp};
    use crate::tests::write_archive;

    #[test]
    fn a_member_is_the_file_that_is_unpacked() {
        let folder = tempfile::tempdir().unwrap();
        let (archive, plain) = (folder.path().join("a.zip"), folder.path().join("b.pgn"));
        let text = "1. e4 *\n".repeat(1000);
        write_archive(&archive, "", &[("x/b.pgn", &text), ("c.pgn", "1. d4 *")]);
        fs::write(&plain, &text).unwrap();
        let member = archive.join("x/b.pgn");
        assert!(is_file(&member) && !is_file(&archive.join("x")) && !is_file(folder.path()));
        assert_eq!((length(&member).unwrap(), length(&archive.join("c.pgn")).unwrap()), (Some(8000), Some(7)));
        assert_eq!(Digest::of(&member).unwrap(), Digest::of(&plain).unwrap());
        let mut read = String::new();
        open(&member).unwrap().read_to_string(&mut read).unwrap();
        assert_eq!(read, text);
        let real = folder.path().canonicalize().unwrap().join("a.zip/x/b.pgn");
        assert_eq!(canonical(&archive.join("x/./b.pgn")).unwrap(), real);
    }

    #[test]
    fn a_member_is_unchanged_in_an_archive_that_is_written_anew() {
        let folder = tempfile::tempdir().unwrap();
        let archive = folder.path().join("a.zip");
        let member = archive.join("b.pgn");
        write_archive(&archive, "", &[("b.pgn", "1. e4 *")]);
        let (stamp, digest) = (Stamp::take(&member).unwrap(), Digest::of(&member).unwrap());
        let check = |expected: Change| assert_eq!(stamp.change(&member, Some(digest)).unwrap(), expected);
        check(Change::None);
        write_archive(&archive, "another", &[("a.pgn", "1. d4 *"), ("b.pgn", "1. e4 *")]);
        check(Change::None);
        write_archive(&archive, "", &[("b.pgn", "1. d4 *")]);
        check(Change::Other);
        write_archive(&archive, "", &[("b.pgn", "1. e4 * 1. d4 *")]);
        check(Change::Other);
        write_archive(&archive, "", &[("c.pgn", "1. e4 *")]);
        assert_eq!(stamp.change(&member, Some(digest)).unwrap_err().kind(), std::io::ErrorKind::NotFound);
    }
}
