//! The sources of databases: mapped files, memory and streams, compressed or not. Only this module maps files and
//! decompresses.
//!
//! # Inside
//!
//! - `map`: mapped files, and the only unsafe code
//! - `random_access`, `remote`: bytes that are read at any offset; files behind addresses
//! - `format`, `decoders`, `decoder`, `damage`: zstd, gzip and bzip2 behind one interface; decodes one compressed
//!   stream after another, and locates damage
//! - `zstd_in_c`, `zstd_in_rust`: the decoders of zstd: the fast one, and the one for WebAssembly
//! - `archive`: zip archives, and their members
//! - `foreign`: files of other kinds, recognised by their first bytes
//! - `frames`, `section`: finds the frames of a zstd file without decoding them; a range of such a file
//! - `tiles`: a stream or a file in pieces of whole games, for callers that read on in steps
//! - `before`: the numbers of games, lines and bytes before a range
//! - `ahead`: decoding on other threads, in order, in bounded memory
//! - `meter`, `options`: how far a stream has been read; the options for opening a source
//! - `tabular`: Parquet and Arrow files of games, read as PGN
//! - `records`, `no_records`: puzzles, evaluations and games in CSV and JSON, read as PGN
//! - `scid`: Scid databases, read as PGN
//! - `training`, `no_training`: binpack, viriformat and bulletformat, read as PGN
//!
//! **Compressed files.** A compressed file is a sequence of streams of its format, and `Decoder` returns the text of
//! all of them. If that text is compressed, another decoder reads it, up to three of them (`MOST_LAYERS`). The way in
//! which decoders are fed and emptied depends only on the file, so a damaged file gives the same text however it is
//! read. `Frames` cuts a mapped zstd file into pieces at the ends of frames, which it finds from the headers of blocks.
//! It does not need the frame lengths that `pzstd` writes, and does not trust them. `Ahead` decodes pieces on its own
//! threads; the text is read in order. If the text ends early because of damage, it is read up to the end of its last
//! whole game, because part of a move or of a tag section has a different meaning.

use std::fmt;
use std::fs::File;
use std::io::{self, Cursor, Read, Seek};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::thread;

pub use crate::database::archive::{Archive, ArchiveError, ArchiveMember, archive_of};
pub use crate::database::before::Before;
pub use crate::database::damage::{Damage, Fault};
pub use crate::database::foreign::{Foreign, ForeignError};
#[doc(hidden)]
pub use crate::database::map::Mapped;
pub use crate::database::meter::Meter;
pub use crate::database::options::SourceOptions;
pub use crate::database::random_access::{PositionedFile, RandomAccess, RandomReader};
#[cfg(all(feature = "scid", not(target_family = "wasm")))]
pub use crate::database::scid::ScidError;
pub use crate::database::tabular::{TableError, is_guarded};
#[doc(hidden)]
pub use crate::database::tiles::{ReadAt, Tile, Tiles};

use crate::database::ahead::Ahead;
use crate::database::decoder::{Counted, Decoder};
use crate::database::foreign::MOST_LAYERS;
use crate::database::format::Format;
use crate::database::frames::Frames;
use crate::database::map::{Access, Bytes, map_file};
use crate::database::meter::Metered;
#[cfg(not(feature = "records"))]
use crate::database::no_records as records;
#[cfg(not(feature = "training"))]
use crate::database::no_training as training;
use crate::database::remote::RemoteFile;
use crate::database::section::Section;
use crate::database::tabular::{TableFormat, TableGames};
use crate::database::tiles::OpenTile;
use crate::pgn::chunk::LexState;
use crate::pgn::encoding::{Label, Transcoder, detect_utf16};
use crate::pgn::games::{Chunk, Games};
use crate::pgn::lists::{Form, HEAD};
use crate::pgn::ranges::first_place;

