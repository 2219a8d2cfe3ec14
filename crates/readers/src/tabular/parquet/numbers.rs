//! The numbers of variable length that Thrift and the encodings of Parquet have.

/// Reads a number of seven bits a byte (ULEB128). None if the bytes end too early, or if it has more than 64 bits.
pub(super) fn varint(rest: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (byte, behind) = rest.split_first()?;
        *rest = behind;
        number |= u64::from(byte & 0x7F) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

/// Reads a number like [`varint`] whose lowest bit is the sign (zigzag).
pub(super) fn zigzag(rest: &mut &[u8]) -> Option<i64> {
    let number = varint(rest)?;
    Some((number >> 1).cast_signed() ^ -(number & 1).cast_signed())
}
