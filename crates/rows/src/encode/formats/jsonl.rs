//! The format `jsonl`: one JSON object on each line.

use crate::encode::formats::json::{append_object, append_string};
use crate::encode::formats::lines::Syntax;
use crate::encode::formats::values::append_plain;
use crate::table::value::Value;
use pgn2fen_tables::Texts;

/// The syntax of rows: numbers as JSON numbers, dates as strings in ISO 8601, missing values as null.
pub(crate) struct Jsonl;

impl Syntax for Jsonl {
    const HAS_TYPES: bool = true;
    const HAS_QUOTES: bool = true;
    const MISSING: &str = "null";
    const EMPTY_ROW: &str = "";
    const END: &str = "}\n";

    fn begin_value(nth: usize, name: &str, out: &mut Vec<u8>) {
        out.push(if nth > 0 { b',' } else { b'{' });
        append_string(name, out);
        out.push(b':');
    }

    #[inline(always)]
    fn value(value: Value<'_>, out: &mut Vec<u8>) {
        match value {
            Value::Missing => out.extend_from_slice(Self::MISSING.as_bytes()),
            Value::Text(text) => match str::from_utf8(text) {
                Ok(text) => append_string(text, out),
                Err(_) => out.extend_from_slice(Self::MISSING.as_bytes()),
            },
            Value::SmallNumbers(numbers) => {
                list(numbers.iter().map(|number| Value::Number((*number).into())), out);
            }
            Value::Numbers(numbers) => {
                let value = |number: &Option<i32>| number.map_or(Value::Missing, |number| Value::Number(number.into()));
                list(numbers.iter().map(value), out);
            }
            Value::Times(times) => {
                list(times.iter().map(|time| time.map_or(Value::Missing, Value::Seconds)), out);
            }
            Value::Moves(moves) => list(moves.iter().map(|text| Value::Ascii(text.as_bytes())), out),
            Value::Pairs(pairs) => append_object(pairs, out),
            value @ (Value::Ascii(_) | Value::Key(_) | Value::Date(_)) => {
                out.push(b'"');
                append_plain(value, out);
                out.push(b'"');
            }
            value => append_plain(value, out),
        }
    }

    #[inline]
    fn ascii(texts: &Texts, index: usize, out: &mut Vec<u8>) {
        let start = out.len();
        out.push(b'"');
        texts.append(index, out);
        if out.len() == start + 1 {
            out.truncate(start);
            out.extend_from_slice(Self::MISSING.as_bytes());
        } else {
            out.push(b'"');
        }
    }
}

/// Appends a list of numbers, or of texts that need no escapes.
fn list<'v>(values: impl Iterator<Item = Value<'v>>, out: &mut Vec<u8>) {
    out.push(b'[');
    for (nth, value) in values.enumerate() {
        out.extend_from_slice(if nth > 0 { b"," } else { b"" });
        match value {
            Value::Missing => out.extend_from_slice(Jsonl::MISSING.as_bytes()),
            Value::Ascii(text) => {
                out.push(b'"');
                out.extend_from_slice(text);
                out.push(b'"');
            }
            value => append_plain(value, out),
        }
    }
    out.push(b']');
}
