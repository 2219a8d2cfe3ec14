//! The decoders of all compression formats. Only this module uses their packages.

use std::io;

use flate2::FlushDecompress;
use zstd::stream::raw::{DParameter, InBuffer, Operation, OutBuffer};

use crate::database::format::{Decode, Format, Step};

/// Creates a decoder at the start of a stream.
pub(super) fn decoder(format: Format) -> io::Result<Box<dyn Decode>> {
    Ok(match format {
        Format::Zstd => Box::new(Zstd::new()?),
        Format::Gzip => Box::new(Gzip(flate2::Decompress::new_gzip(15))),
        Format::Bzip2 => Box::new(Bzip2(bzip2::Decompress::new(false))),
    })
}

/// The largest window size of zstd, as a power of two; `zstd --long=31` makes files with it. The decoder allocates only
/// the window that the file needs.
const WINDOW_LOG: u32 = if cfg!(target_pointer_width = "64") { 31 } else { 30 };

struct Zstd {
    decoder: zstd::stream::raw::Decoder<'static>,
    wanted: usize,
}

impl Zstd {
    /// The number of bytes to read first: the beginning of the frame header.
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

    /// Returns the size of the next block, so that each step decodes one block and a fault is known to be in that
    /// block.
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

/// Returns the step between two pairs of counts of input and output bytes.
fn step(before: (u64, u64), after: (u64, u64), result: Result<bool, String>) -> Step {
    let length = |before: u64, after: u64| usize::try_from(after - before).unwrap_or(0);
    Step { consumed: length(before.0, after.0), produced: length(before.1, after.1), result }
}
