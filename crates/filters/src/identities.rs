//! A set of identities in little memory, on which many threads work at the same time.
//!
//! The set consists of lanes, and a lane of pages of lines with room for eight entries each. Some bits of an identity
//! give its lane and its part there, others its home: the line in which it is searched first, in any page. A part
//! begins with one page. When a page is full, half of its entries move to a new page, by the next of their other bits
//! (extendible hashing, Fagin et al. 1979). So no insertion waits for more than one page and the directory of pages,
//! which takes a few bytes for each. Parts get different shares of the entries. So there are pages in each state
//! between just divided and full at any time, and the free room of the set is always about the same.
//!
//! Lanes have nothing in common. The set is as if there were one thread, if each lane takes the batches in their order.
//!
//! An entry whose home is full is stored in another line of the page, at most 15 steps away. Its lowest bits tell the
//! number of steps. So its home follows from the line that it is in, and is not stored.

mod directory;
mod entry;
mod memory;

use std::hint::black_box;
use std::sync::{Mutex, PoisonError};

use crate::identities::directory::Directory;
use crate::identities::entry::Entry;
use crate::identities::memory::{CacheLine, Memory, NO_LINE, contains, is_full, push};
use crate::identity::Identity;

/// A set of positions that have been seen. If there are more than 600,000, each takes at most 16 bytes of memory.
/// The first hundred may take 64 KiB each.
///
/// It compares 77 of the 128 bits of identities: 60 that are stored, 10 for the home and 7 for the lane and the part.
/// Among a billion different positions, the probability that any two are taken for the same is 5 × 10⁻⁶.
#[doc(hidden)]
pub type Identities = Set<32, 1024>;

/// A set of lanes whose pages have `LINES` lines.
#[derive(Debug)]
#[doc(hidden)]
pub struct Set<const LANES: usize, const LINES: usize> {
    lanes: Box<[Mutex<Lane<LINES>>]>,
}

/// Some parts of a set.
#[derive(Debug)]
struct Lane<const LINES: usize> {
    memory: Memory,
    directory: Directory,
    pages: Vec<Page>,
}

/// The identities of a batch, divided among the lanes of a set.
#[derive(Debug, Default)]
#[doc(hidden)]
pub struct Dealt {
    /// The entries of the first lane, then those of the second, and so on. In each lane they have the order of the
    /// batch.
    entries: Vec<Entry>,
    /// The end of each lane in the entries.
    ends: Vec<u32>,
    /// Whether each identity of the batch is new. It is known when its lane has been inserted.
    are_new: Vec<bool>,
    /// By how much the lanes grew that were inserted.
    growth: Growth,
}

/// By how much a set grew.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[doc(hidden)]
pub struct Growth {
    /// The number of new identities.
    #[doc(hidden)]
    pub len: usize,
    /// The memory for them, in bytes.
    #[doc(hidden)]
    pub weight: usize,
    /// Whether there was no memory for all identities. The others were not inserted.
    #[doc(hidden)]
    pub is_full: bool,
}

/// The number of entries of a page of lines, and the bits by which they were chosen.
#[derive(Clone, Copy, Debug, Default)]
struct Page {
    /// The number of entries.
    len: usize,
    /// How many of their highest stored bits its entries share.
    depth: u32,
}

/// The number of lines in which an entry is searched: as many as the free bits of an entry can tell.
const REACH: usize = 1 << Entry::FREE;

/// The number of identities that are looked up together. The memory they need is read at the same time, not one after
/// another.
const TOGETHER: usize = 128;

impl<const LANES: usize, const LINES: usize> Default for Set<LANES, LINES> {
    fn default() -> Self {
        const { assert!(LANES.is_power_of_two() && LINES.is_power_of_two() && LINES >= REACH) };
        Self { lanes: (0..LANES).map(|_| Mutex::default()).collect() }
    }
}

impl<const LANES: usize, const LINES: usize> Set<LANES, LINES> {
    /// The number of lanes.
    #[doc(hidden)]
    pub const LANES: usize = LANES;

