//! A text in pieces of whole games, which are called tiles, for callers that read on in steps: a stream from its start to
//! its end, or any range of a file that can be read at any place.
//!
//! Tiles that follow one another give each game exactly once, with the places that it has in the whole text.

use std::io::{self, Cursor, Read};
use std::ops::Range;

use crate::database::before::Before;
use crate::database::meter::Meter;
use crate::database::section::{Failing, MARGIN, read_to};
use crate::database::{OpenStream, Part, Source, Stream, Undecoded};
use crate::diagnostic::{column, count_lines};
use crate::parallel::LONGEST_GAME;
use crate::pgn::chunk::{Chunk, LexState};
use crate::pgn::encoding::Label;
use crate::pgn::lists::Form;
use crate::pgn::ranges::{Edge, Sought, seek_place};

/// The text on either side of a place that is read first to find a place between games, in bytes.
const LEAD: usize = 64 * 1024;

/// The amount of text on either side of a place from which on no more is read. It is more than the longest comment and
/// the longest game.
const REACH: usize = 128 * 1024 * 1024;

/// Whole games of a longer text, which a walk can read.
pub(super) struct OpenTile {
    pub(super) text: OpenStream,
    /// Whether it is the whole text.
    pub(super) is_whole: bool,
}

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
    /// What stands before the next tile. The games are counted by the caller.
    before: Before,
    form: Form,
    meter: Option<Meter>,
    transcoded_from: Option<Label>,
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
            before: Before::default(),
            form,
            meter,
            transcoded_from,
        })
    }

    /// Returns a meter of the bytes that have been read, if the source is a stream.
    pub fn meter(&self) -> Option<&Meter> {
        self.meter.as_ref()
    }

    /// Returns the next tile, of about `size` bytes, and None behind the last one. `games` is the number of games before
    /// it. A stream that cannot be read to its end fails in its last tile.
    pub fn next(&mut self, size: usize, games: u64) -> Option<Source> {
        let text = self.text.as_mut()?;
        let is_first = self.before.text == 0;
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
                // Whatever is not known to end here is read in one piece, which the walk limits.
                _ if is_last || self.buffer.len() > size + LONGEST_GAME => break None,
                Sought::At(place) => wanted = place + MARGIN,
                Sought::Earlier | Sought::Later => wanted = 2 * self.buffer.len(),
            }
        };
        let part = Part { file: Some(0), before: Some(Before { games, ..self.before }), ..Part::default() };
        let (first, within) = (self.before.text, LexState::after(self.last));
        let form = self.form;
        let opened = match place {
            Some(place) => {
                let behind = self.buffer[place..self.buffer.len().min(place + MARGIN)].to_vec();
                let rest = self.buffer.split_off(place);
                let bytes = std::mem::replace(&mut self.buffer, rest);
                self.last = bytes.last().copied();
                self.before = self.before.then(numbers(&bytes));
                OpenStream { text: Box::new(Cursor::new(bytes)), first, within, behind }
            }
            None => {
                let rest = self.text.take()?;
                let bytes = Cursor::new(std::mem::take(&mut self.buffer)).chain(Failing(self.failure.take()));
                OpenStream { text: Box::new(bytes.chain(rest.text)), first, within, behind: rest.behind }
            }
        };
        let is_whole = is_first && self.text.is_none();
        let stream = Stream::new(Undecoded::Tile(OpenTile { text: opened, is_whole }), Meter::default());
        let transcoded_from = self.transcoded_from.take();
        Some(Source::Stream(Stream { form, part, transcoded_from, ..stream }))
    }
}

