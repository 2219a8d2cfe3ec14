//! Writes tag pairs in the export format (PGN standard §8.1.1).

/// U+FFFD in UTF-8, which stands for a control character. A blank would do for other programs, but might make an
/// evaluation or a clock readable that was none.
pub(crate) const REPLACEMENT: &[u8] = "\u{FFFD}".as_bytes();

/// Appends `[Name "value"]` and a line break.
pub(crate) fn append_pair(name: &[u8], value: &str, out: &mut Vec<u8>) {
    out.push(b'[');
    out.extend_from_slice(name);
    out.extend_from_slice(b" \"");
    append_value(value.as_bytes(), out);
    out.extend_from_slice(b"\"]\n");
}

/// Appends a value as it is written between quotes. A string cannot have control characters (§7): white space is
/// written as a blank, and others as U+FFFD, so that no value that is unreadable becomes readable.
pub(crate) fn append_value(value: &[u8], out: &mut Vec<u8>) {
    for byte in value {
        match *byte {
            byte @ (b'"' | b'\\') => out.extend_from_slice(&[b'\\', byte]),
            byte if is_space(byte.into()) => out.push(b' '),
            0..b' ' | 0x7F => out.extend_from_slice(REPLACEMENT),
            byte => out.push(byte),
        }
    }
}

/// Returns a value as it is read back: see [`append_value`].
pub(crate) fn written(value: &str) -> String {
    let plain = |c: char| match c {
        c if is_space(c) => ' ',
        c if c.is_ascii_control() => char::REPLACEMENT_CHARACTER,
        c => c,
    };
    value.chars().map(plain).collect()
}

/// Whether a control character is white space.
fn is_space(c: char) -> bool {
    matches!(c, '\t'..='\r')
}

#[cfg(test)]
mod tests {
    use super::{append_pair, append_value, written};

    #[test]
    fn a_pair_has_a_line_and_escapes() {
        let mut out = Vec::new();
        append_pair(b"White", "A \"B\" \\", &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), "[White \"A \\\"B\\\" \\\\\"]\n");
    }

    #[test]
    fn control_characters_cannot_be_written() {
        for (value, expected) in [
            ("a\tb\nc\rd\u{b}e\u{c}f", "a b c d e f"),
            ("a\0b\u{1f}c\u{7f}", "a\u{fffd}b\u{fffd}c\u{fffd}"),
            ("é ½ ~", "é ½ ~"),
        ] {
            let mut out = Vec::new();
            append_value(value.as_bytes(), &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), expected, "{value:?}");
            assert_eq!(written(value), expected, "{value:?}");
        }
    }
}
