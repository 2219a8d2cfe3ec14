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
/// The first maps are small, because a set has many memories. Each of the following doubles the memory until maps have
/// their greatest size. The system is asked for large pages of memory for large maps. A processor keeps the addresses
/// of few pages, and looks up all others in memory: with large ones, random access to 240 MB takes a quarter less time.
#[derive(Debug, Default)]
pub(super) struct Memory {
    maps: Vec<Map>,
}

/// The size of the first map in bytes.
const LEAST: usize = 64 << 10;

/// The greatest size of a map in bytes. A map takes no memory where nothing has been written, but in WebAssembly it
/// takes all.
const GREATEST: usize = if cfg!(target_family = "wasm") { 1 << 20 } else { 32 << 20 };

/// The least size of a map for which large pages are asked, in bytes. A large page has 2 MiB, and is not at the start
/// of a map.
#[cfg(target_os = "linux")]
const LARGE: usize = 4 << 20;

/// The number of lines of the first map.
const FIRST: usize = LEAST / size_of::<CacheLine>();

/// The number of lines of the largest map.
const MOST: usize = GREATEST / size_of::<CacheLine>();

/// The number of the first map behind those that double the memory.
const DOUBLED: usize = (2 * MOST / FIRST).ilog2() as usize + 1;

/// Returns the size of a map in bytes.
fn size(nth: usize) -> usize {
    if nth < DOUBLED { LEAST << nth.saturating_sub(1) } else { GREATEST }
}

/// Returns the number of the map that a line is in, and the number of the line there.
#[inline(always)]
fn place(at: usize) -> (usize, usize) {
    if at >= 2 * MOST {
        (DOUBLED - 2 + at / MOST, at % MOST)
    } else if at >= FIRST {
        let doublings = (at / FIRST).ilog2();
        (doublings as usize + 1, at - (FIRST << doublings))
    } else {
        (0, at)
    }
}

/// Returns new memory, which is all zero.
#[cfg(not(target_family = "wasm"))]
fn map(size: usize) -> io::Result<Map> {
    let map = Map::map_anon(size)?;
    // The advice only affects speed, so an error is ignored. Other systems take no advice.
    #[cfg(target_os = "linux")]
    if size >= LARGE {
        let _ = map.advise(memmap2::Advice::HugePage);
    }
    Ok(map)
}

#[cfg(target_family = "wasm")]
fn map(size: usize) -> io::Result<Map> {
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(size)?;
    bytes.resize(size, 0);
    Ok(bytes.into_boxed_slice())
}

impl Memory {
    /// Returns the number of lines.
    pub(super) fn len(&self) -> usize {
        self.maps.iter().map(|map| map.len() / size_of::<CacheLine>()).sum()
    }

    /// Adds lines.
    pub(super) fn grow(&mut self) -> io::Result<()> {
        self.maps.push(map(size(self.maps.len()))?);
        Ok(())
    }

    #[inline(always)]
    pub(super) fn line(&self, at: usize) -> &CacheLine {
        let (map, at) = place(at);
        let bytes: &[u8] = &self.maps[map];
        &bytes.as_chunks().0.as_chunks().0[at]
    }

    #[inline(always)]
    pub(super) fn line_mut(&mut self, at: usize) -> &mut CacheLine {
        let (map, at) = place(at);
        let bytes: &mut [u8] = &mut self.maps[map];
        &mut bytes.as_chunks_mut().0.as_chunks_mut().0[at]
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
    use super::{CacheLine, FIRST, MOST, Memory, NO_LINE, contains, is_full, push, size};

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
        let mut bounds = vec![0];
        while memory.len() < 4 * MOST {
            let maps = bounds.len() - 1;
            memory.grow().unwrap();
            assert_eq!((memory.len() - bounds[maps]) * size_of::<CacheLine>(), size(maps), "map {maps}");
            bounds.push(memory.len());
        }
        assert_eq!(bounds[..4], [0, FIRST, 2 * FIRST, 4 * FIRST]);
        assert_eq!(bounds[bounds.len() - 3..], [2 * MOST, 3 * MOST, 4 * MOST]);
        let ends = || bounds.windows(2).flat_map(|map| [map[0], map[1] - 1]);
        for at in ends() {
            assert_eq!(*memory.line(at), NO_LINE, "{at}");
            push(memory.line_mut(at), at as u64 + 1);
        }
        for at in ends() {
            assert!(contains(memory.line(at), at as u64 + 1), "{at}");
            // A line is a line of the cache.
            assert_eq!(memory.line(at).as_ptr().addr() % size_of_val(&NO_LINE), 0);
        }
    }
}
