//! Zip archives: the files in an archive are its members, and each of them is read like a file of its own.
//!
//! A member has a path: that of the archive, a slash, and its name in the archive, such as `twic1600.zip/twic1600.pgn`.
//! A source opens such a path if there is no file with this path and
//! one of the folders in it is a zip archive.
//!
//! # Inside
//!
//! - `directory`: reads the list of members, which stands at the end of an archive
//! - `names`: the names of members, of which each names one member
//! - `member`: the text of a member, which is checked while it is read
//! - `cache`: the lists that were read last
//! - `error`: why an archive or a member cannot be read
//!
//! The package `rawzip` reads the list, and nothing else: members are decoded by the decoders of compressed files, so
//! that damage has its place and the text before it is read. An archive is read at any offset (`RandomAccess`), and
//! only where it must be: its end, the list, and the members that are wanted. Memory is bounded by the list, which is
//! limited.

#[cfg(feature = "zip")]
mod cache;
#[cfg(feature = "zip")]
mod directory;
mod error;
#[cfg(feature = "zip")]
mod member;
#[cfg(feature = "zip")]
mod names;

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use crate::archive::error::ArchiveError;

#[cfg(feature = "zip")]
use crate::archive::cache::directory_of;
use crate::foreign::Foreign;
use pgn2fen_bytes::Meter;
use pgn2fen_bytes::remote;
use pgn2fen_bytes::{PositionedFile, RandomAccess};

/// The number of bytes at the start of a file that are needed to tell whether it is a zip archive.
const HEAD: usize = 64;

/// A zip archive.
#[derive(Clone, Debug)]
pub struct Archive {
    path: PathBuf,
    #[cfg_attr(not(feature = "zip"), expect(dead_code, reason = "no archive is opened"))]
    bytes: Arc<dyn RandomAccess>,
    directory: Arc<Directory>,
}

/// The list of the members of an archive.
#[derive(Debug, Default)]
struct Directory {
    /// The files, in the order of the list. Folders and symbolic links are left out.
    members: Vec<Member>,
    /// The members by their names.
    by_name: std::collections::HashMap<Box<str>, usize>,
    /// The reason why members may be missing at the end of the list.
    damage: Option<String>,
}

/// A file in an archive, as the list of members describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Member {
    name: Box<str>,
    /// The length and the checksum of the name as it is stored.
    stored_name: (usize, u32),
    /// The number of the method of compression.
    method: u16,
    is_encrypted: bool,
    crc32: u32,
    compressed_size: u64,
    size: u64,
    /// The offset of its header in the archive.
    header: u64,
}

/// A member of an archive, which can be read.
#[derive(Clone, Debug)]
pub struct ArchiveMember {
    archive: Archive,
    nth: usize,
}

impl Archive {
    /// The number of bytes that are needed to recognise an archive.
    pub const HEAD: usize = HEAD;

    /// Whether a file with these first bytes is a zip archive, and no document in one.
    pub fn begins(head: &[u8]) -> bool {
        begins_archive(head)
    }

    /// Opens a zip archive and reads the list of its members. The path may be an [address](remote::address).
    ///
    /// # Errors
    ///
    /// The file cannot be read, or its list of members is missing or [damaged](ArchiveError).
    pub fn open(path: &Path) -> io::Result<Self> {
        match remote::address(path) {
            Some(address) => match remote::open(address)?.bytes {
                Some(bytes) => Self::of(path, bytes),
                None => Err(ArchiveError::NoRanges.into()),
            },
            None => Self::of(path, Arc::new(PositionedFile::open(path)?)),
        }
    }

    /// Opens a zip archive with these bytes, which has a name.
    ///
    /// # Errors
    ///
    /// The same errors as those of [`open`](Self::open).
    pub fn of(path: &Path, bytes: Arc<dyn RandomAccess>) -> io::Result<Self> {
        let directory = directory_of(path, &bytes)?;
        Ok(Self { path: path.to_owned(), bytes, directory })
    }

    /// Whether a file is a zip archive, by its first bytes. Only files on the disk are opened, and addresses that end
    /// with `.zip`.
    pub fn is_at(path: &Path) -> bool {
        if remote::address(path).is_some() {
            return is_named_zip(path);
        }
        let is_file = || fs::metadata(path).is_ok_and(|metadata| metadata.is_file());
        let head = || {
            let mut head = Vec::new();
            File::open(path)?.take(HEAD as u64).read_to_end(&mut head).map(|_| head)
        };
        cfg!(feature = "zip") && is_file() && head().is_ok_and(|head| begins_archive(&head))
    }

