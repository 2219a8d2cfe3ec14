//! The labels of copies: the key by which a copy is sorted, and the name of the file that it belongs to.

use pgn2fen_tables::Texts;

/// The labels of the copies of a block.
#[derive(Debug, Default)]
pub(super) struct Labels {
    keys: Texts,
    places: Texts,
}

impl Labels {
    /// Adds a label. The closures append the key and the name of the file to the bytes that they are given.
    pub(super) fn push_with(&mut self, key: impl FnOnce(&mut Vec<u8>), place: impl FnOnce(&mut Vec<u8>)) {
        self.keys.push_with(key);
        self.places.push_with(place);
    }

    /// Returns the keys and the names of files.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        (0..self.keys.len()).map(|nth| (self.keys.bytes(nth), self.places.bytes(nth)))
    }

    /// Keeps the first `count` labels.
    pub(super) fn truncate(&mut self, count: usize) {
        self.keys.truncate(count);
        self.places.truncate(count);
    }

    /// Removes the labels that are not wanted. `is_wanted` has an entry for each label.
    pub(super) fn retain(&mut self, is_wanted: &[bool]) {
        let kept = || is_wanted.iter().enumerate().filter(|(_, is_wanted)| **is_wanted).map(|(nth, _)| nth);
        self.keys.keep(kept());
        self.places.keep(kept());
    }

    /// Returns about how many bytes the labels hold.
    pub(super) fn weight(&self) -> usize {
        self.keys.weight() + self.places.weight()
    }
}