mod ahead;
mod archive;
mod before;
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
#[cfg(not(feature = "records"))]
mod no_records;
#[cfg(not(feature = "training"))]
mod no_training;
mod options;
mod random_access;
#[cfg(feature = "records")]
mod records;
pub mod remote;
#[cfg(all(feature = "scid", not(target_family = "wasm")))]
mod scid;
mod section;
mod tabular;
mod tiles;
#[cfg(feature = "training")]
mod training;
#[cfg(all(feature = "compress", not(target_family = "wasm")))]
mod zstd_in_c;
// On other systems, it is compared with the decoder in C.
#[cfg(all(feature = "compress", any(target_family = "wasm", test)))]
mod zstd_in_rust;

/// A database whose bytes are in memory or mapped, or the part of it whose games begin in a range of bytes. A clone
/// shares the bytes.
///
/// ```
/// use pgn2fen_games::database::Database;
///
/// let database = Database::from(b"1. e4 e5 1-0 1. d4 *".to_vec());
/// assert_eq!(database.games().count(), 2);
/// ```
#[derive(Clone, Debug)]
pub struct Database {
    bytes: Arc<Bytes>,
    form: Form,
    /// The range of bytes in which its games begin.
    range: Range<usize>,
    part: Part,
}

/// The place of a source among the files of a run, and in its file.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// The number of the file among all files of the run, if it is not the number of files that were read before.
    pub file: Option<u64>,
    /// The numbers of what stands in the file before the range, if they have been counted.
    pub before: Option<Before>,
    /// Whether a range was asked for, but all games belong to the range with the first byte of the file.
    pub(crate) is_one_range: bool,
}

impl Database {
    /// Opens a file. A plain file is memory-mapped: the system loads its pages when they are first read. A compressed
    /// file (zstd, gzip or bzip2, recognised by its first bytes) is decompressed into memory as a whole. UTF-16 is
    /// converted to UTF-8.
    ///
    /// The file must not be truncated while it is open: the system would then end the process (SIGBUS on Unix). If this
    /// can happen, read the file and use `From<Vec<u8>>`.
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
                stream.reader(threads)?.text.read_to_end(&mut bytes)?;
                Ok(Self::from(bytes))
            }
        }
    }

    /// Returns the bytes of the whole database.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns an iterator over the games, in order.
    pub fn games(&self) -> Games<'_> {
        Games::within(self.text(), self.range())
    }

    /// Restricts the database to the games that begin in a range of bytes. Adjacent ranges give each game exactly once,
    /// and the same games as a read from the start of the file. This assumes that no comment is longer than 16 MiB.
    ///
    /// ```
    /// use pgn2fen_games::database::Database;
    ///
    /// let database = Database::from(b"1. e4 e5 1-0\n1. d4 *\n1. c4 *\n".to_vec());
    /// assert_eq!(database.clone().within(0..15).games().count(), 2);
    /// assert_eq!(database.within(15..u64::MAX).games().count(), 1);
    /// ```
    #[must_use]
    pub fn within(self, range: Range<u64>) -> Self {
        let index = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX).min(self.bytes.len());
        let start = match range.start {
            // Includes the text before the first game.
            0 => 0,
            offset => first_place(self.text(), index(offset)),
        };
        let range = start..start.max(index(range.end));
        Self { range, ..self }
    }

    /// Returns the range of bytes in which its games begin. The last game may end after the range.
    pub(crate) fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// Returns the form of the content: games, or a position on each line.
    pub fn form(&self) -> Form {
        self.form
    }

    fn text(&self) -> Chunk<'_> {
        Chunk { form: self.form, ..Chunk::whole(&self.bytes) }
    }

    /// Returns the bytes of the file before the first game of the range.
    pub fn before(&self) -> &[u8] {
        &self.bytes[..self.range.start]
    }

    /// Returns the part of the file before the first game of the range.
    pub(crate) fn up_to_here(self) -> Self {
        Self { range: 0..self.range.start, ..self }
    }

    fn new(bytes: Arc<Bytes>) -> Self {
        let range = 0..bytes.len();
        Self { form: Form::detect(&bytes), bytes, range, part: Part::default() }
    }
}

