//! The window of a zstd frame: the text before a place that the decoder keeps, because the frame may refer to it.
//!
//! A frame of a few bytes may have a window of 2 GiB, and text that fills it. So the text that is kept may be as long
//! as a multiple of what was read of the file.

use crate::frame_header::{FRAME_HEADER, frame_header};

/// The bytes of text that may be kept whatever the size of the file is.
const BASE: u64 = 64 * 1024 * 1024;

/// The bytes of text that may be kept beyond that for each byte of the file.
const USUAL: u64 = 32;

/// The bytes of text that may be kept if the compressed bytes come out of other ones, so that any number of them may be
/// read.
const NESTED: u64 = 32 * 1024 * 1024;

/// The text of a zstd frame that its decoder keeps, in bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Window {
    size: u64,
    /// The bytes of the text of the frame.
    produced: u64,
    /// The compressed bytes of all frames.
    consumed: u64,
}

impl Window {
    /// The bytes that are needed to begin a frame.
    pub(crate) const HEAD: usize = FRAME_HEADER;

    /// Begins a frame with these first bytes. Other formats have small windows.
    pub(crate) fn begin(&mut self, head: &[u8], is_zstd: bool) {
        self.size = if is_zstd { frame_header(head).map_or(u64::MAX, |(_, size)| size) } else { 0 };
        self.produced = 0;
    }

    /// Notes that the decoder went on. Returns false if it keeps too much text.
    pub(crate) fn pass(&mut self, consumed: usize, produced: usize, is_nested: bool) -> bool {
        self.consumed += consumed as u64;
        self.produced += produced as u64;
        let most = if is_nested { NESTED } else { BASE.saturating_add(self.consumed.saturating_mul(USUAL)) };
        self.size.min(self.produced) <= most
    }
}

#[cfg(test)]
#[cfg(feature = "compress")]
mod tests {
    use std::io::{self, Read, Write};

    use crate::decoder::Decoder;
    use crate::format::Format;

    /// A frame with a window of so many bits, and so much text, which can be compressed well or not.
    fn frame(window: u32, length: usize, is_noise: bool) -> Vec<u8> {
        let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
        encoder.window_log(window).unwrap();
        let mut seed = 1u32;
        for _ in 0..length / 1024 {
            let block: Vec<u8> = (0..1024)
                .map(|_| {
                    seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    if is_noise { b'a' + (seed >> 24 & 7) as u8 } else { b' ' }
                })
                .collect();
            encoder.write_all(&block).unwrap();
        }
        encoder.finish().unwrap()
    }

    #[track_caller]
    fn check(frame: &[u8], is_nested: bool, is_read: bool) {
        let mut decoder = Decoder::new(Format::Zstd, frame, 0).unwrap().nested(is_nested);
        let read = io::copy(&mut decoder.by_ref(), &mut io::sink());
        let told = read.as_ref().map_or_else(ToString::to_string, |_| String::new());
        assert_eq!(read.is_ok(), is_read, "{told}");
        assert!(is_read || told.contains("window"), "{told}");
    }

    #[test]
    fn a_small_file_does_not_fill_a_large_window() {
        const MIB: usize = 1024 * 1024;
        check(&frame(23, 200 * MIB, false), false, true);
        check(&frame(27, 60 * MIB, false), false, true);
        check(&frame(27, 200 * MIB, false), false, false);
        check(&frame(27, 200 * MIB, true), false, true);
        check(&frame(27, 30 * MIB, false), true, true);
        check(&frame(27, 40 * MIB, false), true, false);
    }
}
