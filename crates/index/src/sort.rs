//! Sorts the records of a bucket in bounded memory.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::error::IndexError;
use crate::record::Record;
use crate::spill::{Spill, records};
use crate::table::TableReader;

/// Sorts buckets. A bucket that does not fit into memory, even if it has only one key, is sorted in runs, which are
/// written to temporary files and merged.
pub(super) struct Sorter {
    folder: PathBuf,
    /// The greatest number of records that are sorted at a time.
    most: usize,
    sorted: Vec<Record>,
}

/// The number of bytes of each sorted run that are read at a time.
const READ_AHEAD: usize = 64 * 1024;

impl Sorter {
    /// Creates a sorter for at most so many records at a time, with a folder for temporary files.
    pub(super) fn new(folder: &Path, most: usize) -> Self {
        Self { folder: folder.to_owned(), most: most.max(1), sorted: Vec::new() }
    }

    /// Passes the records of a bucket on in sorted order.
    pub(super) fn sort(
        &mut self,
        spill: &Spill,
        bucket: usize,
        mut give: impl FnMut(Record) -> Result<(), IndexError>,
    ) -> Result<(), IndexError> {
        let mut stretches = Vec::new();
        self.sorted.clear();
        spill.read(bucket, |bytes| {
            if self.sorted.len() + bytes.len() / Record::BYTES > self.most && !self.sorted.is_empty() {
                self.sorted.sort_unstable();
                stretches.push(self.lay_aside()?);
                self.sorted.clear();
            }
            self.sorted.extend(records(bytes));
            Ok(())
        })?;
        self.sorted.sort_unstable();
        if stretches.is_empty() {
            return self.sorted.iter().try_for_each(|record| give(*record));
        }
        stretches.push(self.lay_aside()?);
        self.sorted = Vec::new();
        let sources = stretches.into_iter().map(|file| Stretch { file, folder: &self.folder });
        merge(sources.collect(), give)
    }

    /// Writes the sorted records to a file without a name.
    fn lay_aside(&self) -> Result<BufReader<File>, IndexError> {
        let write = || {
            let mut file = BufWriter::with_capacity(READ_AHEAD, tempfile::tempfile_in(&self.folder)?);
            for record in &self.sorted {
                file.write_all(&record.to_bytes())?;
            }
            let mut file = file.into_inner().map_err(std::io::IntoInnerError::into_error)?;
            file.rewind()?;
            Ok(BufReader::with_capacity(READ_AHEAD, file))
        };
        write().map_err(IndexError::io(&self.folder))
    }
}

/// A run of sorted records in a file.
struct Stretch<'f> {
    file: BufReader<File>,
    folder: &'f Path,
}

impl Iterator for Stretch<'_> {
    type Item = Result<Record, IndexError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut bytes = [0; Record::BYTES];
        match self.file.read_exact(&mut bytes) {
            Ok(()) => Some(Ok(Record::from_bytes(&bytes))),
            // The file ends at the end of a record, because only whole records are written.
            Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => None,
            Err(error) => Some(Err(IndexError::io(self.folder)(error))),
        }
    }
}

/// Returns the records that are read of ranges of rows, one range after another. The error of a range takes the place
/// of its records.
pub(super) fn chained<'r, R: Iterator<Item = Result<Record, IndexError>>>(
    ranges: impl Iterator<Item = Result<(&'r TableReader, Range<u64>), IndexError>>,
    mut read: impl FnMut(&'r TableReader, &Range<u64>) -> R,
) -> impl Iterator<Item = Result<Record, IndexError>> {
    ranges.flat_map(move |range| {
        let (records, failure) = match range {
            Ok((table, rows)) => (Some(read(table, &rows)), None),
            Err(error) => (None, Some(Err(error))),
        };
        records.into_iter().flatten().chain(failure)
    })
}

/// Merges sorted records of several sources.
pub(super) fn merge(
    mut sources: Vec<impl Iterator<Item = Result<Record, IndexError>>>,
    mut give: impl FnMut(Record) -> Result<(), IndexError>,
) -> Result<(), IndexError> {
    let mut heads = BinaryHeap::new();
    for (number, source) in sources.iter_mut().enumerate() {
        if let Some(record) = source.next() {
            heads.push(Reverse((record?, number)));
        }
    }
    while let Some(mut head) = heads.peek_mut() {
        let Reverse((record, number)) = *head;
        give(record)?;
        match sources[number].next() {
            Some(next) => *head = Reverse((next?, number)),
            None => drop(PeekMut::pop(head)),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::Sorter;
    use crate::record::{GameFacts, PackedDate, Record};
    use crate::scatter::Scatter;
    use crate::spill::{BUCKETS, Spill};
    use pgn2fen_games::pgn::token::Outcome;

    #[track_caller]
    fn check(keys: u64, most: usize) {
        let folder = std::env::temp_dir();
        let spill = Spill::new(&folder, 0);
        let mut scatter = Scatter::default();
        let mut expected = Vec::new();
        for n in 0..30_000u64 {
            let key = (n * 7919 % keys).wrapping_mul(0x2545_F491_4F6C_DD1D);
            let game = GameFacts { number: n / 3, result: Outcome::Draw, date: PackedDate::UNKNOWN, elo: [0; 2] };
            let ply = u32::try_from(n % 3).unwrap();
            let record = Record::new(key, &game, ply, 0, None);
            scatter.push(record);
            expected.push(record);
        }
        scatter.move_to(&spill).unwrap();
        expected.sort_unstable();
        let mut sorter = Sorter::new(&folder, most);
        let mut found = Vec::new();
        for bucket in 0..BUCKETS {
            let give = |record| {
                found.push(record);
                Ok(())
            };
            sorter.sort(&spill, bucket, give).unwrap();
        }
        assert_eq!(found, expected);
    }

    #[test]
    fn records_are_sorted_however_little_memory_there_is() {
        for most in [1, 5000, usize::MAX] {
            check(1000, most);
        }
    }

    #[test]
    fn a_key_that_fits_into_no_memory_is_merged() {
        check(1, 3000);
    }
}
