//! A reader of the text in a compressed file. It decodes one compressed stream after another and reports where one is
//! damaged.

use std::io::{self, Read};
use std::ops::Range;

use crate::damage::{Damage, Fault};
#[cfg(feature = "compress")]
use crate::decoders::decoder;
use crate::format::{Decode, Format};
use crate::window::Window;

/// The number of bytes of text that are decoded at once: a block of zstd data.
const TEXT: usize = 128 * 1024;

/// Returns an error for every compressed file.
#[cfg(not(feature = "compress"))]
fn decoder(format: Format) -> io::Result<Box<dyn Decode>> {
    let name = format.name();
    let reason = format!("compressed with {name}, which this build of pgn2fen does not read (feature `compress`)");
    Err(io::Error::new(io::ErrorKind::Unsupported, reason))
}

/// Reads the text of a compressed file.
#[doc(hidden)]
#[allow(missing_debug_implementations, reason = "readers have none")]
pub struct Decoder<R> {
    format: Format,
    input: Input<R>,
    decoder: Box<dyn Decode>,
    text: Box<[u8]>,
    /// The range of `text` that has not been read yet.
    ready: Range<usize>,
    /// Whether a compressed stream has begun.
    has_begun: bool,
    /// Whether a compressed stream has begun and not ended.
    is_inside: bool,
    window: Window,
    /// Whether the compressed bytes have been decompressed from others.
    is_nested: bool,
    /// The damage that was found. Later reads return it again.
    damage: Option<Damage>,
}

impl<R: Read> Decoder<R> {
    /// Decodes `reader`, which begins with a stream of the format `offset` bytes into its file.
    ///
    /// # Errors
    ///
    /// There is not enough memory.
    #[doc(hidden)]
    pub fn new(format: Format, reader: R, offset: u64) -> io::Result<Self> {
        Ok(Self::with(decoder(format)?, format, reader, offset))
    }

    /// Decodes `reader` like [`new`](Self::new), with a decoder of the format.
    pub(super) fn with(decoder: Box<dyn Decode>, format: Format, reader: R, offset: u64) -> Self {
        let input = Input::new(reader, offset);
        let text = vec![0; TEXT].into();
        Self {
            format,
            input,
            decoder,
            text,
            ready: 0..0,
            has_begun: false,
            is_inside: false,
            window: Window::default(),
            is_nested: false,
            damage: None,
        }
    }

    /// Sets whether the compressed bytes have been decompressed from others.
    #[doc(hidden)]
    pub fn nested(self, is_nested: bool) -> Self {
        Self { is_nested, ..self }
    }

    /// Begins the next compressed stream, or notes damage if the file goes on with something else. Returns false at the
    /// end of the file.
    fn begin(&mut self) -> io::Result<bool> {
        if self.format.is_single() {
            // Nothing tells where it begins, and what follows it is not looked at.
            self.is_inside = !self.has_begun;
            self.has_begun = true;
            return Ok(self.is_inside);
        }
        if self.format == Format::Gzip {
            // Some writers pad the last block on a device with zeros.
            while let zeros @ 1.. = self.input.peek(1)?.iter().take_while(|byte| **byte == 0).count() {
                self.input.consume(zeros);
            }
        }
        let head = self.input.peek(Format::HEAD)?;
        if head.is_empty() {
            return Ok(false);
        }
        if Format::detect(head) != Some(self.format) {
            let length = head.len();
            if self.format.may_begin(head) {
                self.input.consume(length);
                self.damage(Fault::CutShort);
            } else {
                self.damage(Fault::Trailing);
            }
            return Ok(true);
        }
        let is_zstd = self.format == Format::Zstd;
        let head = self.input.peek(if is_zstd { Window::HEAD } else { 0 })?;
        self.window.begin(head, is_zstd);
        self.decoder.begin_again()?;
        self.is_inside = true;
        Ok(true)
    }

