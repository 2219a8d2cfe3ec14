//! Checksums, which detect damage before the bytes are parsed.
//!
//! The `parquet` package writes no checksums. So each table has a second file beside it with a checksum for each block
//! of the table. The manifest has a checksum of that file, and of itself. A block is as large as a page of memory, so
//! that checking a block reads nothing from the disk that would not be read anyway.

use std::io::{self, Write};

use twox_hash::XxHash3_64;

/// The size of a block in bytes. The last block of a file may be shorter.
pub(super) const BLOCK: usize = 4096;

/// The size of a checksum in a file, in bytes. It is stored in little-endian order.
pub(super) const BYTES: usize = size_of::<u64>();

/// Returns the checksum of some bytes: 64-bit XXH3 without a seed.
pub(super) fn of(bytes: &[u8]) -> u64 {
    XxHash3_64::oneshot(bytes)
}

/// Returns the name of the file with the checksums of a table. Readers of data sets skip files whose names begin with
/// `_`.
pub(super) fn file_name(table: &str) -> String {
    format!("_{}.sums", table.strip_suffix(".parquet").unwrap_or(table))
}

/// A writer that computes checksums of the blocks it writes.
pub(super) struct Summing<W> {
    inner: W,
    /// The bytes of the last block, which is not full yet.
    block: Vec<u8>,
    sums: Vec<u8>,
}

impl<W: Write> Summing<W> {
    pub(super) fn new(inner: W) -> Self {
        Self { inner, block: Vec::with_capacity(BLOCK), sums: Vec::new() }
    }

    /// Ends the last block. Returns the inner writer and the checksums of all blocks, concatenated.
    pub(super) fn end(mut self) -> (W, Vec<u8>) {
        if !self.block.is_empty() {
            push(&mut self.sums, &self.block);
        }
        (self.inner, self.sums)
    }
}

impl<W: Write> Write for Summing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        let mut rest = &bytes[..written];
        if !self.block.is_empty() {
            let (head, tail) = rest.split_at(rest.len().min(BLOCK - self.block.len()));
            self.block.extend_from_slice(head);
            rest = tail;
            if self.block.len() < BLOCK {
                return Ok(written);
            }
            push(&mut self.sums, &self.block);
            self.block.clear();
        }
        let (blocks, rest) = rest.as_chunks::<BLOCK>();
        for block in blocks {
            push(&mut self.sums, block);
        }
        self.block.extend_from_slice(rest);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

fn push(sums: &mut Vec<u8>, block: &[u8]) {
    sums.extend_from_slice(&of(block).to_le_bytes());
}

#[cfg(test)]
mod tests {
    use std::io::{BufWriter, Write};

    use super::{BLOCK, Summing, file_name, of};

    #[test]
    fn however_a_file_is_written_it_has_the_same_checksums() {
        for length in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 5 * BLOCK + 17] {
            let bytes: Vec<u8> = (0..length).map(|n| u8::try_from(n * 7 % 251).unwrap()).collect();
            let expected: Vec<u8> = bytes.chunks(BLOCK).flat_map(|block| of(block).to_le_bytes()).collect();
            for step in [1, 100, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK] {
                let mut file = Summing::new(Vec::new());
                bytes.chunks(step).for_each(|piece| file.write_all(piece).unwrap());
                assert_eq!(file.end(), (bytes.clone(), expected.clone()), "{length} bytes, {step} at a time");
            }
        }
    }

    #[test]
    fn what_is_flushed_reaches_the_file() {
        let mut file = Summing::new(BufWriter::new(Vec::new()));
        file.write_all(b"pgn2fen").unwrap();
        assert!(file.inner.get_ref().is_empty());
        file.flush().unwrap();
        assert_eq!(file.inner.get_ref(), b"pgn2fen");
    }

    #[test]
    fn the_checksum_is_the_one_that_other_programs_know() {
        // The output of `printf pgn2fen | xxh64sum -H3`; for the empty text, the test vector of the package.
        assert_eq!(of(b""), 0x2D06_8005_38D3_94C2);
        assert_eq!(file_name("postings-00.parquet"), "_postings-00.sums");
    }
}
