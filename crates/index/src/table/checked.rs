//! A file that is verified while it is read, so that a reader gets exactly the bytes that were written, or an error.
//!
//! A mapped file is verified block by block when it is first read, and must not be truncated while it is open. A file
//! that is read instead is verified in every read, also of bytes that were read before. So it does not matter what
//! becomes of it while it is open: if it is truncated or overwritten, or its disk fails, the next read is an error. For
//! thousands of look-ups that takes a third longer.

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::io::{self, BufReader, Read};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use parquet::errors::ParquetError;
use parquet::file::reader::{ChunkReader, Length};

use crate::access::TableAccess;
use crate::checksum;
use crate::error::IndexError;
use crate::table::Written;
use crate::table::handle::Handle;
use pgn2fen_games::database::Mapped;
use pgn2fen_games::database::{PositionedFile, RandomAccess};

/// The size of a block of which there is a checksum, in bytes.
const BLOCK: u64 = checksum::BLOCK as u64;

/// The number of bytes that are read at once to verify a whole file.
const PIECE: u64 = 256 * BLOCK;

/// Where the file of a table is, and how it is read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TablePlace<'p> {
    pub(crate) path: &'p Path,
    /// The path that the file gets if its run no longer belongs to the index.
    pub(crate) hidden: &'p Path,
    pub(crate) access: TableAccess,
}

/// A file with the checksums of its blocks.
#[derive(Debug)]
pub(super) struct CheckedFile {
    content: Content,
    length: u64,
    /// The checksum of each block.
    sums: Box<[u64]>,
}

#[derive(Debug)]
enum Content {
    /// The bytes of a mapped file, and for each block, whether it has been verified.
    Mapped(Bytes, Box<[AtomicBool]>),
    Read(Handle),
}

/// The reason why bytes of a file cannot be used.
#[doc(hidden)]
#[derive(Debug)]
pub(crate) enum Fault {
    /// Some bytes differ from what was written.
    Damaged(DamagedBytes),
    /// The file has another length than it was written with.
    Length { found: u64, written: u64 },
    /// The system cannot read the file.
    Unreadable(io::Error),
}

/// A range of bytes that differ from what was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DamagedBytes(Range<u64>);

/// Reads a file from an offset.
#[derive(Debug)]
pub(super) struct CheckedReader {
    file: Arc<CheckedFile>,
    at: u64,
}

/// The file as the `parquet` package reads it.
#[derive(Clone, Debug)]
pub(super) struct Checked(pub(super) Arc<CheckedFile>);

impl CheckedFile {
    /// Opens a file. It must have the length that it was written with, and its checksums beside it.
    pub(super) fn open(place: TablePlace<'_>, written: &Written) -> Result<Self, IndexError> {
        let path = place.path;
        let content = match place.access {
            TableAccess::Map => {
                let bytes = Mapped::open(path).map_err(opening(path))?;
                let blocks = bytes.as_ref().len().div_ceil(checksum::BLOCK);
                let is_sound = std::iter::repeat_with(AtomicBool::default).take(blocks).collect();
                Content::Mapped(Bytes::from_owner(bytes), is_sound)
            }
            TableAccess::Read => Content::Read(Handle::open(path, place.hidden).map_err(opening(path))?),
        };
        let found = match &content {
            Content::Mapped(bytes, _) => bytes.len() as u64,
            Content::Read(file) => file.with(PositionedFile::length).map_err(IndexError::io(path))?,
        };
        check_length(found, written.bytes).map_err(|fault| IndexError::new(path, fault.to_string()))?;
        let sums_path = path.with_file_name(checksum::file_name(&written.name));
        let sums = read_sums(&sums_path, written.bytes.div_ceil(BLOCK) * checksum::BYTES as u64)?;
        if checksum::of(&sums) != written.checksum {
            return Err(IndexError::new(&sums_path, "the file is damaged; build the index again"));
        }
        let sums = sums.as_chunks::<{ checksum::BYTES }>().0.iter().map(|sum| u64::from_le_bytes(*sum)).collect();
        Ok(Self { content, length: written.bytes, sums })
    }

