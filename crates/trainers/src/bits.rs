//! Numbers of a few bits, packed without gaps: the first bit is the highest of the first byte.

/// The bits of a part of a variable-length number, without the bit that says whether another part follows.
const PART: u32 = 4;

/// Returns the number of bits that tell so many values apart.
pub(super) fn width(count: u32) -> u32 {
    count.saturating_sub(1).checked_ilog2().map_or(0, |log| log + 1)
}

/// Appends bits to bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BitWriter {
    /// The bits of the last byte that are not used.
    free: u32,
}

impl BitWriter {
    /// Appends the lowest bits of a number, at most 8.
    pub(super) fn push(&mut self, number: u32, width: u32, out: &mut Vec<u8>) {
        if width == 0 {
            return;
        }
        // The lowest byte is the one that may begin here.
        let placed = (number & ((1 << width) - 1)) << (8 + self.free - width);
        let [_, _, last, new] = placed.to_be_bytes();
        if let Some(byte) = out.last_mut().filter(|_| self.free > 0) {
            *byte |= last;
        }
        if width > self.free {
            out.push(new);
            self.free += 8;
        }
        self.free -= width;
    }

    /// Appends a number in parts of a few bits, the lowest first.
    pub(super) fn push_in_parts(&mut self, mut number: u16, out: &mut Vec<u8>) {
        loop {
            let (part, rest) = (u32::from(number) & ((1 << PART) - 1), number >> PART);
            self.push(part | u32::from(rest > 0) << PART, PART + 1, out);
            number = rest;
            if number == 0 {
                return;
            }
        }
    }
}

/// Reads bits of bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BitReader {
    /// The number of bytes that have been read to their end.
    whole: usize,
    /// The number of bits that have been read of the next byte.
    used: u32,
}

impl BitReader {
    /// Reads a number of at most 8 bits. `None` at the end of the bytes.
    pub(super) fn take(&mut self, width: u32, bytes: &[u8]) -> Option<u32> {
        if width == 0 {
            return Some(0);
        }
        let Self { whole, used } = *self;
        let first = u32::from(*bytes.get(whole)?);
        let second = match used + width > 8 {
            true => u32::from(*bytes.get(whole + 1)?),
            false => 0,
        };
        let used_now = used + width;
        *self = Self { whole: whole + usize::from(used_now >= 8), used: used_now % 8 };
        Some((first << 8 | second) >> (16 - used_now) & ((1 << width) - 1))
    }

    /// Reads a number in parts, at most five of them. `None` at the end of the bytes.
    pub(super) fn take_parts(&mut self, bytes: &[u8]) -> Option<u32> {
        let mut number = 0;
        for shift in (0..5 * PART).step_by(PART as usize) {
            let part = self.take(PART + 1, bytes)?;
            number |= (part & ((1 << PART) - 1)) << shift;
            if part >> PART == 0 {
                return Some(number);
            }
        }
        // A sixth part would be too much for any number of 16 bits.
        Some(number | 1 << (5 * PART))
    }

    /// Returns the number of bytes of which a bit has been read.
    pub(super) fn bytes(self) -> usize {
        self.whole + usize::from(self.used > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::{BitReader, BitWriter, width};
    use proptest::prelude::*;

    #[test]
    fn as_many_bits_as_the_greatest_value_needs() {
        let widths = [0, 1, 2, 3, 4, 5, 8, 9, 16, 17, 27, 32].map(width);
        assert_eq!(widths, [0, 0, 1, 2, 2, 3, 3, 4, 4, 5, 5, 5]);
    }

    #[test]
    fn the_first_bit_is_the_highest() {
        let (mut writer, mut out) = (BitWriter::default(), Vec::new());
        for (number, width) in [(0b101, 3), (0, 0), (0b01_1011, 6), (0b1111_1111, 8), (0b1, 1)] {
            writer.push(number, width, &mut out);
        }
        assert_eq!(out, [0b1010_1101, 0b1111_1111, 0b1100_0000]);
        let (mut writer, mut out) = (BitWriter::default(), Vec::new());
        // 0x25 is 0010 0101: the low part with the mark, then the high part.
        writer.push_in_parts(0x25, &mut out);
        assert_eq!(out, [0b1010_1000, 0b1000_0000]);
    }

    proptest! {
        #[test]
        fn numbers_are_read_as_they_were_written(numbers in prop::collection::vec((any::<u8>(), 0..=8_u32), 0..99),
                                                 parts in prop::collection::vec(any::<u16>(), 0..99)) {
            let (mut writer, mut out) = (BitWriter::default(), Vec::new());
            for (nth, (number, width)) in numbers.iter().enumerate() {
                writer.push(u32::from(*number), *width, &mut out);
                parts.get(nth).into_iter().for_each(|part| writer.push_in_parts(*part, &mut out));
            }
            let mut reader = BitReader::default();
            for (nth, (number, width)) in numbers.iter().enumerate() {
                prop_assert_eq!(reader.take(*width, &out), Some(u32::from(*number) & ((1 << width) - 1)));
                if let Some(part) = parts.get(nth) {
                    prop_assert_eq!(reader.take_parts(&out), Some(u32::from(*part)));
                }
            }
            prop_assert_eq!(reader.bytes(), out.len());
            prop_assert_eq!(reader.take(8, &out), None);
        }

        #[test]
        fn any_bytes_are_numbers_or_end(bytes in prop::collection::vec(any::<u8>(), 0..20)) {
            let mut reader = BitReader::default();
            while reader.take_parts(&bytes).is_some() {}
            prop_assert!(reader.bytes() <= bytes.len());
        }
    }
}
