//! The levels of a page, looked at before the package `parquet` decodes them: how long the lists of a column are.

use crate::tabular::parquet::numbers::varint;

/// The most elements of a list. The longest game has 17,697 plies.
pub(super) const MOST_ELEMENTS: u64 = 128 * 1024;

/// Counts the elements of lists from page to page. A list may go on in the next page.
#[derive(Debug, Default)]
pub(super) struct Lists {
    /// The number of elements of the list that was seen last.
    open: u64,
    longest: u64,
}

impl Lists {
    /// Sees the repetition levels of a page with so many values: runs of equal levels, or groups of eight levels with a
    /// bit each. A list begins where the level is 0. Returns false if a list is too long.
    pub(super) fn see(&mut self, levels: &[u8], values: u64) -> bool {
        let (mut rest, mut left) = (levels, values);
        while left > 0 {
            let Some(run) = varint(&mut rest) else { break };
            let count = run >> 1;
            if run & 1 == 0 {
                let Some((level, behind)) = rest.split_first() else { break };
                rest = behind;
                self.run(*level & 1 == 1, count.min(left));
                left -= count.min(left);
                continue;
            }
            for _ in 0..count {
                let Some((group, behind)) = rest.split_first() else { break };
                rest = behind;
                let bits = left.min(8);
                (0..bits).for_each(|bit| self.run(group >> bit & 1 == 1, 1));
                left -= bits;
            }
            if count == 0 {
                break;
            }
        }
        self.longest <= MOST_ELEMENTS
    }

    /// Sees levels that are not read: they may all be those of one list.
    pub(super) fn see_any(&mut self, values: u64) -> bool {
        self.run(true, values);
        self.longest <= MOST_ELEMENTS
    }

    fn run(&mut self, goes_on: bool, count: u64) {
        if goes_on {
            self.open = self.open.saturating_add(count);
        } else if count > 0 {
            self.open = 1;
        }
        self.longest = self.longest.max(self.open);
    }
}

#[cfg(test)]
mod tests {
    use super::{Lists, MOST_ELEMENTS};

    #[test]
    fn the_longest_list_is_found() {
        let mut lists = Lists::default();
        // A list of six elements, three lists of one, and one that goes on in the next page.
        assert!(lists.see(&[3, 0b0011_1110, 6, 0, 4, 1], 13));
        assert_eq!((lists.longest, lists.open), (6, 3));
        assert!(lists.see(&[20, 1], 10));
        assert_eq!((lists.longest, lists.open), (13, 13));
        // Values behind the end of a page do not count.
        assert!(lists.see(&[2, 0, 0xFE, 0xFF, 0xFF, 0x0F, 1], 5));
        assert_eq!(lists.open, 5);
        assert!(!lists.see(&[0xFE, 0xFF, 0xFF, 0x0F, 1], MOST_ELEMENTS));
    }
}
