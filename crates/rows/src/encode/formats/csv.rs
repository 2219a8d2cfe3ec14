//! The format `csv`: values separated by commas (RFC 4180, with LF as the line break).

use crate::encode::formats::separated::Separated;

/// The syntax of rows. Values that contain commas, quotes or line breaks are quoted.
pub(crate) struct Csv;

impl Separated for Csv {
    const SEPARATOR: u8 = b',';
    /// The empty text in quotes, because readers skip empty lines.
    const EMPTY_ROW: &str = "\"\"";

    fn append_text(text: &[u8], out: &mut Vec<u8>) {
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
}

#[cfg(test)]
mod tests {
    use super::Csv;
    use crate::encode::formats::separated::Separated;

    #[test]
    fn quotes_are_doubled_wherever_they_stand() {
        for (text, expected) in
            [("\"", "\"\"\"\""), ("\"\"", "\"\"\"\"\"\""), ("a,\"b\"", "\"a,\"\"b\"\"\""), ("a", "a")]
        {
            for before in ["", "x,"] {
                let mut out = before.as_bytes().to_vec();
                Csv::append_text(text.as_bytes(), &mut out);
                assert_eq!(String::from_utf8(out).unwrap(), format!("{before}{expected}"));
            }
        }
    }
}
