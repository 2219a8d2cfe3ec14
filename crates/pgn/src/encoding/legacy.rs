//! All encodings of the Encoding Standard.

use std::borrow::Cow;
use std::io::{self, Read};

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{CoderResult, Decoder, Encoding, UTF_8, WINDOWS_1250, WINDOWS_1252};

use crate::encoding::SAMPLE;

/// The encoding of text that is not UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fallback(&'static Encoding);

impl Default for Fallback {
    fn default() -> Self {
        Self(WINDOWS_1252)
    }
}

impl Fallback {
    /// Uses this encoding, or Windows-1252 if there is none.
    pub fn new(encoding: Option<Label>) -> Self {
        encoding.map_or_else(Self::default, |label| Self(label.0))
    }

    /// Decodes UTF-8, or this encoding if the bytes are not UTF-8.
    pub fn decode<'a>(&self, bytes: &'a [u8]) -> Cow<'a, str> {
        match str::from_utf8(bytes) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => self.0.decode_without_bom_handling(bytes).0,
        }
    }

    /// Returns the name of the encoding in the [Encoding Standard](https://encoding.spec.whatwg.org/).
    pub fn name(&self) -> &'static str {
        self.0.name()
    }
}

/// Guesses the encoding of the words of a text that are not UTF-8, of which the first 64 KiB are looked at. None if all
/// are UTF-8.
///
/// Encodings of Latin letters differ in a few letters only, and some names do not tell them apart. So Windows-1252 is
/// preferred, except to Windows-1254, and to Windows-1250 if there is a letter that western languages do not have.
pub fn guess(text: &[u8]) -> Option<Label> {
    if str::from_utf8(text).is_ok() {
        return None;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    let (mut fed, mut is_eastern) = (0, false);
    for word in text.split(u8::is_ascii_whitespace).filter(|word| !word.is_ascii()) {
        if fed >= SAMPLE {
            break;
        }
        if str::from_utf8(word).is_err() {
            detector.feed(word, false);
            detector.feed(b" ", false);
            fed += word.len();
            is_eastern |= word.iter().any(|byte| is_eastern_letter(*byte));
        }
    }
    if fed == 0 {
        return None;
    }
    let guess = detector.guess(None, Utf8Detection::Deny);
    let is_likely = match guess.name() {
        "windows-1250" | "ISO-8859-2" => is_eastern,
        "windows-1257" | "windows-1258" | "ISO-8859-4" => false,
        _ => guess.is_single_byte(),
    };
    Some(Label(if is_likely { guess } else { WINDOWS_1252 }))
}

/// Whether a byte is a letter of Windows-1250 and none of Windows-1252, or one of Š, š, Ž and ž, which are in both.
fn is_eastern_letter(byte: u8) -> bool {
    let is_letter =
        |encoding: &'static Encoding| encoding.decode_without_bom_handling(&[byte]).0.chars().all(char::is_alphabetic);
    matches!(byte, 0x8A | 0x8E | 0x9A | 0x9E) || byte >= 0x80 && is_letter(WINDOWS_1250) && !is_letter(WINDOWS_1252)
}

/// An encoding, which the user named or which was guessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label(&'static Encoding);

impl Label {
    pub(super) const UTF_16LE: Self = Self(encoding_rs::UTF_16LE);
    pub(super) const UTF_16BE: Self = Self(encoding_rs::UTF_16BE);

    /// Finds an encoding by one of its names, such as `latin1`, `windows-1251`, `cp866`, `gbk`, `utf-16le`. Upper and
    /// lower case are equal. Encodings that the Encoding Standard does not decode, such as `hz-gb-2312`, are none.
    pub fn find(name: &str) -> Option<Self> {
        Encoding::for_label_no_replacement(name.trim().as_bytes()).map(Label)
    }

    /// Returns the name of the encoding in the [Encoding Standard](https://encoding.spec.whatwg.org/).
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// Whether text in this encoding must be converted to UTF-8 before its structure can be read.
    pub fn hides_structure(self) -> bool {
        !self.0.is_single_byte() && self.0 != UTF_8
    }
}

/// A reader that converts any encoding to UTF-8. Bytes that cannot be decoded become U+FFFD.
#[doc(hidden)]
#[allow(missing_debug_implementations, reason = "the decoder has none")]
pub struct Transcoder<R> {
    inner: R,
    decoder: Decoder,
    raw: Vec<u8>,
    raw_at: usize,
    /// The error of the inner reader, until the bytes before it have been decoded.
    failure: Option<io::Error>,
    /// Whether the inner reader has reached its end.
    is_ended: bool,
    /// Whether all bytes have been decoded.
    is_done: bool,
    text: Vec<u8>,
    text_at: usize,
}

impl<R: Read> Transcoder<R> {
    /// Creates a reader of `inner`, which is in the encoding of `label`. A byte order mark is removed.
    #[doc(hidden)]
    pub fn new(inner: R, label: Label) -> Self {
        let decoder = label.0.new_decoder_with_bom_removal();
        Self {
            inner,
            decoder,
            raw: Vec::new(),
            raw_at: 0,
            failure: None,
            is_ended: false,
            is_done: false,
            text: Vec::new(),
            text_at: 0,
        }
    }

    /// Decodes more bytes into `text`. At the end, `text` is empty.
    fn refill(&mut self) -> io::Result<()> {
        const RAW: usize = 64 * 1024;
        self.text_at = 0;
        self.text.clear();
        self.text.resize(3 * RAW, 0);
        let mut written = 0;
        while written == 0 {
            if self.raw_at == self.raw.len() && !self.is_ended {
                if let Some(error) = self.failure.take() {
                    self.text.clear();
                    return Err(error);
                }
                self.raw.clear();
                self.raw_at = 0;
                let read = (&mut self.inner).take(RAW as u64).read_to_end(&mut self.raw);
                self.is_ended = matches!(read, Ok(0));
                self.failure = read.err();
            }
            let (result, read, wrote, _) =
                self.decoder.decode_to_utf8(&self.raw[self.raw_at..], &mut self.text, self.is_ended);
            self.raw_at += read;
            written = wrote;
            if self.is_ended && result == CoderResult::InputEmpty {
                self.is_done = true;
                break;
            }
        }
        self.text.truncate(written);
        Ok(())
    }
}

impl<R: Read> Read for Transcoder<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.text_at == self.text.len() && !self.is_done {
            self.refill()?;
        }
        let count = (&self.text[self.text_at..]).read(buffer)?;
        self.text_at += count;
        Ok(count)
    }
}
