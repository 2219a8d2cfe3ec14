//! The decoder of zstd frames that is written in Rust (the package `ruzstd`), for WebAssembly, where C is not compiled.
//! Elsewhere the decoder in C is used, which takes less time.

use std::error::Error;
use std::io::{self, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use crate::format::{Decode, Step};

/// The largest magic number, frame header and length of a skippable frame, in bytes (RFC 8878 §3.1.1.1).
const LONGEST_HEADER: usize = 18;

/// The largest block, in bytes, with its header, and with the checksum behind it (§3.1.1.2).
const LONGEST_BLOCK: usize = 3 + 128 * 1024 + 4;

/// An empty block that is the last of its frame, and room for a checksum.
const LAST_BLOCK: [u8; 7] = [1, 0, 0, 0, 0, 0, 0];

/// A decoder of zstd frames. A window has at most 128 MiB; larger ones need `zstd --long` and more memory than a
/// browser is likely to have.
pub(super) struct Zstd {
    decoder: FrameDecoder,
    next: Next,
}

/// What comes next.
enum Next {
    Header,
    /// So many bytes of a skippable frame.
    Skipped(usize),
    Block,
    /// The text that the decoder holds, and then the end.
    Text(End),
}

/// How a frame ends.
enum End {
    Whole,
    CutShort,
    Corrupt(String),
}

impl Zstd {
    /// Never returns an error. The decoder in C may do so.
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self { decoder: FrameDecoder::new(), next: Next::Header })
    }

    /// Decodes the next part of a frame to the decoder's own buffer. Returns whether the frame has ended.
    fn decode(&mut self, input: &mut &[u8]) -> Result<bool, String> {
        match self.next {
            Next::Header => match self.decoder.reset(&mut *input) {
                Ok(()) => self.next = Next::Block,
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame { length, .. })) => {
                    self.next = Next::Skipped(usize::try_from(length).unwrap_or(usize::MAX));
                    return Ok(length == 0);
                }
                Err(error) if is_cut_short(&error) => *input = &[],
                Err(error) => return Err(reason(&error)),
            },
            Next::Skipped(length) => {
                let skipped = length.min(input.len());
                *input = &input[skipped..];
                self.next = Next::Skipped(length - skipped);
                return Ok(skipped == length);
            }
            Next::Block => {
                let block = *input;
                match self.decoder.decode_blocks(&mut *input, BlockDecodingStrategy::UptoBlocks(1)) {
                    Ok(false) => {}
                    Ok(true) => self.next = Next::Text(End::Whole),
                    Err(error) => {
                        let is_cut_short = is_cut_short(&error);
                        *input = if is_cut_short { &[] } else { block };
                        self.next = Next::Text(if is_cut_short { End::CutShort } else { End::Corrupt(reason(&error)) });
                        // The decoder gives the text of a window only when the frame has ended. The rest of the frame
                        // is lost, but this text is not.
                        let _ = self.decoder.decode_blocks(&LAST_BLOCK[..], BlockDecodingStrategy::UptoBlocks(1));
                    }
                }
            }
            Next::Text(End::Whole) => return self.check().map(|()| true),
            // That there is no more input is reported as the fault.
            Next::Text(End::CutShort) => *input = &[],
            Next::Text(End::Corrupt(ref reason)) => return Err(reason.clone()),
        }
        Ok(false)
    }

    /// Compares the checksum of the text of a frame with that of its end, if it has one.
    fn check(&self) -> Result<(), String> {
        match self.decoder.get_checksum_from_data() {
            Some(sum) if Some(sum) != self.decoder.get_calculated_checksum() => {
                Err("Restored data doesn't match checksum".to_owned())
            }
            _ => Ok(()),
        }
    }
}

impl Decode for Zstd {
    fn step(&mut self, input: &[u8], output: &mut [u8]) -> Step {
        let mut rest = input;
        loop {
            let has_text = matches!(self.next, Next::Block | Next::Text(_));
            // It copies memory, which cannot fail.
            let produced = if has_text { self.decoder.read(output).unwrap_or(0) } else { 0 };
            let result = if produced == 0 { self.decode(&mut rest) } else { Ok(false) };
            let consumed = input.len() - rest.len();
            // Damage consumes nothing, but the text before it comes first.
            if produced + consumed > 0 || input.is_empty() || result != Ok(false) {
                return Step { consumed, produced, result };
            }
        }
    }

    /// Returns the most bytes that the next part of a frame can have. If there are fewer, the file ends.
    fn wanted(&self) -> usize {
        match self.next {
            Next::Header => LONGEST_HEADER,
            Next::Skipped(length) => length,
            Next::Block => LONGEST_BLOCK,
            Next::Text(_) => 1,
        }
    }

    fn begin_again(&mut self) -> io::Result<()> {
        self.next = Next::Header;
        Ok(())
    }
}

