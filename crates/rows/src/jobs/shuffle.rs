//! A random order of records, which may be more than fit into memory.
//!
//! Each record gets a random key, which depends only on the seed and the number of the record in the output without
//! this order. The records are written in the order of their keys. So the order depends neither on the number of
//! threads nor on the memory.
//!
//! Records are dealt to buckets by the first bits of their keys. Each bucket is sorted in memory at the end. If the
//! buckets take too much memory, they are written to a temporary file without a name, which the system removes however
//! the run ends. A bucket that is too large to be sorted at once is read several times, each time for a range of keys.

mod options;
mod records;

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use pgn2fen_games::selection::mixed;

pub use crate::jobs::shuffle::options::ShuffleOptions;
pub(crate) use crate::jobs::shuffle::records::Records;

/// The number of bits of a key that choose the bucket.
const BUCKET_BITS: u32 = 9;

/// Distinguishes the keys of records from other random numbers with the same seed.
const DOMAIN: u64 = 0x7368_7566_666C_6500;

/// The size of a key before its record, in bytes.
const KEY: usize = size_of::<u64>();

/// The number of bytes that are sorted at once, about: the least, however little memory is allowed, because a bucket is
/// read for each of them, and the greatest, because places in them have 32 bits.
const SORTED: RangeInclusive<u64> = 1 << 16..=1 << 31;

/// The place of the records that do not fit into memory.
#[cfg(feature = "files")]
type Held = std::fs::File;
#[cfg(not(feature = "files"))]
type Held = io::Cursor<Vec<u8>>;

/// Creates a temporary file in `folder`, or else in the folder of the system for temporary files.
#[cfg(feature = "files")]
fn held(folder: Option<&Path>) -> io::Result<Held> {
    folder.map_or_else(tempfile::tempfile, tempfile::tempfile_in)
}

#[cfg(not(feature = "files"))]
fn held(_: Option<&Path>) -> io::Result<Held> {
    Ok(Held::default())
}

/// Puts records into a random order.
pub(crate) struct Shuffler {
    records: Records,
    /// The random number from which keys are made.
    base: u64,
    /// The number of records so far.
    count: u64,
    buckets: Vec<Bucket>,
    /// The number of bytes of the buckets that are in memory.
    in_memory: usize,
    /// The most memory, about, in bytes.
    most: usize,
    /// The number of bytes that are sorted at once, about.
    most_sorted: u64,
    file: Option<Held>,
    /// The number of bytes in the file.
    file_len: u64,
    folder: Option<PathBuf>,
}

/// Records with neighbouring keys, each behind its key.
#[derive(Default)]
struct Bucket {
    /// The last entries.
    last: Vec<u8>,
    /// The start and the length of each range of the file that has entries of the bucket.
    ranges: Vec<(u64, usize)>,
    /// The number of bytes of all entries.
    bytes: u64,
}

impl Shuffler {
    /// Creates a shuffler that takes no more than `most` bytes of memory, about.
    pub(crate) fn new(records: Records, seed: u64, most: usize, folder: Option<&Path>) -> Self {
        Self {
            records,
            base: mixed(seed, &[DOMAIN]),
            count: 0,
            buckets: (0..1 << BUCKET_BITS).map(|_| Bucket::default()).collect(),
            in_memory: 0,
            most,
            most_sorted: (most as u64 / 4).clamp(*SORTED.start(), *SORTED.end()),
            file: None,
            file_len: 0,
            folder: folder.map(Path::to_owned),
        }
    }

    /// Takes the records that these bytes consist of.
    pub(crate) fn push(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let (record, rest) = bytes.split_at(self.records.first_len(bytes));
            bytes = rest;
            let key = mixed(self.base, &[self.count]);
            self.count += 1;
            let bucket = &mut self.buckets[(key >> (u64::BITS - BUCKET_BITS)) as usize];
            bucket.last.extend_from_slice(&key.to_le_bytes());
            bucket.last.extend_from_slice(record);
            bucket.bytes += (KEY + record.len()) as u64;
            self.in_memory += KEY + record.len();
        }
        // The memory of a bucket grows by doubling.
        if self.in_memory > self.most / 2 { self.spill().map_err(named) } else { Ok(()) }
    }

    /// Writes the entries in memory to the file.
    fn spill(&mut self) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(held(self.folder.as_deref())?),
        };
        for bucket in self.buckets.iter_mut().filter(|bucket| !bucket.last.is_empty()) {
            file.write_all(&bucket.last)?;
            bucket.ranges.push((self.file_len, bucket.last.len()));
            self.file_len += bucket.last.len() as u64;
            bucket.last.clear();
        }
        self.in_memory = 0;
        Ok(())
    }

    /// Passes the records to `put` in their order.
    pub(crate) fn drain<E: From<io::Error>>(mut self, mut put: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        if self.file.is_some() {
            self.spill().map_err(named)?;
            // The memory is needed for sorting.
            self.buckets.iter_mut().for_each(|bucket| bucket.last = Vec::new());
        }
        let mut sorted = Sorted { records: self.records, bytes: Vec::new(), index: Vec::new() };
        let mut entries = Vec::new();
        for bucket in self.buckets {
            // A bucket that is in memory anyway is sorted at once.
            let passes = if self.file.is_some() { bucket.bytes.div_ceil(self.most_sorted) } else { 1 };
            for pass in 0..passes {
                sorted.add(&bucket.last, (pass, passes));
                for (start, len) in &bucket.ranges {
                    let Some(file) = &mut self.file else { break };
                    entries.resize(*len, 0);
                    file.seek(SeekFrom::Start(*start)).map_err(named)?;
                    file.read_exact(&mut entries).map_err(named)?;
                    sorted.add(&entries, (pass, passes));
                }
                sorted.drain(&mut put)?;
            }
        }
        Ok(())
    }
}

