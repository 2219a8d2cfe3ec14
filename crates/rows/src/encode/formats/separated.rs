//! Lines of values with a separator between them: the common part of csv and tsv.

use crate::encode::formats::lines::Syntax;
use crate::encode::formats::values::append_plain;
use crate::table::value::Value;
use pgn2fen_tables::Texts;

/// The syntax of values with a separator between them. A missing value is an empty text.
pub(crate) trait Separated {
    const SEPARATOR: u8;
    /// The text of a row that would be empty.
    const EMPTY_ROW: &str;

    /// Appends a text that may need quotes or escapes.
    fn append_text(text: &[u8], out: &mut Vec<u8>);
}

impl<S: Separated> Syntax for S {
    const HAS_TYPES: bool = false;
    const HAS_QUOTES: bool = false;
    const MISSING: &str = "";
    const EMPTY_ROW: &str = S::EMPTY_ROW;
    const END: &str = "\n";

    fn begin_value(nth: usize, _: &str, out: &mut Vec<u8>) {
        if nth > 0 {
            out.push(S::SEPARATOR);
        }
    }

    #[inline(always)]
    fn value(value: Value<'_>, out: &mut Vec<u8>) {
        match value {
            Value::Text(text) => S::append_text(text, out),
            Value::Pairs(_) => {
                let mut object = Vec::new();
                append_plain(value, &mut object);
                S::append_text(&object, out);
            }
            value => append_plain(value, out),
        }
    }

    #[inline]
    fn ascii(texts: &Texts, index: usize, out: &mut Vec<u8>) {
        texts.append(index, out);
    }
}

/// Appends a header row with these names.
pub(crate) fn header<'n, S: Separated>(names: impl Iterator<Item = &'n str>, out: &mut Vec<u8>) {
    for (nth, name) in names.enumerate() {
        S::begin_value(nth, name, out);
        S::append_text(name.as_bytes(), out);
    }
    out.push(b'\n');
}
