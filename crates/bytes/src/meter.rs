//! A counter of the bytes that have been read from a stream.

use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A counter of the bytes that have been read from a stream. For a compressed file it counts compressed bytes. Bytes
/// that are read ahead are counted, too. Clones share the count.
#[derive(Clone, Debug, Default)]
pub struct Meter(Arc<AtomicU64>);

impl Meter {
    /// Returns the number of bytes that have been read so far. It can be called from any thread.
    pub fn bytes(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Counts from 0 again, for bytes that are read again.
    #[doc(hidden)]
    pub fn restart(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    /// Adds a number of bytes.
    #[doc(hidden)]
    pub fn add(&self, bytes: usize) {
        self.0.fetch_add(bytes as u64, Ordering::Relaxed);
    }
}

/// A reader that counts its bytes in a [`Meter`].
#[derive(Debug)]
pub struct Metered<R> {
    reader: R,
    meter: Meter,
}

impl<R: Read> Metered<R> {
    /// Wraps a reader.
    pub fn new(reader: R, meter: Meter) -> Self {
        Self { reader, meter }
    }
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.meter.add(read);
        Ok(read)
    }
}

impl<R: Seek> Seek for Metered<R> {
    fn seek(&mut self, place: SeekFrom) -> io::Result<u64> {
        self.reader.seek(place)
    }
}