impl From<Vec<u8>> for Database {
    fn from(bytes: Vec<u8>) -> Self {
        Self::new(Arc::new(Bytes::Owned(bytes)))
    }
}

/// A source of games that is read once, from the start to the end.
#[derive(Debug)]
pub enum Source {
    /// A database whose bytes are in memory or mapped.
    Whole(Database),
    /// A stream, whose bytes can be read only once.
    Stream(Stream),
}

/// A database that is read from a stream.
pub struct Stream {
    pieces: Undecoded,
    /// The compression format, if it is compressed.
    compression: Option<Format>,
    /// The kind of file, such as "a Parquet file", if the text is made of its rows or records.
    table: Option<&'static str>,
    /// Whether the text is made of records that only one site writes.
    has_records_of_site: bool,
    /// The original encoding, if the text is converted to UTF-8.
    transcoded_from: Option<Label>,
    /// Whether it is a member of a zip archive.
    is_member: bool,
    form: Form,
    meter: Meter,
    part: Part,
}

/// A stream, by the work that decoding it takes.
enum Undecoded {
    /// Text that needs no decoding.
    Plain(Box<dyn Read + Send>),
    /// Text whose decoding is worth one thread.
    Decoded(Box<dyn Read + Send>),
    /// Zstd frames, whose decoding is worth several threads.
    Frames(Frames),
    /// A range of a zstd file.
    Section(Box<Section>),
    /// A table of games, or records.
    Table(TableGames),
    /// Whole games of a longer text.
    Tile(OpenTile),
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream").field("form", &self.form).field("part", &self.part).finish_non_exhaustive()
    }
}

impl Stream {
    fn new(pieces: Undecoded, meter: Meter) -> Self {
        Self {
            pieces,
            compression: None,
            table: None,
            has_records_of_site: false,
            transcoded_from: None,
            is_member: false,
            form: Form::Games,
            meter,
            part: Part::default(),
        }
    }

    fn of_table(games: TableGames, name: &'static str, meter: Meter) -> Self {
        Self { table: Some(name), ..Self::new(Undecoded::Table(games), meter) }
    }

    /// Begins to read the text. If it has to be decoded and `threads` is greater than 1, other threads decode ahead of
    /// the reader.
    #[doc(hidden)]
    pub fn reader(self, threads: usize) -> io::Result<OpenStream> {
        let first = self.offset();
        let text: Box<dyn Read + Send> = match self.pieces {
            Undecoded::Plain(reader) => reader,
            Undecoded::Decoded(reader) if threads <= 1 => reader,
            Undecoded::Decoded(reader) => Box::new(Ahead::new(1, 0, std::iter::once(Ok(reader)))?),
            Undecoded::Table(games) => Box::new(Counted::new(games.reader(threads)?, first)),
            Undecoded::Tile(tile) => return Ok(tile.text),
            Undecoded::Frames(frames) => Box::new(Counted::new(decode(frames, threads)?, first)),
            Undecoded::Section(section) => {
                let within = section.within();
                let (text, behind) = section.reader(|frames| decode(frames, threads))?;
                return Ok(OpenStream { text: Box::new(Counted::new(text, first)), first, within, behind });
            }
        };
        Ok(OpenStream { text, first, within: LexState::LineStart, behind: Vec::new() })
    }

    /// Whether the bytes of the file are its text.
    #[doc(hidden)]
    pub fn is_plain(&self) -> bool {
        matches!(self.pieces, Undecoded::Plain(_))
    }

    /// Returns the offset of the first byte in the text of the file. 0 for a range of a compressed file, until it has
    /// been set.
    pub(crate) fn offset(&self) -> u64 {
        match &self.pieces {
            Undecoded::Section(section) => section.offset,
            Undecoded::Tile(tile) => tile.text.first,
            _ => 0,
        }
    }
}

/// The text of a stream.
#[doc(hidden)]
pub struct OpenStream {
    pub text: Box<dyn Read + Send>,
    /// The offset of the first byte of the text.
    pub(crate) first: u64,
    /// The kind of text at the first byte.
    pub(crate) within: LexState,
    /// The first bytes of the text of the file behind this text. They are empty if the file ends with this text.
    pub(crate) behind: Vec<u8>,
}

