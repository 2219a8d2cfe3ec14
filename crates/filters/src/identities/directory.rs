//! The page of each entry of a set.

use crate::identities::entry::Entry;

/// Finds the page of an entry by the first bits of its path.
#[derive(Debug)]
pub(super) struct Directory {
    /// The pages by the first bits of the paths that lead to them. A page to which fewer bits lead is repeated.
    pages: Vec<u32>,
    /// The number of bits that are used, without those of the part.
    depth: u32,
}

impl Directory {
    /// Creates a directory in which all parts lead to page 0.
    pub(super) fn new(parts: usize) -> Self {
        Self { pages: vec![0; parts], depth: 0 }
    }

    /// Returns the number of places for pages.
    pub(super) fn len(&self) -> usize {
        self.pages.len()
    }

    /// Returns the size in memory, in bytes.
    pub(super) fn weight(&self) -> usize {
        self.pages.len() * size_of::<u32>()
    }

    /// Returns the number of the page of an entry.
    #[inline(always)]
    pub(super) fn page(&self, entry: Entry) -> usize {
        self.pages[self.place(entry)] as usize
    }

    /// Sets the page of all entries whose paths share the part and this number of bits with that of `entry`.
    pub(super) fn set(&mut self, entry: Entry, depth: u32, page: u32) {
        while self.depth < depth {
            self.pages = self.pages.iter().flat_map(|page| [*page, *page]).collect();
            self.depth += 1;
        }
        let size = 1 << (self.depth - depth);
        let first = self.place(entry) & !(size - 1);
        self.pages[first..first + size].fill(page);
    }

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "a directory is in memory")]
    fn place(&self, entry: Entry) -> usize {
        (entry.path() >> (Entry::PATH - self.depth)) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::Directory;
    use crate::identities::entry::Entry;

    #[test]
    fn a_page_is_found_by_the_first_bits() {
        let entry = |part, bits: u64| Entry { part, stored: bits << 60, ..Entry::default() };
        let mut directory = Directory::new(3);
        directory.set(entry(1, 0), 0, 7);
        directory.set(entry(1, 0b1000), 1, 8);
        directory.set(entry(1, 0b1010), 3, 9);
        directory.set(entry(2, 0b0100), 2, 5);
        let pages = |part| (0..16).map(|bits| directory.page(entry(part, bits))).collect::<Vec<_>>();
        assert_eq!(pages(0), [0; 16]);
        assert_eq!(pages(1), [7, 7, 7, 7, 7, 7, 7, 7, 8, 8, 9, 9, 8, 8, 8, 8]);
        assert_eq!(pages(2), [0, 0, 0, 0, 5, 5, 5, 5, 0, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!((directory.len(), directory.weight()), (24, 96));
    }
}