    /// Reads some bytes, which the file had when it was written. The blocks that contain them are verified.
    fn read(&self, range: Range<u64>) -> Result<Bytes, Fault> {
        let start = range.start - range.start % BLOCK;
        match &self.content {
            Content::Mapped(bytes, is_sound) => {
                for block in place(start / BLOCK)..place(range.end.div_ceil(BLOCK)) {
                    // Two threads may verify the same block; that does no harm.
                    if !is_sound[block].load(Ordering::Relaxed) {
                        let start = block * checksum::BLOCK;
                        let end = bytes.len().min(start + checksum::BLOCK);
                        self.verify(&bytes[start..end], start as u64)?;
                        is_sound[block].store(true, Ordering::Relaxed);
                    }
                }
                Ok(bytes.slice(place(range.start)..place(range.end)))
            }
            Content::Read(_) => {
                let blocks = self.bytes(start..range.end.next_multiple_of(BLOCK).min(self.length))?;
                self.verify(&blocks, start)?;
                Ok(blocks.slice(place(range.start - start)..place(range.end - start)))
            }
        }
    }

    /// Verifies some bytes that begin at the start of a block.
    fn verify(&self, bytes: &[u8], start: u64) -> Result<(), Fault> {
        self.damage_in(bytes, start).next().map_or(Ok(()), |damage| Err(Fault::Damaged(damage)))
    }

    /// Reads some bytes without verifying them.
    fn bytes(&self, range: Range<u64>) -> Result<Bytes, Fault> {
        let file = match &self.content {
            Content::Mapped(bytes, _) => return Ok(bytes.slice(place(range.start)..place(range.end))),
            Content::Read(file) => file,
        };
        let size = usize::try_from(range.end - range.start);
        let mut bytes = vec![0; size.map_err(|_| Fault::Unreadable(io::ErrorKind::OutOfMemory.into()))?];
        let read = file.with(|file| file.read_exact_at(&mut bytes, range.start));
        read.map(|()| bytes.into()).map_err(|error| match file.with(PositionedFile::length) {
            Ok(found) if error.kind() == io::ErrorKind::UnexpectedEof => Fault::Length { found, written: self.length },
            _ => Fault::Unreadable(error),
        })
    }

    /// Returns the damaged blocks in some bytes that begin at the start of a block.
    fn damage_in(&self, bytes: &[u8], start: u64) -> impl Iterator<Item = DamagedBytes> {
        let sums = self.sums.get(place(start / BLOCK)..).unwrap_or_default();
        let blocks = bytes.chunks(checksum::BLOCK).zip(sums).zip((start..).step_by(checksum::BLOCK));
        let damaged = blocks.filter(|((block, sum), _)| checksum::of(block) != **sum);
        damaged.map(|((block, _), start)| DamagedBytes(start..start + block.len() as u64))
    }

    /// Verifies the whole file and returns all damage. Adjacent damaged blocks are returned as one range.
    pub(super) fn damage(&self) -> Vec<Fault> {
        let mut found: Vec<Fault> = Vec::new();
        let mut start = 0;
        while start < self.length {
            let bytes = match self.bytes(start..start.saturating_add(PIECE).min(self.length)) {
                Ok(bytes) => bytes,
                Err(fault) => {
                    found.push(fault);
                    break;
                }
            };
            for damage in self.damage_in(&bytes, start) {
                match found.last_mut() {
                    Some(Fault::Damaged(last)) if last.0.end == damage.0.start => last.0.end = damage.0.end,
                    _ => found.push(Fault::Damaged(damage)),
                }
            }
            start += bytes.len() as u64;
        }
        found
    }
}

/// Returns an offset in bytes that are in memory, which have lengths of this type.
fn place(offset: u64) -> usize {
    usize::try_from(offset).unwrap_or(usize::MAX)
}

/// Reads a file of checksums, which must have this length.
fn read_sums(path: &Path, length: u64) -> Result<Vec<u8>, IndexError> {
    let file = PositionedFile::open(path).map_err(opening(path))?;
    let found = file.length().map_err(IndexError::io(path))?;
    check_length(found, length).map_err(|fault| IndexError::new(path, fault.to_string()))?;
    let mut sums = vec![0; usize::try_from(length).map_err(|_| IndexError::new(path, "the file is too large"))?];
    file.read_exact_at(&mut sums, 0).map_err(IndexError::io(path))?;
    Ok(sums)
}

