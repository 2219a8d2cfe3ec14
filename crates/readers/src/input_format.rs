//! What each format implements whose rows and records are read as games.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::archive::ArchiveMember;
use crate::games::TableGames;
use pgn2fen_bytes::format::Format;
use pgn2fen_bytes::{Meter, PositionedFile, RandomAccess};
use pgn2fen_pgn::lists::Form;

/// A format whose rows or records are read as games.
pub trait InputFormat {
    /// Returns the kind of file, as in "a Parquet file".
    fn name(&self) -> &'static str;

    /// Returns the form of the text of the games.
    fn form(&self) -> Form {
        Form::Games
    }

    /// Whether files of the format are text, which may be in an encoding such as UTF-16.
    fn is_text(&self) -> bool {
        false
    }

    /// Whether only one site writes such files, so that there can be no doubt that the file is meant to be read.
    fn is_of_site(&self) -> bool {
        false
    }

    /// Returns the further files that are read with the file at this path, in a fixed order. Files that are missing are
    /// left out.
    fn companions(&self, _: &Path) -> Vec<PathBuf> {
        Vec::new()
    }

    /// Opens a file of the format.
    ///
    /// # Errors
    ///
    /// The beginning of the file cannot be read, or the format cannot be read from this [`Origin`].
    fn open(&self, input: Input<'_>) -> io::Result<TableGames>;
}

/// What is known of an input before it is read.
#[derive(Clone, Copy, Debug)]
pub struct Known<'a> {
    /// The first bytes.
    pub head: &'a [u8],
    /// The name, without the endings of compressed files.
    pub name: Option<&'a Path>,
    /// Whether the bytes are those of a file on the disk.
    pub is_file: bool,
    /// The name of the column with the moves, if one was given.
    pub movetext: Option<&'a str>,
}

impl Known<'_> {
    /// Whether the bytes have to be decompressed.
    #[cfg(feature = "training")]
    pub(crate) fn is_compressed(&self) -> bool {
        Format::detect(self.head).is_some()
    }
}

/// The bytes of an input.
#[allow(missing_debug_implementations, reason = "readers have none")]
pub struct Input<'a> {
    /// The bytes, from the first one on.
    pub reader: Box<dyn Read + Send>,
    /// The meter of the bytes that are read.
    pub meter: Meter,
    /// The place from which the bytes come.
    pub origin: Origin<'a>,
    /// The path of the file.
    pub name: Option<&'a Path>,
    /// The formats in which the bytes were compressed, the outermost first.
    pub layers: &'a [Format],
    /// The name of the column with the moves, if one was given.
    pub movetext: Option<&'a str>,
}

/// The place from which the bytes of an input come.
#[derive(Debug)]
pub enum Origin<'a> {
    /// A pipe, or memory.
    Stream,
    /// A file on the disk.
    File(File),
    /// A file behind an address, with its bytes at any offset if the server gives ranges of them.
    Remote(Option<Arc<dyn RandomAccess>>),
    /// A member of a zip archive.
    Member(&'a ArchiveMember),
}

impl Origin<'_> {
    /// Whether the bytes are those of a member of a zip archive.
    pub fn is_member(&self) -> bool {
        matches!(self, Self::Member(_))
    }

    /// Returns the bytes at any offset. None if they can only be read one after another.
    ///
    /// # Errors
    ///
    /// The header of a member of an archive cannot be read.
    pub fn at_any_offset(self) -> io::Result<Option<Arc<dyn RandomAccess>>> {
        match self {
            Self::Stream => Ok(None),
            Self::File(file) => Ok(Some(Arc::new(PositionedFile::from(file)))),
            Self::Remote(bytes) => Ok(bytes),
            Self::Member(member) => member.bytes(),
        }
    }
}
