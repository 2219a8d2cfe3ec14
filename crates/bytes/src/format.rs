//! The compression formats, recognised by their first bytes, and the common interface of their decoders.

use std::io;

/// A compression format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub enum Format {
    /// Zstandard (RFC 8878). A file has one or more frames, some of which may be skippable.
    Zstd,
    /// Gzip (RFC 1952). A file has one or more members.
    Gzip,
    /// Bzip2. A file has one or more streams.
    Bzip2,
    /// Deflate (RFC 1951), without a header: a member of a zip archive.
    #[cfg(feature = "zip")]
    Deflate,
    /// Deflate64, with longer distances: a member of a zip archive.
    #[cfg(feature = "zip")]
    Deflate64,
}

impl Format {
    /// The number of bytes that are needed to recognise a format.
    pub(super) const HEAD: usize = 4;

    /// Returns the format of a file, or of the next compressed stream in a file, with these first bytes.
    #[doc(hidden)]
    pub fn detect(head: &[u8]) -> Option<Self> {
        match head {
            [0x28, 0xB5, 0x2F, 0xFD, ..] | [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] => Some(Self::Zstd),
            [0x1F, 0x8B, ..] => Some(Self::Gzip),
            [b'B', b'Z', b'h', b'1'..=b'9', ..] => Some(Self::Bzip2),
            _ => None,
        }
    }

    /// Whether these few bytes may be the beginning of a compressed stream of this format that is cut short.
    pub(super) fn may_begin(self, head: &[u8]) -> bool {
        let magic: &[u8] = match (self, head.first()) {
            (Self::Zstd, Some(0x28)) => &[0x28, 0xB5, 0x2F, 0xFD],
            (Self::Zstd, Some(first @ 0x50..=0x5F)) => &[*first, 0x2A, 0x4D, 0x18],
            (Self::Zstd, _) => &[],
            (Self::Gzip, _) => &[0x1F, 0x8B],
            (Self::Bzip2, _) => b"BZh",
            #[cfg(feature = "zip")]
            (Self::Deflate | Self::Deflate64, _) => &[],
        };
        magic.starts_with(head)
    }

    /// Whether the data is a single stream without a header, which cannot be recognised by its first bytes.
    pub(super) fn is_single(self) -> bool {
        match self {
            Self::Zstd | Self::Gzip | Self::Bzip2 => false,
            #[cfg(feature = "zip")]
            Self::Deflate | Self::Deflate64 => true,
        }
    }

    #[doc(hidden)]
    pub fn name(self) -> &'static str {
        match self {
            Self::Zstd => "zstd",
            Self::Gzip => "gzip",
            Self::Bzip2 => "bzip2",
            #[cfg(feature = "zip")]
            Self::Deflate => "deflate",
            #[cfg(feature = "zip")]
            Self::Deflate64 => "deflate64",
        }
    }
}

/// A decoder of compressed streams, one after another.
pub(super) trait Decode: Send {
    /// Decodes some of `input` to `output`. If `input` is empty, it writes the rest of what it has buffered.
    fn step(&mut self, input: &[u8], output: &mut [u8]) -> Step;

    /// Returns the number of bytes of input that the decoder can use at once.
    fn wanted(&self) -> usize {
        usize::MAX
    }

    /// Resets the decoder for another stream.
    ///
    /// # Errors
    ///
    /// There is not enough memory.
    fn begin_again(&mut self) -> io::Result<()>;
}

/// The result of one step of a decoder.
#[derive(Debug)]
pub(super) struct Step {
    /// The number of bytes of input that were consumed.
    pub(super) consumed: usize,
    /// The number of bytes of output that were produced.
    pub(super) produced: usize,
    /// Whether the stream has ended, or the reason why it cannot be decoded.
    pub(super) result: Result<bool, String>,
}