/// Returns the causes of an error, from the error itself on.
fn causes(error: &FrameDecoderError) -> impl Iterator<Item = &(dyn Error + 'static)> {
    std::iter::successors(Some(error as &(dyn Error + 'static)), |&error| error.source())
}

/// Whether the decoder needs more bytes than there are.
fn is_cut_short(error: &FrameDecoderError) -> bool {
    let io_error = causes(error).find_map(|cause| cause.downcast_ref::<io::Error>());
    io_error.is_some_and(|error| error.kind() == io::ErrorKind::UnexpectedEof)
}

fn reason(error: &FrameDecoderError) -> String {
    causes(error).last().map_or_else(String::new, ToString::to_string)
}

#[cfg(test)]
mod tests {
    use std::io::{self, Read, Write};

    use super::Zstd;
    use crate::damage::{Damage, Fault};
    use crate::decoder::Decoder;
    use crate::format::{Decode, Format};
    use crate::zstd_in_c;

    /// The most text of a block, in bytes.
    const BLOCK: usize = 128 * 1024;

    /// Returns the text of a file, and the damage that ends it.
    fn read(decoder: Box<dyn Decode>, file: &[u8]) -> (Vec<u8>, Option<Damage>) {
        let mut text = Vec::new();
        let end = Decoder::with(decoder, Format::Zstd, file, 0).read_to_end(&mut text);
        (text, end.err().map(|error| Damage::of(&error).expect("it is damaged").clone()))
    }

    fn in_rust(file: &[u8]) -> (Vec<u8>, Option<Damage>) {
        read(Box::new(Zstd::new().unwrap()), file)
    }

    fn in_c(file: &[u8]) -> (Vec<u8>, Option<Damage>) {
        read(Box::new(zstd_in_c::Zstd::new().unwrap()), file)
    }

    fn frame(text: &[u8], level: i32, set: impl Fn(&mut zstd::Encoder<'_, Vec<u8>>) -> io::Result<()>) -> Vec<u8> {
        let mut encoder = zstd::Encoder::new(Vec::new(), level).unwrap();
        set(&mut encoder).unwrap();
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    /// Games that do not repeat much, with some numbers.
    fn games(count: u32) -> Vec<u8> {
        let game = |n: u32| format!("[Site \"{:x}\"]\n\n1. e4 {{{n}}} *\n\n", n.wrapping_mul(2_654_435_761));
        (0..count).flat_map(|n| game(n).into_bytes()).collect()
    }

    /// The number of bytes that two texts have in common at their start.
    fn common(a: &[u8], b: &[u8]) -> usize {
        a.iter().zip(b).take_while(|(a, b)| a == b).count()
    }

    #[track_caller]
    fn check(file: &[u8]) {
        let (text, damage) = in_rust(file);
        let (expected, fault) = in_c(file);
        assert!(text == expected, "{} bytes of {}", text.len(), expected.len());
        assert_eq!(damage, fault);
    }

    #[test]
    fn every_frame_has_the_text_that_the_decoder_in_c_finds() {
        let noise: Vec<u8> = (0..300_000u32).map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()[2]).collect();
        let skippable = b"\x53\x2a\x4d\x18\x03\0\0\0abc\x50\x2a\x4d\x18\0\0\0\0";
        let mut file = Vec::new();
        for text in [&b""[..], b"1. e4 *", &[b' '; 300], &[b' '; 500_000], &noise, &games(20_000)] {
            for level in [1, 3, 19] {
                let plain = frame(text, level, |_| Ok(()));
                let with_sum = frame(text, level, |encoder| encoder.include_checksum(true));
                let with_size = frame(text, level, |encoder| encoder.set_pledged_src_size(Some(text.len() as u64)));
                let small = frame(text, level, |encoder| encoder.window_log(10));
                for frame in [&plain[..], &with_sum, &with_size, &small, skippable] {
                    check(frame);
                    file.extend_from_slice(frame);
                }
            }
        }
        check(&file);
    }

    #[test]
    fn text_before_the_end_of_a_file_that_is_cut_short_is_not_lost() {
        let frames: [Vec<u8>; 3] =
            [1, 2, 20_000].map(|count| frame(&games(count), 3, |encoder| encoder.include_checksum(true)));
        let file = [&frames[0][..], b"\x53\x2a\x4d\x18\x03\0\0\0abc", &frames[1], &frames[2]].concat();
        let starts = (0..frames[0].len() + frames[1].len() + 50).chain((0..file.len()).step_by(997));
        for end in starts.chain(file.len() - 9..file.len()) {
            let (text, damage) = in_rust(&file[..end]);
            let (expected, fault) = in_c(&file[..end]);
            // The decoder in C returns the beginning of a block that is not compressed.
            assert!(expected.starts_with(&text) && expected.len() - text.len() <= BLOCK, "cut at {end}");
            assert_eq!(damage, fault, "cut at {end}");
        }
        let (text, damage) = in_rust(&file[..file.len() - 1]);
        assert!(text.ends_with(&games(20_000)));
        assert_eq!(damage.unwrap().fault, Fault::CutShort);
    }

    #[test]
    fn damage_is_found_and_text_before_it_is_not_lost() {
        let text = games(30_000);
        let file = frame(&text, 3, |encoder| encoder.include_checksum(true));
        let mut corrupt = 0;
        for at in (0..file.len()).step_by(file.len() / 300) {
            let mut damaged = file.clone();
            damaged[at] ^= 0x55;
            let (found, damage) = in_rust(&damaged);
            let (expected, _) = in_c(&damaged);
            corrupt += usize::from(matches!(damage.expect("a checksum finds all damage").fault, Fault::Corrupt(_)));
            assert!(common(&found, &text) + BLOCK >= common(&expected, &text), "byte {at}: {} bytes", found.len());
        }
        assert!(corrupt > 200, "{corrupt}");
    }
}