/// Records of a bucket that are sorted.
struct Sorted {
    records: Records,
    /// The records, in the order in which they came.
    bytes: Vec<u8>,
    /// The key of each record, its start and its length.
    index: Vec<(u64, u32, u32)>,
}

impl Sorted {
    /// Adds the records of these entries whose keys are in one of several ranges of equal size.
    fn add(&mut self, mut entries: &[u8], (range, ranges): (u64, u64)) {
        while let Some((key, behind)) = entries.split_first_chunk() {
            let key = u64::from_le_bytes(*key);
            let (record, rest) = behind.split_at(self.records.first_len(behind));
            entries = rest;
            // The bits behind those that chose the bucket, as a part of all their values.
            let place = u128::from(key << BUCKET_BITS) * u128::from(ranges);
            if place >> u64::BITS == u128::from(range) {
                // There are fewer bytes than 2³².
                let [start, len] = [self.bytes.len(), record.len()].map(|number| u32::try_from(number).unwrap_or(0));
                self.index.push((key, start, len));
                self.bytes.extend_from_slice(record);
            }
        }
    }

    /// Passes the records on in the order of their keys, and removes them. Records with equal keys stay in order.
    fn drain<E>(&mut self, put: &mut impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        self.index.sort_unstable();
        for (_, start, len) in &self.index {
            put(&self.bytes[*start as usize..][..*len as usize])?;
        }
        self.index.clear();
        self.bytes.clear();
        Ok(())
    }
}

/// Returns the error with the file that it is about.
#[expect(clippy::needless_pass_by_value, reason = "it is passed to `map_err`")]
fn named(error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("the temporary file for records in random order: {error}"))
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::{Records, Shuffler};

    /// Shuffles the lines of numbers from 0 in this much memory, pushed in pieces of `step` lines.
    fn shuffled(count: u32, seed: u64, most: usize, step: usize) -> Vec<u32> {
        let mut shuffler = Shuffler::new(Records::Lines, seed, most, None);
        shuffler.most_sorted = most as u64 / 4 + 1;
        let lines: Vec<String> = (0..count).map(|number| format!("{number}\n")).collect();
        for lines in lines.chunks(step) {
            shuffler.push(lines.concat().as_bytes()).unwrap();
        }
        let mut text = Vec::new();
        let put = |record: &[u8]| {
            text.extend_from_slice(record);
            Ok::<_, io::Error>(())
        };
        shuffler.drain(put).unwrap();
        String::from_utf8(text).unwrap().lines().map(|line| line.parse().unwrap()).collect()
    }

    #[test]
    fn the_order_depends_on_the_seed_only() {
        let numbers = shuffled(20_000, 0, usize::MAX, 20_000);
        // In a file; in a file with buckets that are read several times; and in one that is written again and again.
        for (most, step) in [(100_000, 300), (1000, 20_000), (1, 200)] {
            assert!(shuffled(20_000, 0, most, step) == numbers, "{most}");
        }
        assert_ne!(shuffled(20_000, 1, usize::MAX, 20_000), numbers);
        let mut sorted = numbers;
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..20_000));
    }

    #[test]
    fn the_order_is_random() {
        // Each of ten records is at each place about equally often: chi-squared with 81 degrees of freedom.
        let mut counts = [[0_u32; 10]; 10];
        for seed in 0..2000 {
            for (place, number) in shuffled(10, seed, usize::MAX, 10).into_iter().enumerate() {
                counts[place][number as usize] += 1;
            }
        }
        let deviation = |count: u32| (f64::from(count) - 200.0).powi(2) / 200.0;
        let sum: f64 = counts.iter().flatten().map(|count| deviation(*count)).sum();
        assert!((40.0..140.0).contains(&sum), "{sum}");
        // Neighbours are no more often neighbours afterwards than others: about twice in any order.
        let order = shuffled(50_000, 3, usize::MAX, 50_000);
        let neighbours = order.windows(2).filter(|pair| pair[0].abs_diff(pair[1]) == 1).count();
        assert!(neighbours < 12, "{neighbours}");
    }

    #[test]
    fn nothing_is_shuffled_to_nothing() {
        assert!(shuffled(0, 0, 0, 1).is_empty());
        assert_eq!(shuffled(1, 0, 0, 1), [0]);
    }

    #[cfg(feature = "files")]
    #[test]
    fn records_that_fit_into_memory_need_no_file() {
        use std::path::Path;

        let folder = Some(Path::new("no such folder"));
        let mut shuffler = Shuffler::new(Records::Lines, 0, 1000, folder);
        shuffler.push(b"1\n2\n").unwrap();
        let mut count = 0;
        shuffler
            .drain(|_| -> io::Result<()> {
                count += 1;
                Ok(())
            })
            .unwrap();
        assert_eq!(count, 2);
        let error = Shuffler::new(Records::Lines, 0, 10, folder).push(b"1\n").unwrap_err().to_string();
        assert!(error.starts_with("the temporary file for records in random order: "), "{error}");
    }
}