    /// Divides the identities of a batch among the lanes. The memory of `dealt` is used again.
    #[doc(hidden)]
    pub fn deal(identities: &[Identity], dealt: &mut Dealt) {
        let Dealt { entries, ends, are_new, growth } = dealt;
        *growth = Growth::default();
        are_new.clear();
        are_new.resize(identities.len(), false);
        // The next place of each lane. When all entries have theirs, it is the end of the lane.
        ends.clear();
        ends.resize(LANES + 1, 0);
        identities.iter().for_each(|identity| ends[Entry::lane(*identity, LANES).0 + 1] += 1);
        (0..LANES).for_each(|lane| ends[lane + 1] += ends[lane]);
        entries.resize(identities.len(), Entry::default());
        for (place, identity) in (0..).zip(identities) {
            let (lane, part) = Entry::lane(*identity, LANES);
            entries[ends[lane] as usize] = Entry::new(*identity, part, LINES, place);
            ends[lane] += 1;
        }
    }

    /// Adds the identities of a batch that are in a lane.
    #[doc(hidden)]
    pub fn insert(&self, lane: usize, dealt: &mut Dealt) {
        let Dealt { entries, ends, are_new, growth } = dealt;
        let start = if lane == 0 { 0 } else { ends[lane - 1] };
        let range = start as usize..ends[lane] as usize;
        if range.is_empty() || growth.is_full {
            return;
        }
        // A panic of another worker has stopped the walk.
        let mut lane = self.lanes[lane].lock().unwrap_or_else(PoisonError::into_inner);
        let weight = lane.weight();
        let inserted = lane.insert(&entries[range], |place, is_new| {
            are_new[place as usize] = is_new;
            growth.len += usize::from(is_new);
        });
        growth.is_full = inserted.is_none();
        growth.weight += lane.weight() - weight;
    }
}

impl Dealt {
    /// Returns for each identity of the batch whether it is new. All lanes must have been inserted.
    #[doc(hidden)]
    pub fn are_new(&self) -> &[bool] {
        &self.are_new
    }

    /// Returns by how much the set grew.
    #[doc(hidden)]
    pub fn growth(&self) -> Growth {
        self.growth
    }
}

impl<const LINES: usize> Default for Lane<LINES> {
    fn default() -> Self {
        Self { memory: Memory::default(), directory: Directory::new(Entry::PARTS), pages: Vec::new() }
    }
}

impl<const LINES: usize> Lane<LINES> {
    /// The number of entries at which a page is divided. At 77 % a tenth of the entries are not at home; with more,
    /// searches take longer.
    const FULL: usize = LINES * 8 * 77 / 100;

    /// Adds entries, and tells for each place whether the entry is new. None if there is no memory for more entries.
    fn insert(&mut self, entries: &[Entry], mut tell: impl FnMut(u32, bool)) -> Option<()> {
        if self.pages.is_empty() {
            // Page 0, to which parts without entries lead, is empty but takes no entries.
            self.memory.grow().ok()?;
            self.pages.push(Page { len: Self::FULL, depth: 0 });
        }
        for together in entries.chunks(TOGETHER) {
            let mut homes = self.homes(together);
            self.read_ahead(&homes[..together.len()]);
            for (nth, entry) in together.iter().enumerate() {
                let is_new = loop {
                    if let Some(is_new) = self.try_insert(homes[nth], *entry) {
                        break is_new;
                    }
                    self.make_room(*entry)?;
                    homes = self.homes(together);
                };
                tell(entry.place, is_new);
            }
        }
        Some(())
    }

    /// Returns the size in memory, in bytes, without page 0.
    fn weight(&self) -> usize {
        let each = LINES * size_of::<CacheLine>() + size_of::<Page>();
        self.pages.len().saturating_sub(1) * each + self.directory.weight()
    }

    /// Returns the number of the first line that is searched for each entry, and behind the last entry 0.
    #[inline(always)]
    fn homes(&self, entries: &[Entry]) -> [usize; TOGETHER] {
        let mut homes = [0; TOGETHER];
        for (home, entry) in homes.iter_mut().zip(entries) {
            *home = self.home(*entry);
        }
        homes
    }

    #[inline(always)]
    fn home(&self, entry: Entry) -> usize {
        self.directory.page(entry) * LINES + usize::from(entry.home)
    }