    /// Notes that the rest of the file cannot be read.
    fn damage(&mut self, fault: Fault) {
        let (format, offset) = (self.format.name(), self.input.offset);
        self.damage =
            Some(Damage { fault, format, offset, text_offset: 0, is_nested: self.is_nested, is_in_archive: false });
    }

    /// Decodes more text; none at the end of the file. The sizes of the pieces that go into and come out of a decoder
    /// depend only on the file. So the text before a fault is always the same.
    fn refill(&mut self) -> io::Result<()> {
        self.ready = 0..0;
        while self.ready.is_empty() {
            if !self.is_inside && self.damage.is_none() && !self.begin()? {
                break;
            }
            if let Some(damage) = &self.damage {
                return Err(damage.clone().into());
            }
            let wanted = self.decoder.wanted().clamp(1, Input::<R>::SIZE);
            let input = self.input.peek(wanted)?;
            let input = &input[..input.len().min(wanted)];
            let is_ended = input.is_empty();
            let step = self.decoder.step(input, &mut self.text);
            self.input.consume(step.consumed);
            self.ready = 0..step.produced;
            let is_small = self.window.pass(step.consumed, step.produced, self.is_nested);
            let is_stuck = step.consumed + step.produced == 0;
            match step.result {
                _ if !is_small => {
                    let reason = "a small file has text that fills a large window; compress it again";
                    self.damage(Fault::Corrupt(reason.to_owned()));
                }
                Err(reason) => self.damage(Fault::Corrupt(reason)),
                Ok(true) => self.is_inside = false,
                Ok(false) if is_ended && is_stuck => self.damage(Fault::CutShort),
                Ok(false) if is_stuck => self.damage(Fault::Corrupt("decoding makes no progress".to_owned())),
                Ok(false) => {}
            }
        }
        Ok(())
    }
}

impl<R: Read> Read for Decoder<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.ready.is_empty() {
            self.refill()?;
        }
        let count = (&self.text[self.ready.clone()]).read(buffer)?;
        self.ready.start += count;
        Ok(count)
    }
}

/// A buffered reader of the compressed bytes.
struct Input<R> {
    reader: R,
    buffer: Box<[u8]>,
    /// The range of `buffer` that has not been consumed yet.
    rest: Range<usize>,
    /// The offset in the file of the first byte that has not been consumed.
    offset: u64,
    is_ended: bool,
}

impl<R: Read> Input<R> {
    /// The size of the buffer: a block of zstd data and the header of the next one fit.
    const SIZE: usize = 132 * 1024;

    fn new(reader: R, offset: u64) -> Self {
        Self { reader, buffer: vec![0; Self::SIZE].into(), rest: 0..0, offset, is_ended: false }
    }

    /// Returns the next bytes without consuming them: at least `count`, unless the file ends before that.
    fn peek(&mut self, count: usize) -> io::Result<&[u8]> {
        if self.rest.len() < count && !self.is_ended {
            self.buffer.copy_within(self.rest.clone(), 0);
            self.rest = 0..self.rest.len();
        }
        while self.rest.len() < count && !self.is_ended {
            match self.reader.read(&mut self.buffer[self.rest.end..]) {
                Ok(read) => {
                    self.rest.end += read;
                    self.is_ended = read == 0;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(&self.buffer[self.rest.clone()])
    }

    fn consume(&mut self, count: usize) {
        self.rest.start += count;
        self.offset += count as u64;
    }
}

/// A reader that counts the bytes of text, so that damage is reported with its offset in the text.
#[derive(Debug)]
#[doc(hidden)]
pub struct Counted<R> {
    reader: R,
    count: u64,
}

impl<R: Read> Counted<R> {
    /// `first` is the offset of the first byte in the text.
    #[doc(hidden)]
    pub fn new(reader: R, first: u64) -> Self {
        Self { reader, count: first }
    }
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.reader.read(buffer) {
            Ok(read) => {
                self.count += read as u64;
                Ok(read)
            }
            Err(error) => Err(Damage::behind(error, self.count)),
        }
    }
}
