//! Bytes of a file that are mostly read one piece after another.

use std::io;
use std::sync::Arc;

use pgn2fen_bytes::RandomAccess;

/// The number of bytes that are read at once if the pieces follow each other.
const WINDOW: usize = 64 * 1024;

/// A reader of pieces of a file, with a window of bytes that have been read.
#[derive(Debug)]
pub(crate) struct Window {
    file: Arc<dyn RandomAccess>,
    bytes: Vec<u8>,
    /// The offset of the window in the file.
    start: u64,
}

impl Window {
    pub(crate) fn new(file: Arc<dyn RandomAccess>) -> Self {
        Self { file, bytes: Vec::new(), start: 0 }
    }

    /// Returns the bytes of the file from an offset on. They are fewer if the file ends before.
    pub(crate) fn read(&mut self, offset: u64, length: usize) -> io::Result<&[u8]> {
        let end = self.start + self.bytes.len() as u64;
        if offset < self.start || offset + length as u64 > end {
            // The records of a database that was sorted are in no order. Then little more is read than each one.
            let is_near = (self.start..=end + WINDOW as u64).contains(&offset);
            self.fill(offset, if is_near { length.max(WINDOW) } else { length.max(WINDOW / 64) })?;
        }
        // The window begins at the offset or before, and ends behind it.
        let at = usize::try_from(offset - self.start).unwrap_or(usize::MAX).min(self.bytes.len());
        Ok(&self.bytes[at..self.bytes.len().min(at + length)])
    }

    fn fill(&mut self, offset: u64, length: usize) -> io::Result<()> {
        self.start = offset;
        self.bytes.clear();
        self.bytes.resize(length, 0);
        let mut filled = 0;
        while filled < length {
            match self.file.read_at(&mut self.bytes[filled..], offset + filled as u64) {
                Ok(0) => break,
                Ok(read) => filled += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.bytes.clear();
                    return Err(error);
                }
            }
        }
        self.bytes.truncate(filled);
        Ok(())
    }
}
