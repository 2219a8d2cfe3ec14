//! The format `tsv`: values separated by tabs.

use crate::rows::column::{Column, Columns};
use crate::rows::formats::lines::Syntax;
use crate::rows::formats::values::append_plain;
use crate::rows::table::Value;
use crate::tables::Texts;

/// The syntax of rows. In a value, a tab is written `\t`, line breaks are written `\n` and `\r`, and a backslash is written `\\`.
pub(in crate::rows) struct Tsv;

impl Syntax for Tsv {
    const HAS_TYPES: bool = false;

    fn begin_value(nth: usize, _: &str, out: &mut Vec<u8>) {
        if nth > 0 {
            out.push(b'\t');
        }
    }

    #[inline(always)]
    fn value(value: Value<'_>, out: &mut Vec<u8>) {
        match value {
            Value::Text(text) => append_escaped(text, out),
            Value::Pairs(_) => {
                let mut object = Vec::new();
                append_plain(value, &mut object);
                append_escaped(&object, out);
            }
            value => append_plain(value, out),
        }
    }

    #[inline]
    fn quoted(write: impl FnOnce(&mut Vec<u8>), out: &mut Vec<u8>) {
        write(out);
    }

    #[inline]
    fn ascii(texts: &Texts, index: usize, out: &mut Vec<u8>) {
        texts.append(index, out);
    }

    #[inline]
    fn end_row(_: usize, out: &mut Vec<u8>) {
        out.push(b'\n');
    }
}

/// Appends the header row.
pub(super) fn header(columns: &Columns, out: &mut Vec<u8>) {
    names(columns.iter().map(Column::name), out);
}

/// Appends a header row with these names.
pub(in crate::rows) fn names<'n>(names: impl Iterator<Item = &'n str>, out: &mut Vec<u8>) {
    for (nth, name) in names.enumerate() {
        Tsv::begin_value(nth, name, out);
        append_escaped(name.as_bytes(), out);
    }
    out.push(b'\n');
}

fn append_escaped(text: &[u8], out: &mut Vec<u8>) {
    // Without a branch for each byte, since few texts have such characters.
    let is_plain = |plain, byte: &u8| plain & !matches!(byte, b'\t' | b'\n' | b'\r' | b'\\');
    if text.iter().fold(true, is_plain) {
        return out.extend_from_slice(text);
    }
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
