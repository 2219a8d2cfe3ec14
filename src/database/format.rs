//! The formats of compressed files, told by their first bytes, and the decoders behind one face.

use std::io;

use flate2::FlushDecompress;
use zstd::stream::raw::{DParameter, InBuffer, Operation, OutBuffer};

/// A format of compressed files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// RFC 8878; a file is one frame or many, and skippable ones may stand among them.
    Zstd,
    /// RFC 1952; a file is one member or many.
    Gzip,
    /// A file is one stream or many.
    Bzip2,
}

impl Format {
    /// How many bytes it takes to tell.
    pub(super) const HEAD: usize = 4;

    /// The format of a file, or of the next stream in a file, that begins so.
    pub(super) fn detect(head: &[u8]) -> Option<Self> {
        match head {
            [0x28, 0xB5, 0x2F, 0xFD, ..] | [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] => Some(Self::Zstd),
            [0x1F, 0x8B, ..] => Some(Self::Gzip),
            [b'B', b'Z', b'h', b'1'..=b'9', ..] => Some(Self::Bzip2),
            _ => None,
        }
    }

    /// Whether a few bytes, too few to tell, may be where a stream of this format is cut short.
    pub(super) fn may_begin(self, head: &[u8]) -> bool {
        let magic: &[u8] = match (self, head.first()) {
            (Self::Zstd, Some(0x28)) => &[0x28, 0xB5, 0x2F, 0xFD],
            (Self::Zstd, Some(first @ 0x50..=0x5F)) => &[*first, 0x2A, 0x4D, 0x18],
            (Self::Zstd, _) => &[],
            (Self::Gzip, _) => &[0x1F, 0x8B],
            (Self::Bzip2, _) => b"BZh",
        };
        magic.starts_with(head)
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Zstd => "zstd",
            Self::Gzip => "gzip",
            Self::Bzip2 => "bzip2",
        }
    }

    /// A decoder at the start of a stream of this format.
    pub(super) fn decoder(self) -> io::Result<Box<dyn Decode>> {
        Ok(match self {
            Self::Zstd => Box::new(Zstd::new()?),
            Self::Gzip => Box::new(Gzip(flate2::Decompress::new_gzip(15))),
            Self::Bzip2 => Box::new(Bzip2(bzip2::Decompress::new(false))),
        })
    }
}

/// A decoder of one stream after another.
pub(super) trait Decode: Send {
    /// Decodes some of `input` to `output`. With no input left, gives what it still holds back.
    fn step(&mut self, input: &[u8], output: &mut [u8]) -> Step;

    /// How much input it can use at once.
    fn wanted(&self) -> usize {
        usize::MAX
    }

    /// Makes ready for another stream.
    ///
    /// # Errors
    ///
    /// Out of memory.
    fn begin_again(&mut self) -> io::Result<()>;
}

/// What a decoder did.
#[derive(Debug)]
pub(super) struct Step {
    /// Bytes of input.
    pub(super) consumed: usize,
    /// Bytes of output.
    pub(super) produced: usize,
    /// Whether the stream ends here, or why it cannot be read on.
    pub(super) result: Result<bool, String>,
}

/// The largest window that zstd knows, which `zstd --long=31` makes. Memory is taken as the file asks for it.
const WINDOW_LOG: u32 = if cfg!(target_pointer_width = "64") { 31 } else { 30 };

struct Zstd {
    decoder: zstd::stream::raw::Decoder<'static>,
    wanted: usize,
}

impl Zstd {
    /// A frame's header is looked at first.
    const HEADER: usize = 5;

    fn new() -> io::Result<Self> {
        let mut decoder = zstd::stream::raw::Decoder::new()?;
        decoder.set_parameter(DParameter::WindowLogMax(WINDOW_LOG))?;
        Ok(Self { decoder, wanted: Self::HEADER })
    }
}

impl Decode for Zstd {
    fn step(&mut self, input: &[u8], output: &mut [u8]) -> Step {
        let mut input = InBuffer::around(input);
        let mut output = OutBuffer::around(output);
        let result = self.decoder.run(&mut input, &mut output);
        self.wanted = *result.as_ref().unwrap_or(&0);
        let result = result.map(|wanted| wanted == 0).map_err(|error| error.to_string());
        Step { consumed: input.pos(), produced: output.pos(), result }
    }

    /// A block at a time: so a fault is known to be in that block.
    fn wanted(&self) -> usize {
        self.wanted
    }

    fn begin_again(&mut self) -> io::Result<()> {
        self.wanted = Self::HEADER;
        self.decoder.reinit()
    }
}

struct Gzip(flate2::Decompress);

impl Decode for Gzip {
    fn step(&mut self, input: &[u8], output: &mut [u8]) -> Step {
        let before = (self.0.total_in(), self.0.total_out());
        let result = self.0.decompress(input, output, FlushDecompress::None);
        let after = (self.0.total_in(), self.0.total_out());
        let result = result.map(|status| status == flate2::Status::StreamEnd);
        step(before, after, result.map_err(|error| error.message().unwrap_or("no reason is given").to_owned()))
    }

    fn begin_again(&mut self) -> io::Result<()> {
        self.0 = flate2::Decompress::new_gzip(15);
        Ok(())
    }
}

struct Bzip2(bzip2::Decompress);

impl Decode for Bzip2 {
    fn step(&mut self, input: &[u8], output: &mut [u8]) -> Step {
        let before = (self.0.total_in(), self.0.total_out());
        let result = self.0.decompress(input, output);
        let after = (self.0.total_in(), self.0.total_out());
        let result = match result {
            Ok(bzip2::Status::MemNeeded) => Err("not enough memory".to_owned()),
            Ok(status) => Ok(status == bzip2::Status::StreamEnd),
            Err(error) => Err(error.to_string().trim_start_matches("bzip2: ").to_owned()),
        };
        step(before, after, result)
    }

    fn begin_again(&mut self) -> io::Result<()> {
        self.0 = bzip2::Decompress::new(false);
        Ok(())
    }
}

/// A step between two counts of the bytes that went in and came out.
fn step(before: (u64, u64), after: (u64, u64), result: Result<bool, String>) -> Step {
    let length = |before: u64, after: u64| usize::try_from(after - before).unwrap_or(0);
    Step { consumed: length(before.0, after.0), produced: length(before.1, after.1), result }
}
