//! A file that is verified while it is read, so that a reader gets exactly the bytes that were written, or an error.

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use parquet::errors::ParquetError;
use parquet::file::reader::{ChunkReader, Length};

use crate::database::Mapped;
use crate::index::checksum;
use crate::index::error::IndexError;
use crate::index::table::Written;

/// A file with the checksums of its blocks. A block is verified when it is read for the first time.
#[derive(Debug)]
pub(super) struct CheckedFile {
    bytes: Bytes,
    sums: Mapped,
    /// For each block, whether it has been verified.
    is_sound: Box<[AtomicBool]>,
}

/// A range of bytes that differ from what was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DamagedBytes(Range<usize>);

/// Reads a file from an offset.
#[derive(Debug)]
pub(super) struct CheckedReader {
    file: Arc<CheckedFile>,
    at: usize,
}

/// The file as the `parquet` package reads it.
#[derive(Clone, Debug)]
pub(super) struct Checked(pub(super) Arc<CheckedFile>);

impl CheckedFile {
    /// Opens a file. It must have the length that it was written with, and its checksums beside it.
    pub(super) fn open(path: &Path, written: &Written) -> Result<Self, IndexError> {
        let bytes = map(path, written.bytes)?;
        let blocks = bytes.as_ref().len().div_ceil(checksum::BLOCK);
        let sums_path = path.with_file_name(checksum::file_name(&written.name));
        let sums = map(&sums_path, (blocks * checksum::BYTES) as u64)?;
        if checksum::of(sums.as_ref()) != written.checksum {
            return Err(IndexError::new(&sums_path, "the file is damaged; build the index again"));
        }
        let is_sound = std::iter::repeat_with(AtomicBool::default).take(blocks).collect();
        Ok(Self { bytes: Bytes::from_owner(bytes), sums, is_sound })
    }

    /// Verifies the blocks that contain these bytes.
    fn check(&self, range: &Range<usize>) -> Result<(), DamagedBytes> {
        let blocks = range.start / checksum::BLOCK..range.end.div_ceil(checksum::BLOCK).min(self.is_sound.len());
        for block in blocks {
            // Two threads may verify the same block; that does no harm.
            if !self.is_sound[block].load(Ordering::Relaxed) {
                self.check_block(block)?;
                self.is_sound[block].store(true, Ordering::Relaxed);
            }
        }
        Ok(())
    }

    fn check_block(&self, block: usize) -> Result<(), DamagedBytes> {
        let start = block * checksum::BLOCK;
        let end = self.bytes.len().min(start + checksum::BLOCK);
        let sums = self.sums.as_ref().as_chunks::<{ checksum::BYTES }>().0;
        let is_sound = u64::from_le_bytes(sums[block]) == checksum::of(&self.bytes[start..end]);
        if is_sound { Ok(()) } else { Err(DamagedBytes(start..end)) }
    }

    /// Verifies the whole file and returns all damage. Adjacent damaged blocks are returned as one range.
    pub(super) fn damage(&self) -> Vec<DamagedBytes> {
        let mut found: Vec<DamagedBytes> = Vec::new();
        for DamagedBytes(range) in (0..self.is_sound.len()).filter_map(|block| self.check_block(block).err()) {
            match found.last_mut() {
                Some(DamagedBytes(last)) if last.end == range.start => last.end = range.end,
                _ => found.push(DamagedBytes(range)),
            }
        }
        found
    }
}

/// Maps a file that must have this length in bytes.
fn map(path: &Path, expected: u64) -> Result<Mapped, IndexError> {
    let file = Mapped::open(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => IndexError::new(path, "the file is gone; build the index again"),
        _ => IndexError::io(path)(error),
    })?;
    let found = file.as_ref().len() as u64;
    if found != expected {
        let reason = format!("the file is damaged: it has {found} bytes instead of {expected}; build the index again");
        return Err(IndexError::new(path, reason));
    }
    Ok(file)
}

impl Length for Checked {
    fn len(&self) -> u64 {
        self.0.bytes.len() as u64
    }
}

impl ChunkReader for Checked {
    type T = CheckedReader;

    fn get_read(&self, start: u64) -> Result<CheckedReader, ParquetError> {
        Ok(CheckedReader { file: Arc::clone(&self.0), at: usize::try_from(start)? })
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        let start = usize::try_from(start)?;
        let range = start..start.saturating_add(length);
        if range.end > self.0.bytes.len() {
            return Err(ParquetError::EOF("the file is damaged: it ends too early".to_owned()));
        }
        self.0.check(&range).map_err(|damage| ParquetError::External(Box::new(damage)))?;
        Ok(self.0.bytes.slice(range))
    }
}

impl Read for CheckedReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = &self.file.bytes;
        let range = self.at.min(bytes.len())..self.at.saturating_add(buffer.len()).min(bytes.len());
        self.file.check(&range).map_err(io::Error::other)?;
        self.at = range.end;
        buffer[..range.len()].copy_from_slice(&bytes[range.clone()]);
        Ok(range.len())
    }
}

impl Display for DamagedBytes {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Range { start, end } = self.0;
        write!(f, "the file is damaged in the bytes {start} to {}; build the index again", end - 1)
    }
}

impl Error for DamagedBytes {}