    /// Reads the lines that the insertion of entries with these homes will need, without waiting for one line before
    /// the next.
    #[inline(never)]
    fn read_ahead(&self, homes: &[usize]) {
        let (mut lines, mut others, mut full) = ([&NO_LINE; TOGETHER], [&NO_LINE; TOGETHER], 0);
        for (line, home) in lines.iter_mut().zip(homes) {
            *line = self.memory.line(*home);
        }
        let lines = &lines[..homes.len()];
        read(lines);
        for (home, line) in homes.iter().zip(lines) {
            others[full] = self.memory.line(home ^ 1);
            full += usize::from(is_full(line));
        }
        read(&others[..full]);
    }

    /// Adds an entry with this home, and returns whether it is new. None if there is too little room.
    #[inline(always)]
    fn try_insert(&mut self, home: usize, entry: Entry) -> Option<bool> {
        for step in 0..REACH {
            let line = self.memory.line_mut(home ^ step);
            let stored = entry.stored | step as u64;
            if contains(line, stored) {
                return Some(false);
            }
            if !is_full(line) {
                let page = &mut self.pages[home / LINES];
                if page.len >= Self::FULL {
                    return None;
                }
                page.len += 1;
                push(line, stored);
                return Some(true);
            }
        }
        None
    }

    /// Makes room for more entries in the page of an entry. None if there is no memory.
    #[cold]
    fn make_room(&mut self, entry: Entry) -> Option<()> {
        let page = self.directory.page(entry);
        if page == 0 {
            return self.add_page(entry, 0);
        }
        // Only entries that were made to be alike need so large a directory for so few pages.
        if self.directory.len() > 1024 * self.pages.len() {
            return None;
        }
        let depth = self.pages[page].depth + 1;
        let bit = 1 << (u64::BITS - depth);
        let new = self.pages.len();
        self.add_page(Entry { stored: entry.stored | bit, ..entry }, depth)?;
        self.pages[page].depth = depth;
        for entry in self.divide(entry.part, [page, new], bit) {
            // The lines of its search had room for it before some entries moved away.
            let inserted = self.try_insert(self.home(entry), entry);
            debug_assert_eq!(inserted, Some(true), "there is room for an entry that was in this page");
        }
        Some(())
    }

    /// Adds a page for the entries that share the part and so many bits with this one. None if there is no memory.
    fn add_page(&mut self, entry: Entry, depth: u32) -> Option<()> {
        let page = self.pages.len();
        let number = u32::try_from(page).ok()?;
        if self.memory.len() < (page + 1) * LINES {
            self.memory.grow().ok()?;
        }
        self.pages.push(Page { len: 0, depth });
        self.directory.set(entry, depth, number);
        Some(())
    }

    /// Moves the entries of a page that have this bit to the same lines of an empty page. Removes the entries that are
    /// not at home, and returns them.
    #[expect(clippy::cast_possible_truncation, reason = "there are 16 steps, and few lines")]
    fn divide(&mut self, part: u16, pages: [usize; 2], bit: u64) -> Vec<Entry> {
        let mut removed = Vec::new();
        let mut lens = [0; 2];
        for nth in 0..LINES {
            let (mut lines, mut ends) = ([NO_LINE; 2], [0; 2]);
            for bytes in *self.memory.line(pages[0] * LINES + nth) {
                let stored = u64::from_ne_bytes(bytes);
                let step = stored % REACH as u64;
                if step > 0 {
                    let home = (nth ^ step as usize) as u16;
                    removed.push(Entry { stored: stored - step, home, part, ..Entry::default() });
                } else {
                    // Empty places are the last of the line. For them, 0 is written where 0 is.
                    let side = usize::from(stored & bit != 0);
                    lines[side][ends[side]] = bytes;
                    ends[side] += usize::from(stored != 0);
                }
            }
            for side in 0..2 {
                *self.memory.line_mut(pages[side] * LINES + nth) = lines[side];
                lens[side] += ends[side];
            }
        }
        for (page, len) in pages.into_iter().zip(lens) {
            self.pages[page].len = len;
        }
        removed
    }
}

