//! The texts of a page of the games table.

use crate::tables::Texts;

/// The texts of consecutive rows, checked to be UTF-8. An empty text means a missing value.
#[derive(Debug, Default)]
pub(super) struct PageTexts {
    pool: String,
    /// The end of each text in the pool.
    ends: Vec<usize>,
}

impl PageTexts {
    /// Returns the text at an index, or `None` if it is empty or the index is too large.
    #[inline]
    pub(super) fn get(&self, index: usize) -> Option<&str> {
        let start = if index == 0 { 0 } else { *self.ends.get(index - 1)? };
        self.pool.get(start..*self.ends.get(index)?).filter(|text| !text.is_empty())
    }

    /// Returns the size in memory, about, in bytes.
    pub(super) fn weight(&self) -> usize {
        self.pool.len() + self.ends.len() * size_of::<usize>()
    }
}

impl From<Texts> for PageTexts {
    /// Checks all texts at once, which takes a fraction of the time of one by one. Texts that are not UTF-8 become empty.
    fn from(texts: Texts) -> Self {
        let (bytes, ends) = texts.into_parts();
        let bytes = match String::from_utf8(bytes) {
            Ok(pool) => return Self { pool, ends },
            Err(error) => error.into_bytes(),
        };
        let mut checked = Self::default();
        let mut start = 0;
        for end in ends {
            checked.pool.push_str(str::from_utf8(&bytes[start..end]).unwrap_or_default());
            checked.ends.push(checked.pool.len());
            start = end;
        }
        checked
    }
}

#[cfg(test)]
mod tests {
    use super::PageTexts;
    use crate::tables::Texts;

    #[track_caller]
    fn check(texts: &[&[u8]], expected: &[Option<&str>]) {
        let mut pool = Texts::default();
        texts.iter().for_each(|text| pool.push(text));
        let checked = PageTexts::from(pool);
        let found: Vec<Option<&str>> = (0..texts.len()).map(|index| checked.get(index)).collect();
        assert_eq!(found, expected);
        assert_eq!(checked.get(texts.len()), None);
    }

    #[test]
    fn only_texts_in_utf8_are_returned() {
        check(&[b"a", b"", "ä€".as_bytes()], &[Some("a"), None, Some("ä€")]);
        check(&[b"a", b"\xFF", "ä".as_bytes()], &[Some("a"), None, Some("ä")]);
        // Two parts of one character.
        check(&[b"a\xC3", b"\xA4", b"b"], &[None, None, Some("b")]);
        check(&[], &[]);
    }
}
