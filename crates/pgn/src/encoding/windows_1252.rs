//! A build without the tables of encodings: text that is not UTF-8 is read as Windows-1252, and UTF-16 is not read.

use std::borrow::Cow;
use std::io::{self, Read};

/// The encoding of text that is not UTF-8: always Windows-1252.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fallback(());

/// The characters of the bytes from 0x80 to 0x9F in Windows-1252. The others are those of ISO 8859-1.
const HIGH: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž', '\u{8F}', '\u{90}', '‘', '’',
    '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}', 'ž', 'Ÿ',
];

impl Fallback {
    /// Uses Windows-1252.
    pub fn new(_: Option<Label>) -> Self {
        Self(())
    }

    /// Decodes UTF-8, or Windows-1252 if the bytes are not UTF-8.
    pub fn decode<'a>(&self, bytes: &'a [u8]) -> Cow<'a, str> {
        let character = |byte: &u8| match byte {
            0x80..=0x9F => HIGH[usize::from(byte - 0x80)],
            byte => char::from(*byte),
        };
        str::from_utf8(bytes).map_or_else(|_| bytes.iter().map(character).collect(), Cow::Borrowed)
    }

    /// Returns the name of the encoding.
    pub fn name(&self) -> &'static str {
        "windows-1252"
    }
}

/// Returns None: there is only one encoding.
pub fn guess(_: &[u8]) -> Option<Label> {
    None
}

/// An encoding that the user named: UTF-8, or one that cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label(&'static str);

impl Label {
    pub(super) const UTF_16LE: Self = Self("UTF-16LE");
    pub(super) const UTF_16BE: Self = Self("UTF-16BE");

    /// Finds UTF-8 by its name.
    pub fn find(name: &str) -> Option<Self> {
        name.trim().eq_ignore_ascii_case("utf-8").then_some(Self("UTF-8"))
    }

    /// Returns the name of the encoding.
    pub fn name(self) -> &'static str {
        self.0
    }

    /// Whether text in this encoding must be converted to UTF-8 before its structure can be read.
    pub fn hides_structure(self) -> bool {
        self.0 != "UTF-8"
    }
}

/// A reader that fails: the text is in an encoding that this build does not read.
#[doc(hidden)]
#[derive(Debug)]
pub struct Transcoder(Label);

impl Transcoder {
    pub fn new<R>(_: R, label: Label) -> Self {
        Self(label)
    }
}

impl Read for Transcoder {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        let name = self.0.name();
        let reason = format!("is in {name}, and this build of pgn2fen reads UTF-8 only (feature `encodings`)");
        Err(io::Error::new(io::ErrorKind::Unsupported, reason))
    }
}