impl fmt::Debug for OpenStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenStream").finish_non_exhaustive()
    }
}

/// Decodes the frames, ahead of the reader if there are several threads.
fn decode(frames: Frames, threads: usize) -> io::Result<Box<dyn Read + Send>> {
    if threads <= 1 {
        return frames.together();
    }
    // Decoding a game takes a fraction of the time of playing it, so half of the threads are enough. Each decoder has a
    // window of its own, which takes memory.
    let ready = (8 + 4 * threads) * 1024 * 1024;
    Ok(Box::new(Ahead::new(threads / 2 + 1, ready, frames)?))
}

impl From<Database> for Source {
    fn from(database: Database) -> Self {
        Self::Whole(database)
    }
}

impl From<&Database> for Source {
    fn from(database: &Database) -> Self {
        Self::Whole(database.clone())
    }
}

impl Source {
    /// Opens a file. A plain file is memory-mapped if `map` is true; otherwise the file is read as a stream. Compressed
    /// files are decoded while they are read. Text in an encoding in which the structure of PGN is not ASCII, such as
    /// UTF-16, is converted to UTF-8. The encoding is given or detected. The rows of a Parquet or Arrow file with a
    /// column of movetext become games, and so do puzzles and evaluations of Lichess, games in JSON, training data in
    /// binpack, viriformat and bulletformat, and the records of a Scid database, which is opened by its index.
    ///
    /// # Errors
    ///
    /// The file cannot be opened, its beginning cannot be read, it is a directory, a [file of another kind](Foreign),
    /// or a [table](TableError) that has no games or is damaged.
    pub fn open(path: &Path, map: bool, encoding: Option<Label>) -> io::Result<Self> {
        Self::open_with(path, &SourceOptions { map, encoding, ..SourceOptions::default() })
    }

