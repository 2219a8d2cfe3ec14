//! A compressed file as the text in it: one stream of its format after another, and what is wrong where one ends.

use std::fmt;
use std::io::{self, Read};
use std::ops::Range;

use crate::database::damage::{Damage, Fault};
use crate::database::format::{Decode, Format};

/// Reads the text of a compressed file.
pub(super) struct Decoder<R> {
    format: Format,
    input: Input<R>,
    decoder: Box<dyn Decode>,
    /// A stream has begun and not ended.
    is_inside: bool,
    /// Whoever reads on after an error gets it again.
    damage: Option<Damage>,
}

impl<R> fmt::Debug for Decoder<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Decoder").field("format", &self.format).field("damage", &self.damage).finish_non_exhaustive()
    }
}

impl<R: Read> Decoder<R> {
    /// Decodes `reader`, which begins with a stream of the format `offset` bytes into its file.
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub(super) fn new(format: Format, reader: R, offset: u64) -> io::Result<Self> {
        let input = Input::new(reader, offset);
        Ok(Self { format, input, decoder: format.decoder()?, is_inside: false, damage: None })
    }

    /// Goes into the next stream. False at the end of the file.
    fn begin(&mut self) -> io::Result<bool> {
        if self.format == Format::Gzip {
            // Some writers fill the last block of a device with zeros.
            while let zeros @ 1.. = self.input.peek(1)?.iter().take_while(|byte| **byte == 0).count() {
                self.input.consume(zeros);
            }
        }
        let head = self.input.peek(Format::HEAD)?;
        if head.is_empty() {
            return Ok(false);
        }
        if Format::detect(head) != Some(self.format) {
            return Err(self.damaged(Fault::Trailing));
        }
        self.decoder.begin_again()?;
        self.is_inside = true;
        Ok(true)
    }

    fn damaged(&mut self, fault: Fault) -> io::Error {
        let damage = Damage { fault, format: self.format.name(), offset: self.input.offset, text_offset: 0 };
        self.damage = Some(damage.clone());
        damage.into()
    }
}

impl<R: Read> Read for Decoder<R> {
    fn read(&mut self, output: &mut [u8]) -> io::Result<usize> {
        while !output.is_empty() {
            if let Some(damage) = &self.damage {
                return Err(damage.clone().into());
            }
            if !self.is_inside && !self.begin()? {
                break;
            }
            let wanted = self.decoder.wanted().clamp(1, Input::<R>::SIZE);
            let input = self.input.peek(if wanted < Input::<R>::SIZE { wanted } else { 1 })?;
            let is_ended = input.is_empty();
            let step = self.decoder.step(&input[..input.len().min(wanted)], output);
            self.input.consume(step.consumed);
            match step.result {
                Ok(is_end) => self.is_inside = !is_end,
                Err(reason) => {
                    let error = self.damaged(Fault::Corrupt(reason));
                    if step.produced == 0 {
                        return Err(error);
                    }
                }
            }
            if step.produced > 0 {
                return Ok(step.produced);
            }
            if self.is_inside && is_ended {
                return Err(self.damaged(Fault::CutShort));
            }
            if self.is_inside && step.consumed == 0 {
                return Err(self.damaged(Fault::Corrupt("it leads nowhere".to_owned())));
            }
        }
        Ok(0)
    }
}

/// The compressed bytes, some of them at hand.
struct Input<R> {
    reader: R,
    buffer: Box<[u8]>,
    /// Which bytes of the buffer are yet to be used.
    rest: Range<usize>,
    /// Where in the file the first of them is.
    offset: u64,
    is_ended: bool,
}

impl<R: Read> Input<R> {
    /// A block of zstd data and the header of the next fit.
    const SIZE: usize = 132 * 1024;

    fn new(reader: R, offset: u64) -> Self {
        Self { reader, buffer: vec![0; Self::SIZE].into(), rest: 0..0, offset, is_ended: false }
    }

    /// The next bytes: at least so many, unless the file ends before; through a pipe no more than there are.
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

/// Counts the text that is read, so that damage can be told with its place in it.
#[derive(Debug)]
pub(super) struct Counted<R> {
    reader: R,
    count: u64,
}

impl<R: Read> Counted<R> {
    pub(super) fn new(reader: R) -> Self {
        Self { reader, count: 0 }
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
