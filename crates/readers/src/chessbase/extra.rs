//! Further fields of the index (`.cbj`), which newer versions add: the teams, and places of 64 bits. The header has the
//! lowest byte of a number first, and the records the highest one.

use std::io;
use std::sync::Arc;

use pgn2fen_bytes::RandomAccess;

/// The number of bytes of the header.
const HEADER: u64 = 32;

/// The greatest number of bytes of a record.
const LONGEST: u32 = 4096;

/// The file with further fields.
#[derive(Debug)]
pub(super) struct Extra {
    bytes: Arc<dyn RandomAccess>,
    /// The number of bytes of a record.
    pub(super) size: usize,
    count: u64,
}

impl Extra {
    /// Opens the file. The inner error completes a sentence after its name.
    pub(super) fn open(bytes: Arc<dyn RandomAccess>) -> io::Result<Result<Self, String>> {
        let length = bytes.length()?;
        let mut header = [0; 12];
        if length < HEADER {
            return Ok(Err("ends within its header".to_owned()));
        }
        bytes.read_exact_at(&mut header, 0)?;
        let number = |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
        let (size, count) = (number(4), u64::from(number(8)));
        if !(1..=LONGEST).contains(&size) {
            return Ok(Err("has records of an unknown size".to_owned()));
        }
        let whole = (length - HEADER) / u64::from(size);
        if whole < count {
            return Ok(Err(format!("has {whole} of its {count} games")));
        }
        Ok(Ok(Self { bytes, size: size as usize, count }))
    }

    /// Returns the records of so many entries from a number on. They are fewer if the file has fewer.
    pub(super) fn read(&self, first: u64, count: u64) -> io::Result<Vec<u8>> {
        let count = count.min(self.count.saturating_sub(first));
        let mut records = vec![0; self.size * usize::try_from(count).map_err(io::Error::other)?];
        self.bytes.read_exact_at(&mut records, HEADER + first * self.size as u64)?;
        Ok(records)
    }

    /// Returns the numbers of the teams of a record.
    pub(super) fn teams(record: &[u8]) -> [Option<u32>; 2] {
        [0, 4].map(|at| {
            let number = record.get(at..at + 4)?.first_chunk().map(|number| u32::from_be_bytes(*number))?;
            // Without a team, it is -1.
            (number != u32::MAX).then_some(number)
        })
    }

    /// Returns the places of the moves and of the annotations, if the version has them.
    pub(super) fn places(record: &[u8]) -> Option<[u64; 2]> {
        let number = |at: usize| record.get(at..at + 8)?.first_chunk().map(|number| u64::from_be_bytes(*number));
        Some([number(30)?, number(12)?])
    }
}