/// Returns the numbers of a text, without its games.
fn numbers(text: &[u8]) -> Before {
    Before { lines: count_lines(text), text: text.len() as u64, column: column(text), ..Before::default() }
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

/// A tile of a text that can be read at any place: the games that begin in a range of its bytes.
#[derive(Clone, Debug)]
pub struct Tile {
    bytes: Vec<u8>,
    first: u64,
    within: LexState,
    behind: Vec<u8>,
    form: Form,
    is_whole: bool,
}

impl Tile {
    /// Reads the games that begin in a range of bytes of a text of `length` bytes. Adjacent ranges give each game exactly
    /// once.
    ///
    /// # Errors
    ///
    /// The text cannot be read, or no place between games is found.
    pub fn read(text: &mut dyn ReadAt, length: u64, form: Form, range: Range<u64>) -> io::Result<Self> {
        let start = meeting(text, length, form, range.start)?;
        let end = meeting(text, length, form, range.end)?.max(start);
        let lead = start.min(1);
        let mut bytes = part(text, start - lead..length.min(end + MARGIN as u64))?;
        let behind = bytes.split_off(usize::try_from(end - start + lead).unwrap_or(usize::MAX).min(bytes.len()));
        let last = bytes.first().copied().filter(|_| lead > 0);
        bytes.drain(..usize::from(last.is_some()));
        let within = LexState::after(last);
        Ok(Self { bytes, first: start, within, behind, form, is_whole: start == 0 && end == length })
    }

    /// Returns the tile as a source. `before` are the numbers of what stands before it.
    pub fn source(&self, before: Before) -> Source {
        let text = OpenStream {
            text: Box::new(Cursor::new(self.bytes.clone())),
            first: self.first,
            within: self.within,
            behind: self.behind.clone(),
        };
        let stream = Stream::new(Undecoded::Tile(OpenTile { text, is_whole: self.is_whole }), Meter::default());
        let part = Part { file: Some(0), before: Some(before), ..Part::default() };
        Source::Stream(Stream { form: self.form, part, ..stream })
    }

    /// Returns the offset of the tile, and its length in bytes.
    pub fn span(&self) -> Range<u64> {
        self.first..self.first + self.bytes.len() as u64
    }
}

/// Returns the first place between games at or behind `from`.
fn meeting(text: &mut dyn ReadAt, length: u64, form: Form, from: u64) -> io::Result<u64> {
    if from == 0 || from >= length {
        return Ok(from.min(length));
    }
    let (mut lead, mut reach) = (LEAD, LEAD);
    loop {
        let start = from.saturating_sub(lead as u64);
        let end = length.min(from + reach as u64);
        let bytes = part(text, start..end)?;
        let edge = if start == 0 { Edge::First } else { Edge::Earlier };
        let chunk = Chunk { is_last: end == length, form, ..Chunk::whole(&bytes) };
        match seek_place(chunk, edge, usize::try_from(from - start).unwrap_or(usize::MAX)) {
            Sought::At(place) => return Ok(start + place as u64),
            Sought::Earlier if start > 0 && lead < REACH => lead *= 4,
            Sought::Later if end < length && reach < REACH => reach *= 4,
            _ => {
                let reach = REACH / 1024 / 1024;
                let reason = format!(
                    "no place that is certainly between games was found in the {reach} MiB of text before and behind \
                     byte {from}"
                );
                return Err(io::Error::other(reason));
            }
        }
    }
}

/// Reads a range of bytes.
fn part(text: &mut dyn ReadAt, range: Range<u64>) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; usize::try_from(range.end - range.start).map_err(io::Error::other)?];
    let read = text.read_at(range.start, &mut bytes)?;
    if read < bytes.len() {
        return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the file has become shorter"));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::io::{self, Cursor, Read};
    use std::path::Path;

    use super::{ReadAt, Tile, Tiles};
    use crate::database::{Before, Source};
    use crate::diagnostic::Diagnostic;
    use crate::parallel::Workers;
    use crate::pgn::lists::Form;
    use crate::walk::{Check, Job, Listener, Place, ReadOptions, census};

    /// Text with games, comments, text between games and errors, of which each game is a little different.
    fn text() -> Vec<u8> {
        let mut text = String::new();
        for game in 0..400 {
            text += &match game % 5 {
                0 => format!("[White \"A{game}\"]\n\n1. e4 {{ [x \"y\"] {game} }} e5 1-0\n\n"),
                1 => format!("; a comment\n[White \"B\"]\n[Round \"{game}\"]\r\n\r\n1. d4 Qx{game} *\r\n"),
                2 => format!("\n\n1. c4 {{ one\n\n[White \"no\"]\n\n1. e4 * }} c5 2. Nf{game} 0-1 lost text\n"),
                3 => format!("% escaped {game}\n[White \"C\"]\n[White \"C\"]\n\n1. e4 e5 1/2-1/2 1. d4 *\n"),
                _ => "some words\n".repeat(game % 7),
            };
        }
        text.into_bytes()
    }

    #[derive(Default)]
    struct Told(Vec<(String, Option<u64>, Place)>);

    impl Listener for Told {
        fn diagnostic(&mut self, diagnostic: &Diagnostic, place: Place) {
            self.0.push((diagnostic.to_string(), diagnostic.game, place));
        }
    }

    fn check(sources: impl IntoIterator<Item = Source>, workers: &Workers) -> (u64, Told) {
        let (mut job, mut told) = (Check::new(ReadOptions::default()), Told::default());
        for source in sources {
            job.read(workers, Path::new(""), source, &mut told).unwrap();
        }
        (job.totals().count.games, told)
    }

    fn whole(text: &[u8]) -> Source {
        Source::stream(Box::new(Cursor::new(text.to_vec())), None).unwrap()
    }

    #[test]
    fn tiles_of_a_stream_say_what_the_whole_says() {
        let (text, workers) = (text(), Workers::new(1).unwrap());
        let expected = check([whole(&text)], &workers);
        assert!(expected.0 > 300 && expected.1.0.len() > 100);
        for size in [1, 100, 5000, 1_000_000] {
            let (mut job, mut told) = (Check::new(ReadOptions::default()), Told::default());
            let mut tiles = Tiles::new(whole(&text)).unwrap();
            while let Some(source) = tiles.next(size, job.totals().count.games) {
                job.read(&workers, Path::new(""), source, &mut told).unwrap();
            }
            assert_eq!((job.totals().count.games, told.0), (expected.0, expected.1.0.clone()), "{size}");
        }
    }

    struct Bytes<'t>(&'t [u8]);

    impl ReadAt for Bytes<'_> {
        fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
            (&self.0[usize::try_from(offset).unwrap()..]).read(buffer)
        }
    }

    #[test]
    fn tiles_of_a_file_say_what_the_whole_says() {
        let (text, workers) = (text(), Workers::new(1).unwrap());
        let expected = check([whole(&text)], &workers);
        let length = text.len() as u64;
        for size in [777, 5000, 1_000_000] {
            let mut before = Before::default();
            let mut sources = Vec::new();
            for start in (0..length).step_by(size) {
                let range = start..start + size as u64;
                let tile = Tile::read(&mut Bytes(&text), length, Form::Games, range).unwrap();
                assert_eq!(tile.span().start, before.text);
                sources.push(tile.source(before));
                before = before.then(census(&workers, tile.source(before), &ReadOptions::default()).unwrap());
            }
            let told = check(sources, &workers);
            assert_eq!((told.0, told.1.0), (expected.0, expected.1.0.clone()), "{size}");
        }
    }
}
