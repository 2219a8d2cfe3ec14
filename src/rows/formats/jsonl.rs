//! The format `jsonl`: one JSON object on each line.

use crate::rows::column::Columns;
use crate::rows::formats::json::{append_object, append_string};
use crate::rows::formats::values::append_plain;
use crate::rows::group::Piece;
use crate::rows::table::Value;

/// Appends one object for each row: numbers as JSON numbers, dates as strings in ISO 8601, missing values as null.
pub(super) fn rows(columns: &Columns, piece: &Piece, out: &mut Vec<u8>) {
    let names: Vec<Vec<u8>> = columns.iter().map(|column| name(column.name())).collect();
    for index in piece.indices() {
        let values = columns.cells().map(|cell| piece.table.typed_value(cell, index));
        row(names.iter().map(Vec::as_slice).zip(values), out);
    }
}

/// Returns the name of a column as a JSON string.
pub(in crate::rows) fn name(name: &str) -> Vec<u8> {
    let mut quoted = Vec::new();
    append_string(name, &mut quoted);
    quoted
}

/// Appends a list of numbers, or of texts that need no escapes.
fn list<'v>(values: impl Iterator<Item = Value<'v>>, out: &mut Vec<u8>) {
    out.push(b'[');
    for (nth, value) in values.enumerate() {
        out.extend_from_slice(if nth > 0 { b"," } else { b"" });
        match value {
            Value::Missing => out.extend_from_slice(b"null"),
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

/// Appends one row as a line. The names are JSON strings already.
pub(in crate::rows) fn row<'v>(row: impl Iterator<Item = (&'v [u8], Value<'v>)>, out: &mut Vec<u8>) {
    let mut separator = b'{';
    for (name, value) in row {
        out.push(separator);
        separator = b',';
        out.extend_from_slice(name);
        out.push(b':');
        match value {
            Value::Missing => out.extend_from_slice(b"null"),
            Value::Text(text) => match str::from_utf8(text) {
                Ok(text) => append_string(text, out),
                Err(_) => out.extend_from_slice(b"null"),
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
    out.extend_from_slice(b"}\n");
}
