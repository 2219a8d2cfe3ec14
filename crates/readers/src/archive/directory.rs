//! The list of members at the end of a zip archive. Only this module uses the package `rawzip`.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;

use rawzip::extra_fields::ExtraFieldId;
use rawzip::{ErrorKind, ReaderAt, ZipArchive, ZipFileHeaderRecord, ZipLocator};

use crate::archive::names::{Names, name_sum};
use crate::archive::{ArchiveError, Directory, Member};
use pgn2fen_bytes::RandomAccess;

/// The most members that are read, and the most bytes of their names, so that memory is bounded.
const MOST_MEMBERS: usize = 1 << 20;
const MOST_BYTES: usize = 128 * 1024 * 1024;

/// The most places at which the end of the archive is looked for. A comment may contain the mark of it.
const MOST_ENDS: usize = 8;

/// The bytes of an archive, for the package.
struct Bytes {
    bytes: Arc<dyn RandomAccess>,
    length: u64,
}

impl ReaderAt for Bytes {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        loop {
            match self.bytes.read_at(buffer, offset) {
                _ if offset >= self.length => return Ok(0),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => return read,
            }
        }
    }
}

/// Reads the list of members.
///
/// # Errors
///
/// The bytes cannot be read, or the list is missing.
pub(super) fn read(bytes: &Arc<dyn RandomAccess>, length: u64) -> io::Result<Directory> {
    let mut buffer = vec![0; rawzip::MAX_CENTRAL_DIRECTORY_RECORD_SIZE];
    let mut bytes = Bytes { bytes: Arc::clone(bytes), length };
    let mut end = length;
    let mut reason = None;
    for _ in 0..MOST_ENDS {
        match ZipLocator::new().locate_in_reader(bytes, &mut buffer, end) {
            Ok(archive) => {
                let directory = members(&archive, &mut buffer)?;
                if let (true, Some(damage)) = (directory.members.is_empty(), &directory.damage) {
                    // What looked like the end may stand in a comment.
                    reason.get_or_insert_with(|| damage.clone());
                    end = archive.eocd_offset();
                    bytes = archive.into_inner();
                    continue;
                }
                return Ok(directory);
            }
            Err((inner, error)) => {
                let before = error.eocd_offset();
                match (error.into_kind(), before) {
                    (ErrorKind::IO(error), _) if error.kind() != io::ErrorKind::UnexpectedEof => return Err(error),
                    (kind, Some(before)) => {
                        reason.get_or_insert_with(|| in_words(&kind));
                        (bytes, end) = (inner, before);
                    }
                    _ => break,
                }
            }
        }
    }
    Err(reason.map_or(ArchiveError::CutShort, ArchiveError::Damaged).into())
}

/// Reads the records of the list.
fn members(archive: &ZipArchive<Bytes>, buffer: &mut [u8]) -> io::Result<Directory> {
    let mut directory = Directory::default();
    let (mut names, mut count, mut held) = (Names::default(), 0_u64, 0);
    let mut records = archive.entries(buffer);
    let end = loop {
        match records.next_entry() {
            Ok(Some(record)) => {
                count += 1;
                if directory.members.len() == MOST_MEMBERS || held > MOST_BYTES {
                    break Some("it has more members than are read".to_owned());
                }
                if let Some(member) = member(&record, &mut names) {
                    held += member.name.len();
                    directory.members.push(member);
                }
            }
            Ok(None) => break None,
            Err(error) => match error.into_kind() {
                ErrorKind::IO(error) if error.kind() != io::ErrorKind::UnexpectedEof => return Err(error),
                kind => break Some(in_words(&kind)),
            },
        }
    };
    // Old programs write only 16 bits of the number of members.
    let is_all = count & 0xFFFF == archive.entries_hint() & 0xFFFF;
    let hint = archive.entries_hint();
    directory.damage = match end {
        None if !is_all => Some(format!("its end counts {hint} members, but {count} are listed")),
        end => end.map(|reason| format!("{reason} (in the list of members, behind member {count})")),
    };
    let named = directory.members.iter().enumerate().map(|(nth, member)| (member.name.clone(), nth));
    directory.by_name = named.collect::<HashMap<_, _>>();
    Ok(directory)
}

/// Returns a member, unless it is a folder or a symbolic link.
fn member(record: &ZipFileHeaderRecord<'_>, names: &mut Names) -> Option<Member> {
    if record.is_dir() || record.mode().is_symlink() {
        return None;
    }
    let path = record.file_path();
    let raw = path.as_ref();
    let unicode = record.extra_fields().find(|(id, _)| *id == ExtraFieldId::INFO_ZIP_UNICODE_PATH);
    let name = names.name(raw, record.flags().is_utf8(), unicode.map(|(_, field)| field))?;
    let flags = record.flags();
    Some(Member {
        name,
        stored_name: (raw.len(), name_sum(raw)),
        method: record.compression_method().as_u16(),
        is_encrypted: flags.is_encrypted() || flags.has_strong_encryption(),
        crc32: record.crc32(),
        compressed_size: record.compressed_size_hint(),
        size: record.uncompressed_size_hint(),
        header: record.local_header_offset(),
    })
}

fn in_words(kind: &ErrorKind) -> String {
    match kind {
        ErrorKind::Eof | ErrorKind::IO(_) => "a record ends too early".to_owned(),
        ErrorKind::InvalidSignature { .. } => "a record begins with other bytes than it must".to_owned(),
        ErrorKind::InvalidEndOfCentralDirectory => "the list of members is not where its end says".to_owned(),
        kind => format!("{kind:?}"),
    }
}
