//! An identity as a set stores it.

use crate::identity::Identity;

/// The parts of an identity by which a lane finds an entry and tells it from others, and its place in a batch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Entry {
    /// The bits that are stored. They are not 0, but the lowest [`FREE`](Self::FREE) are.
    pub(super) stored: u64,
    /// The place of the identity in its batch.
    pub(super) place: u32,
    /// The line of the page that is searched first.
    pub(super) home: u16,
    /// The number of the part in its lane, less than [`PARTS`](Self::PARTS).
    pub(super) part: u16,
}

impl Entry {
    /// The number of low bits that are 0.
    pub(super) const FREE: u32 = 4;

    /// The number of bits of a path, without the part.
    pub(super) const PATH: u32 = 48;

    /// The number of parts of a lane.
    pub(super) const PARTS: usize = 4;

    /// Returns the lane and the part of an identity, if there are `lanes` lanes, a power of two.
    ///
    /// The last of all parts gets twice as many entries as the first. If the first 2 (1 − 2⁻ˣ) of the parts had a
    /// fraction x of the entries, pages would be divided at the same rate at any time. This uses x (4 − x) / 3, which
    /// differs by less than 0.006. Lanes take parts in turn: forwards, twice backwards, and forwards
    /// again. So all get about the same share.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "these are parts of the hash")]
    pub(super) fn lane(identity: Identity, lanes: usize) -> (usize, u16) {
        let x = identity.halves()[1] >> 48;
        let nth = (x * ((4 << 16) - x) * (Self::PARTS * lanes) as u64 / 3) >> 32;
        let part = nth as usize / lanes;
        let lane = if part.count_ones().is_multiple_of(2) { nth as usize } else { !nth as usize };
        (lane % lanes, part as u16)
    }

    /// Returns the entry of an identity in this part, for pages of `lines` lines, a power of two.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "these are parts of the hash")]
    pub(super) fn new(identity: Identity, part: u16, lines: usize, place: u32) -> Self {
        let [high, low] = identity.halves();
        let stored = high >> Self::FREE << Self::FREE;
        Self { stored: stored.max(1 << Self::FREE), place, home: (low as usize % lines) as u16, part }
    }

    /// Returns the number of the part, and below it the highest [`PATH`](Self::PATH) bits of those that are stored.
    #[inline(always)]
    pub(super) fn path(self) -> u64 {
        u64::from(self.part) << Self::PATH | self.stored >> (u64::BITS - Self::PATH)
    }
}

#[cfg(test)]
mod tests {
    use super::Entry;
    use crate::identity::Identity;

    #[test]
    fn lanes_get_about_the_same_share_and_their_parts_different_ones() {
        const LANES: usize = 4;
        let mut counts = [[0; Entry::PARTS]; LANES];
        for number in 0..240_000 {
            let identity = Identity::of_place(number, 0);
            let (lane, part) = Entry::lane(identity, LANES);
            let entry = Entry::new(identity, part, 64, 7);
            assert!(entry.home < 64 && entry.stored != 0 && entry.stored.is_multiple_of(1 << Entry::FREE));
            assert_eq!((entry.part, entry.place), (part, 7));
            assert_eq!(entry.path() >> Entry::PATH, u64::from(part));
            counts[lane][usize::from(part)] += 1;
        }
        let forwards = |part: usize| [0, 3].contains(&part);
        let lane = |part, nth| if forwards(part) { nth } else { LANES - 1 - nth };
        let parts: Vec<u32> = (0..Entry::PARTS)
            .flat_map(|part| (0..LANES).map(move |nth| (part, lane(part, nth))))
            .map(|(part, lane)| counts[lane][part])
            .collect();
        assert!(parts.is_sorted(), "{parts:?}");
        // Within the first and the last part, too, the share grows.
        let ratio = f64::from(parts[parts.len() - 1]) / f64::from(parts[0]);
        assert!((1.75..2.05).contains(&ratio), "{parts:?}");
        for of_lane in counts {
            assert!((59_000..61_200).contains(&of_lane.iter().sum::<u32>()), "{counts:?}");
        }
    }
}
