//! Sources of games: databases in memory, and streams.

use std::io;
use std::ops::Range;

use crate::database::{Database, Part};
use crate::section::Section;
use crate::stream::{Stream, Undecoded};
use crate::stretch::Stretch;
use pgn2fen_bytes::Meter;
use pgn2fen_bytes::format::Format;
use pgn2fen_pgn::encoding::{Fallback, Label};
use pgn2fen_pgn::lists::Form;
use pgn2fen_readers::GameParts;

/// A source of games that is read once, from the start to the end.
#[derive(Debug)]
pub enum Source {
    /// A database whose bytes are in memory or mapped.
    Whole(Database),
    /// A stream, whose bytes can be read only once.
    Stream(Stream),
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
    /// Restricts the source to the games that begin in a range of bytes of its file. Adjacent ranges give each game
    /// exactly once, and the same games as a read from the start of the file. This assumes that no comment is longer
    /// than 16 MiB.
    ///
    /// Ranges of zstd files are made of whole frames: a range has the games that begin in the text of the frames that
    /// begin in it. All games of a file with a single frame belong to the range with the first byte.
    ///
    /// # Errors
    ///
    /// The source is neither a file of text nor a mapped file of zstd frames, or no place that is certainly between
    /// games can be found at an end of the range.
    pub fn within(self, range: Range<u64>) -> io::Result<Self> {
        let mut stream = match self {
            Self::Whole(database) => return Ok(Self::Whole(database.within(range))),
            Self::Stream(stream) => stream,
        };
        if let Undecoded::File(_, file) = stream.pieces {
            let stretch = Stretch::open(file, stream.form, range)?;
            return Ok(Self::Stream(Stream { pieces: Undecoded::Stretch(stretch), meter: Meter::default(), ..stream }));
        }
        let Undecoded::Frames(frames) = &stream.pieces else {
            let what = match (stream.compression, stream.transcoded_from, stream.table) {
                (_, _, Some(table)) => table.to_owned(),
                _ if stream.is_member => "a member of a zip archive".to_owned(),
                _ if stream.is_compressed_again => "compressed more than once".to_owned(),
                (_, Some(encoding), _) => format!("in {}", encoding.name()),
                (Some(Format::Zstd), ..) => {
                    let reason = "is compressed with zstd; a range of its bytes needs a file that is mapped (mmap)";
                    return Err(io::Error::new(io::ErrorKind::InvalidInput, reason));
                }
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
            Undecoded::File(..) => return None,
            Undecoded::Frames(frames) => frames.starts().skip(1).map(|start| start as u64).collect(),
            _ => Vec::new(),
        })
    }

    /// Returns what stands in the file before a range of a zstd file, or of a file that is not mapped. `None` for any
    /// other source.
    #[doc(hidden)]
    pub fn before_section(&self) -> Option<Self> {
        let Stream { pieces, form, compression, guess, .. } = self.as_stream()?;
        let pieces = match pieces {
            Undecoded::Section(section) => Undecoded::Section(Box::new(section.before())),
            Undecoded::Stretch(stretch) if stretch.offset() > 0 => Undecoded::Stretch(stretch.before()),
            _ => return None,
        };
        let (form, compression, guess, meter) = (*form, *compression, *guess, Meter::default());
        Some(Self::Stream(Stream { compression, form, guess, ..Stream::new(pieces, meter) }))
    }

    /// Returns the place of the source.
    #[doc(hidden)]
    pub fn part(&self) -> Part {
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

    /// Returns the offset of the text in the text of the file, if it is known without decoding what stands before.
    #[doc(hidden)]
    pub fn known_offset(&self) -> Option<u64> {
        match self.as_stream().map(|stream| &stream.pieces) {
            Some(Undecoded::Stretch(stretch)) => Some(stretch.offset()),
            _ => None,
        }
    }

    /// Sets the offset of a range of a compressed file in the text of the file.
    #[doc(hidden)]
    pub fn set_offset(&mut self, offset: u64) {
        if let Self::Stream(Stream { pieces: Undecoded::Section(section), .. }) = self {
            section.offset = offset;
        }
    }

    /// Sets the parts of games that are read. If the games are the rows of a table or records, their text may be
    /// without the others.
    #[doc(hidden)]
    pub fn set_parts(&mut self, parts: GameParts) {
        if let Self::Stream(stream) = self {
            stream.parts = parts;
        }
    }

    /// Whether all games of the file are read, and not those of a range.
    #[doc(hidden)]
    pub fn is_whole(&self) -> bool {
        match self {
            Self::Whole(database) => database.range == (0..database.bytes.len()),
            Self::Stream(stream) => match &stream.pieces {
                Undecoded::Section(_) | Undecoded::Stretch(_) => false,
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

    /// Returns the encoding of text that is not UTF-8: the one that the user named, or the [guess](Self::guess), or
    /// Windows-1252.
    pub fn fallback(&self, named: Option<Label>) -> Fallback {
        Fallback::new(named.or_else(|| self.guess()))
    }

    /// Guesses the encoding of text that is not UTF-8 from the first 64 KiB of the text of the file, so that all its
    /// ranges have the same. None if these are UTF-8.
    pub fn guess(&self) -> Option<Label> {
        match self {
            Self::Whole(database) => database.guess(),
            Self::Stream(stream) => stream.guess,
        }
    }

    /// Returns the name of the original encoding, if the text is converted to UTF-8.
    pub fn transcoded_from(&self) -> Option<&'static str> {
        self.as_stream()?.transcoded_from.map(Label::name)
    }
}
