//! Divides a mapped zstd file into pieces of whole frames, which can be decoded in parallel (RFC 8878 §3.1).
//!
//! The end of a frame is found by skipping its blocks, whose headers have their sizes. This works for every zstd file.
//! Files written by `pzstd` have the sizes of their frames in skippable frames, too. They are used to skip frames
//! that are not decoded ([`Frames::starts`]). If such a size is wrong, the range of the file with that frame cannot be
//! decoded, which is reported.

use std::io::{self, Read};
use std::ops::Range;
use std::sync::Arc;

use crate::ahead::DecodedPiece;
use crate::decoder::Decoder;
use crate::format::Format;
use crate::frame_header::frame_header;
use crate::map::Bytes;
use crate::meter::{Meter, Metered};

/// The least size of a piece, in bytes. Smaller frames are put together until they reach it.
const ENOUGH: usize = 128 * 1024;

/// The greatest size of a frame, in bytes. If a frame is longer, one thread decodes it and everything after it. The
/// limit bounds the part of a file that is read before it is needed.
const FAR: usize = 16 * 1024 * 1024;

/// The greatest window of a frame, in bytes. If a frame needs more memory, one thread decodes it and everything after
/// it.
const WINDOW: u64 = 8 * 1024 * 1024;

/// An iterator over the pieces of a zstd file or a part of it, in order.
#[derive(Debug)]
#[doc(hidden)]
pub struct Frames {
    bytes: Arc<Bytes>,
    at: usize,
    end: usize,
    meter: Meter,
}

impl Frames {
    #[doc(hidden)]
    pub fn new(bytes: Arc<Bytes>, meter: Meter) -> Self {
        Self { at: 0, end: bytes.len(), bytes, meter }
    }

    /// Returns the end of the part.
    #[doc(hidden)]
    pub fn end(&self) -> usize {
        self.end
    }

    /// Returns the frames in a part of the file. Both ends are starts of frames, or the end of the file.
    #[doc(hidden)]
    pub fn within(&self, part: Range<usize>) -> Self {
        Self { bytes: Arc::clone(&self.bytes), at: part.start, end: part.end, meter: self.meter.clone() }
    }

    /// Returns the same frames, which do not count the bytes that are read.
    #[doc(hidden)]
    pub fn unmetered(&self) -> Self {
        Self { meter: Meter::default(), ..self.within(self.at..self.end) }
    }

    /// Returns all frames as one piece.
    #[doc(hidden)]
    pub fn together(self) -> io::Result<DecodedPiece> {
        self.piece(self.at, self.end)
    }

    /// Returns the starts of the frames that have text, by hopping from one to the next. What cannot be a frame counts
    /// as one that extends to the end of the file, so that its damage is reported when it is read.
    #[doc(hidden)]
    pub fn starts(&self) -> impl Iterator<Item = usize> {
        let bytes: &[u8] = &self.bytes;
        let mut at = 0;
        std::iter::from_fn(move || {
            while at < bytes.len() {
                let start = at;
                if let Some(length) = skippable_length(&bytes[at..]) {
                    at += length;
                    if let Some(end) = stated_end(bytes, start, at) {
                        return Some(std::mem::replace(&mut at, end));
                    }
                    continue;
                }
                at = frame_length(&bytes[at..], Limits::NONE).map_or(bytes.len(), |length| at + length);
                return Some(start);
            }
            None
        })
    }

    fn piece(&self, at: usize, end: usize) -> io::Result<DecodedPiece> {
        let slice = Metered::new(Slice { bytes: Arc::clone(&self.bytes), at, end }, self.meter.clone());
        Ok(Box::new(Decoder::new(Format::Zstd, slice, at as u64)?))
    }
}

impl Iterator for Frames {
    type Item = io::Result<DecodedPiece>;

    fn next(&mut self) -> Option<io::Result<DecodedPiece>> {
        let from = self.at;
        if from == self.end {
            return None;
        }
        while self.at - from < ENOUGH && self.at < self.end {
            let rest = &self.bytes[self.at..self.end];
            match skippable_length(rest).or_else(|| frame_length(rest, Limits::USUAL)) {
                Some(length) => self.at += length,
                // The frames that were found are one piece, and the rest is the next.
                None if self.at > from => break,
                None => self.at = self.end,
            }
        }
        Some(self.piece(from, self.at))
    }
}

/// The limits for a frame that is decoded as a piece of its own.
#[derive(Clone, Copy, Debug)]
struct Limits {
    length: usize,
    window: u64,
}

impl Limits {
    const USUAL: Self = Self { length: FAR, window: WINDOW };
    const NONE: Self = Self { length: usize::MAX, window: u64::MAX };
}

/// Returns the length of the skippable frame at the start of `bytes` (§3.1.2), or `None` if there is no whole one.
fn skippable_length(bytes: &[u8]) -> Option<usize> {
    // `<Skippable_Frame> ::= Magic_Number Frame_Size User_Data`.
    let magic = u32::from_le_bytes(*bytes.first_chunk()?);
    if magic & 0xFFFF_FFF0 != 0x184D_2A50 {
        return None;
    }
    let size = u32::from_le_bytes(*bytes[4..].first_chunk()?);
    8usize.checked_add(usize::try_from(size).ok()?).filter(|end| *end <= bytes.len())
}

