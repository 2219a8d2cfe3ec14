//! Texts in the form that the package `parquet` takes: slices of one pool of bytes.

use bytes::Bytes;
use parquet::data_type::ByteArray;

use crate::Texts;

/// Texts that are written without being copied one by one.
pub struct SharedTexts {
    bytes: Bytes,
    ends: Vec<usize>,
}

impl From<Texts> for SharedTexts {
    fn from(texts: Texts) -> Self {
        let (bytes, ends) = texts.into_parts();
        Self { bytes: bytes.into(), ends }
    }
}

impl SharedTexts {
    /// Returns the text at an index. It is `None` if the text is empty, or if there are fewer texts.
    pub fn get(&self, index: usize) -> Option<ByteArray> {
        let end = *self.ends.get(index)?;
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        (start < end).then(|| self.bytes.slice(start..end).into())
    }

    /// Returns all texts, one after another.
    pub fn iter(&self) -> impl Iterator<Item = Option<ByteArray>> {
        (0..self.len()).map(|index| self.get(index))
    }

    /// Returns the number of texts.
    pub fn len(&self) -> usize {
        self.ends.len()
    }
}

/// Returns a static text.
pub fn fixed_text(text: &'static str) -> ByteArray {
    Bytes::from_static(text.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use super::SharedTexts;
    use crate::Texts;

    #[test]
    fn shared_texts_are_the_texts_that_were_pooled() {
        let mut pool = Texts::default();
        for text in ["e4", "", "Nf3"] {
            pool.push(text.as_bytes());
        }
        let shared = SharedTexts::from(pool);
        let texts: Vec<_> = (0..4).map(|index| shared.get(index).map(|text| text.data().to_vec())).collect();
        assert_eq!(texts, [Some(b"e4".to_vec()), None, Some(b"Nf3".to_vec()), None]);
        assert_eq!(shared.len(), 3);
    }
}
