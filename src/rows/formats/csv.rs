//! The format `csv`: values separated by commas (RFC 4180, with LF as the line break).

use crate::rows::column::{Column, Columns};
use crate::rows::formats::values::{append_plain, end_line};
use crate::rows::group::Piece;
use crate::rows::table::Value;

/// Appends rows. Values that contain commas, quotes or line breaks are quoted.
pub(super) fn rows(columns: &Columns, piece: &Piece, out: &mut Vec<u8>) {
    for index in piece.indices() {
        row(columns.cells().map(|cell| piece.table.value(cell, index)), out);
    }
}

/// Appends one row as a line.
pub(in crate::rows) fn row<'v>(values: impl Iterator<Item = Value<'v>>, out: &mut Vec<u8>) {
    let writer = csv_core::Writer::new();
    let start = out.len();
    for value in values {
        match value {
            Value::Text(text) => append_field(&writer, text, out),
            Value::Pairs(_) => {
                let mut object = Vec::new();
                append_plain(value, &mut object);
                append_field(&writer, &object, out);
            }
            value => append_plain(value, out),
        }
        out.push(b',');
    }
    end_row(start, out);
}

/// Appends the header row.
pub(super) fn header(columns: &Columns, out: &mut Vec<u8>) {
    names(columns.iter().map(Column::name), out);
}

/// Appends a header row with these names.
pub(in crate::rows) fn names<'n>(names: impl Iterator<Item = &'n str>, out: &mut Vec<u8>) {
    let writer = csv_core::Writer::new();
    for name in names {
        append_field(&writer, name.as_bytes(), out);
        out.push(b',');
    }
    end_line(out);
}

fn append_field(writer: &csv_core::Writer, text: &[u8], out: &mut Vec<u8>) {
    if !writer.should_quote(text) {
        out.extend_from_slice(text);
        return;
    }
    out.push(b'"');
    let start = out.len();
    out.resize(start + 2 * text.len(), 0);
    let (_, _, written) = csv_core::quote(text, &mut out[start..], b'"', b'"', true);
    out.truncate(start + written);
    out.push(b'"');
}

/// Ends a row. A row that would be an empty line is written as `""`, because readers skip empty lines.
fn end_row(start: usize, out: &mut Vec<u8>) {
    if out.len() == start + 1 {
        out.truncate(start);
        out.extend_from_slice(b"\"\",");
    }
    end_line(out);
}
