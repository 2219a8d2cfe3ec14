//! Texts that are held once, however many games have them.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use pgn2fen_tables::Texts;

/// A pool of different texts.
#[derive(Debug, Default)]
pub(crate) struct Names {
    texts: Texts,
    /// The numbers of the texts by their hashes. Of two texts with one hash, the second has the next hash.
    known: HashMap<u64, u32>,
}

impl Names {
    /// Returns the number of a text.
    pub(crate) fn number(&mut self, text: &[u8]) -> u32 {
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        let mut hash = hasher.finish();
        while let Some(number) = self.known.get(&hash) {
            // A text that is empty is none to the pool.
            if self.texts.get(*number as usize).unwrap_or_default() == text {
                return *number;
            }
            hash = hash.wrapping_add(1);
        }
        let number = u32::try_from(self.texts.len()).unwrap_or(u32::MAX);
        self.texts.push(text);
        self.known.insert(hash, number);
        number
    }

    /// Returns the memory of the pool, in bytes.
    pub(crate) fn weight(&self) -> usize {
        self.texts.weight() + self.known.capacity() * (size_of::<(u64, u32)>() + 1) * 8 / 7
    }

    /// Returns the text with a number.
    pub(crate) fn text(&self, number: u32) -> &str {
        self.texts.get(number as usize).and_then(|text| str::from_utf8(text).ok()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::Names;

    #[test]
    fn a_text_is_held_once() {
        let mut names = Names::default();
        let numbers = ["Carlsen", "", "Anand", "Carlsen", ""].map(|name| names.number(name.as_bytes()));
        assert_eq!(numbers, [0, 1, 2, 0, 1]);
        assert_eq!([0, 1, 2, 3].map(|number| names.text(number)), ["Carlsen", "", "Anand", ""]);
    }
}
