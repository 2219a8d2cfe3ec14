//! Numbers of up to three digits as text: the usual clocks of FENs, and most numbers in rows.

/// The digits, by their values.
pub(super) const DIGITS: &[u8; 10] = b"0123456789";

/// Returns the digits of a number and their count, if the number is less than 1000. A blank follows the digits, so that
/// the array can be copied whole.
#[doc(hidden)]
#[inline(always)]
pub fn short_number(n: usize) -> Option<([u8; 8], usize)> {
    NUMBERS.get(n).map(|word| (word.to_le_bytes(), (word >> 56) as usize))
}

/// The text of the numbers 0 to 999, in words: the digits, a blank, and in the last byte the number of digits.
static NUMBERS: [u64; 1000] = {
    let mut table = [0; 1000];
    let mut n = 0;
    while n < 1000 {
        let (hundreds, tens, ones) = (DIGITS[n / 100], DIGITS[n / 10 % 10], DIGITS[n % 10]);
        table[n] = u64::from_le_bytes(match n {
            0..10 => [ones, b' ', 0, 0, 0, 0, 0, 1],
            10..100 => [tens, ones, b' ', 0, 0, 0, 0, 2],
            _ => [hundreds, tens, ones, b' ', 0, 0, 0, 3],
        });
        n += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::short_number;

    #[test]
    fn numbers_below_a_thousand_are_their_digits_and_a_blank() {
        for n in [0, 7, 10, 99, 100, 345, 999] {
            let (text, length) = short_number(n).expect("a short number");
            assert_eq!(text[..=length], *format!("{n} ").as_bytes());
        }
        assert_eq!(short_number(1000), None);
    }
}
