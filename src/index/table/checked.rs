//! A file that is verified while it is read, so that a reader gets exactly the bytes that were written, or an error.
//!
//! The file is not mapped, and every read is verified, also of bytes that were read before. So it does not matter what becomes of the file
//! while it is open: if it is truncated or overwritten, or its disk fails, the next read is an error.

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::io::{self, BufReader, Read};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use parquet::errors::ParquetError;
use parquet::file::reader::{ChunkReader, Length};

use crate::index::checksum;
use crate::index::error::IndexError;
use crate::index::positioned::PositionedFile;
use crate::index::table::Written;
use crate::index::table::handle::Handle;

/// The size of a block of which there is a checksum, in bytes.
const BLOCK: u64 = checksum::BLOCK as u64;

/// The number of bytes that are read at once to verify a whole file.
const PIECE: u64 = 256 * BLOCK;

/// A file with the checksums of its blocks.
#[derive(Debug)]
pub(super) struct CheckedFile {
    file: Handle,
    length: u64,
    /// The checksum of each block.
    sums: Box<[u64]>,
}

/// The reason why bytes of a file cannot be used.
#[derive(Debug)]
pub(super) enum Fault {
    /// Some bytes differ from what was written.
    Damaged(DamagedBytes),
    /// The file has another length than it was written with.
    Length { found: u64, written: u64 },
    /// The system cannot read the file.
    Unreadable(io::Error),
}

/// A range of bytes that differ from what was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DamagedBytes(Range<u64>);

/// Reads a file from an offset.
#[derive(Debug)]
pub(super) struct CheckedReader {
    file: Arc<CheckedFile>,
    at: u64,
}

/// The file as the `parquet` package reads it.
#[derive(Clone, Debug)]
pub(super) struct Checked(pub(super) Arc<CheckedFile>);

impl CheckedFile {
    /// Opens a file, which may be moved to the second path while it is open. It must have the length that it was written with, and its
    /// checksums beside it.
    pub(super) fn open(path: &Path, hidden: &Path, written: &Written) -> Result<Self, IndexError> {
        let file = Handle::open(path, hidden).map_err(opening(path))?;
        let found = file.with(PositionedFile::length).map_err(IndexError::io(path))?;
        check_length(found, written.bytes).map_err(|fault| IndexError::new(path, fault.to_string()))?;
        let sums_path = path.with_file_name(checksum::file_name(&written.name));
        let sums = read_sums(&sums_path, written.bytes.div_ceil(BLOCK) * checksum::BYTES as u64)?;
        if checksum::of(&sums) != written.checksum {
            return Err(IndexError::new(&sums_path, "the file is damaged; build the index again"));
        }
        let sums = sums.as_chunks::<{ checksum::BYTES }>().0.iter().map(|sum| u64::from_le_bytes(*sum)).collect();
        Ok(Self { file, length: written.bytes, sums })
    }

    /// Reads some bytes, which the file had when it was written. The blocks that contain them are verified.
    fn read(&self, range: Range<u64>) -> Result<Bytes, Fault> {
        let start = range.start - range.start % BLOCK;
        let blocks = self.read_blocks(start, range.end)?;
        if let Some(damage) = self.damage_in(&blocks, start).next() {
            return Err(Fault::Damaged(damage));
        }
        // The bytes were allocated with a length of this type.
        let place = |offset: u64| usize::try_from(offset - start).unwrap_or(usize::MAX);
        Ok(Bytes::from(blocks).slice(place(range.start)..place(range.end)))
    }

    /// Reads whole blocks from the start of a block to this offset at least.
    fn read_blocks(&self, start: u64, end: u64) -> Result<Vec<u8>, Fault> {
        let end = end.next_multiple_of(BLOCK).min(self.length);
        let size = usize::try_from(end - start).map_err(|_| Fault::Unreadable(io::ErrorKind::OutOfMemory.into()))?;
        let mut bytes = vec![0; size];
        let read = self.file.with(|file| file.read_exact_at(&mut bytes, start));
        read.map(|()| bytes).map_err(|error| match self.file.with(PositionedFile::length) {
            Ok(found) if error.kind() == io::ErrorKind::UnexpectedEof => Fault::Length { found, written: self.length },
            _ => Fault::Unreadable(error),
        })
    }

