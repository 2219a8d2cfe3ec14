//! The format `tsv`: values separated by tabs.

use crate::rows::column::{Column, Columns};
use crate::rows::formats::values::{append_plain, end_line};
use crate::rows::group::Piece;
use crate::rows::table::Value;

/// Appends rows. In a value, a tab is written `\t`, line breaks are written `\n` and `\r`, and a backslash is written `\\`.
pub(super) fn rows(columns: &Columns, piece: &Piece, out: &mut Vec<u8>) {
    for index in piece.indices() {
        row(columns.cells().map(|cell| piece.table.value(cell, index)), out);
    }
}

/// Appends one row as a line.
pub(in crate::rows) fn row<'v>(values: impl Iterator<Item = Value<'v>>, out: &mut Vec<u8>) {
    for value in values {
        match value {
            Value::Text(text) => append_escaped(text, out),
            Value::Pairs(_) => {
                let mut object = Vec::new();
                append_plain(value, &mut object);
                append_escaped(&object, out);
            }
            value => append_plain(value, out),
        }
        out.push(b'\t');
    }
    end_line(out);
}

/// Appends the header row.
pub(super) fn header(columns: &Columns, out: &mut Vec<u8>) {
    names(columns.iter().map(Column::name), out);
}

/// Appends a header row with these names.
pub(in crate::rows) fn names<'n>(names: impl Iterator<Item = &'n str>, out: &mut Vec<u8>) {
    for name in names {
        append_escaped(name.as_bytes(), out);
        out.push(b'\t');
    }
    end_line(out);
}

fn append_escaped(text: &[u8], out: &mut Vec<u8>) {
    for &byte in text {
        match byte {
            b'\t' => out.extend_from_slice(b"\\t"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\\' => out.extend_from_slice(b"\\\\"),
            byte => out.push(byte),
        }
    }
}
