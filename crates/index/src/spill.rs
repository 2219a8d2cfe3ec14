//! Records in buckets by the top bits of their keys. They are kept in memory while there is room, and then written to
//! files.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::{Range, RangeInclusive};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::error::IndexError;
use crate::record::Record;
use pgn2fen_games::parallel::lock::lock;

/// The number of top bits of a key that select its bucket.
pub(super) const BUCKET_BITS: u32 = 8;
/// The number of buckets.
pub(super) const BUCKETS: usize = 1 << BUCKET_BITS;

/// The number of bytes in a block.
const BLOCK: usize = 2048 * Record::BYTES;

/// The number of neighbouring buckets that share a file.
const BUCKETS_PER_FILE: usize = 8;

/// Buckets that are being filled, on any thread, and then read once. Each bucket keeps its records in the order in
/// which they were added.
///
/// The temporary files have no names, so the system removes them when the process ends, even if it is killed. A file is
/// closed when its buckets have been read, so that its disk space is free for the tables.
pub(super) struct Spill {
    folder: PathBuf,
    files: Vec<Mutex<Option<SpillFile>>>,
    /// The number of bytes that may still be kept in memory.
    room: AtomicUsize,
    buckets: Vec<Mutex<Bucket>>,
}

struct SpillFile {
    file: File,
    written: u64,
    /// The number of buckets that have not been read.
    unread: usize,
}

#[derive(Default)]
struct Bucket {
    open: Vec<u8>,
    full: Vec<Block>,
    records: u64,
}

enum Block {
    Held(Vec<u8>),
    /// The block begins at this offset in the file.
    Written(u64),
}

/// Returns the bucket of a record. Buckets are in the order of their keys as signed numbers.
#[inline]
pub(super) fn bucket_of(key: i64) -> usize {
    (key.wrapping_sub(i64::MIN).cast_unsigned() >> (64 - BUCKET_BITS)) as usize
}

/// Returns the keys of some buckets, of which there is at least one.
pub(super) fn keys_of(buckets: Range<usize>) -> RangeInclusive<i64> {
    let least = |bucket: usize| i64::MIN.wrapping_add(((bucket as u64) << (64 - BUCKET_BITS)).cast_signed());
    let greatest = |bucket| least(bucket) | (u64::MAX >> BUCKET_BITS).cast_signed();
    least(buckets.start)..=greatest(buckets.end - 1)
}

impl Spill {
    /// Creates empty buckets. They keep at most `room` bytes in memory, and write the rest to files in the folder.
    pub(super) fn new(folder: &Path, room: usize) -> Self {
        let buckets = (0..BUCKETS).map(|_| Mutex::default()).collect();
        let files = (0..BUCKETS / BUCKETS_PER_FILE).map(|_| Mutex::default()).collect();
        Self { folder: folder.to_owned(), files, room: AtomicUsize::new(room), buckets }
    }

    /// Adds records, as bytes, to their bucket.
    pub(super) fn add(&self, bucket: usize, mut bytes: &[u8]) -> Result<(), IndexError> {
        let mut state = lock(&self.buckets[bucket]);
        state.records += (bytes.len() / Record::BYTES) as u64;
        while !bytes.is_empty() {
            let open = &mut state.open;
            if open.capacity() == 0 {
                open.reserve_exact(BLOCK);
            }
            let (now, later) = bytes.split_at(bytes.len().min(BLOCK - open.len()));
            open.extend_from_slice(now);
            bytes = later;
            if open.len() == BLOCK {
                self.close_block(bucket, &mut state)?;
            }
        }
        Ok(())
    }

    #[cold]
    fn close_block(&self, bucket: usize, state: &mut Bucket) -> Result<(), IndexError> {
        let Bucket { open, full, .. } = state;
        let take = |room: usize| room.checked_sub(open.len());
        if self.room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_ok() {
            full.push(Block::Held(std::mem::take(open)));
            return Ok(());
        }
        let mut file = lock(&self.files[bucket / BUCKETS_PER_FILE]);
        let offset = write_block(&self.folder, &mut file, open).map_err(IndexError::io(&self.folder))?;
        full.push(Block::Written(offset));
        open.clear();
        Ok(())
    }

    /// Returns the number of records in all buckets.
    pub(super) fn len(&self) -> u64 {
        self.buckets.iter().map(|bucket| lock(bucket).records).sum()
    }

    /// Reads the records of a bucket in the order in which they were added, a block at a time. A bucket can be read
    /// once.
    pub(super) fn read(
        &self,
        bucket: usize,
        mut take: impl FnMut(&[u8]) -> Result<(), IndexError>,
    ) -> Result<(), IndexError> {
        // Nobody holds the lock while the records are sorted and written, and blocks in memory are freed one after
        // another.
        let Bucket { open, full, .. } = std::mem::take(&mut *lock(&self.buckets[bucket]));
        let file = &self.files[bucket / BUCKETS_PER_FILE];
        let mut buffer = Vec::new();
        for block in full {
            match block {
                Block::Held(bytes) => take(&bytes)?,
                Block::Written(offset) => {
                    buffer.resize(BLOCK, 0);
                    read_block(file, offset, &mut buffer).map_err(IndexError::io(&self.folder))?;
                    take(&buffer)?;
                }
            }
        }
        let mut file = lock(file);
        if let Some(SpillFile { unread, .. }) = &mut *file {
            *unread -= 1;
            if *unread == 0 {
                *file = None;
            }
        }
        take(&open)
    }
}