/// Reads lines. This loop has so few instructions that a processor begins to read all of them before the first has
/// arrived.
#[inline(always)]
fn read(lines: &[&CacheLine]) {
    black_box(black_box(lines).iter().map(|line| usize::from(line[0][0])).sum::<usize>());
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::{Dealt, Entry, Growth, Identities, Identity, Lane, REACH, Set};
    use crate::sample::mixed;

    fn identities(numbers: impl IntoIterator<Item = u64>) -> Vec<Identity> {
        // The identities of consecutive places are spread more evenly than those of positions.
        let identity = |number| Identity::of_place(mixed(1, &[number]), mixed(2, &[number]));
        numbers.into_iter().map(identity).collect()
    }

    /// Adds identities as one batch, lane by lane.
    fn insert_all<const LANES: usize, const LINES: usize>(
        set: &Set<LANES, LINES>,
        numbers: impl IntoIterator<Item = u64>,
    ) -> (Vec<bool>, Growth) {
        let mut dealt = Dealt::default();
        Set::<LANES, LINES>::deal(&identities(numbers), &mut dealt);
        (0..LANES).for_each(|lane| set.insert(lane, &mut dealt));
        (dealt.are_new().to_vec(), dealt.growth())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

        /// The pages have 128 places, so they are divided often.
        #[test]
        fn an_identity_is_new_as_a_plain_set_has_it(
            batches in prop::collection::vec(prop::collection::vec(0..20_000u64, 0..3000), 1..40),
        ) {
            let (set, mut plain) = (Set::<2, 16>::default(), HashSet::new());
            for batch in batches {
                let before = plain.len();
                let expected: Vec<bool> = batch.iter().map(|number| plain.insert(*number)).collect();
                let (are_new, growth) = insert_all(&set, batch);
                prop_assert_eq!(are_new, expected);
                prop_assert_eq!((growth.len, growth.is_full), (plain.len() - before, false));
            }
        }
    }

    #[test]
    fn a_large_set_takes_few_bytes_for_each_identity() {
        let set = Identities::default();
        let (mut len, mut weight) = (0, 0);
        for step in 1..=120u64 {
            let numbers = (step - 1) * 10_000..step * 10_000;
            let (are_new, growth) = insert_all(&set, numbers.clone());
            assert!(are_new.iter().all(|is_new| *is_new));
            len += growth.len;
            weight += growth.weight;
            let (are_new, growth) = insert_all(&set, numbers);
            assert!(!are_new.contains(&true) && growth == Growth::default(), "{growth:?}");
            let each = weight as f64 / (10_000 * step) as f64;
            assert!((14.0..16.0).contains(&each) || step < 60, "{each} bytes for each of {step} × 10,000");
        }
        assert_eq!(len, 1_200_000);
        let lanes = || set.lanes.iter().map(|lane| lane.lock().unwrap());
        assert!(lanes().all(|lane| lane.weight() > lane.directory.weight() + (lane.pages.len() - 1) * (64 << 10)));
    }

    /// Inserts entries that have the same home and whose bits differ as these numbers. None if there is no memory.
    #[track_caller]
    fn insert_alike(numbers: impl Iterator<Item = u64> + Clone) -> Option<()> {
        let mut lane = Lane::<64>::default();
        let entry = |(place, number): (u32, u64)| Entry {
            stored: number.reverse_bits() | 1 << Entry::FREE,
            place,
            home: 17,
            part: 1,
        };
        let entries: Vec<Entry> = (0..).zip(numbers).map(entry).collect();
        for is_new in [true, false] {
            let mut count = 0;
            lane.insert(&entries, |place, told| {
                assert_eq!((place as usize, told), (count, is_new));
                count += 1;
            })?;
            assert_eq!(count, entries.len());
        }
        Some(())
    }

    #[test]
    fn entries_with_one_home_are_told_apart() {
        // A page has room for 128 of them.
        assert_eq!(8 * REACH, 128);
        insert_alike(0..2000).unwrap();
    }

    /// More entries with one home than a page has room for, which agree in more bits than a directory can have.
    #[test]
    fn entries_that_are_all_alike_are_refused() {
        let alike = |count: u64| insert_alike((0..count).map(|number| number << 40));
        alike(128).unwrap();
        assert_eq!(alike(129), None);
    }
}
