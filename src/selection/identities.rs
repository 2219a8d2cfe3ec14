//! A set of identities in little memory.
//!
//! The set is divided into shards by some bits of an identity. A shard is one array of lines with room for seven entries each. The home of
//! an entry, the line that its value and the size of the array give, is the first line that is searched; if it is full, the search goes on
//! in the line below. An array that has doubled is spread from its end, so entries are moved within it. Only one shard grows at a time,
//! and each begins with another size, so no insertion waits for the whole set, and the free room of the set is always about the same.

use std::fmt;
use std::hint::black_box;

use crate::selection::identity::Identity;

/// A set of positions that have been seen. Each takes about 16 bytes of memory.
///
/// It compares 80 of the 128 bits of identities. Among a billion different positions, the probability that any two are taken for the same
/// is 4 × 10⁻⁷.
#[derive(Clone)]
pub(crate) struct Identities {
    shards: Vec<Shard>,
}

/// The number of shards.
const SHARDS: usize = 256;

/// The number of lines of the smallest shard, when it gets its first entry.
const FIRST_LINES: f64 = 40.0;

/// The number of identities that are looked up together. The memory they need is read at the same time, not one after another.
const TOGETHER: usize = 64;

impl Default for Identities {
    #[expect(clippy::cast_possible_truncation, reason = "the sizes are less than twice the smallest")]
    fn default() -> Self {
        // The ratio of each first size to the one before is the same, and the last is nearly double the first: at any time, as many shards
        // have just doubled as are about to.
        let first = |number: usize| (FIRST_LINES * 2f64.powf(number as f64 / SHARDS as f64)) as usize;
        Self { shards: (0..SHARDS).map(|number| Shard { first: first(number), ..Shard::default() }).collect() }
    }
}

impl Identities {
    /// Adds identities, and returns for each whether it is new.
    pub(crate) fn insert_all(&mut self, identities: impl Iterator<Item = Identity>) -> Vec<bool> {
        let mut entries = identities.map(Identity::parts);
        let mut are_new = Vec::with_capacity(entries.size_hint().0);
        let mut together = Vec::with_capacity(TOGETHER);
        loop {
            together.extend(entries.by_ref().take(TOGETHER));
            if together.is_empty() {
                return are_new;
            }
            self.read_ahead(&together);
            are_new.extend(together.drain(..).map(|(shard, entry)| self.shards[shard].insert(entry)));
        }
    }

    /// Reads the memory that the insertion of these entries will need, without waiting for one line before the next.
    fn read_ahead(&self, entries: &[(usize, Entry)]) {
        let mut lines = [[&NO_LINE; 2]; TOGETHER];
        for (lines, (shard, entry)) in lines.iter_mut().zip(entries) {
            *lines = self.shards[*shard].first_lines(entry);
        }
        // This loop has so few instructions that a processor begins to read all lines before the first has arrived.
        black_box(black_box(&lines).as_flattened().iter().map(|line| line.len()).sum::<usize>());
    }

    /// Returns the number of identities.
    pub(crate) fn len(&self) -> usize {
        self.shards.iter().map(|shard| shard.len).sum()
    }

    /// Returns the size in memory, in bytes.
    pub(crate) fn weight(&self) -> usize {
        self.shards.iter().map(|shard| shard.lines.capacity() * size_of::<Line>()).sum()
    }
}

impl fmt::Debug for Identities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Identities").field("len", &self.len()).finish_non_exhaustive()
    }
}

/// The bits of an identity that a shard stores.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// The bits by which entries are compared first.
    mark: u8,
    bits: u64,
}

impl Identity {
    /// Returns the number of the shard, and the entry in it.
    #[expect(clippy::cast_possible_truncation, reason = "these are parts of the hash")]
    fn parts(self) -> (usize, Entry) {
        let [high, low] = self.halves();
        (low as usize % SHARDS, Entry { mark: (low >> 56) as u8, bits: high })
    }
}

/// The number of entries of a line.
const ROOM: usize = 7;

/// The number of entries in 16 lines at which a shard doubles.
const FULL: usize = 94;

/// Some entries. It is a line of the processor's cache.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct Line {
    /// The marks of the entries, and at the end their number.
    marks: [u8; 8],
    bits: [u64; ROOM],
}

/// The line in place of one that does not exist.
static NO_LINE: Line = Line { marks: [0; 8], bits: [0; ROOM] };

impl Line {
    fn len(&self) -> usize {
        self.marks[7].into()
    }

    fn contains(&self, entry: &Entry) -> bool {
        // All marks are compared at once.
        let mut equal = 0u32;
        for (nth, mark) in self.marks.iter().enumerate() {
            equal |= u32::from(*mark == entry.mark) << nth;
        }
        equal &= (1 << self.len()) - 1;
        while equal != 0 {
            if self.bits[equal.trailing_zeros() as usize] == entry.bits {
                return true;
            }
            equal &= equal - 1;
        }
        false
    }

