//! The text of a member: the bytes of the archive that belong to it, decoded, with their size and checksum checked.

use std::io::{self, BufReader, Read};
use std::ops::Range;
use std::sync::Arc;

use flate2::Crc;

use crate::archive::{Archive, ArchiveError, Member, names};
use pgn2fen_bytes::RandomAccess;
use pgn2fen_bytes::decoder::{Counted, Decoder};
use pgn2fen_bytes::format::Format;
use pgn2fen_bytes::remote;
use pgn2fen_bytes::{Damage, Fault};
use pgn2fen_bytes::{Meter, Metered};
use pgn2fen_pgn::plain::plain;

/// The number of bytes of the header before a member, without its name and its extra fields.
const HEADER: usize = 30;

/// The number of bytes that are read at once from a store, where each read is a request.
const REQUEST: usize = 2 * 1024 * 1024;

/// How the bytes of a member are decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Method {
    Stored,
    Compressed(Format),
}

impl Method {
    fn of(member: &Member) -> io::Result<Self> {
        if member.is_encrypted {
            return Err(ArchiveError::Encrypted.into());
        }
        let name = match member.method {
            0 => return Ok(Self::Stored),
            8 => return Ok(Self::Compressed(Format::Deflate)),
            9 => return Ok(Self::Compressed(Format::Deflate64)),
            12 => return Ok(Self::Compressed(Format::Bzip2)),
            20 | 93 => return Ok(Self::Compressed(Format::Zstd)),
            1 => "Shrink",
            2..=5 => "Reduce",
            6 | 10 => "Implode",
            14 => "LZMA",
            95 => "XZ",
            98 => "PPMd",
            99 => return Err(ArchiveError::Encrypted.into()),
            number => return Err(ArchiveError::Method(format!("method {number}")).into()),
        };
        Err(ArchiveError::Method(name.to_owned()).into())
    }

    fn name(self) -> &'static str {
        match self {
            Self::Stored => "zip",
            Self::Compressed(format) => format.name(),
        }
    }
}

/// Returns a reader of the text of a member.
pub(super) fn reader(archive: &Archive, member: &Member, meter: &Meter) -> io::Result<Box<dyn Read + Send>> {
    let method = Method::of(member)?;
    let place = place(archive, member)?;
    let window = Window { bytes: Arc::clone(&archive.bytes), range: place.clone() };
    let bytes: Box<dyn Read + Send> = match remote::address(&archive.path) {
        Some(_) => Box::new(BufReader::with_capacity(REQUEST, window)),
        None => Box::new(window),
    };
    let bytes = Metered::new(bytes, meter.clone());
    let is_empty = member.size == 0 && member.compressed_size == 0;
    let text: Box<dyn Read + Send> = match method {
        Method::Compressed(format) if !is_empty => Box::new(Decoder::new(format, bytes, place.start)?),
        _ => Box::new(bytes),
    };
    let checked = Checked {
        text,
        crc: Crc::new(),
        read: 0,
        method,
        size: member.size,
        crc32: member.crc32,
        end: place.end,
        is_longer: false,
    };
    Ok(Box::new(Counted::new(checked, 0)))
}

/// Returns the bytes of a member at any offset, if it is not compressed.
pub(super) fn bytes(archive: &Archive, member: &Member) -> io::Result<Option<Arc<dyn RandomAccess>>> {
    let is_stored = Method::of(member)? == Method::Stored;
    let part = |range| Arc::new(Part { bytes: Arc::clone(&archive.bytes), range }) as Arc<dyn RandomAccess>;
    if is_stored { place(archive, member).map(|range| Some(part(range))) } else { Ok(None) }
}

