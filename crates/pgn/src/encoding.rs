//! Decodes the bytes of tag values and comments. No other module knows encodings.
//!
//! The standard requires ISO 8859-1 (§4.1). Today most files are UTF-8, old files are in Windows code pages, and merged
//! databases mix all of them. In all of these the structure of PGN is ASCII. So games are read as bytes, and only the
//! text that is shown is decoded: as UTF-8 if it is valid UTF-8, and by a fallback otherwise. In other encodings the
//! structure is not ASCII (UTF-16), or parts of a character look like structure (GBK, Big5, Shift JIS). They are
//! converted to UTF-8 before anything is read.
//!
//! # Inside
//!
//! - `legacy`: all encodings
//! - `windows_1252`: Windows-1252 for all text that is not UTF-8, in a build without the feature `encodings`

use std::borrow::Cow;

#[cfg(feature = "encodings")]
mod legacy;
#[cfg(not(feature = "encodings"))]
mod windows_1252;

#[cfg(feature = "encodings")]
pub use crate::encoding::legacy::{Fallback, Label};
#[cfg(feature = "encodings")]
#[doc(hidden)]
pub use crate::encoding::legacy::{Transcoder, guess};
#[cfg(not(feature = "encodings"))]
#[doc(hidden)]
pub use crate::encoding::windows_1252::Transcoder;
#[cfg(not(feature = "encodings"))]
pub use crate::encoding::windows_1252::{Fallback, Label};

/// Decodes UTF-8, or Windows-1252 if the bytes are not UTF-8. In Windows-1252 every byte is some character.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    Fallback::default().decode(bytes)
}

/// Detects UTF-16 in the first bytes of a file: by its byte order mark, or by zeros in nine of ten odd or even bytes.
#[doc(hidden)]
pub fn detect_utf16(head: &[u8]) -> Option<Label> {
    let head = &head[..head.len().min(64)];
    let zeros = |parity: usize| head.iter().skip(parity).step_by(2).filter(|byte| **byte == 0).count();
    let nearly_all = |parity: usize| head.len() >= 8 && zeros(parity) * 10 >= (head.len() / 2) * 9;
    match head {
        [0xFF, 0xFE, ..] => Some(Label::UTF_16LE),
        [0xFE, 0xFF, ..] => Some(Label::UTF_16BE),
        _ if nearly_all(1) && !nearly_all(0) => Some(Label::UTF_16LE),
        _ if nearly_all(0) && !nearly_all(1) => Some(Label::UTF_16BE),
        _ => None,
    }
}

#[cfg(all(test, feature = "encodings"))]
mod tests {
    use std::io::Read;

    use super::{Fallback, Label, Transcoder, decode, detect_utf16, guess};

    #[test]
    fn utf8_is_believed_only_where_it_is_valid() {
        assert_eq!(decode("Grünfeld".as_bytes()), "Grünfeld");
        assert_eq!(decode(b"Gr\xfcnfeld"), "Grünfeld");
    }

    #[test]
    fn cyrillic_is_guessed_from_what_was_seen() {
        let mut fallback = Fallback::default();
        fallback.feed(
            b"\xca\xe0\xf0\xef\xee\xe2 \xc0\xed\xe0\xf2\xee\xeb\xe8\xe9 \xc5\xe2\xe3\xe5\xed\xfc\xe5\xe2\xe8\xf7",
        );
        assert_eq!(fallback.name(), "windows-1251");
        assert_eq!(fallback.decode(b"\xca\xe0\xf0\xef\xee\xe2"), "Карпов");
    }

    #[test]
    fn an_encoding_is_guessed_from_the_words_that_are_not_utf8() {
        let russian = b"[White \"\xd1\xef\xe0\xf1\xf1\xea\xe8\xe9, \xc1\xee\xf0\xe8\xf1\"]";
        assert_eq!(guess(russian), Some("windows-1251"));
        assert_eq!(guess("[White \"Спасский\"]".as_bytes()), None);
        assert_eq!(guess(b"[White \"Gr\xfcnfeld\"]"), Some("windows-1252"));
    }

    #[test]
    fn a_named_encoding_is_not_doubted() {
        let mut fallback = Fallback::new(Label::find("latin2"));
        fallback.feed(b"\xca\xe0\xf0\xef\xee\xe2");
        assert_eq!(fallback.name(), "ISO-8859-2");
        assert_eq!(Label::find("klingon"), None);
    }

    #[test]
    fn text_of_several_bytes_a_character_is_converted_before_it_is_read() {
        for (name, expected) in [
            ("utf-16le", true),
            ("utf-16be", true),
            ("gbk", true),
            ("latin1", false),
            ("cp866", false),
            ("utf-8", false),
        ] {
            assert_eq!(Label::find(name).unwrap().hides_structure(), expected, "{name}");
        }
    }

    #[test]
    fn a_sample_of_some_text_is_enough_for_a_guess() {
        let mut fallback = Fallback::default();
        fallback.feed(&b"Gr\xfcnfeld ".repeat(10_000));
        fallback.feed(&b"\xca\xe0\xf0\xef\xee\xe2 ".repeat(100_000));
        assert_eq!(fallback.name(), "windows-1252");
    }

    #[track_caller]
    fn check_utf16(head: &[u8], expected: Option<&str>) {
        assert_eq!(detect_utf16(head), expected.and_then(Label::find));
    }

    #[test]
    fn utf16_is_told_by_its_mark_or_its_zeros() {
        check_utf16(b"\xff\xfe[\0", Some("utf-16le"));
        check_utf16(b"\xfe\xff\0[", Some("utf-16be"));
        check_utf16(b"[\0E\0v\0e\0n\0t\0", Some("utf-16le"));
        check_utf16(b"\0[\0E\0v\0e\0n\0t", Some("utf-16be"));
        check_utf16(b"[Event \"x\"]", None);
        check_utf16(&[0; 64], None);
        check_utf16(b"", None);
    }

    #[test]
    fn transcoding_reads_every_character_through_a_small_buffer() {
        let text = "[White \"Карпов\"] 1. e4 *\n".repeat(10_000);
        let mut utf16 = vec![0xFF, 0xFE];
        utf16.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
        let mut reader = Transcoder::new(&utf16[..], Label::find("utf-16le").unwrap());
        let mut read = Vec::new();
        let mut buffer = [0; 7];
        loop {
            match reader.read(&mut buffer).unwrap() {
                0 => break,
                count => read.extend_from_slice(&buffer[..count]),
            }
        }
        assert_eq!(read, text.as_bytes());
    }
}