/// Returns the end of the frame at `at` that the skippable frame from `start` to `at` states, as `pzstd` writes it.
/// `None` if it states none, or if another frame or the end of the file is not there. So a file of many gigabytes is
/// hopped over by one read for each of its frames.
fn stated_end(bytes: &[u8], start: usize, at: usize) -> Option<usize> {
    let size = u32::from_le_bytes(bytes[start + 8..at].try_into().ok()?);
    let end = at.checked_add(usize::try_from(size).ok()?)?;
    let is_zstd = |at: usize| bytes.get(at..).and_then(Format::detect) == Some(Format::Zstd);
    (is_zstd(at) && (end == bytes.len() || is_zstd(end))).then_some(end)
}

/// Returns the length of the frame with text at the start of `bytes`, or `None` if it is damaged, too long, or its
/// window is too large.
fn frame_length(bytes: &[u8], limits: Limits) -> Option<usize> {
    let magic = u32::from_le_bytes(*bytes.first_chunk()?);
    if magic != 0xFD2F_B528 {
        return None;
    }
    // `<Zstandard_Frame> ::= Magic_Number Frame_Header Data_Block… [Content_Checksum]` (§3.1.1).
    let (mut at, window) = frame_header(bytes)?;
    let has_checksum = bytes[4] & 0b100 != 0;
    if window > limits.window {
        return None;
    }
    loop {
        let &[a, b, c] = bytes.get(at..)?.first_chunk()?;
        let header = u32::from_le_bytes([a, b, c, 0]);
        let size = usize::try_from(header >> 3).ok()?;
        at += 3 + match header >> 1 & 0b11 {
            // One byte, which is repeated.
            1 => 1,
            3 => return None,
            _ => size,
        };
        let is_last = header & 1 != 0;
        if is_last {
            at += if has_checksum { 4 } else { 0 };
            return (at <= bytes.len()).then_some(at);
        }
        if at > limits.length {
            return None;
        }
    }
}

/// A reader of a part of shared bytes.
struct Slice {
    bytes: Arc<Bytes>,
    at: usize,
    end: usize,
}

impl Read for Slice {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = (&self.bytes[self.at..self.end]).read(buffer)?;
        self.at += count;
        Ok(count)
    }
}

#[cfg(test)]
#[cfg(feature = "compress")]
mod tests {
    use std::io::Write;

    use super::{Frames, Limits, frame_length, skippable_length};
    use crate::map::Bytes;
    use crate::meter::Meter;

    #[track_caller]
    fn check(frame: &[u8]) {
        let length = |bytes: &[u8]| skippable_length(bytes).or_else(|| frame_length(bytes, Limits::USUAL));
        let behind = [frame, b"something else"].concat();
        assert_eq!(length(&behind), Some(frame.len()));
        for end in 0..frame.len() {
            assert_eq!(length(&frame[..end]), None, "cut at {end} of {}", frame.len());
        }
    }

    #[test]
    fn the_end_of_a_frame_is_found_by_its_blocks() {
        let noise: Vec<u8> = (0..50_000u32).map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()[2]).collect();
        for text in [&b""[..], b"1. e4 *", &[b' '; 300], &[b' '; 500_000], &noise] {
            check(&zstd::encode_all(text, 3).unwrap());
            let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
            encoder.include_checksum(true).unwrap();
            encoder.set_pledged_src_size(Some(text.len() as u64)).unwrap();
            encoder.write_all(text).unwrap();
            check(&encoder.finish().unwrap());
        }
        check(b"\x50\x2a\x4d\x18\x03\0\0\0abc");
    }

    #[test]
    fn what_is_no_frame_or_a_large_one_has_no_end_to_be_known() {
        assert_eq!(frame_length(b"[Event \"1\"]", Limits::NONE), None);
        assert_eq!(skippable_length(b"\x5f\x2a\x4d\x18\xff\xff\xff\xff"), None);
        let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
        encoder.window_log(24).unwrap();
        encoder.write_all(&[b' '; 1000]).unwrap();
        let frame = encoder.finish().unwrap();
        assert_eq!(frame_length(&frame, Limits::USUAL), None);
        assert_eq!(frame_length(&frame, Limits::NONE), Some(frame.len()));
    }

    /// Compares the starts of the frames in these parts of a file. Parts that are marked are frames with text.
    #[track_caller]
    fn check_starts(parts: &[(&[u8], bool)]) {
        let mut file = Vec::new();
        let mut expected = Vec::new();
        for (part, has_text) in parts {
            expected.extend(has_text.then_some(file.len()));
            file.extend_from_slice(part);
        }
        let frames = Frames::new(Bytes::Owned(file).into(), Meter::default());
        assert_eq!(frames.starts().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn frames_are_hopped_over() {
        let frame = |text: &[u8]| zstd::encode_all(text, 3).unwrap();
        let size =
            |size: usize| [&b"\x50\x2a\x4d\x18\x04\0\0\0"[..], &u32::try_from(size).unwrap().to_le_bytes()].concat();
        let (a, b) = (frame(&[b'a'; 200_000]), frame(b"1. e4 *"));
        check_starts(&[(&a, true), (&b, true), (&a, true)]);
        check_starts(&[(&size(a.len()), false), (&a, true), (&size(b.len()), false), (&b, true)]);
        // A size that leads nowhere is not used, nor is a size of two frames an error: together they are decoded like
        // one.
        check_starts(&[(&size(a.len() - 1), false), (&a, true), (&b, true)]);
        check_starts(&[(&size(a.len() + b.len()), false), (&a, true), (&b, false), (&a, true)]);
        check_starts(&[(b"\x5a\x2a\x4d\x18\x01\0\0\0x", false), (&b, true), (b"\x5a\x2a\x4d\x18\0\0\0\0", false)]);
        check_starts(&[(&a, true), (b"no frame, and what follows", true)]);
        check_starts(&[(&a, true), (&a[..a.len() - 1], true)]);
        check_starts(&[]);
    }
}
