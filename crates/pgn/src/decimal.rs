//! Decimal numbers as they are written, such as seconds. The parser of the standard library also takes exponents, and
//! has tables for them that would be a large part of a small module of WebAssembly.

/// The powers of ten that a number of 64 bits has exactly.
const POWERS: [f64; 16] = [1.0, 10.0, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

/// Whole numbers below this one are exact as numbers with a point.
const EXACT: u64 = 1 << 53;

/// Returns the number with these digits before and behind the decimal point; `None` if there are no digits, or other
/// bytes.
pub(crate) fn decimal(whole: &[u8], fraction: &[u8]) -> Option<f64> {
    if whole.is_empty() && fraction.is_empty() || !are_digits(fraction) {
        return None;
    }
    let whole = if whole.is_empty() { 0.0 } else { number(whole)? };
    Some(with_fraction(whole, fraction))
}

fn are_digits(text: &[u8]) -> bool {
    text.iter().all(u8::is_ascii_digit)
}

/// Reads digits.
pub(crate) fn number(digits: &[u8]) -> Option<f64> {
    if digits.is_empty() || !are_digits(digits) {
        return None;
    }
    let small = digits.iter().try_fold(0, |number, digit| with(number, *digit));
    // No clock and no search takes as long as a number that is not exact.
    let large = || digits.iter().fold(0.0, |number, digit| number * 10.0 + f64::from(digit - b'0'));
    Some(small.map_or_else(large, |number| number as f64))
}

/// Adds a digit to a number, if the result is exact as a number with a point.
fn with(number: u64, digit: u8) -> Option<u64> {
    Some(number * 10 + u64::from(digit - b'0')).filter(|number| *number < EXACT)
}

/// Adds digits behind a decimal point to a whole number. With up to 15 digits in all, the sum is the number that is
/// nearest to the decimal number, so it is written with the same digits again. A sum of two numbers would not be:
/// 292 + 0.91 is 292.90999999999997.
#[expect(clippy::cast_possible_truncation, reason = "the number is whole, and is compared before")]
pub(crate) fn with_fraction(whole: f64, fraction: &[u8]) -> f64 {
    if fraction.is_empty() || whole >= EXACT as f64 {
        return whole;
    }
    let (mut digits, mut count) = (whole as u64, 0);
    while let Some(next) = fraction.get(count).and_then(|digit| with(digits, *digit))
        && count + 1 < POWERS.len()
    {
        (digits, count) = (next, count + 1);
    }
    // Both numbers are whole and exact, so their quotient is rounded once.
    digits as f64 / POWERS[count]
}

#[cfg(test)]
mod tests {
    use super::decimal;
    use proptest::prelude::*;

    #[test]
    fn digits_that_a_number_cannot_hold_exactly_are_left_out() {
        assert_eq!(decimal(b"900719925474099", b"1"), Some(900_719_925_474_099.1));
        assert_eq!(decimal(b"900719925474099", b"2"), Some(900_719_925_474_099.0));
        assert_eq!(decimal(b"9007199254740993", b"5"), Some(9_007_199_254_740_992.0));
        assert_eq!(decimal(b"0", b"1234567890123456"), Some(0.123_456_789_012_345));
    }

    #[test]
    fn a_number_has_digits_alone() {
        assert_eq!([decimal(b"", b""), decimal(b"1", b"2x"), decimal(b"x", b""), decimal(b"-1", b"0")], [None; 4]);
        assert_eq!((decimal(b"", b"5"), decimal(b"7", b"")), (Some(0.5), Some(7.0)));
    }

    proptest! {
        #[test]
        fn a_number_is_the_nearest_one(whole in 0_u64..1_000_000_000, fraction in "[0-9]{0,6}") {
            let text = format!("{whole}.{fraction}");
            let expected: f64 = text.parse().expect("it is a number");
            prop_assert_eq!(decimal(whole.to_string().as_bytes(), fraction.as_bytes()), Some(expected));
        }

        #[test]
        fn any_number_of_digits_is_nearly_the_number(whole in "[0-9]{0,40}", fraction in "[0-9]{0,40}") {
            let expected: Option<f64> = format!("{whole}.{fraction}").parse().ok();
            match (decimal(whole.as_bytes(), fraction.as_bytes()), expected) {
                (Some(number), Some(expected)) => prop_assert!((number - expected).abs() <= expected * 1e-14 + 1e-14),
                (number, expected) => prop_assert_eq!(number, expected),
            }
        }
    }

    #[test]
    fn other_texts_are_no_numbers() {
        for (whole, fraction) in [("", ""), ("+1", ""), ("1e3", ""), ("1", "5s"), ("\u{663}", ""), ("inf", "")] {
            assert_eq!(decimal(whole.as_bytes(), fraction.as_bytes()), None, "{whole:?}.{fraction:?}");
        }
        assert_eq!(decimal(b"", b"5"), Some(0.5));
        assert_eq!(decimal(b"5", b""), Some(5.0));
    }
}
