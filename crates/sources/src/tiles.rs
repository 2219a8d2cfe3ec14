//! A text in pieces of whole games, which are called tiles, for callers that read on in steps: a stream from its start
//! to its end, or any range of a file that can be read at any place.
//!
//! Tiles that follow one another give each game exactly once, with the places that it has in the whole text.

use std::io::{self, Cursor, Read};
use std::ops::Range;
use std::sync::Arc;

use crate::before::Before;
use crate::database::Part;
use crate::open_stream::OpenStream;
use crate::section::{Failing, MARGIN, read_to};
use crate::source::Source;
use crate::stream::{LONGEST_GAME, OpenTile, Stream, Undecoded};
use pgn2fen_bytes::Damage;
use pgn2fen_bytes::Meter;
use pgn2fen_pgn::chunk::{Chunk, LexState};
use pgn2fen_pgn::diagnostic::{column, count_lines};
use pgn2fen_pgn::encoding::Label;
use pgn2fen_pgn::lists::Form;
use pgn2fen_pgn::ranges::{Edge, Sought, seek_place};

/// A stream in tiles.
#[derive(Debug)]
pub struct Tiles {
    /// None behind the last tile.
    text: Option<OpenStream>,
    /// The text that was read and belongs to the next tile.
    buffer: Vec<u8>,
    /// Whether the buffer holds the rest of the text.
    is_ended: bool,
    failure: Option<io::Error>,
    /// The byte before the next tile.
    last: Option<u8>,
    /// The offset of the next tile.
    first: u64,
    form: Form,
    meter: Option<Meter>,
    transcoded_from: Option<Label>,
    guess: Option<Label>,
}

impl Tiles {
    /// Begins to read a source.
    ///
    /// # Errors
    ///
    /// The source cannot be read.
    pub fn new(source: Source) -> io::Result<Self> {
        let (form, meter) = (source.form(), source.meter());
        let transcoded_from = if let Source::Stream(stream) = &source { stream.transcoded_from } else { None };
        let guess = source.guess();
        let text = match source {
            Source::Whole(database) => OpenStream {
                text: Box::new(Cursor::new(database.bytes().to_vec())),
                first: 0,
                within: LexState::LineStart,
                behind: Vec::new(),
            },
            Source::Stream(stream) => stream.reader(1)?,
        };
        Ok(Self {
            text: Some(text),
            buffer: Vec::new(),
            is_ended: false,
            failure: None,
            last: None,
            first: 0,
            form,
            meter,
            transcoded_from,
            guess,
        })
    }

    /// Returns a meter of the bytes that have been read, if the source is a stream.
    pub fn meter(&self) -> Option<&Meter> {
        self.meter.as_ref()
    }

    /// Returns the next tile, of about `size` bytes, and None behind the last one. A stream that cannot be read to its
    /// end fails when its last tile is read.
    pub fn next(&mut self, size: usize) -> Option<Tile> {
        let text = self.text.as_mut()?;
        let is_first = self.first == 0;
        let mut wanted = size.max(1) + MARGIN;
        let place = loop {
            if !self.is_ended {
                match read_to(&mut text.text, &mut self.buffer, wanted) {
                    Ok(is_ended) => self.is_ended = is_ended,
                    Err(error) => (self.is_ended, self.failure) = (true, Some(error)),
                }
            }
            if self.is_ended && self.buffer.len() <= wanted {
                break None;
            }
            let (is_last, form, within) = (self.is_ended, self.form, LexState::after(self.last));
            let chunk = Chunk { is_last, form, within, ..Chunk::whole(&self.buffer) };
            match seek_place(chunk, Edge::First, size.max(1)) {
                Sought::At(place) if is_last || place + MARGIN <= self.buffer.len() => break Some(place),
                // A walk refuses a game of this length.
                _ if is_last || self.buffer.len() > size + LONGEST_GAME + MARGIN => break None,
                Sought::At(place) => wanted = place + MARGIN,
                Sought::Earlier | Sought::Later => wanted = 2 * self.buffer.len(),
            }
        };
        let rest = place.map(|place| self.buffer.split_off(place));
        let bytes = std::mem::take(&mut self.buffer);
        let (first, within) = (self.first, LexState::after(self.last));
        self.last = bytes.last().copied();
        self.first += bytes.len() as u64;
        let behind = match rest {
            Some(rest) => {
                self.buffer = rest;
                self.buffer[..self.buffer.len().min(MARGIN)].to_vec()
            }
            None => std::mem::take(&mut self.text)?.behind,
        };
        Some(Tile {
            text: TileText { range: 0..bytes.len(), memory: Arc::new(bytes) },
            first,
            within,
            behind,
            form: self.form,
            is_whole: is_first && self.text.is_none(),
            failure: self.failure.take().filter(|_| self.text.is_none()),
            transcoded_from: self.transcoded_from.take(),
            guess: self.guess,
        })
    }
}

/// A text that can be read at any place.
pub trait ReadAt {
    /// Reads at an offset, and returns the number of bytes. Fewer bytes than asked for are an error, except at the end.
    ///
    /// # Errors
    ///
    /// The text cannot be read there.
    fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<usize>;
}

