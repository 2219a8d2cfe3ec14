//! The labels of copies: the key by which a copy is sorted, and the name of the file that it belongs to.

/// The labels of the copies of a block, in one pool of bytes.
#[derive(Debug, Default)]
pub(super) struct Labels {
    bytes: Vec<u8>,
    ends: Vec<End>,
}

/// The ends of a label in the pool.
#[derive(Clone, Copy, Debug, Default)]
struct End {
    key: usize,
    place: usize,
}

impl Labels {
    /// Adds a label. The closures append the key and the name of the file to the bytes that they are given.
    pub(super) fn push_with(&mut self, key: impl FnOnce(&mut Vec<u8>), place: impl FnOnce(&mut Vec<u8>)) {
        key(&mut self.bytes);
        let key = self.bytes.len();
        place(&mut self.bytes);
        self.ends.push(End { key, place: self.bytes.len() });
    }

    /// Returns the keys and the names of files.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        let mut start = 0;
        self.ends.iter().map(move |end| {
            let label = (&self.bytes[start..end.key], &self.bytes[end.key..end.place]);
            start = end.place;
            label
        })
    }

    /// Keeps the first `count` labels.
    pub(super) fn truncate(&mut self, count: usize) {
        self.ends.truncate(count);
        self.bytes.truncate(self.ends.last().map_or(0, |end| end.place));
    }

    /// Removes the labels that are not wanted. `is_wanted` has an entry for each label.
    pub(super) fn retain(&mut self, is_wanted: &[bool]) {
        let mut kept = Self::default();
        for ((key, place), _) in self.iter().zip(is_wanted).filter(|(_, is_wanted)| **is_wanted) {
            kept.push_with(|out| out.extend_from_slice(key), |out| out.extend_from_slice(place));
        }
        *self = kept;
    }

    /// Returns about how many bytes the labels hold.
    pub(super) fn weight(&self) -> usize {
        self.bytes.len() + self.ends.len() * size_of::<End>()
    }
}
