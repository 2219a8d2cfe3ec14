//! Values as text, for all text formats.

use std::io::Write;

use crate::rows::formats::json::append_object;
use crate::rows::group::Piece;
use crate::rows::table::Value;

/// The panic message where writing to memory fails, which cannot happen.
pub(super) const NEVER_FAILS: &str = "writing to memory does not fail";

/// Replaces the separator after the last value of a row by a line break.
pub(super) fn end_line(out: &mut Vec<u8>) {
    out.pop();
    out.push(b'\n');
}

/// Appends the FEN of a row.
pub(super) fn append_fen(piece: &Piece, index: usize, out: &mut Vec<u8>) {
    out.extend_from_slice(piece.table.fens.get(index).unwrap_or_default());
}

/// Appends a value as text: numbers in digits, keys in 16 hex digits, lists with spaces between the numbers, names and texts as a JSON
/// object. A format has to quote or escape only texts and objects.
#[inline]
pub(in crate::rows) fn append_plain(value: Value<'_>, out: &mut Vec<u8>) {
    match value {
        Value::Missing => {}
        Value::Text(text) | Value::Ascii(text) => out.extend_from_slice(text),
        Value::Number(number) => out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes()),
        // Always with a period, so that readers that infer types from the first rows infer a floating point number.
        Value::Seconds(seconds) => write!(out, "{seconds:?}").expect(NEVER_FAILS),
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
        Value::Key(key) => {
            let digit = |at: u32| b"0123456789abcdef"[(key >> (60 - 4 * at) & 15) as usize];
            out.extend_from_slice(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15].map(digit));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::append_plain;
    use crate::rows::table::Value;

    #[test]
    fn keys_have_sixteen_hex_digits() {
        let mut digits = Vec::new();
        append_plain(Value::Key(0x0756_b944_61c5_0fb0), &mut digits);
        assert_eq!(digits, b"0756b94461c50fb0");
    }
}
