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
                let mut separator = b'[';
                for number in numbers {
                    out.push(separator);
                    separator = b',';
                    append_plain(Value::Number((*number).into()), out);
                }
                out.push(b']');
            }
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
