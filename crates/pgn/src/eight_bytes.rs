//! Tests eight bytes of text at a time, as an integer with the first byte lowest.
//!
//! In PGN the next byte that is searched for is mostly so near that the start-up cost of `memchr` is too high, and such
//! searches are so frequent that one byte at a time is too slow. A test sets the high bit of each byte that passes. If
//! no bit is set, no byte passes. The lowest bit that is set is right. A bit above the lowest may be wrong, because
//! subtraction borrows from the bytes above.

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = ONES << 7;

/// Tests for bytes equal to `byte` (Mycroft's test).
#[inline(always)]
pub(super) fn equal(word: u64, byte: u8) -> u64 {
    below(word ^ (ONES * byte as u64), 1)
}

/// Tests for bytes below `limit`, which is at most 128.
#[inline(always)]
pub(super) fn below(word: u64, limit: u8) -> u64 {
    word.wrapping_sub(ONES * limit as u64) & !word & HIGH
}

/// Tests for bytes that are not ASCII letters.
#[inline(always)]
pub(super) fn no_letter(word: u64) -> u64 {
    // The sums cannot carry over, because the high bits are cleared. The high bits are tested separately.
    let lower = (word | ONES << 5) & !HIGH;
    let from_a = lower + ONES * (128 - b'a' as u64);
    let beyond_z = lower + ONES * (127 - b'z' as u64);
    (word | !from_a | beyond_z) & HIGH
}

/// Returns the number of bytes before the lowest byte that passed.
#[inline(always)]
pub(super) fn before(passed: u64) -> usize {
    passed.trailing_zeros() as usize / 8
}

/// Returns the number of bytes before the first byte that passes `test`. Without one, returns the length of the text,
/// rounded down to a multiple of eight.
#[inline(always)]
pub(super) fn before_first(text: &[u8], test: impl Fn(u64) -> u64) -> usize {
    let (words, _) = text.as_chunks();
    for (i, word) in words.iter().enumerate() {
        let passed = test(u64::from_le_bytes(*word));
        if passed != 0 {
            return 8 * i + before(passed);
        }
    }
    8 * words.len()
}

/// Returns the place of the first byte equal to `byte` in boxes of sixteen bytes. The compiler compares the bytes of a
/// box at once, and only the box that contains the byte is searched word by word.
#[inline(always)]
pub(super) fn find_in_boxes<const N: usize>(text: &[u8; N], byte: u8) -> Option<usize> {
    const { assert!(N.is_multiple_of(16)) };
    let (boxes, _) = text.as_chunks::<16>();
    for (i, bytes) in boxes.iter().enumerate() {
        if bytes.iter().fold(false, |found, at| found | (*at == byte)) {
            return Some(16 * i + before_first(bytes, |word| equal(word, byte)));
        }
    }
    None
}

/// Returns the place of the first byte at `from` or behind it that passes the test. The test is given in two forms with
/// equal answers. Near bytes are looked up one by one, because the processor predicts that a byte is found soon and
/// need not wait for it. Far bytes are tested sixteen at a time. The compiler does that in a few instructions if the
/// test consists of comparisons without branches.
#[inline(always)]
pub(super) fn find(
    text: &[u8],
    from: usize,
    look_up: impl Fn(u8) -> bool,
    compare: impl Fn(u8) -> bool,
) -> Option<usize> {
    const NEAR: usize = 16;
    const BOX: usize = 16;
    let mut from = from;
    if let Some(near) = text.get(from..)?.first_chunk::<NEAR>() {
        for (length, byte) in near.iter().enumerate() {
            if look_up(*byte) {
                return Some(from + length);
            }
        }
        from += NEAR;
    }
    while let Some(bytes) = text.get(from..).and_then(<[u8]>::first_chunk::<BOX>) {
        let mut passed = [0; BOX];
        for (passed, byte) in passed.iter_mut().zip(bytes) {
            *passed = if compare(*byte) { 0xFF } else { 0 };
        }
        let passed = u128::from_le_bytes(passed);
        if passed != 0 {
            return Some(from + passed.trailing_zeros() as usize / 8);
        }
        from += BOX;
    }
    text[from..].iter().position(|byte| look_up(*byte)).map(|length| from + length)
}

#[cfg(test)]
mod tests {
    use super::{before_first, below, equal, find, find_in_boxes, no_letter};

    /// Checks that the first byte that passes is found in every text of two different bytes.
    #[track_caller]
    fn check(test: fn(u64) -> u64, expected: fn(u8) -> bool) {
        for (a, b, place) in (0..=255).flat_map(|a| (0..=255).flat_map(move |b| (0..8).map(move |i| (a, b, i)))) {
            let mut text = [a; 16];
            text[8 + place] = b;
            let found = text.iter().position(|byte| expected(*byte)).unwrap_or(16);
            assert_eq!(before_first(&text, test), found, "{a} {b} {place}");
        }
    }

    #[test]
    fn the_first_byte_that_passes_is_found_among_all_others() {
        check(|word| equal(word, b'}'), |byte| byte == b'}');
        check(|word| below(word, 0x21), |byte| byte < 0x21);
        check(|word| below(word, 128), |byte| byte < 128);
        check(no_letter, |byte| !byte.is_ascii_alphabetic());
    }

    #[test]
    fn a_byte_is_found_wherever_it_stands() {
        let mut text = [b' '; 100];
        for place in 0..text.len() {
            text[place] = b'x';
            for from in 0..110 {
                let expected = (from..text.len()).find(|at| text[*at] == b'x');
                let is_x = |byte| byte == b'x';
                assert_eq!(find(&text, from, is_x, is_x), expected);
                assert_eq!(find(&text[..place], from, is_x, is_x), None);
            }
            text[place] = b' ';
        }
    }

    #[test]
    fn a_byte_is_found_in_any_box() {
        for place in 0..48 {
            let mut text = [0xFD; 48];
            assert_eq!(find_in_boxes(&text, b'}'), None);
            text[place] = b'}';
            assert_eq!(find_in_boxes(&text, b'}'), Some(place));
            text[place..].fill(b'}');
            assert_eq!(find_in_boxes(&text, b'}'), Some(place));
        }
    }
}
