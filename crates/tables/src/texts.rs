//! A column of texts: one pool of bytes, and the offset at which each text ends.

use std::ops::Range;

/// Texts in one pool of bytes. An empty text means a missing value. A column that is never read as text may hold other
/// bytes.
#[derive(Debug, Default, PartialEq)]
pub struct Texts {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Texts {
    /// Creates a pool with room for a number of texts and of bytes.
    pub fn with_capacity(texts: usize, bytes: usize) -> Self {
        Self { bytes: Vec::with_capacity(bytes), ends: Vec::with_capacity(texts) }
    }

    /// Appends the text that `write` appends to the bytes it is given. It must be UTF-8.
    #[inline]
    pub fn push_with(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        write(&mut self.bytes);
        self.ends.push(self.bytes.len());
    }

    /// Appends a text, which must be UTF-8.
    #[inline]
    pub fn push(&mut self, text: &[u8]) {
        self.push_with(|bytes| bytes.extend_from_slice(text));
    }

    /// Appends the texts at these indices of another pool, all bytes at once. Every index must be that of a text.
    pub fn extend_from(&mut self, other: &Self, indices: Range<usize>) {
        let begun = indices.start.checked_sub(1).map_or(0, |before| other.ends[before]);
        let moved = self.bytes.len();
        self.bytes.extend_from_slice(other.adjacent_bytes(indices.clone()));
        self.ends.extend(other.ends[indices].iter().map(|end| end - begun + moved));
    }

    /// Returns the bytes of the texts at these indices, each of which must be that of a text.
    pub fn adjacent_bytes(&self, indices: Range<usize>) -> &[u8] {
        let begun = indices.start.checked_sub(1).map_or(0, |before| self.ends[before]);
        let end = self.ends[indices].last().copied().unwrap_or(begun);
        &self.bytes[begun..end]
    }

    /// Returns the size in memory, about, in bytes.
    pub fn weight(&self) -> usize {
        self.bytes.len() + self.ends.len() * size_of::<usize>()
    }

    /// Returns the text at an index, or `None` if it is empty or the index is too large.
    #[inline]
    pub fn get(&self, index: usize) -> Option<&[u8]> {
        Some(&self.bytes[self.range(index)?]).filter(|text| !text.is_empty())
    }

    /// Returns the text at an index, which must not be too large.
    #[inline]
    pub fn bytes(&self, index: usize) -> &[u8] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.bytes[start..self.ends[index]]
    }

    /// Appends the text at an index to `out`, if there is one. A short text is copied as an array, whatever its length,
    /// because a copy of fixed size is one machine instruction.
    #[inline]
    pub fn append(&self, index: usize, out: &mut Vec<u8>) {
        let Some(range) = self.range(index) else {
            return;
        };
        match self.bytes[range.start..].first_chunk::<16>() {
            Some(chunk) if range.len() <= chunk.len() => {
                let end = out.len() + range.len();
                out.extend_from_slice(chunk);
                out.truncate(end);
            }
            _ => out.extend_from_slice(&self.bytes[range]),
        }
    }

    #[inline]
    fn range(&self, index: usize) -> Option<Range<usize>> {
        let start = if index == 0 { 0 } else { *self.ends.get(index - 1)? };
        Some(start..*self.ends.get(index)?)
    }

    /// Returns the number of texts.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns the number of bytes of all texts together.
    pub fn byte_len(&self) -> usize {
        self.bytes.len()
    }

    /// Returns the pool of bytes, and the offset at which each text ends.
    pub fn into_parts(self) -> (Vec<u8>, Vec<usize>) {
        (self.bytes, self.ends)
    }

    /// Keeps only the texts at these indices, and frees the memory of the others. Indices that are too large are
    /// ignored.
    pub fn keep(&mut self, indices: impl Iterator<Item = usize>) {
        let mut kept = Self::default();
        for index in indices.filter(|index| *index < self.len()) {
            kept.push(self.get(index).unwrap_or_default());
        }
        kept.bytes.shrink_to_fit();
        *self = kept;
    }

    /// Keeps the first `len` texts.
    pub fn truncate(&mut self, len: usize) {
        self.ends.truncate(len);
        self.bytes.truncate(self.ends.last().copied().unwrap_or(0));
    }
}

/// Returns at most `most` bytes from the start of a text, without cutting a character.
pub fn beginning(text: &str, most: usize) -> &str {
    let end = (0..=most.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
    &text[..end.unwrap_or(0)]
}

#[cfg(test)]
mod tests {
    use super::{Texts, beginning};

    #[test]
    fn a_character_is_not_cut() {
        assert_eq!((beginning("aé", 3), beginning("aé", 2), beginning("aé", 9)), ("aé", "a", "aé"));
    }

    #[test]
    fn texts_are_found_where_they_were_put() {
        let mut texts = Texts::default();
        for text in ["e4", "", "Nf3"] {
            texts.push(text.as_bytes());
        }
        assert_eq!([texts.get(0), texts.get(1), texts.get(2)], [Some(&b"e4"[..]), None, Some(b"Nf3")]);
        texts.truncate(1);
        texts.push(b"e5");
        assert_eq!([texts.get(0), texts.get(1)], [Some(&b"e4"[..]), Some(b"e5")]);
        let mut appended = Vec::new();
        (0..3).for_each(|index| texts.append(index, &mut appended));
        assert_eq!(appended, b"e4e5");
        texts.push(b"long enough for an array to be copied");
        (0..3).for_each(|index| texts.append(index, &mut appended));
        assert_eq!(appended, b"e4e5e4e5long enough for an array to be copied");
        let mut others = Texts::default();
        others.push(b"Nc3");
        for indices in [0..0, 0..1, 1..3, 3..3] {
            others.extend_from(&texts, indices);
        }
        assert_eq!(
            (0..5).map(|index| others.get(index)).collect::<Vec<_>>(),
            [Some(&b"Nc3"[..]), Some(b"e4"), Some(b"e5"), Some(b"long enough for an array to be copied"), None]
        );
        texts.truncate(0);
        texts.push(b"d4");
        assert_eq!(texts.get(0), Some(&b"d4"[..]));
        texts.push(b"c4");
        let mut joined = Texts::default();
        joined.push(b"e4");
        joined.extend_from(&texts, 1..2);
        joined.extend_from(&texts, 0..2);
        joined.extend_from(&texts, 2..2);
        let joined: Vec<_> = (0..5).map(|index| joined.get(index)).collect();
        assert_eq!(joined, [Some(&b"e4"[..]), Some(b"c4"), Some(b"d4"), Some(b"c4"), None]);
        assert_eq!((texts.bytes(0), texts.bytes(1), texts.byte_len()), (&b"d4"[..], &b"c4"[..], 4));
        assert!(texts.weight() >= texts.byte_len());
        texts.keep([1, 2, 7].into_iter());
        assert_eq!((texts.get(0), texts.len()), (Some(&b"c4"[..]), 1));
    }
}
