//! The texts of a page of the games table.

use crate::error::IndexError;
use crate::table::{MISSING, TextPlace, TextRows, TextScan};

/// The texts of consecutive rows, checked to be UTF-8.
#[derive(Debug, Default)]
pub(super) struct PageTexts {
    pool: String,
    /// The place of each text in the pool; [`MISSING`] for a missing value.
    places: Vec<TextPlace>,
}

impl PageTexts {
    /// Reads texts to the end. Those that are not UTF-8 are missing.
    pub(super) fn read(scan: &mut TextScan<'_>) -> Result<Self, IndexError> {
        let mut texts = Self::default();
        while let Some(rows) = scan.next_rows(u64::MAX)? {
            texts.push(&rows);
        }
        Ok(texts)
    }

    /// Appends texts. A page without a dictionary holds little else, so it is copied and checked as a whole, which
    /// takes a fraction of the time of one text after another. No text that is not UTF-8 passes: before a text is its
    /// length, whose last byte is ASCII because a page is shorter than 2 GiB, so a text does not begin within a
    /// character; and `get` does not return a text that ends within one.
    fn push(&mut self, rows: &TextRows<'_>) {
        if self.places.is_empty()
            && !rows.has_dictionary
            && let Ok(pool) = str::from_utf8(rows.bytes)
        {
            pool.clone_into(&mut self.pool);
            self.places.extend_from_slice(rows.places);
            return;
        }
        if self.pool.is_empty() {
            // No text begins where the place of a missing value does.
            self.pool.push('\0');
        }
        for (place, text) in rows.places.iter().zip(rows.texts()) {
            let text = str::from_utf8(text).ok().filter(|_| *place != MISSING);
            let start = self.len();
            self.pool.push_str(text.unwrap_or_default());
            self.places.push(if text.is_some() { (start, self.len()) } else { MISSING });
        }
    }

    /// Returns the length of the pool. Pages are much shorter than the greatest length.
    fn len(&self) -> u32 {
        u32::try_from(self.pool.len()).unwrap_or(u32::MAX)
    }

    /// Returns the text at an index, or `None` if it is missing or the index is too large.
    #[inline]
    pub(super) fn get(&self, index: usize) -> Option<&str> {
        let place = self.places.get(index).filter(|place| **place != MISSING)?;
        self.pool.get(place.0 as usize..place.1 as usize)
    }

    /// Returns the size in memory, about, in bytes.
    pub(super) fn weight(&self) -> usize {
        self.pool.len() + self.places.len() * size_of::<TextPlace>()
    }
}

#[cfg(test)]
mod tests {
    use super::PageTexts;
    use crate::table::{MISSING, TextRows};

    /// Reads texts behind their lengths, as a page has them, and from a dictionary. The texts `-` are missing.
    #[track_caller]
    fn check(texts: &[&[u8]], expected: &[Option<&str>]) {
        let (mut bytes, mut places) = (Vec::new(), Vec::new());
        for text in texts {
            if *text == b"-" {
                places.push(MISSING);
                continue;
            }
            let length = u32::try_from(text.len()).unwrap();
            bytes.extend_from_slice(&length.to_le_bytes());
            let start = u32::try_from(bytes.len()).unwrap();
            bytes.extend_from_slice(text);
            places.push((start, start + length));
        }
        for has_dictionary in [false, true] {
            let mut checked = PageTexts::default();
            let rows = TextRows { bytes: &bytes, places: &places, has_dictionary };
            checked.push(&rows);
            let mut found: Vec<Option<&str>> = (0..texts.len()).map(|index| checked.get(index)).collect();
            assert_eq!(found, expected);
            assert_eq!(checked.get(texts.len()), None);
            checked.push(&rows);
            found = (0..2 * texts.len()).map(|index| checked.get(index)).collect();
            assert_eq!(found, [expected, expected].concat());
        }
    }

    #[test]
    fn only_texts_in_utf8_are_returned() {
        check(&[b"a", b"", "ä€".as_bytes()], &[Some("a"), Some(""), Some("ä€")]);
        check(&[b"a", b"\xFF", "ä".as_bytes()], &[Some("a"), None, Some("ä")]);
        // Two parts of one character.
        check(&[b"a\xC3", b"\xA4", b"b"], &[None, None, Some("b")]);
        // The length of a text could be the rest of a character.
        let long = "b".repeat(0xA4);
        check(&[b"a\xC3", long.as_bytes(), b"c"], &[None, Some(&long), Some("c")]);
        check(&[], &[]);
    }

    #[test]
    fn an_empty_text_is_not_a_missing_one() {
        check(&[b"-", b"", b"a", b"-", b""], &[None, Some(""), Some("a"), None, Some("")]);
        check(&[b"", b"-"], &[Some(""), None]);
        check(&[b"", b"\xFF", b"-"], &[Some(""), None, None]);
        check(&[b"-"], &[None]);
    }
}
