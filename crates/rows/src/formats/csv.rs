//! The format `csv`: values separated by commas (RFC 4180, with LF as the line break).

use crate::column::Column;
use crate::columns::Columns;
use crate::formats::lines::Syntax;
use crate::formats::values::append_plain;
use crate::table::Value;
use pgn2fen_tables::Texts;

/// The syntax of rows. Values that contain commas, quotes or line breaks are quoted.
pub(crate) struct Csv;

impl Syntax for Csv {
    const HAS_TYPES: bool = false;
    const HAS_QUOTES: bool = false;
    const MISSING: &str = "";
    /// The empty text in quotes, because readers skip empty lines.
    const EMPTY_ROW: &str = "\"\"";
    const END: &str = "\n";

    fn begin_value(nth: usize, _: &str, out: &mut Vec<u8>) {
        if nth > 0 {
            out.push(b',');
        }
    }

    #[inline(always)]
    fn value(value: Value<'_>, out: &mut Vec<u8>) {
        match value {
            Value::Text(text) => append_field(text, out),
            Value::Pairs(_) => {
                let mut object = Vec::new();
                append_plain(value, &mut object);
                append_field(&object, out);
            }
            value => append_plain(value, out),
        }
    }

    #[inline]
    fn ascii(texts: &Texts, index: usize, out: &mut Vec<u8>) {
        texts.append(index, out);
    }
}

/// Appends the header row.
pub(super) fn header(columns: &Columns, out: &mut Vec<u8>) {
    names(columns.iter().map(Column::name), out);
}

/// Appends a header row with these names.
pub(crate) fn names<'n>(names: impl Iterator<Item = &'n str>, out: &mut Vec<u8>) {
    for (nth, name) in names.enumerate() {
        Csv::begin_value(nth, name, out);
        append_field(name.as_bytes(), out);
    }
    out.push(b'\n');
}

fn append_field(text: &[u8], out: &mut Vec<u8>) {
    if !csv_core::Writer::new().should_quote(text) {
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
