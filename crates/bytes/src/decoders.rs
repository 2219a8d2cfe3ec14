//! The decoders of all compression formats. Only this module and those of the two decoders of zstd use their packages.

use std::io;

use flate2::FlushDecompress;

use crate::format::{Decode, Format, Step};
#[cfg(not(target_family = "wasm"))]
use crate::zstd_in_c::Zstd;
#[cfg(target_family = "wasm")]
use crate::zstd_in_rust::Zstd;

/// Creates a decoder at the start of a stream.
pub(super) fn decoder(format: Format) -> io::Result<Box<dyn Decode>> {
    Ok(match format {
        Format::Zstd => Box::new(Zstd::new()?),
        Format::Gzip => Box::new(Flate::new(|| flate2::Decompress::new_gzip(15))),
        Format::Bzip2 => Box::new(Bzip2(bzip2::Decompress::new(false))),
        #[cfg(feature = "zip")]
        Format::Deflate => Box::new(Flate::new(|| flate2::Decompress::new(false))),
        #[cfg(feature = "zip")]
        Format::Deflate64 => Box::new(Deflate64(Box::new(deflate64::InflaterManaged::new()))),
    })
}

/// A decoder of gzip or deflate, and the function that makes it.
struct Flate(flate2::Decompress, fn() -> flate2::Decompress);

impl Flate {
    fn new(begin: fn() -> flate2::Decompress) -> Self {
        Self(begin(), begin)
    }
}

impl Decode for Flate {
    fn step(&mut self, input: &[u8], output: &mut [u8]) -> Step {
        let before = (self.0.total_in(), self.0.total_out());
        let result = self.0.decompress(input, output, FlushDecompress::None);
        let after = (self.0.total_in(), self.0.total_out());
        let result = result.map(|status| status == flate2::Status::StreamEnd);
        step(before, after, result.map_err(|error| error.message().unwrap_or("no reason is given").to_owned()))
    }

    fn begin_again(&mut self) -> io::Result<()> {
        self.0 = (self.1)();
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

#[cfg(feature = "zip")]
struct Deflate64(Box<deflate64::InflaterManaged>);

#[cfg(feature = "zip")]
impl Decode for Deflate64 {
    fn step(&mut self, input: &[u8], output: &mut [u8]) -> Step {
        let step = self.0.inflate(input, output);
        let result = if step.data_error { Err("the data is not deflate64".to_owned()) } else { Ok(self.0.finished()) };
        Step { consumed: step.bytes_consumed, produced: step.bytes_written, result }
    }

    fn begin_again(&mut self) -> io::Result<()> {
        *self.0 = deflate64::InflaterManaged::new();
        Ok(())
    }
}

/// Returns the step between two pairs of counts of input and output bytes.
fn step(before: (u64, u64), after: (u64, u64), result: Result<bool, String>) -> Step {
    let length = |before: u64, after: u64| usize::try_from(after - before).unwrap_or(0);
    Step { consumed: length(before.0, after.0), produced: length(before.1, after.1), result }
}
