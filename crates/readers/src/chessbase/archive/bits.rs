//! Text in codes of up to 15 bits.
//!
//! The number of bytes stands in 16 bits. Then follow the codes of all byte values: four bits with the length of the
//! code, and the code. A value that does not occur has the length 0. The highest bit of a byte is the first one.
//! (Source: `cbvault-format`.)

/// The greatest length of a code.
const LONGEST: u32 = 15;

/// The codes of a block.
#[derive(Debug, Default)]
pub(super) struct Codes {
    /// The length of the code and its value for all bits that may follow. The length is 0 if no code begins so.
    table: Vec<(u8, u8)>,
}

impl Codes {
    /// Appends the text of a block. The error completes a sentence after the name of the member.
    pub(super) fn decode(&mut self, data: &[u8], text: &mut Vec<u8>) -> Result<(), &'static str> {
        let mut bits = Bits { bytes: data, held: 0, count: 0 };
        let length = bits.take(16);
        if length == 0 {
            return Ok(());
        }
        self.table.clear();
        self.table.resize(1 << LONGEST, (0, 0));
        let mut filled = 0;
        for value in 0..=u8::MAX {
            let size = (bits.take(4) & 15) as u8;
            if size > 0 {
                let (code, rest) = (bits.take(size.into()), LONGEST - u32::from(size));
                let start = (code << rest) as usize;
                self.table[start..start + (1 << rest)].fill((size, value));
                filled += 1_usize << rest;
            }
        }
        if filled != self.table.len() {
            return Err("has a block whose codes are not complete");
        }
        for _ in 0..length {
            if bits.is_over() {
                return Err("has a block that is cut");
            }
            let (size, value) = self.table[bits.peek(LONGEST) as usize];
            if size == 0 {
                return Err("has a block whose codes are not complete");
            }
            bits.skip(u32::from(size));
            text.push(value);
        }
        Ok(())
    }
}

/// The bits of a block. Behind the last one there are zeros.
struct Bits<'b> {
    bytes: &'b [u8],
    /// The bits that have been read from the bytes and not taken, from the highest bit on.
    held: u64,
    /// Their number; below 0 if more were taken than there are.
    count: i64,
}

impl Bits<'_> {
    fn peek(&mut self, size: u32) -> u32 {
        while (0..=56).contains(&self.count)
            && let Some((byte, rest)) = self.bytes.split_first()
        {
            self.held |= u64::from(*byte) << (56 - self.count);
            self.count += 8;
            self.bytes = rest;
        }
        // The size is at most 16 bits.
        (self.held >> (64 - size) & 0xFFFF) as u32
    }

    fn skip(&mut self, size: u32) {
        self.held <<= size;
        self.count -= i64::from(size);
    }

    fn take(&mut self, size: u32) -> u32 {
        let bits = self.peek(size);
        self.skip(size);
        bits
    }

    /// Whether all bits were taken.
    fn is_over(&self) -> bool {
        self.bytes.is_empty() && self.count <= 0
    }
}

#[cfg(test)]
mod tests {
    use super::Codes;

    /// Returns a block with the codes of some values, in their order, and with further bits.
    fn block(length: u16, codes: &[(u8, &str)], text: &str) -> Vec<u8> {
        let mut bits = format!("{length:016b}");
        for value in 0..=u8::MAX {
            let code = codes.iter().find(|(other, _)| *other == value).map_or("", |(_, code)| code);
            bits += &format!("{:04b}{code}", code.len());
        }
        bits += text;
        bits += &"0".repeat((8 - bits.len() % 8) % 8);
        bits.as_bytes().chunks(8).map(|byte| byte.iter().fold(0, |all, bit| all << 1 | (bit - b'0'))).collect()
    }

    #[test]
    fn codes_are_as_long_as_their_values_are_rare() {
        let mut text = Vec::new();
        let codes = [(b'a', "0"), (b'b', "10"), (b'c', "11")];
        Codes::default().decode(&block(5, &codes, "01011010"), &mut text).unwrap();
        assert_eq!(text, b"abcab");
        let cut = Codes::default().decode(&block(60, &codes, "0"), &mut text);
        assert_eq!(cut, Err("has a block that is cut"));
        let open = Codes::default().decode(&block(5, &codes[..2], "0"), &mut text);
        assert_eq!(open, Err("has a block whose codes are not complete"));
    }
}