    /// Adds an entry if there is room.
    fn push(&mut self, entry: &Entry) -> bool {
        let nth = self.len();
        if nth >= ROOM {
            return false;
        }
        self.marks[nth] = entry.mark;
        self.bits[nth] = entry.bits;
        self.marks[7] += 1;
        true
    }

    /// Removes all entries and returns them.
    fn take(&mut self) -> impl Iterator<Item = Entry> + use<> {
        let Self { marks, bits } = std::mem::take(self);
        marks.into_iter().zip(bits).take(marks[7].into()).map(|(mark, bits)| Entry { mark, bits })
    }
}

#[derive(Clone, Default)]
struct Shard {
    lines: Vec<Line>,
    /// The number of entries.
    len: usize,
    /// The number of lines to begin with.
    first: usize,
}

impl Shard {
    /// Returns the lines that are searched first for an entry.
    #[inline]
    fn first_lines(&self, entry: &Entry) -> [&Line; 2] {
        let home = self.home(entry);
        [home, home.wrapping_sub(1)].map(|at| self.lines.get(at).unwrap_or(&NO_LINE))
    }

    /// Adds an entry, and returns whether it is new.
    #[inline]
    fn insert(&mut self, entry: Entry) -> bool {
        loop {
            if let Some(is_new) = self.try_insert(&entry) {
                return is_new;
            }
            self.grow();
        }
    }

    /// Adds an entry unless there is too little room.
    #[inline]
    fn try_insert(&mut self, entry: &Entry) -> Option<bool> {
        // More entries would make too many lines full.
        let is_room = self.len * 16 < self.lines.len() * FULL;
        let mut at = self.home(entry);
        loop {
            let line = self.lines.get_mut(at)?;
            if line.contains(entry) {
                return Some(false);
            }
            if line.len() < ROOM {
                self.len += usize::from(is_room && line.push(entry));
                return is_room.then_some(true);
            }
            at = at.checked_sub(1)?;
        }
    }

    /// Returns the highest line that an entry may be in. The lowest lines are the home of no entry, because entries move down.
    #[inline]
    fn home(&self, entry: &Entry) -> usize {
        let lines = self.lines.len();
        let lowest = lines / 32;
        lowest + (((entry.bits >> 32) * (lines - lowest) as u64) >> 32) as usize
    }

    /// Makes room for more entries. A home never moves down, so if the lines are emptied from the highest to the lowest, each entry finds
    /// room in the line that it left, or above it.
    #[cold]
    fn grow(&mut self) {
        let before = self.lines.len();
        let more = if before == 0 { self.first } else { before };
        self.lines.reserve_exact(more);
        self.lines.resize(before + more, Line::default());
        for at in (0..before).rev() {
            for entry in self.lines[at].take() {
                let mut to = self.home(&entry);
                while !self.lines[to].push(&entry) {
                    to -= 1;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::{Entry, Identities, Identity, SHARDS, Shard};

    fn identities(numbers: impl IntoIterator<Item = u64>) -> impl Iterator<Item = Identity> {
        numbers.into_iter().map(|number| Identity::of_place(number, 0))
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

        #[test]
        fn an_identity_is_new_as_a_plain_set_has_it(
            batches in prop::collection::vec(prop::collection::vec(0..20_000u64, 0..3000), 1..40),
        ) {
            let (mut set, mut plain) = (Identities::default(), HashSet::new());
            for batch in batches {
                let expected: Vec<bool> = batch.iter().map(|number| plain.insert(*number)).collect();
                prop_assert_eq!(set.insert_all(identities(batch)), expected);
            }
        }
    }

    #[test]
    fn a_large_set_takes_few_bytes_for_each_identity() {
        let mut set = Identities::default();
        for step in 1..=12u64 {
            let numbers = (step - 1) * 50_000..step * 50_000;
            assert!(set.insert_all(identities(numbers.clone())).iter().all(|is_new| *is_new));
            assert!(!set.insert_all(identities(numbers)).contains(&true));
            let each = set.weight() as u64 / (50_000 * step);
            assert!((12..=16).contains(&each) || step < 3, "{each} bytes for each of {step} × 50,000");
        }
        assert_eq!(set.shards.len(), SHARDS);
    }

    /// A shard holds entries that all have the same home.
    #[test]
    fn entries_with_one_home_are_told_apart() {
        for home in [0, 1 << 62, u64::MAX << 32] {
            let mut shard = Shard { first: 5, ..Shard::default() };
            let entries = (0..400)
                .map(|nth: u16| Entry { mark: u8::try_from(nth % 3).unwrap(), bits: home | u64::from(nth / 3) });
            assert!(entries.clone().all(|entry| shard.insert(entry)), "{home}");
            assert!(!entries.clone().any(|entry| shard.insert(entry)), "{home}");
            assert_eq!(shard.len, 400);
        }
    }
}
