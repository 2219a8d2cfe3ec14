//! Sorts records in bounded memory.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use crate::error::IndexError;
use crate::record::{Record, Stored};
use crate::spill::Spill;

/// The number of bytes of each temporary file that are held in memory.
const BUFFER: usize = 64 * 1024;

/// Values that are being collected, some of them in temporary files. The files have no names, so the system removes
/// them however the run ends.
#[derive(Debug)]
pub(super) struct Collected<T> {
    /// The folder of temporary files; None for that of the system.
    folder: Option<PathBuf>,
    pub(super) held: Vec<T>,
    files: Vec<Laid<T>>,
}

/// Sorted values in a file.
#[derive(Debug)]
struct Laid<T>(BufReader<File>, PhantomData<T>);

impl<T: Stored> Collected<T> {
    pub(super) fn new(folder: Option<PathBuf>) -> Self {
        Self { folder, held: Vec::new(), files: Vec::new() }
    }

    /// Writes the values in memory to a file, sorted.
    pub(super) fn lay_aside(&mut self) -> io::Result<()> {
        self.held.sort_unstable();
        let file = match &self.folder {
            Some(folder) => tempfile::tempfile_in(folder)?,
            None => tempfile::tempfile()?,
        };
        let mut writer = BufWriter::with_capacity(BUFFER, file);
        for value in self.held.drain(..) {
            writer.write_all(value.to_bytes().as_flattened())?;
        }
        let mut file = writer.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.rewind()?;
        self.files.push(Laid(BufReader::with_capacity(BUFFER, file), PhantomData));
        Ok(())
    }

    /// Takes all values out, in order. Equal ones are all returned.
    pub(super) fn take_sorted(&mut self) -> io::Result<impl Iterator<Item = io::Result<T>> + use<T>> {
        self.held.sort_unstable();
        let held = std::mem::take(&mut self.held).into_iter().map(Ok);
        let mut sources: Vec<Box<dyn Iterator<Item = io::Result<T>>>> = vec![Box::new(held)];
        sources.extend(self.files.drain(..).map(|file| Box::new(file) as Box<_>));
        Merge::new(sources)
    }
}

impl<T: Stored> Iterator for Laid<T> {
    type Item = io::Result<T>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut bytes = [[0; 8]; 3];
        match self.0.read_exact(bytes.as_flattened_mut()) {
            Ok(()) => Some(Ok(T::from_words(bytes.map(u64::from_le_bytes)))),
            // The file ends at the end of a value, because only whole values are written.
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => None,
            Err(error) => Some(Err(error)),
        }
    }
}

/// An iterator over the values of several sorted sources, in order. It ends after an error.
pub(super) struct Merge<T, S> {
    sources: Vec<S>,
    /// The next value of each source, with the number of the source.
    heads: BinaryHeap<Reverse<(T, usize)>>,
}

impl<T: Ord, E, S: Iterator<Item = Result<T, E>>> Merge<T, S> {
    pub(super) fn new(mut sources: Vec<S>) -> Result<Self, E> {
        let mut heads = BinaryHeap::new();
        for (number, source) in sources.iter_mut().enumerate() {
            if let Some(value) = source.next() {
                heads.push(Reverse((value?, number)));
            }
        }
        Ok(Self { sources, heads })
    }
}

impl<T: Copy + Ord, E, S: Iterator<Item = Result<T, E>>> Iterator for Merge<T, S> {
    type Item = Result<T, E>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut head = self.heads.peek_mut()?;
        let Reverse((value, number)) = *head;
        match self.sources[number].next() {
            Some(Ok(next)) => *head = Reverse((next, number)),
            None => drop(PeekMut::pop(head)),
            Some(Err(error)) => {
                drop(head);
                self.heads.clear();
                return Some(Err(error));
            }
        }
        Some(Ok(value))
    }
}

/// Sorts buckets. A bucket that does not fit into memory, even if it has only one key, is sorted in runs, which are
/// written to temporary files and merged.
pub(super) struct Sorter {
    folder: PathBuf,
    /// The greatest number of records that are sorted at a time.
    most: usize,
    records: Collected<Record>,
}

impl Sorter {
    /// Creates a sorter for at most so many records at a time, with a folder for temporary files.
    pub(super) fn new(folder: &Path, most: usize) -> Self {
        Self { folder: folder.to_owned(), most: most.max(1), records: Collected::new(Some(folder.to_owned())) }
    }

    /// Passes the records of a bucket on in sorted order.
    pub(super) fn sort(
        &mut self,
        spill: &Spill,
        bucket: usize,
        mut give: impl FnMut(Record) -> Result<(), IndexError>,
    ) -> Result<(), IndexError> {
        self.collect(spill, bucket)?;
        let Self { folder, records, .. } = self;
        if records.files.is_empty() {
            records.held.sort_unstable();
            return records.held.iter().try_for_each(|record| give(*record));
        }
        let mut sorted = records.take_sorted().map_err(IndexError::io(folder))?;
        sorted.try_for_each(|record| give(record.map_err(IndexError::io(folder))?))
    }

    /// Reads the records of a bucket. Those that do not fit into memory are laid aside.
    fn collect(&mut self, spill: &Spill, bucket: usize) -> Result<(), IndexError> {
        let Self { folder, most, records } = self;
        records.held.clear();
        spill.read(bucket, |bytes| {
            if records.held.len() + bytes.len() / Record::BYTES > *most && !records.held.is_empty() {
                records.lay_aside().map_err(IndexError::io(folder))?;
            }
            records.held.extend(Record::read_all(bytes));
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Sorter;
    use crate::record::{GameFacts, PackedDate, Record, Stored};
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

    #[test]
    fn records_are_laid_aside_only_if_they_do_not_fit() {
        let folder = std::env::temp_dir();
        // A bucket is read in blocks of 2048 records.
        let collected = |most| {
            let spill = Spill::new(&folder, usize::MAX);
            spill.add(7, &Record::default().to_bytes().as_flattened().repeat(5000)).unwrap();
            let mut sorter = Sorter::new(&folder, most);
            sorter.collect(&spill, 7).unwrap();
            (sorter.records.files.len(), sorter.records.held.len())
        };
        assert_eq!([collected(usize::MAX), collected(5000)], [(0, 5000); 2]);
        assert_eq!([collected(4999), collected(4096)], [(1, 904); 2]);
        assert_eq!(collected(4095), (1, 2952));
        assert_eq!([collected(2048), collected(1)], [(2, 904); 2]);
    }
}
