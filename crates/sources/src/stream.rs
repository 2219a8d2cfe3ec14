//! Databases that are read from a stream.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};

use crate::database::Part;
use crate::open_stream::OpenStream;
use crate::section::Section;
use crate::stretch::Stretch;
use pgn2fen_bytes::Meter;
use pgn2fen_bytes::ahead::Ahead;
use pgn2fen_bytes::decoder::Counted;
use pgn2fen_bytes::format::Format;
use pgn2fen_bytes::frames::Frames;
use pgn2fen_pgn::chunk::LexState;
use pgn2fen_pgn::encoding::Label;
use pgn2fen_pgn::lists::Form;
use pgn2fen_readers::{GameParts, TableGames};

/// The length of the longest game that is read from a stream, with the comment before it: 64 MiB. A longer game ends
/// the walk with an error, so that memory does not grow with a text that never ends; up to 128 KiB more may still be
/// read, the size of a block and the text behind it. In a file that is not compressed a game may have any length.
pub const LONGEST_GAME: usize = 64 * 1024 * 1024;

/// A database that is read from a stream.
pub struct Stream {
    pub(crate) pieces: Undecoded,
    /// The compression format, if it is compressed.
    pub(crate) compression: Option<Format>,
    /// Whether the text in it was compressed before.
    pub(crate) is_compressed_again: bool,
    /// The kind of file, such as "a Parquet file", if the text is made of its rows or records.
    pub(crate) table: Option<&'static str>,
    /// Whether the text is made of records that only one site writes.
    pub(crate) has_records_of_site: bool,
    /// The original encoding, if the text is converted to UTF-8.
    pub(crate) transcoded_from: Option<Label>,
    /// The encoding of what is not UTF-8, guessed from the first text; None if that is UTF-8.
    pub(crate) guess: Option<Label>,
    /// Whether it is a member of a zip archive.
    pub(crate) is_member: bool,
    pub(crate) form: Form,
    pub(crate) meter: Meter,
    pub(crate) part: Part,
    /// The parts of its games that are read, if it is made of rows or records.
    pub(crate) parts: GameParts,
}

/// A stream, by the work that decoding it takes.
pub(crate) enum Undecoded {
    /// Text that needs no decoding.
    Plain(Box<dyn Read + Send>),
    /// The text of a file that is not mapped, and the file.
    File(Box<dyn Read + Send>, File),
    /// A range of such a file.
    Stretch(Stretch),
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
    pub(crate) fn new(pieces: Undecoded, meter: Meter) -> Self {
        Self {
            pieces,
            compression: None,
            is_compressed_again: false,
            table: None,
            has_records_of_site: false,
            transcoded_from: None,
            guess: None,
            is_member: false,
            form: Form::Games,
            meter,
            part: Part::default(),
            parts: GameParts::ALL,
        }
    }

    pub(crate) fn of_table(games: TableGames, name: &'static str, meter: Meter) -> Self {
        Self { table: Some(name), guess: games.guess, ..Self::new(Undecoded::Table(games), meter) }
    }

    /// Begins to read the text. If it has to be decoded and `threads` is greater than 1, other threads decode ahead of
    /// the reader.
    #[doc(hidden)]
    pub fn reader(self, threads: usize) -> io::Result<OpenStream> {
        let first = self.offset();
        let text: Box<dyn Read + Send> = match self.pieces {
            Undecoded::Plain(reader) | Undecoded::File(reader, _) => reader,
            Undecoded::Stretch(stretch) => return stretch.text(&self.meter),
            Undecoded::Decoded(reader) if threads <= 1 => reader,
            Undecoded::Decoded(reader) => Box::new(Ahead::new(1, 0, std::iter::once(Ok(reader)))?),
            Undecoded::Table(games) => Box::new(Counted::new(games.reader(threads, self.parts)?, first)),
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
        matches!(self.pieces, Undecoded::Plain(_) | Undecoded::File(..) | Undecoded::Stretch(_))
    }

    /// Returns the offset of the first byte in the text of the file. 0 for a range of a compressed file, until it has
    /// been set.
    #[doc(hidden)]
    pub fn offset(&self) -> u64 {
        match &self.pieces {
            Undecoded::Section(section) => section.offset,
            Undecoded::Stretch(stretch) => stretch.offset(),
            Undecoded::Tile(tile) => tile.text.first,
            _ => 0,
        }
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

/// Whole games of a longer text, which a walk can read.
pub(crate) struct OpenTile {
    pub(crate) text: OpenStream,
    /// Whether it is the whole text.
    pub(crate) is_whole: bool,
}
