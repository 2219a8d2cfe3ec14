//! The formats of compressed files, told by their first bytes, and the decoders behind one face.

use std::io;

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
