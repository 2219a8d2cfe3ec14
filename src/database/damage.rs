//! What is wrong with a compressed file, and where.

use std::error::Error;
use std::fmt;
use std::io;

/// The place at which a compressed file can be read no further. It comes inside an [`io::Error`].
///
/// ```
/// use pgn2fen::database::{Damage, Database};
///
/// # let path = std::env::temp_dir().join("pgn2fen-damage-doc.pgn.gz");
/// # std::fs::write(&path, b"\x1f\x8b\x08\0\0\0\0\0\0\xff")?;
/// let error = Database::open(&path).unwrap_err();
/// let damage = Damage::of(&error).unwrap();
/// assert_eq!((damage.offset, damage.text_offset), (10, 0));
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// What was found there.
    pub fault: Fault,
    /// The name of the format.
    pub format: &'static str,
    /// Where the fault is in the compressed file, in bytes: of a zstd file the start of the block, of others the byte.
    pub offset: u64,
    /// How many bytes of text were read before it.
    pub text_offset: u64,
}

/// What makes a compressed file unreadable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The file ends too early.
    CutShort,
    /// The decoder refuses it, for this reason.
    Corrupt(String),
    /// All is well up to here, and here begins something else.
    Trailing,
}

impl Damage {
    /// The damage that an error of reading is about, if it is about one.
    pub fn of(error: &io::Error) -> Option<&Self> {
        error.get_ref()?.downcast_ref()
    }

    /// The same error; if it is about damage, with the number of bytes of text that were read before.
    pub(super) fn behind(mut error: io::Error, text_offset: u64) -> io::Error {
        if let Some(damage) = error.get_mut().and_then(|inner| inner.downcast_mut::<Self>()) {
            damage.text_offset = text_offset;
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
        let Self { fault, format, offset, text_offset } = self;
        write!(f, "damaged at byte {offset} ({text_offset} of the text): ")?;
        match fault {
            Fault::CutShort => write!(f, "the {format} data ends too early"),
            Fault::Corrupt(reason) => write!(f, "the {format} data is corrupt ({reason})"),
            Fault::Trailing => write!(f, "what follows is not {format} data"),
        }
    }
}

impl Error for Damage {}
