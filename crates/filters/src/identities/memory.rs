//! Lines of memory for a set.

use std::io;

#[cfg(not(target_family = "wasm"))]
use memmap2::MmapMut as Map;

/// WebAssembly maps no memory.
#[cfg(target_family = "wasm")]
type Map = Box<[u8]>;

/// Eight entries, the empty ones last. It is a line of the processor's cache.
pub(super) type CacheLine = [[u8; 8]; 8];

/// The entry in place of one that does not exist.
const NO_ENTRY: [u8; 8] = [0; 8];

/// A line without entries.
pub(super) const NO_LINE: CacheLine = [NO_ENTRY; 8];

/// Lines that are never moved. New lines are empty.
///
/// The system is asked for large pages of memory. A processor keeps the addresses of few pages, and looks up all others
/// in memory: with large ones, random access to 240 MB takes a quarter less time.
#[derive(Debug, Default)]
pub(super) struct Memory {
    maps: Vec<Map>,
}

/// The size of a map in bytes. On Linux, a map takes no memory where nothing has been written. Other systems may
/// reserve memory for all of it, and in WebAssembly it takes all.
const SIZE: usize = if cfg!(target_family = "wasm") {
    64 << 10
} else if cfg!(target_os = "linux") {
    8 << 20
} else {
    1 << 20
};

/// The number of bytes at the start for which no large pages are asked. A set has many memories, and if it has few
/// positions, each needs little.
#[cfg(target_os = "linux")]
const SMALL: usize = 2 << 20;

/// The number of lines of a map.
const MAP: usize = SIZE / size_of::<CacheLine>();

/// Returns new memory, which is all zero.
#[cfg(not(target_family = "wasm"))]
fn map(is_first: bool) -> io::Result<Map> {
    let map = Map::map_anon(SIZE)?;
    #[cfg(target_os = "linux")]
    {
        let small = if is_first { SMALL } else { 0 };
        // The advice only affects speed, so an error is ignored.
        let _ = map.advise_range(memmap2::Advice::HugePage, small, SIZE - small);
    }
    // Other systems take no advice.
    #[cfg(not(target_os = "linux"))]
    let _ = is_first;
    Ok(map)
}

#[cfg(target_family = "wasm")]
fn map(_: bool) -> io::Result<Map> {
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(SIZE)?;
    bytes.resize(SIZE, 0);
    Ok(bytes.into_boxed_slice())
}

impl Memory {
    /// Returns the number of lines.
    pub(super) fn len(&self) -> usize {
        self.maps.len() * MAP
    }

    /// Adds lines.
    pub(super) fn grow(&mut self) -> io::Result<()> {
        self.maps.push(map(self.maps.is_empty())?);
        Ok(())
    }

    #[inline(always)]
    pub(super) fn line(&self, at: usize) -> &CacheLine {
        let bytes: &[u8] = &self.maps[at / MAP];
        &bytes.as_chunks().0.as_chunks().0[at % MAP]
    }

    #[inline(always)]
    pub(super) fn line_mut(&mut self, at: usize) -> &mut CacheLine {
        let bytes: &mut [u8] = &mut self.maps[at / MAP];
        &mut bytes.as_chunks_mut().0.as_chunks_mut().0[at % MAP]
    }
}

/// Whether a line has eight entries.
#[inline(always)]
pub(super) fn is_full(line: &CacheLine) -> bool {
    line[7] != NO_ENTRY
}

#[inline(always)]
pub(super) fn contains(line: &CacheLine, entry: u64) -> bool {
    // A sum costs less than a branch for each entry.
    line.iter().map(|other| u32::from(*other == entry.to_ne_bytes())).sum::<u32>() > 0
}

/// Adds an entry to a line that is not full.
#[inline(always)]
pub(super) fn push(line: &mut CacheLine, entry: u64) {
    let mut len = 0;
    for half in [4, 2, 1] {
        len += half * usize::from(line[len + half - 1] != NO_ENTRY);
    }
    line[len] = entry.to_ne_bytes();
}

#[cfg(test)]
mod tests {
    use super::{MAP, Memory, NO_LINE, contains, is_full, push};

    #[test]
    fn a_line_takes_eight_entries() {
        let mut line = NO_LINE;
        for entry in 1..=8 {
            assert!(!is_full(&line) && !contains(&line, entry));
            push(&mut line, entry);
            assert!((1..=entry).all(|entry| contains(&line, entry)), "{line:?}");
        }
        assert!(is_full(&line));
    }

    #[test]
    fn lines_are_empty_and_keep_what_is_written() {
        let mut memory = Memory::default();
        for map in 1..=2 {
            memory.grow().unwrap();
            assert_eq!(memory.len(), map * MAP);
        }
        for at in [0, MAP - 1, MAP, 2 * MAP - 1] {
            assert_eq!(*memory.line(at), NO_LINE);
            push(memory.line_mut(at), at as u64 + 1);
        }
        for at in [0, MAP - 1, MAP, 2 * MAP - 1] {
            assert!(contains(memory.line(at), at as u64 + 1));
            // A line is a line of the cache.
            assert_eq!(memory.line(at).as_ptr().addr() % size_of_val(&NO_LINE), 0);
        }
    }
}