    /// Opens a file like [`open`](Self::open), with these options.
    ///
    /// # Errors
    ///
    /// The same errors as those of [`open`](Self::open).
    pub fn open_with(path: &Path, options: &SourceOptions) -> io::Result<Self> {
        if let Some(address) = remote::address(path) {
            return Self::open_remote(path, address, options);
        }
        let (map, encoding) = (options.map, options.encoding);
        let is_directory = || io::Error::new(io::ErrorKind::IsADirectory, "is a directory");
        // Windows does not open a directory, and gives no reason.
        let mut file = match File::open(path) {
            Ok(file) => file,
            Err(_) if path.is_dir() => return Err(is_directory()),
            Err(error) => return ArchiveMember::at(path).map_or(Err(error), |member| Self::member(&member?, options)),
        };
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            return Err(is_directory());
        }
        if metadata.is_file() {
            let mut head = Vec::new();
            file.by_ref().take(TableFormat::HEAD.max(archive::HEAD) as u64).read_to_end(&mut head)?;
            file.rewind()?;
            if archive::begins_archive(&head) {
                return Self::archive(path, Arc::new(PositionedFile::from(file)), options);
            }
            #[cfg(all(feature = "scid", not(target_family = "wasm")))]
            if let Some(version) = scid::Version::detect(&head, path) {
                let meter = Meter::default();
                let games = scid::open(file, path, version, meter.clone())?;
                return Ok(Self::Stream(Stream::of_table(games, version.name(), meter)));
            }
            if let Some(format) = TableFormat::detect(&head) {
                return Self::table_file(file, format, options.movetext.as_deref());
            }
        }
        if !map || !metadata.is_file() || encoding.is_some_and(Label::hides_structure) {
            return Self::begin(Box::new(file), options, Some(path));
        }
        let bytes = match map_file(&file, Access::Sequential) {
            // The file is larger than the address space that is left. It can be read piece by piece.
            Err(error) if error.kind() == io::ErrorKind::OutOfMemory => {
                return Self::begin(Box::new(file), options, Some(path));
            }
            bytes => Arc::new(bytes?),
        };
        let frames = |meter: &Meter| Frames::new(Arc::clone(&bytes), meter.clone());
        let compression = Format::detect(&bytes);
        let head = match compression {
            None => bytes[..bytes.len().min(HEAD)].to_vec(),
            Some(Format::Zstd) => read_head(&mut frames(&Meter::default()).together()?)?,
            Some(_) => return Self::begin(Box::new(file), options, Some(path)),
        };
        if compression.is_some() && (TableFormat::detect(&head).is_some() || Format::detect(&head).is_some()) {
            return Self::begin(Box::new(file), options, Some(path));
        }
        let is_training = training::Layout::detect(&head, inner_name(Some(path), compression.as_slice())).is_some();
        if is_training || records::Layout::detect(&head).is_some() || detect_utf16(&head).is_some() {
            return Self::begin(Box::new(file), options, Some(path));
        }
        refuse_foreign(&head, Some(path), compression.as_slice())?;
        Ok(match compression {
            None => Self::Whole(Database::new(bytes)),
            Some(Format::Zstd) => {
                let meter = Meter::default();
                let (pieces, form) = (Undecoded::Frames(frames(&meter)), Form::detect(&head));
                Self::Stream(Stream { compression, form, ..Stream::new(pieces, meter) })
            }
            _ => return Self::begin(Box::new(file), options, Some(path)),
        })
    }

    /// Wraps a stream, such as standard input. It may be compressed.
    ///
    /// # Errors
    ///
    /// The beginning of the stream cannot be read, or it is a [file of another kind](Foreign) or a [Parquet
    /// file](TableError).
    pub fn stream(reader: Box<dyn Read + Send>, encoding: Option<Label>) -> io::Result<Self> {
        Self::stream_with(reader, &SourceOptions { encoding, ..SourceOptions::default() })
    }

    /// Wraps a stream like [`stream`](Self::stream), with these options.
    ///
    /// # Errors
    ///
    /// The same errors as those of [`stream`](Self::stream).
    pub fn stream_with(reader: Box<dyn Read + Send>, options: &SourceOptions) -> io::Result<Self> {
        Self::begin(reader, options, None)
    }

    /// Begins to read a stream, which may have a file name.
    fn begin(reader: Box<dyn Read + Send>, options: &SourceOptions, name: Option<&Path>) -> io::Result<Self> {
        let meter = Meter::default();
        Self::begin_metered(Box::new(Metered::new(reader, meter.clone())), meter, options, (name, false))
    }

    /// Begins to read a stream whose bytes are counted. It may have a file name, and be a member of a zip archive.
    fn begin_metered(
        mut reader: Box<dyn Read + Send>,
        meter: Meter,
        options: &SourceOptions,
        (name, is_member): (Option<&Path>, bool),
    ) -> io::Result<Self> {
        let mut head = read_head(&mut reader)?;
        // A file may be compressed more than once, by mistake.
        let mut layers = Vec::new();
        while let Some(format) = Format::detect(&head) {
            if layers.len() == MOST_LAYERS {
                return Err(ForeignError::within(Foreign::Nested, &[]).into());
            }
            let compressed = Cursor::new(head).chain(reader);
            let decoder = Decoder::new(format, compressed, 0)?.nested(is_member || !layers.is_empty());
            reader = Box::new(Counted::new(decoder, 0));
            head = read_head(&mut reader)?;
            layers.push(format);
        }
        let compression = layers.first().copied();
        if let Some(format) = TableFormat::detect(&head) {
            let reader = Box::new(Cursor::new(head).chain(reader));
            let games = table_stream(reader, format, options.movetext.as_deref(), &layers)?;
            return Ok(Self::Stream(Stream {
                compression,
                is_member,
                ..Stream::of_table(games, format.name(), meter)
            }));
        }
        if let Some(layout) = training::Layout::detect(&head, inner_name(name, &layers)) {
            let bytes = Box::new(Cursor::new(head).chain(reader));
            let games = training::games(bytes, layout, is_member || !layers.is_empty());
            let stream = Stream::of_table(games, layout.name(), meter);
            return Ok(Self::Stream(Stream { compression, is_member, ..stream }));
        }
        let has_records = records::Layout::detect(&head).is_some();
        let transcoded_from = options.encoding.filter(|label| label.hides_structure()).or_else(|| detect_utf16(&head));
        // Records are in UTF-8, whatever the encoding of the games.
        let transcoded_from = transcoded_from.filter(|_| !has_records);
        let before = head.clone();
        let whole = Cursor::new(head.clone()).chain(reader);
        let (text, head): (Box<dyn Read + Send>, Vec<u8>) = match transcoded_from {
            None => (Box::new(whole), head),
            Some(label) => {
                let mut transcoder = Transcoder::new(whole, label);
                let head = read_head(&mut transcoder)?;
                (Box::new(Cursor::new(head.clone()).chain(transcoder)), head)
            }
        };
        if let Some(layout) = records::Layout::detect(&head) {
            let (kind, has_records_of_site) = (layout.name(), layout.is_of_site());
            let form = if layout.is_lines() { Form::Records } else { Form::Games };
            let games = Stream::of_table(records::games(text, layout), kind, meter);
            let games = Stream { has_records_of_site, form, ..games };
            return Ok(Self::Stream(Stream { compression, transcoded_from, is_member, ..games }));
        }
        refuse_foreign(&before, name, &layers)?;
        let is_plain = compression.is_none() && transcoded_from.is_none() && !is_member;
        let pieces = if is_plain { Undecoded::Plain(text) } else { Undecoded::Decoded(text) };
        let form = Form::detect(&head);
        Ok(Self::Stream(Stream { compression, transcoded_from, is_member, form, ..Stream::new(pieces, meter) }))
    }

    /// Opens the only member of a zip archive that is read as games.
    fn archive(path: &Path, bytes: Arc<dyn RandomAccess>, options: &SourceOptions) -> io::Result<Self> {
        Self::member(&Archive::of(path, bytes)?.only_member()?, options)
    }

    /// Opens a member of a zip archive.
    ///
    /// # Errors
    ///
    /// The member [cannot be read](ArchiveError), or is refused for a reason of [`open`](Self::open).
    pub fn member(member: &ArchiveMember, options: &SourceOptions) -> io::Result<Self> {
        let meter = Meter::default();
        let mut reader = member.metered(&meter)?;
        let head = read_head(&mut reader)?;
        if archive::begins_archive(&head) {
            return Err(ArchiveError::Nested.into());
        }
        if TableFormat::detect(&head) == Some(TableFormat::Parquet) {
            let bytes = member.bytes()?.ok_or_else(|| TableError::packed(TableFormat::Parquet))?;
            let games = tabular::open_parquet(bytes, meter.clone(), options.movetext.as_deref())?;
            let stream = Stream::of_table(games, TableFormat::Parquet.name(), meter);
            return Ok(Self::Stream(Stream { is_member: true, ..stream }));
        }
        let text = Box::new(Cursor::new(head).chain(reader));
        Self::begin_metered(text, meter, options, (Some(&member.path()), true))
    }

    /// Opens a file behind an address.
    fn open_remote(path: &Path, address: &str, options: &SourceOptions) -> io::Result<Self> {
        match ArchiveMember::at(path) {
            // There is no such archive, but there may be a folder of its name.
            Some(Err(error)) if error.kind() == io::ErrorKind::NotFound && ArchiveError::of(&error).is_none() => {}
            Some(member) => return Self::member(&member?, options),
            None => {}
        }
        let RemoteFile { mut reader, bytes } = remote::open(address)?;
        let mut head = Vec::new();
        reader.by_ref().take(TableFormat::HEAD.max(archive::HEAD) as u64).read_to_end(&mut head)?;
        match (TableFormat::detect(&head), bytes) {
            (_, Some(bytes)) if archive::begins_archive(&head) => Self::archive(path, bytes, options),
            (_, None) if archive::begins_archive(&head) => Err(ArchiveError::NoRanges.into()),
            (Some(format @ TableFormat::Parquet), Some(bytes)) => {
                let meter = Meter::default();
                let games = tabular::open_parquet(bytes, meter.clone(), options.movetext.as_deref())?;
                Ok(Self::Stream(Stream::of_table(games, format.name(), meter)))
            }
            _ => Self::begin(Box::new(Cursor::new(head).chain(reader)), options, Some(path)),
        }
    }

    /// Opens a table.
    fn table_file(file: File, format: TableFormat, movetext: Option<&str>) -> io::Result<Self> {
        let meter = Meter::default();
        let games = match format {
            TableFormat::Parquet => {
                tabular::open_parquet(Arc::new(PositionedFile::from(file)), meter.clone(), movetext)?
            }
            TableFormat::Arrow => tabular::open_arrow(file, meter.clone(), movetext)?,
        };
        Ok(Self::Stream(Stream::of_table(games, format.name(), meter)))
    }

    /// Restricts the source to the games that begin in a range of bytes of its file. Adjacent ranges give each game
    /// exactly once, and the same games as a read from the start of the file. This assumes that no comment is longer
    /// than 16 MiB.
    ///
    /// Ranges of zstd files are made of whole frames: a range has the games that begin in the text of the frames that
    /// begin in it. All games of a file with a single frame belong to the range with the first byte.
    ///
    /// # Errors
    ///
    /// The source is neither a file of text nor of zstd frames, or no place that is certainly between games can be
    /// found in the frames at the start of the range.
    pub fn within(self, range: Range<u64>) -> io::Result<Self> {
        let mut stream = match self {
            Self::Whole(database) => return Ok(Self::Whole(database.within(range))),
            Self::Stream(stream) => stream,
        };
        let Undecoded::Frames(frames) = &stream.pieces else {
            let what = match (stream.compression, stream.transcoded_from, stream.table) {
                (_, _, Some(table)) => table.to_owned(),
                _ if stream.is_member => "a member of a zip archive".to_owned(),
                (_, Some(encoding), _) => format!("in {}", encoding.name()),
                (Some(format), ..) => format!("compressed with {}", format.name()),
                _ => "not a regular file".to_owned(),
            };
            let advice = "a range of bytes needs an uncompressed file, or a zstd file with many frames";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, format!("is {what}; {advice}")));
        };
        let section = Section::open(frames, stream.form, range.clone())?;
        stream.part.is_one_range = section.is_none();
        if let Some(section) = section {
            stream.pieces = Undecoded::Section(Box::new(section));
        } else if !range.contains(&0) {
            stream.pieces = Undecoded::Plain(Box::new(io::empty()));
        }
        Ok(Self::Stream(stream))
    }

    /// Returns the places in the file at which ranges of it may meet, in ascending order: the starts of zstd frames. An
    /// empty list if the file has a single range. `None` if ranges may meet anywhere.
    #[doc(hidden)]
    pub fn seams(&self) -> Option<Vec<u64>> {
        Some(match &self.as_stream()?.pieces {
            Undecoded::Frames(frames) => frames.starts().skip(1).map(|start| start as u64).collect(),
            _ => Vec::new(),
        })
    }

    /// Returns what stands in the file before a range of a zstd file. `None` for any other source.
    pub(crate) fn before_section(&self) -> Option<Self> {
        let Self::Stream(Stream { pieces: Undecoded::Section(section), form, compression, .. }) = self else {
            return None;
        };
        let (form, compression, meter) = (*form, *compression, Meter::default());
        let pieces = Undecoded::Section(Box::new(section.before()));
        Some(Self::Stream(Stream { compression, form, ..Stream::new(pieces, meter) }))
    }

    /// Returns the place of the source.
    pub(crate) fn part(&self) -> Part {
        match self {
            Self::Whole(database) => database.part,
            Self::Stream(stream) => stream.part,
        }
    }

    /// Returns the place of the source, which can be set.
    #[doc(hidden)]
    pub fn part_mut(&mut self) -> &mut Part {
        match self {
            Self::Whole(database) => &mut database.part,
            Self::Stream(stream) => &mut stream.part,
        }
    }

    /// Sets the offset of a range of a compressed file in the text of the file.
    pub(crate) fn set_offset(&mut self, offset: u64) {
        if let Self::Stream(Stream { pieces: Undecoded::Section(section), .. }) = self {
            section.offset = offset;
        }
    }

    /// Whether all games of the file are read, and not those of a range.
    pub(crate) fn is_whole(&self) -> bool {
        match self {
            Self::Whole(database) => database.range == (0..database.bytes.len()),
            Self::Stream(stream) => match &stream.pieces {
                Undecoded::Section(_) => false,
                Undecoded::Tile(tile) => tile.is_whole,
                _ => true,
            },
        }
    }

    /// Whether a range was asked for, although all games of the file belong to the range with its first byte: a zstd
    /// file of a single frame.
    pub fn is_one_range(&self) -> bool {
        self.part().is_one_range
    }

    /// Returns the form of the content: games, or a position on each line.
    pub fn form(&self) -> Form {
        match self {
            Self::Whole(database) => database.form,
            Self::Stream(stream) => stream.form,
        }
    }

    fn as_stream(&self) -> Option<&Stream> {
        if let Self::Stream(stream) = self { Some(stream) } else { None }
    }

    /// Returns the name of the compression format, if the source is compressed.
    pub fn compression(&self) -> Option<&'static str> {
        self.as_stream()?.compression.map(Format::name)
    }

    /// Returns the kind of file, such as "a Parquet file" or "a file of puzzles of Lichess", if the games are the rows
    /// of a table or records.
    pub fn table(&self) -> Option<&'static str> {
        self.as_stream()?.table
    }

    /// Whether the games are records of a kind that only one site writes: puzzles and evaluations of Lichess, and games
    /// in the JSON of Lichess or chess.com. So there can be no doubt that the file is meant to be read.
    pub fn has_records_of_site(&self) -> bool {
        self.as_stream().is_some_and(|stream| stream.has_records_of_site)
    }

    /// Returns a meter of the bytes that have been read from a stream, or `None` for [`Source::Whole`].
    pub fn meter(&self) -> Option<Meter> {
        self.as_stream().map(|stream| stream.meter.clone())
    }

    /// Returns the name of the original encoding, if the text is converted to UTF-8.
    pub fn transcoded_from(&self) -> Option<&'static str> {
        self.as_stream()?.transcoded_from.map(Label::name)
    }
}

