//! All encodings of the Encoding Standard.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Read};

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{CoderResult, Decoder, Encoding, UTF_8, WINDOWS_1252};

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

/// Guesses the encoding of the words of a text that are not UTF-8. None if all are UTF-8.
#[doc(hidden)]
pub fn guess(text: &[u8]) -> Option<&'static str> {
    let mut fallback = Fallback::default();
    let words = text.split(u8::is_ascii_whitespace).filter(|word| str::from_utf8(word).is_err());
    let mut has_words = false;
    for word in words {
        has_words = true;
        fallback.feed(word);
        fallback.feed(b" ");
    }
    has_words.then(|| fallback.name())
}

/// An encoding that the user named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label(&'static Encoding);

impl Label {
    pub(super) const UTF_16LE: Self = Self(encoding_rs::UTF_16LE);
    pub(super) const UTF_16BE: Self = Self(encoding_rs::UTF_16BE);

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

/// A reader that converts any encoding to UTF-8. Bytes that cannot be decoded become U+FFFD.
#[doc(hidden)]
#[allow(missing_debug_implementations, reason = "the decoder has none")]
pub struct Transcoder<R> {
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
    #[doc(hidden)]
    pub fn new(inner: R, label: Label) -> Self {
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
