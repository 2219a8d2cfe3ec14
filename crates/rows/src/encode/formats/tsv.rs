//! The format `tsv`: values separated by tabs.

use crate::encode::formats::separated::Separated;

/// The syntax of rows. In a value, a tab is written `\t`, line breaks are written `\n` and `\r`, and a backslash is
/// written `\\`.
pub(crate) struct Tsv;

impl Separated for Tsv {
    const SEPARATOR: u8 = b'\t';
    const EMPTY_ROW: &str = "";

    #[inline(always)]
    fn append_text(text: &[u8], out: &mut Vec<u8>) {
        if has_escaped(text) { append_with_escapes(text, out) } else { out.extend_from_slice(text) }
    }
}

#[cold]
fn append_with_escapes(text: &[u8], out: &mut Vec<u8>) {
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

/// Whether a text has a character that is escaped.
#[inline]
fn has_escaped(text: &[u8]) -> bool {
    // The compiler compares the bytes of a box at once. Most texts are short, so the boxes are small.
    let in_box = |bytes: &[u8; 8]| bytes.iter().fold(false, |found, byte| found | is_escaped(*byte));
    match text.last_chunk() {
        // The last box may begin within the one before.
        Some(last) => text.as_chunks().0.iter().any(in_box) || in_box(last),
        None => text.iter().any(|byte| ESCAPED[usize::from(*byte)]),
    }
}

/// Whether a byte is escaped. Without branches, so that several bytes can be compared at once.
#[inline(always)]
const fn is_escaped(byte: u8) -> bool {
    (byte == b'\t') | (byte == b'\n') | (byte == b'\r') | (byte == b'\\')
}

/// Whether each byte is escaped, to look a byte up.
static ESCAPED: [bool; 256] = {
    let mut escaped = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        escaped[byte] = is_escaped(byte.to_le_bytes()[0]);
        byte += 1;
    }
    escaped
};

#[cfg(test)]
mod tests {
    use super::Tsv;
    use crate::encode::formats::separated::Separated;

    #[test]
    fn each_character_is_escaped_wherever_it_stands() {
        for (byte, escaped) in [(b'\t', "\\t"), (b'\n', "\\n"), (b'\r', "\\r"), (b'\\', "\\\\")] {
            for length in 1..40 {
                for place in 0..length {
                    let mut text = vec![b'x'; length];
                    text[place] = byte;
                    let mut out = Vec::new();
                    Tsv::append_text(&text, &mut out);
                    let expected = format!("{}{escaped}{}", "x".repeat(place), "x".repeat(length - place - 1));
                    assert_eq!(String::from_utf8(out).unwrap(), expected);
                }
            }
        }
    }

    #[test]
    fn other_characters_are_not_escaped() {
        let text: Vec<u8> = (0..=255).filter(|byte| !b"\t\n\r\\".contains(byte)).collect();
        let mut out = Vec::new();
        Tsv::append_text(&text, &mut out);
        assert_eq!(out, text);
    }

    #[test]
    fn two_characters_that_are_escaped_may_stand_together() {
        for length in 2..20 {
            for (one, other) in (1..length).flat_map(|other| (0..other).map(move |one| (one, other))) {
                let mut text = vec![b'x'; length];
                (text[one], text[other]) = (b'\t', b'\\');
                let mut out = Vec::new();
                Tsv::append_text(&text, &mut out);
                let expected: String = text
                    .iter()
                    .map(|byte| match byte {
                        b'\t' => "\\t",
                        b'\\' => "\\\\",
                        _ => "x",
                    })
                    .collect();
                assert_eq!(String::from_utf8(out).unwrap(), expected);
            }
        }
    }
}
