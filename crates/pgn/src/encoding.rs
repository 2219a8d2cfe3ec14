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
#[doc(hidden)]
pub use crate::encoding::legacy::Transcoder;
#[cfg(feature = "encodings")]
pub use crate::encoding::legacy::{Fallback, Label, guess};
#[cfg(not(feature = "encodings"))]
#[doc(hidden)]
pub use crate::encoding::windows_1252::Transcoder;
#[cfg(not(feature = "encodings"))]
pub use crate::encoding::windows_1252::{Fallback, Label, guess};

/// The size of the text that is enough to guess an encoding, in bytes.
#[doc(hidden)]
pub const SAMPLE: usize = 64 * 1024;

/// Decodes UTF-8, or Windows-1252 if the bytes are not UTF-8. In Windows-1252 every byte is some character.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    Fallback::default().decode(bytes)
}

/// Detects UTF-16 in the first bytes of a file: by its byte order mark, by the beginning of a tag pair, or by zeros in
/// nine of ten odd or even bytes.
#[doc(hidden)]
pub fn detect_utf16(head: &[u8]) -> Option<Label> {
    let head = &head[..head.len().min(64)];
    let zeros = |parity: usize| head.iter().skip(parity).step_by(2).filter(|byte| **byte == 0).count();
    let nearly_all = |parity: usize| head.len() >= 8 && zeros(parity) * 10 >= (head.len() / 2) * 9;
    match head {
        [0xFF, 0xFE, ..] => Some(Label::UTF_16LE),
        [0xFE, 0xFF, ..] => Some(Label::UTF_16BE),
        // The value of the tag may have letters that are not Latin.
        [b'[', 0, b'A'..=b'Z', 0, ..] => Some(Label::UTF_16LE),
        [0, b'[', 0, b'A'..=b'Z', ..] => Some(Label::UTF_16BE),
        _ if nearly_all(1) && !nearly_all(0) => Some(Label::UTF_16LE),
        _ if nearly_all(0) && !nearly_all(1) => Some(Label::UTF_16BE),
        _ => None,
    }
}

#[cfg(all(test, feature = "encodings"))]
mod tests {
    use std::io::{self, Read};

    use super::{Fallback, Label, Transcoder, decode, detect_utf16, guess};

    #[test]
    fn utf8_is_believed_only_where_it_is_valid() {
        assert_eq!(decode("Grünfeld".as_bytes()), "Grünfeld");
        assert_eq!(decode(b"Gr\xfcnfeld"), "Grünfeld");
    }

    /// Compares the guess for a text, and the text that it leads to.
    #[track_caller]
    fn check_guess(text: &[u8], encoding: &str, decoded: &str) {
        let guessed = guess(text).unwrap();
        assert_eq!(guessed.name(), encoding, "{decoded}");
        assert_eq!(Fallback::new(Some(guessed)).decode(text), decoded);
    }

    #[test]
    fn an_encoding_is_guessed_from_the_words_that_are_not_utf8() {
        let russian = b"[White \"\xd1\xef\xe0\xf1\xf1\xea\xe8\xe9, \xc1\xee\xf0\xe8\xf1\"]";
        check_guess(russian, "windows-1251", "[White \"Спасский, Борис\"]");
        check_guess(
            b"\xc9\xf9\xdc\xed\xed\xe7\xf2 \xd0\xe1\xf0\xe1\xfa\xf9\xdc\xed\xed\xef\xf5",
            "windows-1253",
            "Ιωάννης Παπαϊωάννου",
        );
        assert_eq!(guess("[White \"Спасский\"]".as_bytes()), None);
        assert_eq!(guess(b""), None);
    }

    #[test]
    fn western_names_are_never_taken_for_those_of_other_countries() {
        for (name, decoded) in [
            (&b"Gr\xfcnfeld"[..], "Grünfeld"),
            (b"Mu\xf1oz Mu\xf1oz", "Muñoz Muñoz"),
            (b"Jo\xe3o Gon\xe7alves Concei\xe7\xe3o", "João Gonçalves Conceição"),
            (b"\xde\xf3rhallsson He\xf0inn", "Þórhallsson Heðinn"),
            (b"\xc5g\xe5rd S\xf8rensen", "Ågård Sørensen"),
            (b"Alm\xe1si B\xe1rczay", "Almási Bárczay"),
        ] {
            check_guess(name, "windows-1252", decoded);
        }
    }

    #[test]
    fn central_european_names_are_told_by_their_letters() {
        check_guess(b"So\xe6ko \x8cwiercz \xa3\xf3d\x9f \xaf\xb3ya", "windows-1250", "Soćko Świercz Łódź Żłya");
        check_guess(b"Dvo\xf8\xe1k \x8atohl \x8e\xe1\xe8ek Ji\xf8\xed", "windows-1250", "Dvořák Štohl Žáček Jiří");
        check_guess(b"Y\xfdlmaz \xdeanal A\xf0r\xfd K\xfdl\xfd\xe7", "windows-1254", "Yılmaz Şanal Ağrı Kılıç");
    }

    #[test]
    fn a_named_encoding_is_used() {
        assert_eq!(Fallback::new(Label::find("latin2")).name(), "ISO-8859-2");
        assert_eq!(Fallback::new(None).name(), "windows-1252");
        assert_eq!(["klingon", "hz-gb-2312"].map(Label::find), [None; 2]);
    }

    #[test]
    fn the_first_words_are_enough_for_a_guess() {
        let mut names = b"Gr\xfcnfeld ".repeat(10_000);
        names.extend(b"\xca\xe0\xf0\xef\xee\xe2 ".repeat(100_000));
        assert_eq!(guess(&names).unwrap().name(), "windows-1252");
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
        check_utf16(
            "[White \"Карпов, Анатолий\"]".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>().as_slice(),
            Some("utf-16le"),
        );
        check_utf16(b"\0[\0W\x04\x1a\x04\x1a", Some("utf-16be"));
        check_utf16(b"[\0\0\0", None);
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

    #[test]
    fn an_error_follows_the_text_before_it() {
        struct Breaks<'t>(&'t [u8]);
        impl Read for Breaks<'_> {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                let count = self.0.read(buffer)?;
                if count == 0 { Err(io::Error::other("the line is dead")) } else { Ok(count) }
            }
        }
        // The last byte is half a character.
        let mut reader = Transcoder::new(Breaks(b"1\0.\0 \0e"), Label::find("utf-16le").unwrap());
        let mut text = Vec::new();
        for _ in 0..3 {
            let error = reader.read_to_end(&mut text).unwrap_err();
            assert_eq!(error.to_string(), "the line is dead");
            assert_eq!(text, b"1. ");
        }
    }

    #[test]
    fn some_zeros_do_not_make_a_text_utf16() {
        let text = |zeros: usize| [b"a\0".repeat(zeros), b"ab".repeat(32 - zeros)].concat();
        assert_eq!([6, 28].map(|zeros| detect_utf16(&text(zeros))), [None; 2]);
        assert_eq!(detect_utf16(&text(29)), Some(Label::UTF_16LE));
    }
}
