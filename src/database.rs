//! Where the bytes of a database come from: a mapped file, memory, a stream, any of them compressed. The only place that
//! maps files and knows compression.

use std::fmt;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::thread;

pub use crate::database::damage::{Damage, Fault};
pub use crate::database::foreign::Foreign;
pub(crate) use crate::database::map::Mapped;
pub use crate::database::meter::Meter;

use crate::database::ahead::Ahead;
use crate::database::decoder::{Counted, Decoder};
use crate::database::format::Format;
use crate::database::frames::Frames;
use crate::database::map::{Access, Bytes, map_file};
use crate::database::meter::Metered;
use crate::pgn::encoding::{Label, Transcoder, detect_utf16};
use crate::pgn::games::{Games, Text};
use crate::pgn::lists::{Form, HEAD};
use crate::pgn::ranges::first_place;

mod ahead;
mod damage;
mod decoder;
#[cfg(feature = "compress")]
mod decoders;
mod foreign;
mod format;
mod frames;
mod map;
mod meter;
#[cfg(not(feature = "compress"))]
mod no_decoders;

/// A database that is at hand as a whole, or the games of it that begin in a range of bytes. A copy shares the bytes.
///
/// ```
/// use pgn2fen::database::Database;
///
/// let database = Database::from(b"1. e4 e5 1-0 1. d4 *".to_vec());
/// assert_eq!(database.games().count(), 2);
/// ```
#[derive(Clone, Debug)]
pub struct Database {
    bytes: Arc<Bytes>,
    form: Form,
    /// Its games begin here.
    range: Range<usize>,
}

impl Database {
    /// Opens a file. It is mapped, not read: bytes come into memory as they are looked at. What is compressed (zstd, gzip,
    /// bzip2, told by its first bytes) is decoded as a whole, and UTF-16 becomes UTF-8.
    ///
    /// The file must not be cut short while it is open; where that cannot be ruled out, read it and use `From<Vec<u8>>`.
    ///
    /// # Errors
    ///
    /// The file cannot be opened, mapped or read, or is compressed and [damaged](Damage).
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        match Source::open(path.as_ref(), true, None)? {
            Source::Whole(database) => Ok(database),
            Source::Stream(stream) => {
                let threads = thread::available_parallelism().map_or(1, usize::from);
                let mut bytes = Vec::new();
                stream.reader(threads)?.read_to_end(&mut bytes)?;
                Ok(Self::from(bytes))
            }
        }
    }

    /// The bytes of the database.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The games, in order.
    pub fn games(&self) -> Games<'_> {
        Games::within(self.text(), self.range())
    }

    /// Of all games in the file those that begin in these bytes. Ranges that follow one another without a gap give each game
    /// exactly once, as it is found from the start of the file; the one guess is that no comment is longer than 16 MiB.
    ///
    /// ```
    /// use pgn2fen::database::Database;
    ///
    /// let database = Database::from(b"1. e4 e5 1-0\n1. d4 *\n1. c4 *\n".to_vec());
    /// assert_eq!(database.clone().within(0..15).games().count(), 2);
    /// assert_eq!(database.within(15..u64::MAX).games().count(), 1);
    /// ```
    #[must_use]
    pub fn within(self, range: Range<u64>) -> Self {
        let index = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX).min(self.bytes.len());
        let start = match range.start {
            // With what may stand before the first game.
            0 => 0,
            offset => first_place(self.text(), index(offset)),
        };
        let range = start..start.max(index(range.end));
        Self { range, ..self }
    }

    /// The bytes in which its games begin; the last may end behind them.
    pub(crate) fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// What it consists of: games, or a position on each line.
    pub fn form(&self) -> Form {
        self.form
    }

    fn text(&self) -> Text<'_> {
        Text { form: self.form, ..Text::whole(&self.bytes) }
    }

    /// What stands in the file before the games.
    pub fn before(&self) -> &[u8] {
        &self.bytes[..self.range.start]
    }

    fn new(bytes: Arc<Bytes>) -> Self {
        let range = 0..bytes.len();
        Self { form: Form::detect(&bytes), bytes, range }
    }
}

impl From<Vec<u8>> for Database {
    fn from(bytes: Vec<u8>) -> Self {
        Self::new(Arc::new(Bytes::Owned(bytes)))
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
#[derive(Debug)]
pub struct Stream {
    pieces: Undecoded,
    /// The format that has to be undone to read it.
    compression: Option<Format>,
    /// The encoding it was in, when that had to be undone to read it at all.
    transcoded_from: Option<Label>,
    form: Form,
    meter: Meter,
}

/// A stream by the work that it takes to get its text.
enum Undecoded {
    /// Nothing: the reader gives it.
    Plain(Box<dyn Read + Send>),
    /// So much that it is worth a thread.
    Decoded(Box<dyn Read + Send>),
    /// So much that it is worth several.
    Frames(Frames),
}

impl fmt::Debug for Undecoded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Plain(_) => "Plain",
            Self::Decoded(_) => "Decoded",
            Self::Frames(_) => "Frames",
        })
    }
}

impl Stream {
    /// Begins to read the text; where it has to be decoded and there are several threads, ahead of who reads it.
    pub(crate) fn reader(self, threads: usize) -> io::Result<Box<dyn Read + Send>> {
        Ok(match self.pieces {
            Undecoded::Plain(reader) => reader,
            Undecoded::Decoded(reader) if threads <= 1 => reader,
            Undecoded::Decoded(reader) => Box::new(Ahead::new(1, 0, std::iter::once(Ok(reader)))?),
            Undecoded::Frames(frames) if threads <= 1 => Box::new(Counted::new(frames.together()?)),
            Undecoded::Frames(frames) => {
                // Decoding a game takes a fraction of the time of playing it, and each decoder has a window of its own.
                let ready = (8 + 4 * threads) * 1024 * 1024;
                Box::new(Counted::new(Ahead::new(threads / 2 + 1, ready, frames)?))
            }
        })
    }
}

