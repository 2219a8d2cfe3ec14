//! Decodes the bytes of tag values and comments. No other module knows encodings.
//!
//! The standard requires ISO 8859-1 (§4.1). Today most files are UTF-8, old files are in Windows code pages, and merged
//! databases mix all of them. In all of these the structure of PGN is ASCII. So games are read as bytes, and only the
//! text that is shown is decoded: as UTF-8 if it is valid UTF-8, and by a fallback otherwise. In other encodings the
//! structure is not ASCII (UTF-16), or parts of a character look like structure (GBK, Big5, Shift JIS). They are
//! converted to UTF-8 before anything is read.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Read};

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{CoderResult, Decoder, Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// Decodes UTF-8, or Windows-1252 if the bytes are not UTF-8. In Windows-1252 every byte is some character.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    Fallback::default().decode(bytes)
}

/// The encoding of text that is not UTF-8: named by the user, or guessed from the text so far.
pub struct Fallback {
    named: Option<&'static Encoding>,
    detector: Option<EncodingDetector>,
    fed: usize,
}

/// The number of bytes that are enough for a guess.
const ENOUGH: usize = 64 * 1024;

impl fmt::Debug for Fallback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Fallback").field(&self.name()).finish()
    }
}

impl Default for Fallback {
    fn default() -> Self {
        Self::new(None)
    }
}

impl Fallback {
    /// Uses the named encoding, or guesses if there is none.
    pub fn new(named: Option<Label>) -> Self {
        Self { named: named.map(|label| label.0), detector: None, fed: 0 }
    }

    /// Adds text that is not UTF-8 to the sample for the guess.
    pub fn feed(&mut self, sample: &[u8]) {
        if self.named.is_some() || self.fed >= ENOUGH {
            return;
        }
        self.fed += sample.len();
        self.detector.get_or_insert_with(|| EncodingDetector::new(Iso2022JpDetection::Deny)).feed(sample, false);
    }

    /// Decodes UTF-8, or this encoding if the bytes are not UTF-8.
    pub fn decode<'a>(&self, bytes: &'a [u8]) -> Cow<'a, str> {
        match str::from_utf8(bytes) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => self.encoding().decode_without_bom_handling(bytes).0,
        }
    }

    /// Returns the name of the encoding in the [Encoding Standard](https://encoding.spec.whatwg.org/).
    pub fn name(&self) -> &'static str {
        self.encoding().name()
    }

    fn encoding(&self) -> &'static Encoding {
        let guess = || {
            let encoding = self.detector.as_ref()?.guess(None, Utf8Detection::Deny);
            encoding.is_single_byte().then_some(encoding)
        };
        self.named.or_else(guess).unwrap_or(WINDOWS_1252)
    }
}

/// An encoding that the user named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label(&'static Encoding);

impl Label {
    /// Finds an encoding by one of its names, such as `latin1`, `windows-1251`, `cp866`, `gbk`, `utf-16le`. Upper and
    /// lower case are equal.
    pub fn find(name: &str) -> Option<Self> {
        Encoding::for_label(name.trim().as_bytes()).map(Label)
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

/// Detects UTF-16 in the first bytes of a file: by its byte order mark, or by zeros in nine of ten odd or even bytes.
#[doc(hidden)]
pub fn detect_utf16(head: &[u8]) -> Option<Label> {
    let head = &head[..head.len().min(64)];
    let zeros = |parity: usize| head.iter().skip(parity).step_by(2).filter(|byte| **byte == 0).count();
    let nearly_all = |parity: usize| head.len() >= 8 && zeros(parity) * 10 >= (head.len() / 2) * 9;
    match head {
        [0xFF, 0xFE, ..] => Some(Label(UTF_16LE)),
        [0xFE, 0xFF, ..] => Some(Label(UTF_16BE)),
        _ if nearly_all(1) && !nearly_all(0) => Some(Label(UTF_16LE)),
        _ if nearly_all(0) && !nearly_all(1) => Some(Label(UTF_16BE)),
        _ => None,
    }
}

/// A reader that converts any encoding to UTF-8. Bytes that cannot be decoded become U+FFFD.
pub(crate) struct Transcoder<R> {
    inner: R,
    decoder: Decoder,
    raw: Vec<u8>,
    raw_at: usize,
    /// Whether the inner reader has reached its end.
    is_ended: bool,
    /// Whether all bytes have been decoded.
    is_done: bool,
    text: Vec<u8>,
    text_at: usize,
}

impl<R: Read> Transcoder<R> {
    /// Creates a reader of `inner`, which is in the encoding of `label`. A byte order mark is removed.
    pub(crate) fn new(inner: R, label: Label) -> Self {
        let decoder = label.0.new_decoder_with_bom_removal();
        Self {
            inner,
            decoder,
            raw: Vec::new(),
            raw_at: 0,
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
                self.raw.clear();
                self.raw_at = 0;
                let read = (&mut self.inner).take(RAW as u64).read_to_end(&mut self.raw)?;
                self.is_ended = read == 0;
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

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::{Fallback, Label, Transcoder, decode, detect_utf16};

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
    fn a_named_encoding_is_not_doubted() {
        let mut fallback = Fallback::new(Label::find("latin2"));
        fallback.feed(b"\xca\xe0\xf0\xef\xee\xe2");
        assert_eq!(fallback.name(), "ISO-8859-2");
        assert_eq!(Label::find("klingon"), None);
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
