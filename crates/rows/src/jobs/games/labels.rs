//! The labels of copies: the key by which a copy is sorted, and the name of the file that it belongs to.

use crate::jobs::games::contest::Claim;
use pgn2fen_tables::Texts;

/// The labels of the copies of a block.
#[derive(Debug, Default)]
pub(super) struct Labels {
    keys: Texts,
    places: Texts,
    /// What games bring into a [contest](crate::jobs::games::contest), if there is one.
    claims: Texts,
}

impl Labels {
    /// Adds a label. The closures append the key and the name of the file to the bytes that they are given.
    pub(super) fn push_with(&mut self, key: impl FnOnce(&mut Vec<u8>), place: impl FnOnce(&mut Vec<u8>)) {
        self.keys.push_with(key);
        self.places.push_with(place);
    }

    /// Adds the claim of the last copy.
    pub(super) fn claim(&mut self, claim: &Claim) {
        self.claims.push_with(|out| claim.append(out));
    }

    /// Returns the keys and the names of files.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        (0..self.keys.len()).map(|nth| (self.keys.bytes(nth), self.places.bytes(nth)))
    }

    /// Returns the claims, of which there are none without a contest.
    pub(super) fn claims(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.claims.len()).map(|nth| self.claims.bytes(nth))
    }

    /// Keeps the first `count` labels.
    pub(super) fn truncate(&mut self, count: usize) {
        self.keys.truncate(count);
        self.places.truncate(count);
        self.claims.truncate(count);
    }

    /// Removes the labels that are not wanted. `is_wanted` has an entry for each label.
    pub(super) fn retain(&mut self, is_wanted: &[bool]) {
        let kept = || is_wanted.iter().enumerate().filter(|(_, is_wanted)| **is_wanted).map(|(nth, _)| nth);
        self.keys.keep(kept());
        self.places.keep(kept());
        self.claims.keep(kept());
    }

    /// Returns about how many bytes the labels hold.
    pub(super) fn weight(&self) -> usize {
        self.keys.weight() + self.places.weight() + self.claims.weight()
    }
}

#[cfg(test)]
mod tests {
    use super::Labels;

    #[test]
    fn the_weight_of_labels_is_that_of_their_texts() {
        let mut labels = Labels::default();
        labels.push_with(|out| out.extend_from_slice(&[b'k'; 100]), |out| out.extend_from_slice(&[b'p'; 200]));
        assert!(labels.weight() >= 300);
        labels.truncate(0);
        assert_eq!(labels.weight(), 0);
    }
}
