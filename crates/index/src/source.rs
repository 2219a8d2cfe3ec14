//! The source files of games, and checks whether they have changed.

use std::fs::{self, File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::time::UNIX_EPOCH;

use serde_json::{Map, Value, json};

use crate::digest::Digest;
use crate::file_access::member;

use pgn2fen_chess::san::Letters;
use pgn2fen_games::database::{ArchiveMember, companions};
use pgn2fen_games::pgn::encoding::Label;
use pgn2fen_games::replay::{ReplayOptions, SetupPolicy};

/// A short description of a file for recognising it: its size, its modification time, and a hash of its ends. That of a
/// database of several files describes all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    pub(super) bytes: u64,
    /// The modification time in nanoseconds since 1970; None where the system does not give it. Of several files, it is
    /// the sum, modulo 2⁶⁴.
    pub(super) modified: Option<u64>,
    pub(super) hash: u64,
}

/// The settings with which a file was read. They are needed to read it in the same way again.
#[derive(Clone, Debug, Default)]
pub struct ReadSettings {
    /// The options for replaying its games.
    pub replay: ReplayOptions,
    /// The encoding of bytes that are not UTF-8, if one was given.
    pub encoding: Option<Label>,
    /// The column with the moves of the games, if one was given. It is for tables.
    pub movetext: Option<String>,
}

impl ReadSettings {
    pub(super) fn write(&self, object: &mut Map<String, Value>) {
        object.insert("setup".to_owned(), json!(self.replay.setup.name()));
        object.insert("lang".to_owned(), json!(self.replay.letters.code()));
        object.insert("encoding".to_owned(), json!(self.encoding.map(Label::name)));
        if let Some(movetext) = &self.movetext {
            object.insert("movetext".to_owned(), json!(movetext));
        }
    }

    pub(super) fn of(value: &Value) -> Option<Self> {
        let setup = SetupPolicy::named(value.get("setup")?.as_str()?)?;
        let letters = Letters::of(value.get("lang")?.as_str()?)?;
        let encoding = match value.get("encoding")? {
            Value::Null => None,
            label => Some(Label::find(label.as_str()?)?),
        };
        let movetext = match value.get("movetext") {
            None => None,
            Some(column) => Some(column.as_str()?.to_owned()),
        };
        let replay = ReplayOptions { setup, letters, encoding, first_warnings_only: true, ..ReplayOptions::default() };
        Some(Self { replay, encoding, movetext })
    }
}

impl PartialEq for ReadSettings {
    /// Two settings are equal if they are written in the same way.
    fn eq(&self, other: &Self) -> bool {
        let written = |reading: &Self| {
            let mut object = Map::new();
            reading.write(&mut object);
            object
        };
        written(self) == written(other)
    }
}

impl Eq for ReadSettings {}

/// The number of bytes that are hashed at either end.
const ENDS: u64 = 64 * 1024;

/// The change of a file since it was indexed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// The file has not changed.
    None,
    /// The file is longer, and its old part ends as before.
    Grown,
    /// The file is a different one.
    Other,
}

impl Stamp {
    /// Describes a file as it is now.
    pub(super) fn take(path: &Path) -> io::Result<Self> {
        let stamp = match File::open(path) {
            Ok(file) => Self::of_file(file)?,
            Err(error) => return Self::of_member(&member(path).ok_or(error)??),
        };
        companions(path).iter().try_fold(stamp, |stamp, path| Ok(stamp.and(Self::of_file(File::open(path)?)?)))
    }

    fn of_file(mut file: File) -> io::Result<Self> {
        let metadata = file.metadata()?;
        let bytes = metadata.len();
        Ok(Self { bytes, modified: modified(&metadata), hash: hash_ends(&mut file, bytes)? })
    }

    /// Describes two files of a database as one.
    fn and(self, other: Self) -> Self {
        Self {
            bytes: self.bytes + other.bytes,
            modified: self.modified.zip(other.modified).map(|(one, other)| one.wrapping_add(other)),
            hash: fnv(self.hash, &other.hash.to_le_bytes()),
        }
    }

    /// Describes a member of a zip archive. Instead of its ends, its checksum in the archive is hashed, so that it is
    /// not decoded.
    fn of_member(member: &ArchiveMember) -> io::Result<Self> {
        let hash = fnv(FNV_START, &member.crc32().to_le_bytes());
        Ok(Self { bytes: member.size(), modified: modified(&fs::metadata(member.archive())?), hash })
    }

    /// Whether this is the stamp of the same file, read by another process. The modification time is ignored, because
    /// the other process may have read a copy on another machine.
    pub(super) fn is_of_same_file(&self, other: &Self) -> bool {
        (self.bytes, self.hash) == (other.bytes, other.hash)
    }

    /// Compares a file with this stamp and this digest. A file with the same size, ends and time is treated as
    /// unchanged. A file with another time is read completely, because it may be a copy or may have been edited in the
    /// middle.
    pub(super) fn change(&self, path: &Path, digest: Option<Digest>) -> io::Result<Change> {
        let now = Self::take(path)?;
        if now.bytes == self.bytes && now.hash == self.hash {
            let is_same = now.modified == self.modified || digest == Some(Digest::of(path)?);
            return Ok(if is_same { Change::None } else { Change::Other });
        }
        if now.bytes <= self.bytes || !path.is_file() || !companions(path).is_empty() {
            return Ok(Change::Other);
        }
        // The ends that the file would have at its old length are compared.
        let begins_so = hash_ends(&mut File::open(path)?, self.bytes)? == self.hash;
        Ok(if begins_so { Change::Grown } else { Change::Other })
    }

