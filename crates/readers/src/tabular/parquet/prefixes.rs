//! The texts of a page that are written by what they share with the text before (DELTA_BYTE_ARRAY). A short page may
//! unfold to any number of bytes.

use crate::tabular::parquet::numbers::{varint, zigzag};

/// Returns the sum of the lengths that the texts share with those before them, as far as they can be read. The lengths
/// are written as differences, in blocks of miniblocks with as many bits for each difference (DELTA_BINARY_PACKED).
pub(super) fn shared(values: &[u8]) -> usize {
    let mut sum = 0;
    let _ = add(values, &mut sum);
    sum
}

fn add(values: &[u8], sum: &mut usize) -> Option<()> {
    let mut rest = values;
    let (block, miniblocks, count) = (varint(&mut rest)?, varint(&mut rest)?, varint(&mut rest)?);
    let mut length = zigzag(&mut rest)?;
    let each = block.checked_div(miniblocks)?;
    let mut left = count.checked_sub(1)?;
    *sum = usize::try_from(length).unwrap_or(0);
    while left > 0 {
        let least = zigzag(&mut rest)?;
        let (widths, mut bits) = rest.split_at_checked(usize::try_from(miniblocks).ok()?)?;
        for width in widths {
            let width = u64::from(*width);
            let bytes = usize::try_from(each.checked_mul(width)? / 8).ok()?;
            for at in 0..each.min(left) {
                let delta = least.wrapping_add(number(bits, at * width, width)?.cast_signed());
                length = length.wrapping_add(delta);
                *sum = sum.saturating_add(usize::try_from(length).unwrap_or(0));
            }
            left -= each.min(left);
            if left == 0 {
                return Some(());
            }
            bits = bits.get(bytes..)?;
        }
        if each == 0 || widths.is_empty() {
            return None;
        }
        rest = bits;
    }
    Some(())
}

/// Returns the number of so many bits at a place.
fn number(bytes: &[u8], at: u64, width: u64) -> Option<u64> {
    let mut number = 0;
    for bit in 0..width.min(64) {
        let place = at + bit;
        let byte = bytes.get(usize::try_from(place / 8).ok()?)?;
        number |= u64::from(byte >> (place % 8) & 1) << bit;
    }
    Some(number)
}

#[cfg(test)]
mod tests {
    use super::shared;

    #[test]
    fn shared_lengths_are_summed() {
        // Blocks of 128 numbers in 4 miniblocks: 1, 2, 3, 4, 5 have the difference 1 in no bits.
        assert_eq!(shared(&[0x80, 1, 4, 5, 2, 2, 0, 0, 0, 0]), 15);
        // 7, 5, 3, 1, 2, 3, 4, 5, of the example in the specification: the least difference is -2, then 2 bits each.
        assert_eq!(shared(&[0x80, 1, 4, 8, 14, 3, 2, 0, 0, 0, 0b1100_0000, 0b0011_1111, 0, 0, 0, 0, 0, 0]), 30);
        // Lengths of 1,000,000 each, in a few bytes.
        assert_eq!(shared(&[0x80, 1, 4, 100, 0x80, 0x89, 0x7A, 0, 0, 0, 0, 0]), 100_000_000);
        assert_eq!(shared(&[]), 0);
    }
}
