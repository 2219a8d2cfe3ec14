//! Texts that are appended to many rows.

/// A text that is appended often. A short one is copied as an array, whatever its length, because a copy of fixed size
/// is one machine instruction.
#[derive(Debug, Default)]
pub(crate) struct ShortText {
    /// The text, and zeros up to the size of the array.
    padded: Vec<u8>,
    len: usize,
}

const SHORT: usize = 16;

impl ShortText {
    /// Moves a text into the text, in place of the text that it had.
    pub(crate) fn take(&mut self, text: &mut Vec<u8>) {
        self.padded.clear();
        self.len = text.len();
        self.padded.append(text);
        self.padded.resize(self.len.max(SHORT), 0);
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the text.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.padded[..self.len]
    }

    /// Returns the text as the start of an array, and its length, if it is short.
    #[inline(always)]
    pub(crate) fn short(&self) -> Option<([u8; SHORT], usize)> {
        self.padded.first_chunk().filter(|_| self.len <= SHORT).map(|chunk| (*chunk, self.len))
    }

    /// Appends the text.
    #[inline(always)]
    pub(crate) fn append(&self, out: &mut Vec<u8>) {
        match self.short() {
            Some((chunk, len)) => {
                let end = out.len() + len;
                out.extend_from_slice(&chunk);
                out.truncate(end);
            }
            None => out.extend_from_slice(self.bytes()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ShortText;

    #[test]
    fn a_text_of_any_length_is_appended_whole() {
        for len in [0, 1, 15, 16, 17, 40] {
            let text: Vec<u8> = (1..=len).collect();
            let mut short = ShortText::default();
            short.take(&mut b"before".repeat(4));
            short.take(&mut text.clone());
            let mut out = vec![b'<'];
            short.append(&mut out);
            short.append(&mut out);
            assert_eq!(out, [b"<", &text[..], &text[..]].concat());
        }
    }
}
