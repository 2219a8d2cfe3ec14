//! Places of positions in games, sorted in bounded memory.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::PathBuf;

/// A position of a game. Places are ordered by game and ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct BookPlace {
    /// The number of the game in the index, from 1.
    pub(super) game: u64,
    /// The number of moves played before the position.
    pub(super) ply: u32,
    /// The key of the position.
    pub(super) key: u64,
}

/// The number of places that are held in memory, in 24 bytes each. More are written to temporary files.
const MOST: usize = 2 << 20;

/// The number of bytes of each temporary file that are held in memory.
const BUFFER: usize = 64 << 10;

/// Places that are being collected. Temporary files have no names, so the system removes them however the run ends.
#[derive(Debug)]
pub(super) struct Places {
    folder: Option<PathBuf>,
    most: usize,
    held: Vec<BookPlace>,
    files: Vec<BufReader<File>>,
    count: u64,
}

impl Places {
    /// Creates an empty collection. Temporary files are created in the folder, or else in that of the system.
    pub(super) fn new(folder: Option<PathBuf>) -> Self {
        Self::with_most(folder, MOST)
    }

    fn with_most(folder: Option<PathBuf>, most: usize) -> Self {
        Self { folder, most, held: Vec::new(), files: Vec::new(), count: 0 }
    }

    /// Returns the number of places.
    pub(super) fn len(&self) -> u64 {
        self.count
    }

    /// Adds a place.
    pub(super) fn push(&mut self, place: BookPlace) -> io::Result<()> {
        if self.held.len() == self.most {
            self.lay_aside()?;
        }
        self.held.push(place);
        self.count += 1;
        Ok(())
    }

    /// Writes the places in memory to a file, sorted.
    fn lay_aside(&mut self) -> io::Result<()> {
        self.held.sort_unstable();
        let file = match &self.folder {
            Some(folder) => tempfile::tempfile_in(folder)?,
            None => tempfile::tempfile()?,
        };
        let mut writer = BufWriter::with_capacity(BUFFER, file);
        for BookPlace { game, ply, key } in self.held.drain(..) {
            writer.write_all(&game.to_le_bytes())?;
            writer.write_all(&ply.to_le_bytes())?;
            writer.write_all(&key.to_le_bytes())?;
        }
        let mut file = writer.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.rewind()?;
        self.files.push(BufReader::with_capacity(BUFFER, file));
        Ok(())
    }

    /// Returns the places in order. Equal ones are all returned.
    pub(super) fn sorted(mut self) -> io::Result<Sorted> {
        self.held.sort_unstable();
        let mut sorted = Sorted { held: self.held.into_iter(), files: self.files, heads: BinaryHeap::new() };
        for source in 0..=sorted.files.len() {
            sorted.take_next(source)?;
        }
        Ok(sorted)
    }
}

/// An iterator over places in order.
#[derive(Debug)]
pub(super) struct Sorted {
    held: std::vec::IntoIter<BookPlace>,
    files: Vec<BufReader<File>>,
    /// The next place of each source: the files, and behind them the memory.
    heads: BinaryHeap<Reverse<(BookPlace, usize)>>,
}

impl Sorted {
    fn take_next(&mut self, source: usize) -> io::Result<()> {
        let next = match self.files.get_mut(source) {
            Some(file) => read(file)?,
            None => self.held.next(),
        };
        self.heads.extend(next.map(|place| Reverse((place, source))));
        Ok(())
    }
}

impl Iterator for Sorted {
    type Item = io::Result<BookPlace>;

    fn next(&mut self) -> Option<Self::Item> {
        let Reverse((place, source)) = self.heads.pop()?;
        Some(self.take_next(source).map(|()| place))
    }
}

/// Reads a place; None at the end of the file.
fn read(file: &mut impl Read) -> io::Result<Option<BookPlace>> {
    let mut bytes = [0; 20];
    match file.read_exact(&mut bytes) {
        Ok(()) => {
            let number = |from: usize, to: usize| {
                let mut number = [0; 8];
                number[..to - from].copy_from_slice(&bytes[from..to]);
                u64::from_le_bytes(number)
            };
            let ply = u32::try_from(number(8, 12)).unwrap_or(0);
            Ok(Some(BookPlace { game: number(0, 8), ply, key: number(12, 20) }))
        }
        // The file ends behind a place, because only whole places are written.
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::{BookPlace, Places};

    #[track_caller]
    fn check(count: u64, most: usize) {
        let mut places = Places::with_most(None, most);
        let mut expected = Vec::new();
        for n in 0..count {
            let key = n.wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let place = BookPlace { game: key >> 54, ply: u32::try_from(n % 7).unwrap(), key };
            places.push(place).unwrap();
            expected.push(place);
        }
        assert_eq!(places.len(), count);
        expected.sort_unstable();
        assert_eq!(places.sorted().unwrap().map(Result::unwrap).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn places_are_sorted_in_memory_and_in_files() {
        check(0, 10);
        check(10, 10);
        check(11, 10);
        check(5000, 100);
        check(5000, 1 << 20);
    }
}