/// Opens a table that is read from its first byte to its last.
fn table_stream(
    reader: Box<dyn Read + Send>,
    format: TableFormat,
    movetext: Option<&str>,
    layers: &[Format],
) -> io::Result<TableGames> {
    match format {
        TableFormat::Parquet if layers.is_empty() => Err(TableError::piped(format).into()),
        TableFormat::Parquet => Err(ForeignError::within(Foreign::Parquet, layers).into()),
        TableFormat::Arrow => tabular::open_arrow_stream(reader, movetext),
    }
}

/// Returns an error if the text begins like a file of another kind. If the file is compressed, the extension before the
/// last is used.
fn refuse_foreign(head: &[u8], name: Option<&Path>, layers: &[Format]) -> io::Result<()> {
    let name = inner_name(name, layers);
    Foreign::detect(head, name).map_or(Ok(()), |foreign| Err(ForeignError::named(foreign, layers, name).into()))
}

/// Returns the name that a file has without its compression.
fn inner_name<'a>(name: Option<&'a Path>, layers: &[Format]) -> Option<&'a Path> {
    layers.iter().fold(name, |name, _| name.and_then(Path::file_stem).map(Path::new))
}

/// Reads the first bytes of a text. Damage only shortens them: the next read reports it again.
fn read_head(reader: &mut dyn Read) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    match reader.take(HEAD as u64).read_to_end(&mut head) {
        Err(error) if Damage::of(&error).is_none() => Err(error),
        _ => Ok(head),
    }
}