impl Source {
    /// Opens a file: mapped if it is a plain file and `map` is true, else as a stream. What is compressed is decoded while it
    /// is read. An encoding that hides the structure of PGN, named or recognised, is transcoded to UTF-8.
    ///
    /// # Errors
    ///
    /// The file cannot be opened or its beginning cannot be read, or it is a directory or a [file of another kind](Foreign).
    pub fn open(path: &Path, map: bool, encoding: Option<Label>) -> io::Result<Self> {
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a directory"));
        }
        if !map || !metadata.is_file() || encoding.is_some_and(Label::hides_structure) {
            return Self::begin(Box::new(file), encoding, Some(path));
        }
        let bytes = if metadata.len() == 0 {
            Bytes::Owned(Vec::new())
        } else {
            Bytes::Mapped(map_file(&file, Access::Onward)?)
        };
        let bytes = Arc::new(bytes);
        let frames = |meter: &Meter| Frames::new(Arc::clone(&bytes), meter.clone());
        let compression = Format::detect(&bytes);
        let head = match compression {
            None => bytes[..bytes.len().min(HEAD)].to_vec(),
            Some(Format::Zstd) => read_head(&mut frames(&Meter::default()).together()?)?,
            Some(_) => return Self::begin(Box::new(file), encoding, Some(path)),
        };
        refuse_foreign(&head, Some(path), compression)?;
        let is_utf16 = detect_utf16(&head).is_some();
        Ok(match compression {
            None if !is_utf16 => Self::Whole(Database::new(bytes)),
            Some(Format::Zstd) if !is_utf16 => {
                let meter = Meter::default();
                let (pieces, form) = (Undecoded::Frames(frames(&meter)), Form::detect(&head));
                Self::Stream(Stream { pieces, compression, transcoded_from: None, form, meter })
            }
            _ => return Self::begin(Box::new(file), encoding, Some(path)),
        })
    }

    /// Takes a stream, such as standard input. It may be compressed.
    ///
    /// # Errors
    ///
    /// Its beginning cannot be read, or it is a [file of another kind](Foreign).
    pub fn stream(reader: Box<dyn Read + Send>, encoding: Option<Label>) -> io::Result<Self> {
        Self::begin(reader, encoding, None)
    }

    /// Begins to read a stream that may have a name.
    fn begin(reader: Box<dyn Read + Send>, encoding: Option<Label>, name: Option<&Path>) -> io::Result<Self> {
        let meter = Meter::default();
        let mut reader: Box<dyn Read + Send> = Box::new(Metered::new(reader, meter.clone()));
        let mut head = read_head(&mut reader)?;
        let compression = Format::detect(&head);
        if let Some(format) = compression {
            let compressed = Cursor::new(head).chain(reader);
            reader = Box::new(Counted::new(Decoder::new(format, compressed, 0)?));
            head = read_head(&mut reader)?;
        }
        refuse_foreign(&head, name, compression)?;
        let transcoded_from = encoding.filter(|label| label.hides_structure()).or_else(|| detect_utf16(&head));
        let whole = Cursor::new(head.clone()).chain(reader);
        let (text, head): (Box<dyn Read + Send>, Vec<u8>) = match transcoded_from {
            None => (Box::new(whole), head),
            Some(label) => {
                let mut transcoder = Transcoder::new(whole, label);
                let head = read_head(&mut transcoder)?;
                (Box::new(Cursor::new(head.clone()).chain(transcoder)), head)
            }
        };
        let is_plain = compression.is_none() && transcoded_from.is_none();
        let pieces = if is_plain { Undecoded::Plain(text) } else { Undecoded::Decoded(text) };
        Ok(Self::Stream(Stream { pieces, compression, transcoded_from, form: Form::detect(&head), meter }))
    }

    /// What it consists of: games, or a position on each line.
    pub fn form(&self) -> Form {
        match self {
            Self::Whole(database) => database.form,
            Self::Stream(stream) => stream.form,
        }
    }

    /// The name of the format that has to be undone to read this source.
    pub fn compression(&self) -> Option<&'static str> {
        match self {
            Self::Whole(_) => None,
            Self::Stream(stream) => stream.compression.map(Format::name),
        }
    }

    /// Tells how much of a stream has been read; None where all bytes are at hand.
    pub fn meter(&self) -> Option<Meter> {
        match self {
            Self::Whole(_) => None,
            Self::Stream(stream) => Some(stream.meter.clone()),
        }
    }

    /// The name of the encoding that had to be undone to read this source at all.
    pub fn transcoded_from(&self) -> Option<&'static str> {
        match self {
            Self::Whole(_) => None,
            Self::Stream(stream) => stream.transcoded_from.map(Label::name),
        }
    }
}

/// Refuses text that begins as files of other kinds do. The name of a compressed file has another ending before its last.
fn refuse_foreign(head: &[u8], name: Option<&Path>, compression: Option<Format>) -> io::Result<()> {
    let inner = match compression {
        None => name,
        Some(_) => name.and_then(Path::file_stem).map(Path::new),
    };
    Foreign::detect(head, inner).map_or(Ok(()), |foreign| Err(foreign.into()))
}

/// The first bytes of a text. If damage ends them, so be it: whoever reads on will hear of it.
fn read_head(reader: &mut dyn Read) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    match reader.take(HEAD as u64).read_to_end(&mut head) {
        Err(error) if Damage::of(&error).is_none() => Err(error),
        _ => Ok(head),
    }
}