    /// Returns the members that are read as games, in the order of the archive: those that are named like PGN and lists
    /// of positions (`.pgn`, `.epd`, `.fen`), plain or compressed, or else those that are named like other files of
    /// games (`.csv`, `.tsv`, `.json`, `.jsonl`, `.ndjson`, `.parquet`, `.arrow`, `.feather`), or else all of them.
    /// Hidden files are left out.
    pub fn readable(&self) -> Vec<ArchiveMember> {
        let likeness = |nth: &usize| Likeness::of(&self.directory.members[*nth].name);
        let all = 0..self.directory.members.len();
        let best = all.clone().map(|nth| likeness(&nth)).max().unwrap_or(Likeness::Hidden);
        let is_best = |nth: &usize| best != Likeness::Hidden && likeness(nth) == best;
        all.filter(is_best).map(|nth| self.nth(nth)).collect()
    }

    /// Whether some members are named like files of games.
    pub fn has_games(&self) -> bool {
        self.directory.members.iter().any(|member| Likeness::of(&member.name) > Likeness::Other)
    }

    /// Returns the members that are not [read as games](Self::readable), in the order of the archive, without hidden
    /// ones.
    pub fn others(&self) -> Vec<ArchiveMember> {
        let readable: Vec<usize> = self.readable().iter().map(|member| member.nth).collect();
        let is_other = |nth: &usize| {
            Likeness::of(&self.directory.members[*nth].name) != Likeness::Hidden && readable.binary_search(nth).is_err()
        };
        (0..self.directory.members.len()).filter(is_other).map(|nth| self.nth(nth)).collect()
    }

    /// Returns the member of this name.
    ///
    /// # Errors
    ///
    /// There is no such member.
    pub fn member(&self, name: &str) -> io::Result<ArchiveMember> {
        match self.directory.by_name.get(name) {
            Some(nth) => Ok(self.nth(*nth)),
            None => Err(ArchiveError::no_member(self.damage(), &self.readable()).into()),
        }
    }

    /// Returns the only member that is read as games.
    ///
    /// # Errors
    ///
    /// There are none or several.
    pub fn only_member(&self) -> io::Result<ArchiveMember> {
        let readable = self.readable();
        match (&readable[..], self.damage()) {
            ([], Some(damage)) => Err(ArchiveError::Damaged(damage.to_owned()).into()),
            ([], None) => Err(ArchiveError::Empty.into()),
            ([only], None) => Ok(only.clone()),
            _ => Err(ArchiveError::several(&readable).into()),
        }
    }

    /// Returns the reason why members may be missing, if the list of members is damaged.
    pub fn damage(&self) -> Option<&str> {
        self.directory.damage.as_deref()
    }

    /// Returns the path of the archive.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn nth(&self, nth: usize) -> ArchiveMember {
        ArchiveMember { archive: self.clone(), nth }
    }
}

impl ArchiveMember {
    /// Finds the member with this path, such as `twic1600.zip/twic1600.pgn`. None if there is a file with this path, or
    /// if no folder in the path is a zip archive.
    ///
    /// # Errors
    ///
    /// The archive cannot be read, or has no such member.
    pub fn at(path: &Path) -> Option<io::Result<Self>> {
        let (archive, name) = split(path)?;
        Some(Archive::open(archive).and_then(|archive| archive.member(&name)))
    }

    /// Returns the path of the member.
    pub fn path(&self) -> PathBuf {
        let mut path = self.archive.path.clone().into_os_string();
        path.push("/");
        path.push(self.name());
        path.into()
    }

    /// Returns the path of the archive.
    pub fn archive(&self) -> &Path {
        &self.archive.path
    }

    /// Returns the name of the member in its archive: parts with slashes between them, none of which is `..`.
    pub fn name(&self) -> &str {
        &self.facts().name
    }

    /// Returns the number of bytes of the member, as the archive gives it.
    pub fn size(&self) -> u64 {
        self.facts().size
    }

