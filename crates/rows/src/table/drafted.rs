//! The drafted parts of lines, one for each row, in one pool of bytes.

use crate::table::buffer::Removable;
use pgn2fen_chess::fen::LineBuffer;

/// The room for one text, in bytes. A run of [drafted](crate::table::draft) columns needs less than 330: 103 for the
/// FEN, 76 for the other seven values, and 18 for the name and the quotes of each. Before the FEN it needs less than
/// 230, so that there is room for the array of a FEN.
pub(crate) const ROOM: usize = 512 + 16;

/// The length up to which texts are copied as arrays. Longer texts are rare.
pub(crate) const SHORT: usize = 128;

/// The size of a large pool, in bytes.
const LARGE: usize = 16 * 1024 * 1024;

/// Texts in one pool of bytes. Behind the start of each text there is room for the longest, so that texts are written
/// and copied as arrays.
#[derive(Debug, Default)]
pub(crate) struct Drafted {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Drafted {
    /// Appends the text that `write` writes.
    #[inline(always)]
    pub(crate) fn push_with(&mut self, write: impl FnOnce(LineBuffer<'_, ROOM>) -> usize) {
        let start = self.start(self.ends.len());
        if self.bytes.len() < start + ROOM {
            self.prepare(start + ROOM);
        }
        let room = self.bytes[start..].first_chunk_mut().expect("there is room for a text, or it was just prepared");
        self.ends.push(start + write(LineBuffer::new(room)));
    }

    /// Makes room up to this place at least.
    #[cold]
    fn prepare(&mut self, end: usize) {
        // The room is filled with zeros, so it takes memory at once. A large pool grows by less than its size.
        let more = if self.bytes.len() < LARGE { self.bytes.len() } else { self.bytes.len() / 4 };
        self.bytes.resize(end.max(self.bytes.len() + more), 0);
    }

    #[inline(always)]
    fn start(&self, index: usize) -> usize {
        if index == 0 { 0 } else { self.ends[index - 1] }
    }

    /// Returns the text at an index. The index must not be too large.
    #[inline(always)]
    pub(crate) fn bytes(&self, index: usize) -> &[u8] {
        &self.bytes[self.start(index)..self.ends[index]]
    }

    /// Returns the text at an index as the start of an array, and its length, if it is not too long.
    #[inline(always)]
    pub(crate) fn short(&self, index: usize) -> Option<(&[u8; SHORT], usize)> {
        let (start, end) = (self.start(index), self.ends[index]);
        let chunk = self.bytes[start..].first_chunk()?;
        (end - start <= SHORT).then_some((chunk, end - start))
    }
}

impl Removable for Drafted {
    fn truncate(&mut self, len: usize) {
        self.ends.truncate(len);
    }

    /// Keeps only the texts at these indices, and frees the memory of the others.
    fn keep(&mut self, indices: &[usize]) {
        let mut kept = Self::default();
        for index in indices.iter().filter(|index| **index < self.ends.len()) {
            kept.bytes.extend_from_slice(self.bytes(*index));
            kept.ends.push(kept.bytes.len());
        }
        kept.bytes.shrink_to_fit();
        *self = kept;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{any, proptest};
    use proptest::prop_assert_eq;
    use proptest::sample::Index;

    use super::Drafted;
    use crate::table::buffer::Removable;

    proptest! {
        #[test]
        fn texts_are_found_where_they_were_put(
            lengths in proptest::collection::vec(0..330_usize, 1..60),
            cut in any::<Index>(),
            chosen in proptest::collection::vec(0..80_usize, 0..20),
        ) {
            let text = |nth: usize| vec![nth.to_le_bytes()[0]; lengths[nth % lengths.len()]];
            let mut drafted = Drafted::default();
            let mut expected = Vec::new();
            let push = |nths: std::ops::Range<usize>, drafted: &mut Drafted, expected: &mut Vec<Vec<u8>>| {
                for nth in nths {
                    drafted.push_with(|mut line| {
                        line.push_all(&text(nth));
                        line.len()
                    });
                    expected.push(text(nth));
                }
            };
            push(0..lengths.len(), &mut drafted, &mut expected);
            let cut = cut.index(lengths.len());
            drafted.truncate(cut);
            expected.truncate(cut);
            push(100..120, &mut drafted, &mut expected);
            let all = |drafted: &Drafted, count: usize| {
                let mut out = b"before".to_vec();
                for index in 0..count {
                    match drafted.short(index) {
                        Some((text, len)) => out.extend_from_slice(&text[..len]),
                        None => out.extend_from_slice(drafted.bytes(index)),
                    }
                }
                out
            };
            prop_assert_eq!(all(&drafted, expected.len()), [b"before", &*expected.concat()].concat());
            drafted.keep(&chosen);
            expected = chosen.iter().filter_map(|index| expected.get(*index).cloned()).collect();
            prop_assert_eq!(all(&drafted, expected.len()), [b"before", &*expected.concat()].concat());
            push(7..9, &mut drafted, &mut expected);
            prop_assert_eq!(all(&drafted, expected.len()), [b"before", &*expected.concat()].concat());
        }
    }
}
