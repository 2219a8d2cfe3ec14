//! Places of positions in games, sorted in bounded memory.

use std::io;
use std::path::PathBuf;

use crate::record::Stored;
use crate::sort::Collected;

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

impl Stored for BookPlace {
    fn to_words(self) -> [u64; 3] {
        [self.game, self.ply.into(), self.key]
    }

    fn from_words([game, ply, key]: [u64; 3]) -> Self {
        Self { game, ply: u32::try_from(ply).unwrap_or(0), key }
    }
}

/// The number of places that are held in memory, in 24 bytes each. More are written to temporary files.
const MOST: usize = 2 << 20;

/// Places that are being collected.
#[derive(Debug)]
pub(super) struct Places {
    places: Collected<BookPlace>,
    most: usize,
    count: u64,
}

impl Places {
    /// Creates an empty collection. Temporary files are created in the folder, or else in that of the system.
    pub(super) fn new(folder: Option<PathBuf>) -> Self {
        Self::with_most(folder, MOST)
    }

    fn with_most(folder: Option<PathBuf>, most: usize) -> Self {
        Self { places: Collected::new(folder), most, count: 0 }
    }

    /// Returns the number of places.
    pub(super) fn len(&self) -> u64 {
        self.count
    }

    /// Adds a place.
    pub(super) fn push(&mut self, place: BookPlace) -> io::Result<()> {
        if self.places.held.len() == self.most {
            self.places.lay_aside()?;
        }
        self.places.held.push(place);
        self.count += 1;
        Ok(())
    }

    /// Returns the places in order. Equal ones are all returned.
    pub(super) fn sorted(mut self) -> io::Result<impl Iterator<Item = io::Result<BookPlace>>> {
        self.places.take_sorted()
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