    /// Returns the damaged blocks in some bytes that begin at the start of a block.
    fn damage_in(&self, bytes: &[u8], start: u64) -> impl Iterator<Item = DamagedBytes> {
        let first = usize::try_from(start / BLOCK).unwrap_or(usize::MAX);
        let sums = self.sums.get(first..).unwrap_or_default();
        let blocks = bytes.chunks(checksum::BLOCK).zip(sums).zip((start..).step_by(checksum::BLOCK));
        let damaged = blocks.filter(|((block, sum), _)| checksum::of(block) != **sum);
        damaged.map(|((block, _), start)| DamagedBytes(start..start + block.len() as u64))
    }

    /// Verifies the whole file and returns all damage. Adjacent damaged blocks are returned as one range.
    pub(super) fn damage(&self) -> Vec<Fault> {
        let mut found: Vec<Fault> = Vec::new();
        let mut start = 0;
        while start < self.length {
            let bytes = match self.read_blocks(start, start.saturating_add(PIECE).min(self.length)) {
                Ok(bytes) => bytes,
                Err(fault) => {
                    found.push(fault);
                    break;
                }
            };
            for damage in self.damage_in(&bytes, start) {
                match found.last_mut() {
                    Some(Fault::Damaged(last)) if last.0.end == damage.0.start => last.0.end = damage.0.end,
                    _ => found.push(Fault::Damaged(damage)),
                }
            }
            start += bytes.len() as u64;
        }
        found
    }
}

/// Reads a file of checksums, which must have this length.
fn read_sums(path: &Path, length: u64) -> Result<Vec<u8>, IndexError> {
    let file = PositionedFile::open(path).map_err(opening(path))?;
    let found = file.length().map_err(IndexError::io(path))?;
    check_length(found, length).map_err(|fault| IndexError::new(path, fault.to_string()))?;
    let mut sums = vec![0; usize::try_from(length).map_err(|_| IndexError::new(path, "the file is too large"))?];
    file.read_exact_at(&mut sums, 0).map_err(IndexError::io(path))?;
    Ok(sums)
}

fn opening(path: &Path) -> impl Fn(io::Error) -> IndexError + '_ {
    |error| match error.kind() {
        io::ErrorKind::NotFound => IndexError::new(path, "the file is gone; build the index again"),
        _ => IndexError::io(path)(error),
    }
}

fn check_length(found: u64, written: u64) -> Result<(), Fault> {
    if found == written { Ok(()) } else { Err(Fault::Length { found, written }) }
}

impl Length for Checked {
    fn len(&self) -> u64 {
        self.0.length
    }
}

impl ChunkReader for Checked {
    type T = BufReader<CheckedReader>;

    fn get_read(&self, start: u64) -> Result<Self::T, ParquetError> {
        let reader = CheckedReader { file: Arc::clone(&self.0), at: start };
        Ok(BufReader::with_capacity(checksum::BLOCK, reader))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        let range = start..start.saturating_add(length as u64);
        if range.end > self.0.length {
            return Err(ParquetError::EOF("the file is damaged: it ends too early".to_owned()));
        }
        self.0.read(range).map_err(|fault| ParquetError::External(Box::new(fault)))
    }
}

impl Read for CheckedReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.file.length;
        let range = self.at.min(length)..self.at.saturating_add(buffer.len() as u64).min(length);
        let bytes = self.file.read(range.clone()).map_err(io::Error::other)?;
        self.at = range.end;
        buffer[..bytes.len()].copy_from_slice(&bytes);
        Ok(bytes.len())
    }
}

impl Display for Fault {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Damaged(damage) => damage.fmt(f),
            Self::Length { found, written } => {
                write!(f, "the file is damaged: it has {found} bytes instead of {written}; build the index again")
            }
            Self::Unreadable(error) => error.fmt(f),
        }
    }
}

impl Error for Fault {}

impl Display for DamagedBytes {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Range { start, end } = self.0;
        write!(f, "the file is damaged in the bytes {start} to {}; build the index again", end - 1)
    }
}
