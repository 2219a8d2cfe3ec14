//! How far a stream has been read.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts the bytes that are read of a stream, as they are in the file: of a compressed file they are the compressed ones. What is
/// read ahead is counted, too.
#[derive(Clone, Debug, Default)]
pub struct Meter(Arc<AtomicU64>);

impl Meter {
    /// How many bytes have been read by now. Any thread may ask.
    pub fn bytes(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// So many more have been read.
    pub(super) fn add(&self, bytes: usize) {
        self.0.fetch_add(bytes as u64, Ordering::Relaxed);
    }
}

/// A reader that is measured.
#[derive(Debug)]
pub(super) struct Metered<R> {
    reader: R,
    meter: Meter,
}

impl<R: Read> Metered<R> {
    pub(super) fn new(reader: R, meter: Meter) -> Self {
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