/// Returns the range of bytes of the archive with the data of a member. The header before it tells where it begins.
fn place(archive: &Archive, member: &Member) -> io::Result<Range<u64>> {
    let damaged = |reason: &str| io::Error::from(ArchiveError::Damaged(reason.to_owned()));
    let (name_length, name_sum) = member.stored_name;
    let mut header = vec![0; HEADER + name_length];
    archive.bytes.read_exact_at(&mut header, member.header).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidInput => damaged("the header of the member is missing"),
        _ => error,
    })?;
    if !header.starts_with(b"PK\x03\x04") {
        return Err(damaged(&format!("no member begins at byte {}, where the list has one", member.header)));
    }
    let number = |at: usize| u64::from(u16::from_le_bytes([header[at], header[at + 1]]));
    let name = &header[HEADER..];
    if number(26) != name_length as u64 || names::name_sum(name) != name_sum {
        let name = String::from_utf8_lossy(name);
        let (name, listed) = (plain(&name), plain(&member.name));
        return Err(damaged(&format!("the list of members has the name {listed}, and the member itself {name}")));
    }
    let start = member.header.checked_add(HEADER as u64 + number(26) + number(28));
    let range = start.and_then(|start| Some(start..start.checked_add(member.compressed_size)?));
    range.ok_or_else(|| damaged("the member is longer than the archive"))
}

/// A reader of a range of bytes.
struct Window {
    bytes: Arc<dyn RandomAccess>,
    range: Range<u64>,
}

impl Read for Window {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.range.end - self.range.start).unwrap_or(usize::MAX).min(buffer.len());
        let read = if most == 0 { 0 } else { self.bytes.read_at(&mut buffer[..most], self.range.start)? };
        self.range.start += read as u64;
        Ok(read)
    }
}

/// A range of bytes that is read at any offset.
#[derive(Debug)]
struct Part {
    bytes: Arc<dyn RandomAccess>,
    range: Range<u64>,
}

impl RandomAccess for Part {
    fn length(&self) -> io::Result<u64> {
        Ok(self.range.end - self.range.start)
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let Some(start) = self.range.start.checked_add(offset).filter(|start| *start < self.range.end) else {
            return Ok(0);
        };
        let most = usize::try_from(self.range.end - start).unwrap_or(usize::MAX).min(buffer.len());
        self.bytes.read_at(&mut buffer[..most], start)
    }
}

/// A reader that compares the text with its size and its checksum.
struct Checked {
    text: Box<dyn Read + Send>,
    crc: Crc,
    read: u64,
    method: Method,
    size: u64,
    crc32: u32,
    /// The offset in the archive of the first byte behind the member.
    end: u64,
    /// Whether there is more text than the list of members says. It is not read.
    is_longer: bool,
}

impl Checked {
    fn error(&self, fault: Fault) -> io::Error {
        let format = self.method.name();
        let (offset, text_offset) = (self.end, self.read);
        Damage::in_archive(Damage::new(fault, format, offset, text_offset).into())
    }

    /// Returns the damage that is told by the size and the checksum of the whole text.
    fn fault(&self) -> Option<Fault> {
        if self.is_longer {
            Some(Fault::Corrupt("it is longer than the list of members says".to_owned()))
        } else if self.read < self.size && self.method == Method::Stored {
            Some(Fault::CutShort)
        } else if self.read != self.size {
            Some(Fault::Corrupt("it is shorter than the list of members says".to_owned()))
        } else if self.crc.sum() != self.crc32 {
            Some(Fault::Corrupt("its checksum is not the checksum in the list of members".to_owned()))
        } else {
            None
        }
    }
}

impl Read for Checked {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        let mut read = if self.is_longer { 0 } else { self.text.read(buffer).map_err(Damage::in_archive)? };
        let rest = self.size - self.read;
        if read as u64 > rest {
            // What follows may be endless.
            (read, self.is_longer) = (usize::try_from(rest).unwrap_or(read), true);
        }
        self.crc.update(&buffer[..read]);
        self.read += read as u64;
        match self.fault() {
            Some(fault) if read == 0 => Err(self.error(fault)),
            _ => Ok(read),
        }
    }
}
