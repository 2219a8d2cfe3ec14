//! The decoders of all compression formats. Only this module and those of the two decoders of zstd use their packages.

use std::io;

use flate2::FlushDecompress;

use crate::database::format::{Decode, Format, Step};
#[cfg(not(target_family = "wasm"))]
use crate::database::zstd_in_c::Zstd;
#[cfg(target_family = "wasm")]
use crate::database::zstd_in_rust::Zstd;

/// Creates a decoder at the start of a stream.
pub(super) fn decoder(format: Format) -> io::Result<Box<dyn Decode>> {
    Ok(match format {
        Format::Zstd => Box::new(Zstd::new()?),
        Format::Gzip => Box::new(Gzip(flate2::Decompress::new_gzip(15))),
        Format::Bzip2 => Box::new(Bzip2(bzip2::Decompress::new(false))),
    })
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
