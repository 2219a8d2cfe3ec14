//! An identity as a set stores it.

use crate::selection::identity::Identity;

/// The parts of an identity by which a set finds an entry and tells it from others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Entry {
    /// The number of the part in its lane, and below it the highest [`PATH`](Self::PATH) bits of `stored`.
    pub(super) path: u64,
    /// The line of the page that is searched first.
    pub(super) home: usize,
    /// The bits that are stored. They are not 0, but the lowest [`FREE`](Self::FREE) are.
    pub(super) stored: u64,
}

impl Entry {
    /// The number of low bits that are 0.
    pub(super) const FREE: u32 = 4;

    /// The number of bits of a path, without the part.
    pub(super) const PATH: u32 = 48;

    /// Returns the lane and the entry of an identity, for a set of 3 × `third` parts whose pages have `lines` lines.
    ///
    /// The first lane has the first part and the last, and so on. So no lane gets more than 1.12 times its share. The
    /// last part gets twice as many entries as the first. If the first 2 (1 − 2⁻ˣ) of the parts had a fraction x of
    /// the entries, pages would be divided at the same rate at any time. This uses x (4 − x) / 3, which differs by less
    /// than 0.006.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "these are parts of the hash")]
    pub(super) fn new(identity: Identity, third: u64, lines: usize) -> (usize, Self) {
        let [high, low] = identity.halves();
        let x = low >> 48;
        let part = (x * ((4 << 16) - x) * third) >> 32;
        let opposite = 3 * third - 1 - part;
        let stored = high >> Self::FREE << Self::FREE;
        let entry = Self::at(u64::from(opposite < part), low as usize % lines, stored.max(1 << Self::FREE));
        (part.min(opposite) as usize, entry)
    }

    /// Returns the entry with these bits in a part.
    #[inline(always)]
    pub(super) fn at(part: u64, home: usize, stored: u64) -> Self {
        Self { path: part << Self::PATH | stored >> (u64::BITS - Self::PATH), home, stored }
    }

    /// Returns the number of the part.
    #[inline(always)]
    pub(super) fn part(self) -> u64 {
        self.path >> Self::PATH
    }
}

#[cfg(test)]
mod tests {
    use super::Entry;
    use crate::selection::identity::Identity;

    #[test]
    fn lanes_get_about_the_same_share_and_their_parts_different_ones() {
        const LANES: usize = 6;
        let mut counts = [[0; 2]; LANES];
        for number in 0..200_000 {
            let (lane, entry) = Entry::new(Identity::of_place(number, 0), 2 * LANES as u64 / 3, 64);
            assert!(entry.home < 64 && entry.stored != 0 && entry.stored.is_multiple_of(1 << Entry::FREE));
            assert_eq!(Entry::at(entry.part(), entry.home, entry.stored), entry);
            counts[lane][usize::try_from(entry.part()).unwrap()] += 1;
        }
        let parts: Vec<u32> = counts.iter().map(|of| of[0]).chain(counts.iter().rev().map(|of| of[1])).collect();
        assert!(parts.is_sorted(), "{parts:?}");
        // Within the first and the last part, too, the share grows.
        let ratio = f64::from(parts[2 * LANES - 1]) / f64::from(parts[0]);
        assert!((1.75..2.05).contains(&ratio), "{parts:?}");
        for [first, second] in counts {
            assert!((0.91..1.12).contains(&(f64::from(first + second) * LANES as f64 / 2e5)), "{counts:?}");
        }
    }
}