/// Writes a block behind the others of its file, which is created for the first. Returns its offset.
fn write_block(folder: &Path, file: &mut Option<SpillFile>, block: &[u8]) -> io::Result<u64> {
    let file = match file {
        Some(file) => file,
        None => file.insert(SpillFile { file: tempfile::tempfile_in(folder)?, written: 0, unread: BUCKETS_PER_FILE }),
    };
    let offset = file.written;
    // Behind the last whole block, even if a write has failed before.
    file.file.seek(SeekFrom::Start(offset))?;
    file.file.write_all(block)?;
    file.written += block.len() as u64;
    Ok(offset)
}

fn read_block(file: &Mutex<Option<SpillFile>>, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
    let mut file = lock(file);
    let Some(SpillFile { file, .. }) = &mut *file else {
        return Err(io::Error::other("a bucket is read twice"));
    };
    file.seek(SeekFrom::Start(offset))?;
    file.read_exact(buffer)
}

#[cfg(test)]
mod tests {
    use super::{BUCKETS, Spill, bucket_of, keys_of};
    use crate::record::{GameFacts, PackedDate, Record, Stored};
    use crate::scatter::Scatter;
    use pgn2fen_games::pgn::token::Outcome;

    /// Returns records whose keys are spread over all buckets.
    fn some(count: u64) -> impl Iterator<Item = Record> {
        let game = |number| GameFacts { number, result: Outcome::Draw, date: PackedDate::UNKNOWN, elo: [0; 2] };
        (1..=count).map(move |n| Record::new((n % 7).wrapping_mul(0x2545_F491_4F6C_DD1D), &game(n), 0, 0, None))
    }

    #[track_caller]
    fn check(room: usize) {
        let spill = Spill::new(&std::env::temp_dir(), room);
        let mut scatter = Scatter::default();
        for (nth, record) in some(20_000).enumerate() {
            scatter.push(record);
            if nth % 777 == 0 {
                scatter.move_to(&spill).unwrap();
            }
        }
        scatter.move_to(&spill).unwrap();
        assert_eq!(spill.len(), 20_000);
        for bucket in 0..BUCKETS {
            let mut found = Vec::new();
            let take = |bytes: &[u8]| {
                found.extend(Record::read_all(bytes));
                Ok(())
            };
            spill.read(bucket, take).unwrap();
            let expected: Vec<Record> = some(20_000).filter(|record| bucket_of(record.key) == bucket).collect();
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn records_come_back_in_their_order_from_memory_and_from_a_file() {
        for room in [0, 100_000, usize::MAX] {
            check(room);
        }
    }

    /// Several threads add records at the same time.
    #[test]
    fn no_record_is_lost_between_threads() {
        for room in [0, 100_000, usize::MAX] {
            let spill = Spill::new(&std::env::temp_dir(), room);
            std::thread::scope(|scope| {
                for thread in 0..4 {
                    let spill = &spill;
                    scope.spawn(move || {
                        let mut scatter = Scatter::default();
                        for record in some(40_000).skip(thread).step_by(4) {
                            scatter.push(record);
                            if record.game() % 100 < 4 {
                                scatter.move_to(spill).unwrap();
                            }
                        }
                        scatter.move_to(spill).unwrap();
                    });
                }
            });
            assert_eq!(spill.len(), 40_000);
            let mut found = Vec::new();
            for bucket in 0..BUCKETS {
                spill
                    .read(bucket, |bytes| {
                        found.extend(Record::read_all(bytes));
                        Ok(())
                    })
                    .unwrap();
            }
            let mut expected: Vec<Record> = some(40_000).collect();
            found.sort_unstable();
            expected.sort_unstable();
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn files_are_closed_when_their_buckets_have_been_read() {
        let spill = Spill::new(&std::env::temp_dir(), 0);
        let mut scatter = Scatter::default();
        some(20_000).for_each(|record| scatter.push(record));
        scatter.move_to(&spill).unwrap();
        let open = |spill: &Spill| spill.files.iter().filter(|file| file.lock().unwrap().is_some()).count();
        assert!((1..=7).contains(&open(&spill)), "seven keys");
        for bucket in 0..BUCKETS {
            spill.read(bucket, |_| Ok(())).unwrap();
        }
        assert_eq!(open(&spill), 0);
    }

    #[test]
    fn buckets_are_in_the_order_of_signed_keys() {
        assert_eq!([bucket_of(i64::MIN), bucket_of(-1), bucket_of(0), bucket_of(i64::MAX)], [0, 127, 128, 255]);
        for bucket in 0..BUCKETS {
            let keys = keys_of(bucket..bucket + 1);
            assert_eq!([bucket_of(*keys.start()), bucket_of(*keys.end())], [bucket; 2]);
        }
        assert_eq!(keys_of(0..BUCKETS), i64::MIN..=i64::MAX);
        assert_eq!(keys_of(3..128).end() + 1, *keys_of(128..BUCKETS).start());
    }
}
