//! The bytes of a Parquet file, read at any place by several readers.

use std::io::{self, Read};
use std::sync::Arc;

use parquet::file::reader::Length;

use pgn2fen_bytes::Meter;
use pgn2fen_bytes::RandomAccess;

/// The bytes of a Parquet file. Clones share the file.
#[derive(Clone)]
pub(super) struct Chunks(Arc<Shared>);

struct Shared {
    bytes: Arc<dyn RandomAccess>,
    length: u64,
    meter: Meter,
}

impl Chunks {
    pub(super) fn new(bytes: Arc<dyn RandomAccess>, length: u64, meter: Meter) -> Self {
        Self(Arc::new(Shared { bytes, length, meter }))
    }

    /// Reads bytes that must be in the file, so no size that a file declares makes memory grow beyond the size of the
    /// file.
    pub(super) fn read(&self, start: u64, length: usize) -> io::Result<Vec<u8>> {
        let is_inside = start.checked_add(length as u64).is_some_and(|end| end <= self.0.length);
        if !is_inside {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the file ends too early"));
        }
        let mut bytes = vec![0; length];
        self.0.bytes.read_exact_at(&mut bytes, start)?;
        self.0.meter.add(length);
        Ok(bytes)
    }

    /// Returns a reader from a place on.
    pub(super) fn place(&self, at: u64) -> ChunkPlace {
        ChunkPlace { chunks: self.clone(), at }
    }
}

impl Length for Chunks {
    fn len(&self) -> u64 {
        self.0.length
    }
}

/// A reader from a place of the file on.
pub(super) struct ChunkPlace {
    chunks: Chunks,
    at: u64,
}

impl Read for ChunkPlace {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let rest = usize::try_from(self.chunks.len().saturating_sub(self.at)).unwrap_or(usize::MAX);
        let length = rest.min(buffer.len());
        buffer[..length].copy_from_slice(&self.chunks.read(self.at, length)?);
        self.at += length as u64;
        Ok(length)
    }
}