/// The text of a tile, and some text behind it, in memory that is used again for the next tile.
#[derive(Clone, Debug)]
struct TileText {
    memory: Arc<Vec<u8>>,
    range: Range<usize>,
}

impl AsRef<[u8]> for TileText {
    fn as_ref(&self) -> &[u8] {
        &self.memory[self.range.clone()]
    }
}

/// Whole games of a longer text.
#[derive(Debug)]
pub struct Tile {
    text: TileText,
    first: u64,
    within: LexState,
    behind: Vec<u8>,
    form: Form,
    /// Whether it is the whole text.
    is_whole: bool,
    /// The error behind the text.
    failure: Option<io::Error>,
    transcoded_from: Option<Label>,
    guess: Option<Label>,
}

impl Tile {
    /// Reads the games that begin from `start`, which is 0 or the end of another tile, up to `until`, in a text of
    /// `length` bytes of this form and [guessed](Source::guess) encoding. `memory` is that of a tile that is no longer
    /// needed, or empty.
    ///
    /// # Errors
    ///
    /// The text cannot be read, or a game is too long.
    pub fn read(
        text: &mut dyn ReadAt,
        length: u64,
        (form, guess): (Form, Option<Label>),
        (start, until): (u64, u64),
        mut memory: Vec<u8>,
    ) -> io::Result<Self> {
        let lead = usize::from(start > 0);
        let wanted = to_index(until.clamp(start, length) - start);
        let mut reach = 2 * MARGIN;
        let end = loop {
            let read_to = length.min(start + (wanted + reach) as u64);
            part(text, start - lead as u64..read_to, &mut memory)?;
            let within = LexState::after(memory.first().copied().filter(|_| lead > 0));
            let is_last = read_to == length;
            let chunk = Chunk { is_last, form, within, ..Chunk::whole(&memory[lead..]) };
            match seek_place(chunk, Edge::First, wanted) {
                Sought::At(place) if is_last || lead + place + MARGIN <= memory.len() => break lead + place,
                // A walk refuses a game of this length.
                _ if is_last || reach > LONGEST_GAME + MARGIN => break memory.len(),
                _ => reach *= 4,
            }
        };
        let last = memory.first().copied().filter(|_| lead > 0);
        let behind = memory[end..memory.len().min(end + MARGIN)].to_vec();
        let is_whole = start == 0 && end as u64 == length;
        Ok(Self {
            text: TileText { memory: Arc::new(memory), range: lead..end },
            first: start,
            within: LexState::after(last),
            behind,
            form,
            is_whole,
            failure: None,
            transcoded_from: None,
            guess,
        })
    }

    /// Returns the memory of the tile, for the next one. It is empty if a source of the tile still exists.
    pub fn into_memory(self) -> Vec<u8> {
        Arc::try_unwrap(self.text.memory).unwrap_or_default()
    }

    /// Returns the tile as a source. `games` is the number of games before it, and `lines` the number of line breaks
    /// with the bytes behind the last one.
    pub fn source(&self, games: u64, (lines, column): (u64, usize)) -> Source {
        let again = |error: &io::Error| match Damage::of(error) {
            Some(damage) => damage.clone().into(),
            None => io::Error::new(error.kind(), error.to_string()),
        };
        let failing = Failing(self.failure.as_ref().map(again));
        let text = OpenStream {
            text: Box::new(Cursor::new(self.text.clone()).chain(failing)),
            first: self.first,
            within: self.within,
            behind: self.behind.clone(),
        };
        let before = Before { games, chosen: games, lines, text: self.first, column };
        let part = Part { file: Some(0), before: Some(before), ..Part::default() };
        let tile = Undecoded::Tile(OpenTile { text, is_whole: self.is_whole });
        let stream = Stream::new(tile, Meter::default());
        let (form, transcoded_from, guess) = (self.form, self.transcoded_from, self.guess);
        Source::Stream(Stream { form, part, transcoded_from, guess, ..stream })
    }

    /// Returns the line breaks before the text behind the tile, and the bytes behind the last one, if these are those
    /// before the tile.
    pub fn lines_after(&self, (lines, on_line): (u64, usize)) -> (u64, usize) {
        let text = self.text();
        match count_lines(text) {
            0 => (lines, on_line + text.len()),
            more => (lines + more, column(text)),
        }
    }

    /// Returns the text.
    pub fn text(&self) -> &[u8] {
        self.text.as_ref()
    }

    /// Returns the range of bytes of the text.
    pub fn span(&self) -> Range<u64> {
        self.first..self.first + self.text().len() as u64
    }
}

fn to_index(offset: u64) -> usize {
    usize::try_from(offset).unwrap_or(usize::MAX)
}

/// Reads a range of bytes into memory, which is emptied before.
fn part(text: &mut dyn ReadAt, range: Range<u64>, memory: &mut Vec<u8>) -> io::Result<()> {
    let length = usize::try_from(range.end - range.start).map_err(io::Error::other)?;
    memory.clear();
    if memory.capacity() < length {
        // The next tiles are about as long, and should find room.
        memory.reserve_exact(length + length / 8);
    }
    memory.resize(length, 0);
    if text.read_at(range.start, memory)? < length {
        return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the file has become shorter"));
    }
    Ok(())
}
