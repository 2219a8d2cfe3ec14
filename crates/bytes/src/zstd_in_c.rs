//! The decoder of zstd frames that is written in C (the package `zstd`).

use std::io;

use zstd::stream::raw::{DParameter, InBuffer, Operation, OutBuffer};

use crate::format::{Decode, Step};

/// The largest window size of zstd, as a power of two; `zstd --long=31` makes files with it. The decoder allocates only
/// the window that the file needs.
const WINDOW_LOG: u32 = if cfg!(target_pointer_width = "64") { 31 } else { 30 };

/// A decoder of zstd frames.
pub(super) struct Zstd {
    decoder: zstd::stream::raw::Decoder<'static>,
    wanted: usize,
}

impl Zstd {
    /// The number of bytes to read first: the beginning of the frame header.
    const HEADER: usize = 5;

    pub(super) fn new() -> io::Result<Self> {
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