    /// Returns the number of bytes that the member takes in the archive.
    pub fn compressed_size(&self) -> u64 {
        self.facts().compressed_size
    }

    /// Returns the checksum of the bytes of the member, as the archive gives it: CRC-32.
    pub fn crc32(&self) -> u32 {
        self.facts().crc32
    }

    /// Returns a reader of the bytes of the member. Its last read is an error if the bytes do not have the size and the
    /// checksum that the archive gives.
    ///
    /// # Errors
    ///
    /// The member is encrypted, is compressed by a method that is not read, or its header is damaged.
    pub fn reader(&self) -> io::Result<Box<dyn Read + Send>> {
        self.metered(&Meter::default())
    }

    /// Returns a reader like [`reader`](Self::reader), which counts the bytes of the archive.
    ///
    /// # Errors
    ///
    /// The same errors as those of [`reader`](Self::reader).
    #[doc(hidden)]
    pub fn metered(&self, meter: &Meter) -> io::Result<Box<dyn Read + Send>> {
        #[cfg(feature = "zip")]
        return member::reader(&self.archive, self.facts(), meter);
        #[cfg(not(feature = "zip"))]
        Err(ArchiveError::Feature.into()).inspect_err(|_| _ = meter)
    }

    /// Returns the bytes at any offset, if the member is not compressed. Their checksum is not checked.
    pub(crate) fn bytes(&self) -> io::Result<Option<Arc<dyn RandomAccess>>> {
        #[cfg(feature = "zip")]
        return member::bytes(&self.archive, self.facts());
        #[cfg(not(feature = "zip"))]
        Err(ArchiveError::Feature.into())
    }

    fn facts(&self) -> &Member {
        &self.archive.directory.members[self.nth]
    }
}

/// Returns an error for every archive.
#[cfg(not(feature = "zip"))]
fn directory_of(_: &Path, _: &Arc<dyn RandomAccess>) -> io::Result<Arc<Directory>> {
    Err(ArchiveError::Feature.into())
}

/// Returns the path of the archive with the member of this path, if the path is not that of a file.
pub fn archive_of(path: &Path) -> Option<&Path> {
    split(path).map(|(archive, _)| archive)
}

/// Splits the path of a member into that of the archive and the name of the member.
fn split(path: &Path) -> Option<(&Path, String)> {
    if !cfg!(feature = "zip") {
        return None;
    }
    let is_address = remote::address(path).is_some();
    if !is_address && path.exists() {
        return None;
    }
    let archive = path.ancestors().skip(1).find_map(|folder| {
        if is_address {
            // The server is not asked for each folder.
            return is_named_zip(folder).then_some(Some(folder));
        }
        let metadata = fs::metadata(folder).ok()?;
        Some((metadata.is_file() && Archive::is_at(folder)).then_some(folder))
    })??;
    let mut name = String::new();
    for part in path.strip_prefix(archive).ok()? {
        if !name.is_empty() {
            name.push('/');
        }
        name.push_str(part.to_str()?);
    }
    Some((archive, name))
}

/// Whether a file with these first bytes is a zip archive, and no document in one.
pub(crate) fn begins_archive(head: &[u8]) -> bool {
    head.starts_with(b"PK") && Foreign::detect(head, None) == Some(Foreign::Zip)
}

fn is_named_zip(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("zip"))
}

/// How much the name of a member is like that of a file of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Likeness {
    /// It is hidden, or holds facts about other members.
    Hidden,
    /// It may be anything.
    Other,
    /// It is named like a table or another file that may have games.
    Table,
    /// It is named like games or positions.
    Games,
}

impl Likeness {
    fn of(name: &str) -> Self {
        const GAMES: [&str; 3] = [".pgn", ".epd", ".fen"];
        const TABLES: [&str; 8] = [".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".parquet", ".arrow", ".feather"];
        if name.split('/').any(|part| part.starts_with('.') || part == "__MACOSX") {
            return Self::Hidden;
        }
        let name = name.to_ascii_lowercase();
        let plain = [".zst", ".gz", ".bz2"].iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(&name);
        let has = |endings: &[&str]| endings.iter().any(|ending| plain.ends_with(ending));
        match () {
            () if has(&GAMES) => Self::Games,
            () if has(&TABLES) => Self::Table,
            () => Self::Other,
        }
    }
}