fn opening(path: &Path) -> impl Fn(io::Error) -> IndexError + '_ {
    |error| match error.kind() {
        io::ErrorKind::NotFound => IndexError::new(path, "the file is gone; build the index again"),
        _ => IndexError::io(path)(error),
    }
}

fn check_length(found: u64, written: u64) -> Result<(), Fault> {
    if found == written { Ok(()) } else { Err(Fault::Length { found, written }) }
}

impl Length for Checked {
    fn len(&self) -> u64 {
        self.0.length
    }
}

impl ChunkReader for Checked {
    type T = BufReader<CheckedReader>;

    fn get_read(&self, start: u64) -> Result<Self::T, ParquetError> {
        let reader = CheckedReader { file: Arc::clone(&self.0), at: start };
        Ok(BufReader::with_capacity(checksum::BLOCK, reader))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        let range = start..start.saturating_add(length as u64);
        if range.end > self.0.length {
            return Err(ParquetError::EOF("the file is damaged: it ends too early".to_owned()));
        }
        self.0.read(range).map_err(|fault| ParquetError::External(Box::new(fault)))
    }
}

impl Read for CheckedReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.file.length;
        let range = self.at.min(length)..self.at.saturating_add(buffer.len() as u64).min(length);
        let bytes = self.file.read(range.clone()).map_err(io::Error::other)?;
        self.at = range.end;
        buffer[..bytes.len()].copy_from_slice(&bytes);
        Ok(bytes.len())
    }
}

impl Display for Fault {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Damaged(damage) => damage.fmt(f),
            Self::Length { found, written } => {
                write!(f, "the file is damaged: it has {found} bytes instead of {written}; build the index again")
            }
            Self::Unreadable(error) => error.fmt(f),
        }
    }
}

impl Error for Fault {}

impl Display for DamagedBytes {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Range { start, end } = self.0;
        write!(f, "the file is damaged in the bytes {start} to {}; build the index again", end - 1)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Read;
    use std::path::{Path, PathBuf};
    use std::sync::Arc;

    use parquet::file::reader::{ChunkReader, Length};

    use super::{BLOCK, Checked, CheckedFile, PIECE, TablePlace};
    use crate::access::TableAccess;
    use crate::checksum::{self, Summing};
    use crate::error::IndexError;
    use crate::table::Written;

    /// A file of so many bytes with its checksums beside it.
    struct Made {
        _folder: tempfile::TempDir,
        path: PathBuf,
        bytes: Vec<u8>,
        written: Written,
    }

    impl Made {
        fn new(length: u64) -> Self {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("a.parquet");
            let bytes: Vec<u8> = (0..length).map(|n| u8::try_from(n * 7 % 251).unwrap()).collect();
            let mut file = Summing::new(Vec::new());
            std::io::Write::write_all(&mut file, &bytes).unwrap();
            let sums = file.end().1;
            fs::write(&path, &bytes).unwrap();
            fs::write(folder.path().join("_a.sums"), &sums).unwrap();
            let name = "a.parquet".to_owned();
            let written = Written { name, bytes: length, rows: 0, checksum: checksum::of(&sums) };
            Self { _folder: folder, path, bytes, written }
        }

        fn open(&self, access: TableAccess) -> Result<Checked, IndexError> {
            let place = TablePlace { path: &self.path, hidden: Path::new("none"), access };
            CheckedFile::open(place, &self.written).map(|file| Checked(Arc::new(file)))
        }

        /// Changes these bytes.
        fn damage(&self, places: &[u64]) {
            let mut bytes = self.bytes.clone();
            for place in places {
                bytes[usize::try_from(*place).unwrap()] ^= 1;
            }
            fs::write(&self.path, bytes).unwrap();
        }

        /// Returns all damage.
        fn found(&self) -> Vec<String> {
            self.open(TableAccess::Read).unwrap().0.damage().iter().map(ToString::to_string).collect()
        }
    }

    const BOTH: [TableAccess; 2] = [TableAccess::Map, TableAccess::Read];

