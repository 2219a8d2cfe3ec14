//! A line that is being written into an array.

use crate::fen::numbers::{DIGITS, short_number};

/// The text at the start of an array, to which short arrays are appended.
#[doc(hidden)]
#[derive(Debug)]
pub struct LineBuffer<'a, const N: usize> {
    /// The bytes of the line, 16 more than a power of two.
    bytes: &'a mut [u8; N],
    len: usize,
}

impl<'a, const N: usize> LineBuffer<'a, N> {
    /// The greatest place at which something is written. The writer of a line knows that its text ends before this
    /// place.
    const MASK: usize = {
        assert!((N - 16).is_power_of_two() && N > 128);
        N - 17
    };

    /// Creates an empty line in an array that may hold any bytes.
    #[inline(always)]
    pub fn new(bytes: &'a mut [u8; N]) -> Self {
        Self { bytes, len: 0 }
    }

    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns the text.
    pub(super) fn text(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// Removes the last byte.
    #[inline(always)]
    pub(super) fn back(&mut self) {
        self.len -= 1;
    }

    /// Returns the array behind the text.
    #[inline(always)]
    pub(super) fn rest<const SIZE: usize>(&mut self) -> &mut [u8; SIZE] {
        debug_assert!(self.len <= Self::MASK, "a line ends before its array");
        self.bytes[self.len & Self::MASK..].first_chunk_mut().expect("a line ends before its array")
    }

    /// Adds bytes that were written behind the text.
    #[inline(always)]
    pub(super) fn take(&mut self, length: usize) {
        self.len += length;
    }

    /// Appends the first `len` bytes of an array. The whole array is copied, because a copy of fixed size is one
    /// machine instruction.
    #[inline(always)]
    pub fn push<const SIZE: usize>(&mut self, text: [u8; SIZE], len: usize) {
        const { assert!(SIZE <= 16) };
        debug_assert!(self.len <= Self::MASK, "a line ends before its array");
        // The mask never changes the value. It lets the compiler see that the array is in bounds.
        let place = self.len & Self::MASK;
        self.bytes[place..place + SIZE].copy_from_slice(&text);
        self.len = place + len;
    }

    /// Appends the first `len` bytes of a long array, which must fit behind the text.
    #[inline(always)]
    pub fn push_long<const SIZE: usize>(&mut self, text: &[u8; SIZE], len: usize) {
        *self.rest() = *text;
        self.len += len;
    }

    /// Appends a text of any length.
    #[inline]
    pub fn push_all(&mut self, text: &[u8]) {
        self.bytes[self.len..self.len + text.len()].copy_from_slice(text);
        self.len += text.len();
    }

    /// Appends a number. A blank is written after it but not counted: the caller may count it or overwrite it.
    #[inline(always)]
    pub fn push_number(&mut self, n: u32) {
        match short_number(n as usize) {
            Some((text, len)) => self.push(text, len),
            // Passed and returned by value, the length can stay in a register on the fast path.
            None => self.len = LineBuffer { bytes: self.bytes, len: self.len }.push_long_number(n),
        }
    }

    #[cold]
    fn push_long_number(mut self, n: u32) -> usize {
        if n >= 10 {
            self.len = LineBuffer { bytes: self.bytes, len: self.len }.push_long_number(n / 10);
        }
        self.push([DIGITS[n as usize % 10], b' '], 1);
        self.len
    }
}

#[cfg(test)]
mod tests {
    use super::LineBuffer;

    #[test]
    fn what_is_appended_stands_behind_what_was_there() {
        let mut bytes = [b'?'; 272];
        let mut line = LineBuffer::new(&mut bytes);
        line.push(*b"ab??", 2);
        line.push_long(b"cdef????????????????", 4);
        line.push_all(b"gh");
        line.push_all(b"");
        line.rest::<4>().copy_from_slice(b"ij??");
        line.take(2);
        line.push_number(7);
        line.push_all(b" ");
        line.push_number(u32::MAX);
        line.push_all(b"xy");
        line.back();
        assert_eq!((line.text(), line.len()), (&b"abcdefghij7 4294967295x"[..], 23));
    }
}