    pub(super) fn write(&self, object: &mut Map<String, Value>) {
        object.insert("bytes".to_owned(), json!(self.bytes));
        object.insert("modified".to_owned(), json!(self.modified));
        object.insert("hash".to_owned(), json!(format!("{:016x}", self.hash)));
    }

    pub(super) fn of(value: &Value) -> Option<Self> {
        Some(Self {
            bytes: value.get("bytes")?.as_u64()?,
            modified: value.get("modified")?.as_u64(),
            hash: u64::from_str_radix(value.get("hash")?.as_str()?, 16).ok()?,
        })
    }
}

/// Returns a hash of the first and last bytes of the first `bytes` bytes of a file.
fn hash_ends(file: &mut File, bytes: u64) -> io::Result<u64> {
    let mut hash = FNV_START;
    for start in [0, bytes.saturating_sub(ENDS)] {
        let mut end = Vec::new();
        file.seek(SeekFrom::Start(start))?;
        file.by_ref().take(ENDS.min(bytes - start)).read_to_end(&mut end)?;
        hash = fnv(hash, &end);
    }
    Ok(hash)
}

fn fnv(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(FNV_PRIME))
}

/// Returns the modification time of a file, in nanoseconds since 1970.
fn modified(metadata: &Metadata) -> Option<u64> {
    let time = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    u64::try_from(time.as_nanos()).ok()
}

// FNV-1a (draft-eastlake-fnv). It gives the same value in every version of every program.
const FNV_START: u64 = 0xCBF2_9CE4_8422_2325;
const FNV_PRIME: u64 = 0x0000_0100_0000_01B3;

#[cfg(test)]
mod tests {
    use std::fs;
    use std::fs::File;
    use std::time::{Duration, SystemTime};

    use serde_json::{Map, Value, json};

    use super::{Change, Digest, FNV_START, ReadSettings, Stamp, fnv};
    use pgn2fen_chess::san::Letters;
    use pgn2fen_games::pgn::encoding::Label;
    use pgn2fen_games::replay::{ReplayOptions, SetupPolicy};

    #[track_caller]
    fn check(change: impl FnOnce(&mut Vec<u8>), expected: Change) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        let mut text: Vec<u8> = b"1. e4 e5 *\n".repeat(20_000);
        fs::write(&path, &text).unwrap();
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
        File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
        let (stamp, digest) = (Stamp::take(&path).unwrap(), Digest::of(&path).unwrap());
        change(&mut text);
        // The file gets a different time.
        fs::write(&path, &text).unwrap();
        let change = stamp.change(&path, Some(digest)).unwrap();
        assert_eq!(change, expected);
    }

    #[test]
    fn a_change_is_noticed() {
        check(|_| {}, Change::None);
        check(|text| text.extend_from_slice(b"1. d4 *\n"), Change::Grown);
        check(|text| text.insert(0, b'\n'), Change::Other);
        check(|text| text.truncate(100_000), Change::Other);
        check(|text| text[3] = b'd', Change::Other);
        check(|text| *text.last_mut().unwrap() = b' ', Change::Other);
        check(|text| text[110_003] = b'd', Change::Other);
    }

    #[test]
    fn the_hash_of_a_file_is_the_one_that_every_program_computes() {
        // The test vectors of draft-eastlake-fnv.
        assert_eq!(fnv(FNV_START, b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv(FNV_START, b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv(FNV_START, b"foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn a_file_on_another_machine_has_the_same_bytes_and_another_time() {
        let stamp = Stamp { bytes: 5, modified: Some(1), hash: 7 };
        assert!(stamp.is_of_same_file(&Stamp { modified: Some(2), ..stamp }));
        assert!(!stamp.is_of_same_file(&Stamp { bytes: 6, ..stamp }));
        assert!(!stamp.is_of_same_file(&Stamp { hash: 8, ..stamp }));
    }

    #[track_caller]
    fn check_settings(settings: &ReadSettings) {
        let mut object = Map::new();
        settings.write(&mut object);
        let read = ReadSettings::of(&Value::Object(object)).unwrap();
        assert_eq!(&read, settings);
        let ReplayOptions { setup, letters, .. } = &settings.replay;
        assert_eq!((read.replay.setup, read.replay.letters.code()), (*setup, letters.code()));
        assert_eq!(
            (read.encoding.map(Label::name), &read.movetext),
            (settings.encoding.map(Label::name), &settings.movetext)
        );
        assert_eq!(read.replay.encoding.map(Label::name), settings.encoding.map(Label::name));
        assert!(read.replay.first_warnings_only);
    }

    #[test]
    fn settings_are_read_as_they_were_written() {
        for setup in SetupPolicy::ALL {
            let replay = ReplayOptions { setup, ..ReplayOptions::default() };
            check_settings(&ReadSettings { replay, ..ReadSettings::default() });
        }
        let german = ReplayOptions { letters: Letters::of("de").unwrap(), ..ReplayOptions::default() };
        let encoding = Label::find("windows-1251");
        let some = ReadSettings { replay: german, encoding, movetext: Some("moves".to_owned()) };
        assert!(some != ReadSettings::default() && encoding.is_some());
        check_settings(&some);
        let mut object = Map::new();
        some.write(&mut object);
        for (name, value) in
            [("setup", json!("none")), ("lang", json!("xx")), ("encoding", json!("x")), ("movetext", json!(1))]
        {
            let mut wrong = object.clone();
            wrong.insert(name.to_owned(), value);
            assert!(ReadSettings::of(&Value::Object(wrong)).is_none(), "{name}");
        }
    }
}
