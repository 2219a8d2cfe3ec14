//! White space beyond ASCII, in UTF-8.

/// Returns the length in bytes of the white space character of several bytes with which a text begins. Otherwise 0.
///
/// These are the white space characters of Unicode (property White_Space), and the format characters that show nothing:
/// U+00AD, U+061C, U+180E, U+200B to U+200F, U+202A to U+202E, U+2060 to U+206F and U+FEFF.
pub fn wide_blank(text: &[u8]) -> usize {
    match text {
        [0xC2, 0x85 | 0xA0 | 0xAD, ..] | [0xD8, 0x9C, ..] => 2,
        [0xE1, 0x9A, 0x80, ..] | [0xE1, 0xA0, 0x8E, ..] | [0xE3, 0x80, 0x80, ..] | [0xEF, 0xBB, 0xBF, ..] => 3,
        [0xE2, 0x80, 0x80..=0x8F | 0xA8..=0xAF, ..] | [0xE2, 0x81, 0x9F..=0xAF, ..] => 3,
        _ => 0,
    }
}

/// Whether a white space character of several bytes may begin with this byte.
#[inline]
pub fn may_begin_blank(byte: u8) -> bool {
    matches!(byte, 0xC2 | 0xD8 | 0xE1..=0xE3 | 0xEF)
}

/// Returns the length in bytes of the white space character of several bytes with which a text ends. Otherwise 0.
pub fn wide_blank_before(text: &[u8]) -> usize {
    [2, 3]
        .into_iter()
        .find(|width| text.len() >= *width && wide_blank(&text[text.len() - width..]) == *width)
        .unwrap_or(0)
}

/// Returns the text with spaces in place of the bytes of white space beyond ASCII, so that every place stays the same.
/// None if there is no such white space.
pub(crate) fn with_spaces(text: &[u8]) -> Option<Vec<u8>> {
    if text.is_ascii() {
        return None;
    }
    let mut spaced = text.to_vec();
    let mut at = 0;
    while at < text.len() {
        let width = wide_blank(&text[at..]);
        spaced[at..at + width].fill(b' ');
        at += width.max(1);
    }
    (spaced != text).then_some(spaced)
}

#[cfg(test)]
mod tests {
    use super::{may_begin_blank, wide_blank, wide_blank_before, with_spaces};

    #[test]
    fn every_white_space_character_is_known() {
        for char in '\u{80}'..=char::MAX {
            let text = char.to_string();
            let width = wide_blank(text.as_bytes());
            assert!(!char.is_whitespace() || width == text.len(), "{char:?}");
            let is_visible = char.is_alphanumeric() || ('\u{2010}'..='\u{2027}').contains(&char);
            assert!(!is_visible || width == 0, "{char:?}");
            assert!(width == 0 || may_begin_blank(text.as_bytes()[0]), "{char:?}");
            assert_eq!(wide_blank_before(text.as_bytes()), width, "{char:?}");
        }
    }

    #[test]
    fn no_byte_of_ascii_and_no_first_byte_of_letters_begins_white_space_of_several_bytes() {
        for byte in [b'a', b' ', "é".as_bytes()[0], "х".as_bytes()[0], "国".as_bytes()[0]] {
            assert!(!may_begin_blank(byte), "{byte:#04x}");
        }
    }

    #[test]
    fn spaces_keep_every_place() {
        assert_eq!(with_spaces("a\u{a0}b\u{3000}é".as_bytes()), Some("a  b   é".into()));
        assert_eq!(with_spaces("é b".as_bytes()), None);
    }
}
