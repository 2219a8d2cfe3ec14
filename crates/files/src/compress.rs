//! Compressed output.

use std::io::{self, Write};

use bzip2::write::BzEncoder;
use flate2::write::GzEncoder;
use zstd::stream::write::Encoder as ZstdEncoder;

/// The compression of an output file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Compression {
    /// The file is not compressed.
    #[default]
    None,
    /// Zstandard, with a checksum.
    Zstd,
    /// gzip.
    Gzip,
    /// bzip2.
    Bzip2,
}

impl Compression {
    /// Returns the compression for a file name ending, which is in lower case and has no period.
    pub fn of_ending(ending: &str) -> Option<Self> {
        match ending {
            "zst" => Some(Self::Zstd),
            "gz" => Some(Self::Gzip),
            "bz2" => Some(Self::Bzip2),
            _ => None,
        }
    }
}

/// Evaluates an expression with the writer of any compression.
macro_rules! with_writer {
    ($compressor:expr, $writer:ident => $result:expr) => {
        match $compressor {
            Compressor::None($writer) => $result,
            Compressor::Zstd($writer) => $result,
            Compressor::Gzip($writer) => $result,
            Compressor::Bzip2($writer) => $result,
        }
    };
}

/// A writer that compresses what is written to it.
pub(super) enum Compressor<W: Write> {
    None(W),
    Zstd(ZstdEncoder<'static, W>),
    Gzip(GzEncoder<W>),
    Bzip2(BzEncoder<W>),
}

impl<W: Write> Compressor<W> {
    /// Creates a compressor with the default level of its format. zstd compresses on a separate thread.
    pub(super) fn new(compression: Compression, inner: W) -> io::Result<Self> {
        Ok(match compression {
            Compression::None => Self::None(inner),
            Compression::Zstd => {
                let mut encoder = ZstdEncoder::new(inner, zstd::DEFAULT_COMPRESSION_LEVEL)?;
                // zstd writes the same bytes with any number of threads, but other bytes without threads.
                encoder.multithread(1)?;
                encoder.include_checksum(true)?;
                Self::Zstd(encoder)
            }
            Compression::Gzip => Self::Gzip(GzEncoder::new(inner, flate2::Compression::default())),
            Compression::Bzip2 => Self::Bzip2(BzEncoder::new(inner, bzip2::Compression::default())),
        })
    }

    /// Completes the compressed data and returns the inner writer.
    pub(super) fn finish(self) -> io::Result<W> {
        match self {
            Self::None(inner) => Ok(inner),
            Self::Zstd(encoder) => encoder.finish(),
            Self::Gzip(encoder) => encoder.finish(),
            Self::Bzip2(encoder) => encoder.finish(),
        }
    }

    /// Returns the inner writer.
    pub(super) fn inner(&self) -> &W {
        match self {
            Self::None(inner) => inner,
            Self::Zstd(encoder) => encoder.get_ref(),
            Self::Gzip(encoder) => encoder.get_ref(),
            Self::Bzip2(encoder) => encoder.get_ref(),
        }
    }
}

impl<W: Write> Write for Compressor<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        with_writer!(self, writer => writer.write(bytes))
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        with_writer!(self, writer => writer.write_all(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        with_writer!(self, writer => writer.flush())
    }
}
