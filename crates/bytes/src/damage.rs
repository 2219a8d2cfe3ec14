//! The error for damaged compressed files and training data.

use std::error::Error;
use std::fmt;
use std::io;

/// The error for a damaged compressed file or file of training data: the reason, and the offset from which on the file
/// cannot be read. It is the inner error of an [`io::Error`].
///
/// ```
/// use std::io;
///
/// use pgn2fen_bytes::{Damage, Fault};
///
/// let error = io::Error::from(Damage::new(Fault::CutShort, "gzip", 10, 0));
/// assert_eq!(Damage::of(&error).map(|damage| damage.offset), Some(10));
/// assert_eq!(error.to_string(), "damaged at byte 10 (byte 0 of the text): the gzip data ends too early");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Damage {
    /// The reason why the file cannot be read.
    pub fault: Fault,
    /// The name of the compression format, or of the format of training data.
    pub format: &'static str,
    /// The byte offset of the fault in the compressed file. For zstd it is the start of the damaged block.
    pub offset: u64,
    /// The number of bytes of decoded text before the fault.
    pub text_offset: u64,
    /// Whether `offset` counts in decompressed data, because the file is compressed more than once.
    pub is_nested: bool,
    /// Whether `offset` counts in a zip archive, because the damaged file is a member of it.
    pub is_in_archive: bool,
}

/// The reason why a compressed file or a file of training data cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The file ends too early.
    CutShort,
    /// The data is corrupt. The text is the reason from the decoder.
    Corrupt(String),
    /// Complete compressed data is followed by data that is not in the same format.
    Trailing,
}

impl Damage {
    /// Creates the damage at an offset in a file, `text_offset` bytes into its text.
    #[doc(hidden)]
    pub fn new(fault: Fault, format: &'static str, offset: u64, text_offset: u64) -> Self {
        Self { fault, format, offset, text_offset, is_nested: false, is_in_archive: false }
    }

    /// Returns the damage, if it is the cause of an error.
    pub fn of(error: &io::Error) -> Option<&Self> {
        error.get_ref()?.downcast_ref()
    }

    /// Adds to the number of bytes of text before the fault, if damage is the cause of the error.
    #[doc(hidden)]
    pub fn shifted(error: io::Error, text: impl FnOnce() -> u64) -> io::Error {
        match Self::of(&error).map(|damage| damage.text_offset) {
            Some(offset) => Self::behind(error, offset + text()),
            None => error,
        }
    }

    /// Sets the number of bytes of text before the fault, if damage is the cause of the error.
    #[doc(hidden)]
    pub fn behind(mut error: io::Error, text_offset: u64) -> io::Error {
        if let Some(damage) = error.get_mut().and_then(|inner| inner.downcast_mut::<Self>()) {
            damage.text_offset = text_offset;
        }
        error
    }

    /// Sets that the fault is in a member of a zip archive, if damage is the cause of the error.
    #[cfg(feature = "zip")]
    #[doc(hidden)]
    pub fn in_archive(mut error: io::Error) -> io::Error {
        if let Some(damage) = error.get_mut().and_then(|inner| inner.downcast_mut::<Self>()) {
            damage.is_in_archive = true;
        }
        error
    }
}

impl From<Damage> for io::Error {
    fn from(damage: Damage) -> Self {
        Self::new(io::ErrorKind::InvalidData, damage)
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { fault, format, offset, text_offset, is_nested, is_in_archive } = self;
        let of = match (is_nested, is_in_archive) {
            (true, _) => " of the decompressed data",
            (false, true) => " of the archive",
            (false, false) => "",
        };
        write!(f, "damaged at byte {offset}{of} (byte {text_offset} of the text): ")?;
        match fault {
            Fault::CutShort => write!(f, "the {format} data ends too early"),
            Fault::Corrupt(reason) => write!(f, "the {format} data is corrupt ({reason})"),
            Fault::Trailing => write!(f, "what follows is not {format} data"),
        }
    }
}

impl Error for Damage {}
