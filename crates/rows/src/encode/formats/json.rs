//! Strings and objects of JSON.

use crate::table::value::Pairs;

/// Appends a text as a JSON string.
pub(super) fn append_string(text: &str, out: &mut Vec<u8>) {
    serde_json::to_writer(out, text).expect("writing to memory does not fail");
}

/// Appends an object with a string for each name.
pub(super) fn append_object(pairs: Pairs<'_>, out: &mut Vec<u8>) {
    out.push(b'{');
    for (nth, (name, text)) in pairs.iter().enumerate() {
        if nth > 0 {
            out.push(b',');
        }
        append_string(name, out);
        out.push(b':');
        append_string(text, out);
    }
    out.push(b'}');
}
