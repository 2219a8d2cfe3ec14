//! Where the bytes of a database come from: a mapped file, memory, or a stream. The only place that maps files.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use memmap2::Mmap;

use crate::pgn::encoding::{Label, Transcoder, detect_utf16};
use crate::pgn::games::Games;

/// A database that is at hand as a whole.
///
/// ```
/// use pgn2fen::database::Database;
///
/// let database = Database::from(b"1. e4 e5 1-0 1. d4 *".to_vec());
/// assert_eq!(database.games().count(), 2);
/// ```
#[derive(Debug)]
pub struct Database {
    bytes: Bytes,
}

#[derive(Debug)]
enum Bytes {
    Mapped(Mmap),
    Owned(Vec<u8>),
}

impl Database {
    /// Opens a file. It is mapped, not read: bytes come into memory as they are looked at. UTF-16 is read as a whole and
    /// becomes UTF-8.
    ///
    /// The file must not be cut short while it is open; where that cannot be ruled out, read it and use `From<Vec<u8>>`.
    ///
    /// # Errors
    ///
    /// The file cannot be opened, mapped or read.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        match Source::open(path.as_ref(), true, None)? {
            Source::Whole(database) => Ok(database),
            Source::Stream(mut stream) => {
                let mut bytes = Vec::new();
                stream.reader.read_to_end(&mut bytes)?;
                Ok(Self::from(bytes))
            }
        }
    }

    /// The bytes of the database.
    pub fn bytes(&self) -> &[u8] {
        match &self.bytes {
            Bytes::Mapped(map) => map,
            Bytes::Owned(bytes) => bytes,
        }
    }

    /// The games, in order.
    pub fn games(&self) -> Games<'_> {
        Games::new(self.bytes())
    }
}

impl From<Vec<u8>> for Database {
    fn from(bytes: Vec<u8>) -> Self {
        Self { bytes: Bytes::Owned(bytes) }
    }
}

/// A database that is read once, from the start to the end.
#[derive(Debug)]
pub enum Source {
    /// All bytes are at hand.
    Whole(Database),
    /// Bytes come one after another, and are gone when they have been read.
    Stream(Stream),
}

/// A database that arrives in pieces.
pub struct Stream {
    pub(crate) reader: Box<dyn Read + Send>,
    /// The encoding it was in, when that had to be undone to read it at all.
    pub(crate) transcoded_from: Option<Label>,
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream").field("transcoded_from", &self.transcoded_from).finish_non_exhaustive()
    }
}

impl Source {
    /// Opens a file: mapped if it is a plain file and `map` is true, else as a stream. An encoding that hides the structure of
    /// PGN, named or recognised, is transcoded to UTF-8.
    ///
    /// # Errors
    ///
    /// The file cannot be opened or its beginning cannot be read, or it is a directory or compressed.
    pub fn open(path: &Path, map: bool, encoding: Option<Label>) -> io::Result<Self> {
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a directory"));
        }
        if !map || !metadata.is_file() || encoding.is_some_and(Label::hides_structure) {
            return Self::stream(Box::new(file), encoding);
        }
        let bytes = if metadata.len() == 0 { Bytes::Owned(Vec::new()) } else { Bytes::Mapped(map_file(&file)?) };
        let database = Database { bytes };
        refuse_compressed(database.bytes())?;
        match detect_utf16(database.bytes()) {
            None => Ok(Self::Whole(database)),
            Some(_) => Self::stream(Box::new(file), encoding),
        }
    }

    /// Takes a stream, such as standard input.
    ///
    /// # Errors
    ///
    /// Its beginning cannot be read, or it is compressed.
    pub fn stream(mut reader: Box<dyn Read + Send>, encoding: Option<Label>) -> io::Result<Self> {
        let mut head = Vec::new();
        (&mut reader).take(64).read_to_end(&mut head)?;
        refuse_compressed(&head)?;
        let transcoded_from = encoding.filter(|label| label.hides_structure()).or_else(|| detect_utf16(&head));
        let whole = io::Cursor::new(head).chain(reader);
        let reader: Box<dyn Read + Send> = match transcoded_from {
            None => Box::new(whole),
            Some(label) => Box::new(Transcoder::new(whole, label)),
        };
        Ok(Self::Stream(Stream { reader, transcoded_from }))
    }

    /// The name of the encoding that had to be undone to read this source at all.
    pub fn transcoded_from(&self) -> Option<&'static str> {
        match self {
            Self::Whole(_) => None,
            Self::Stream(stream) => stream.transcoded_from.map(Label::name),
        }
    }
}

/// Compressed files are told by their first bytes, so that nobody takes their garbage for games.
fn refuse_compressed(head: &[u8]) -> io::Result<()> {
    let (format, tool) = match head {
        [0x28, 0xB5, 0x2F, 0xFD, ..] | [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] => ("zstd", "zstdcat"),
        [0x1F, 0x8B, ..] => ("gzip", "zcat"),
        [b'B', b'Z', b'h', b'1'..=b'9', ..] => ("bzip2", "bzcat"),
        _ => return Ok(()),
    };
    let message = format!("is compressed with {format}; decompress it first: {tool} FILE | pgn2fen");
    Err(io::Error::new(io::ErrorKind::InvalidData, message))
}

#[expect(unsafe_code, reason = "a map can only be made so; the contract stands at the call")]
fn map_file(file: &File) -> io::Result<Mmap> {
    // SAFETY: the map is read only, and nobody but this process's own bytes is trusted to it: text that changes while it
    // is read gives wrong positions, as it would through `read`. What is left is a file that is cut short by others while
    // it is mapped; then the system ends the process (SIGBUS), with no memory of ours harmed. `Database::open` and the
    // option `--no-mmap` tell users so.
    let map = unsafe { Mmap::map(file)? };
    #[cfg(unix)]
    {
        // A hint, whose refusal changes nothing.
        let _ = map.advise(memmap2::Advice::Sequential);
    }
    Ok(map)
}
