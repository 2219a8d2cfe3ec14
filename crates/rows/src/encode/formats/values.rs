//! Values as text, for all text formats.

use std::io::Write;

use crate::columns::column::Column;
use crate::encode::formats::json::append_object;
use crate::table::group::GroupPiece;
use crate::table::value::Value;
use pgn2fen_chess::fen::short_number;

/// The panic message where writing to memory fails, which cannot happen.
pub(super) const NEVER_FAILS: &str = "writing to memory does not fail";

/// Appends the FEN of a row.
pub(super) fn append_fen(piece: &GroupPiece, index: usize, out: &mut Vec<u8>) {
    out.extend_from_slice(piece.table.ascii(&Column::Fen, index).unwrap_or_default());
}

/// Appends a value as text: numbers in digits, keys in 16 hex digits, lists with spaces between the numbers, names and
/// texts as a JSON object. A format has to quote or escape only texts and objects.
#[inline(always)]
pub(crate) fn append_plain(value: Value<'_>, out: &mut Vec<u8>) {
    match value {
        Value::Missing => {}
        Value::Text(text) | Value::Ascii(text) => out.extend_from_slice(text),
        Value::Number(number) => append_number(number, out),
        value => append_other(value, out),
    }
}

/// Appends a number in digits.
#[inline(always)]
fn append_number(number: i64, out: &mut Vec<u8>) {
    match usize::try_from(number).ok().and_then(short_number) {
        Some((text, len)) => {
            let end = out.len() + len;
            out.extend_from_slice(&text);
            out.truncate(end);
        }
        None => append_long(number, out),
    }
}

#[inline(never)]
fn append_long(number: i64, out: &mut Vec<u8>) {
    out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

/// Appends a value of a kind that is less common.
#[inline(never)]
fn append_other(value: Value<'_>, out: &mut Vec<u8>) {
    match value {
        // `append_plain` appends these.
        Value::Missing | Value::Text(_) | Value::Ascii(_) | Value::Number(_) => {}
        // Always with a period, so that readers that infer types from the first rows infer a floating point number.
        Value::Seconds(seconds) => match whole(seconds) {
            Some(seconds) => {
                append_plain(Value::Number(seconds.into()), out);
                out.extend_from_slice(b".0");
            }
            None => write!(out, "{seconds:?}").expect(NEVER_FAILS),
        },
        Value::Date(date) => write!(out, "{date}").expect(NEVER_FAILS),
        Value::SmallNumbers(numbers) => {
            let mut buffer = itoa::Buffer::new();
            for (nth, number) in numbers.iter().enumerate() {
                out.extend_from_slice(if nth > 0 { b" " } else { b"" });
                out.extend_from_slice(buffer.format(*number).as_bytes());
            }
        }
        // Only formats with lists have rows of whole games.
        Value::Numbers(_) | Value::Times(_) | Value::Moves(_) => {}
        Value::Pairs(pairs) => append_object(pairs, out),
        Value::Key(key) => out.extend_from_slice(&hex(key)),
    }
}

/// Returns a key in hex digits.
#[inline]
pub(crate) fn hex(key: u64) -> [u8; 16] {
    let digit = |at: u32| b"0123456789abcdef"[(key >> (60 - 4 * at) & 15) as usize];
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15].map(digit)
}

/// Returns a number of seconds without a fraction, the usual kind.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number that changes is not returned")]
pub(crate) fn whole(seconds: f64) -> Option<u32> {
    let whole = seconds as u32;
    (f64::from(whole).to_bits() == seconds.to_bits()).then_some(whole)
}

#[cfg(test)]
mod tests {
    use super::append_plain;
    use crate::table::value::Value;

    #[test]
    fn keys_have_sixteen_hex_digits() {
        let mut digits = Vec::new();
        append_plain(Value::Key(0x0756_b944_61c5_0fb0), &mut digits);
        assert_eq!(digits, b"0756b94461c50fb0");
    }

    #[track_caller]
    fn check(value: Value<'_>, expected: &str) {
        let mut text = Vec::new();
        append_plain(value, &mut text);
        assert_eq!(String::from_utf8(text).unwrap(), expected);
    }

    #[test]
    fn seconds_have_a_period() {
        for (seconds, expected) in [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (7.0, "7.0"),
            (59.5, "59.5"),
            (10800.0, "10800.0"),
            (-3.0, "-3.0"),
            (4_294_967_295.0, "4294967295.0"),
            (4_294_967_296.0, "4294967296.0"),
            (1e16, "1e16"),
            (0.001, "0.001"),
        ] {
            check(Value::Seconds(seconds), expected);
            assert_eq!(format!("{seconds:?}"), expected);
        }
    }

    #[test]
    fn numbers_are_written_in_digits() {
        for number in (-1..=1001).chain([-10, i64::MAX, i64::MIN]) {
            check(Value::Number(number), &number.to_string());
        }
    }
}