    #[test]
    fn bytes_are_read_as_they_were_written() {
        let length = 3 * BLOCK + 100;
        let made = Made::new(length);
        for access in BOTH {
            let file = made.open(access).unwrap();
            assert_eq!(file.len(), length);
            for (start, end) in [(0, 1), (0, length), (BLOCK, 2 * BLOCK), (BLOCK - 1, BLOCK + 1), (length - 5, length)]
            {
                let [from, to] = [start, end].map(|place| usize::try_from(place).unwrap());
                assert_eq!(file.get_bytes(start, to - from).unwrap(), made.bytes[from..to], "{start} {end}");
                let mut rest = Vec::new();
                file.get_read(start).unwrap().read_to_end(&mut rest).unwrap();
                assert_eq!(rest, made.bytes[from..]);
            }
            assert!(file.get_bytes(length - 5, 6).unwrap_err().to_string().contains("it ends too early"));
        }
    }

    #[test]
    fn a_changed_byte_is_an_error_where_its_block_is_read() {
        let length = 3 * BLOCK + 100;
        let made = Made::new(length);
        for damaged in 0..4 {
            made.damage(&[damaged * BLOCK + 50]);
            for access in BOTH {
                let file = made.open(access).unwrap();
                for block in 0..4 {
                    let found = file.get_bytes(block * BLOCK + 10, 20);
                    assert_eq!(found.is_err(), block == damaged, "{damaged} {block}");
                }
                let end = length.min((damaged + 1) * BLOCK) - 1;
                let expected =
                    format!("the file is damaged in the bytes {} to {end}; build the index again", damaged * BLOCK);
                let error = file.get_bytes(0, usize::try_from(length).unwrap()).unwrap_err().to_string();
                assert!(error.contains(&expected), "{error}");
            }
        }
    }

    #[test]
    fn all_damage_is_found_and_what_touches_is_one_range() {
        let made = Made::new(2 * PIECE + BLOCK + 5);
        assert!(made.found().is_empty());
        let range = |start: u64, end: u64| {
            format!("the file is damaged in the bytes {start} to {}; build the index again", end - 1)
        };
        made.damage(&[3 * BLOCK]);
        assert_eq!(made.found(), [range(3 * BLOCK, 4 * BLOCK)]);
        made.damage(&[2 * BLOCK, 4 * BLOCK - 1, 5 * BLOCK]);
        assert_eq!(made.found(), [range(2 * BLOCK, 4 * BLOCK), range(5 * BLOCK, 6 * BLOCK)]);
        made.damage(&[PIECE - 1, PIECE, 2 * PIECE, 2 * PIECE + BLOCK]);
        let end = 2 * PIECE + BLOCK + 5;
        assert_eq!(made.found(), [range(PIECE - BLOCK, PIECE + BLOCK), range(2 * PIECE, end)]);
    }

    #[test]
    fn a_file_of_another_length_is_refused() {
        let made = Made::new(2 * BLOCK);
        fs::write(&made.path, &made.bytes[..5000]).unwrap();
        for access in BOTH {
            let error = made.open(access).unwrap_err().to_string();
            assert!(error.contains("it has 5000 bytes instead of 8192; build the index again"), "{error}");
        }
        // A file that is cut while it is open.
        fs::write(&made.path, &made.bytes).unwrap();
        let open = made.open(TableAccess::Read).unwrap();
        fs::write(&made.path, &made.bytes[..5000]).unwrap();
        let error = open.get_bytes(BLOCK, 10).unwrap_err().to_string();
        assert!(error.contains("it has 5000 bytes instead of 8192"), "{error}");
        assert_eq!(open.0.damage().len(), 1);
        fs::remove_file(&made.path).unwrap();
        for access in BOTH {
            assert!(made.open(access).unwrap_err().to_string().ends_with("the file is gone; build the index again"));
        }
    }

    #[test]
    fn wrong_checksums_are_found_before_they_are_used() {
        let made = Made::new(2 * BLOCK);
        let sums = made.path.with_file_name("_a.sums");
        let right = fs::read(&sums).unwrap();
        let mut wrong = right.clone();
        wrong[3] ^= 1;
        fs::write(&sums, wrong).unwrap();
        let error = made.open(TableAccess::Read).unwrap_err().to_string();
        assert!(error.ends_with("_a.sums: the file is damaged; build the index again"), "{error}");
        fs::write(&sums, &right[1..]).unwrap();
        let error = made.open(TableAccess::Read).unwrap_err().to_string();
        assert!(error.contains("it has 15 bytes instead of 16"), "{error}");
    }
}
