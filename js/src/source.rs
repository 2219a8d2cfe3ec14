//! Inputs: bytes that JavaScript reads, and the tiles in which jobs read them.

use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use pgn2fen_games::database::{Archive, Foreign, Meter, RandomAccess, ReadAt, Source, SourceOptions, Tile, Tiles};
use pgn2fen_games::pgn::encoding::Label;
use pgn2fen_games::pgn::lists::Form;

use crate::abi;

/// The bytes of an input, to which JavaScript gave a number.
struct Bytes {
    number: u32,
    offset: u64,
}

impl Read for Bytes {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = abi::read(self.number, self.offset, buffer)?;
        self.offset += read as u64;
        Ok(read)
    }
}

impl ReadAt for Bytes {
    fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let mut filled = 0;
        while filled < buffer.len() {
            match abi::read(self.number, offset + filled as u64, &mut buffer[filled..])? {
                0 => break,
                read => filled += read,
            }
        }
        Ok(filled)
    }
}

/// The bytes of an input at any offset.
#[derive(Debug)]
struct AnyBytes {
    number: u32,
    length: u64,
}

impl RandomAccess for AnyBytes {
    fn length(&self) -> io::Result<u64> {
        Ok(self.length)
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        if offset < self.length { abi::read(self.number, offset, buffer) } else { Ok(0) }
    }
}

/// Opens an input as a zip archive. None if it is none.
pub(crate) fn archive(number: u32, length: u64) -> io::Result<Option<Archive>> {
    let mut head = [0; Archive::HEAD];
    let read = Bytes { number, offset: 0 }.read_at(0, &mut head)?;
    if !Archive::begins(&head[..read]) {
        return Ok(None);
    }
    Archive::of(Path::new("archive.zip"), Arc::new(AnyBytes { number, length })).map(Some)
}

/// An open input.
pub(crate) struct OpenSource {
    number: u32,
    length: u64,
    form: Form,
    /// The encoding of text that is not UTF-8, if it is guessed.
    pub(crate) guess: Option<Label>,
    /// Whether the bytes are the text, so that it can be read at any place.
    pub(crate) is_plain: bool,
    /// The name of the compression.
    pub(crate) compression: Option<&'static str>,
    tiles: Tiles,
}

impl OpenSource {
    /// Opens an input of a length. If it is a zip archive, opens its member of this name, or the only one.
    pub(crate) fn open(number: u32, length: u64, member: &str, options: &SourceOptions) -> io::Result<Self> {
        let source = match Source::stream_with(Box::new(Bytes { number, offset: 0 }), options) {
            Err(error) if Foreign::of(&error) == Some(Foreign::Zip) => {
                let archive = archive(number, length)?.ok_or(error)?;
                let member = if member.is_empty() { archive.only_member() } else { archive.member(member) };
                Source::member(&member?, options)?
            }
            source => source?,
        };
        let (form, guess, compression) = (source.form(), source.guess(), source.compression());
        let is_plain = matches!(&source, Source::Stream(stream) if stream.is_plain());
        Ok(Self { number, length, form, guess, is_plain, compression, tiles: Tiles::new(source)? })
    }

    /// Returns the next tile, of about `size` bytes of text.
    pub(crate) fn next(&mut self, size: usize) -> Option<Tile> {
        self.tiles.next(size)
    }

    /// Returns the number of bytes of the input that have been read.
    pub(crate) fn bytes_read(&self) -> u64 {
        self.tiles.meter().map_or(0, Meter::bytes)
    }

    /// Reads the games that begin from the start or the end of another tile up to an offset. `memory` is that of the
    /// last tile.
    pub(crate) fn tile(&self, range: (u64, u64), memory: Vec<u8>) -> io::Result<Tile> {
        let mut bytes = Bytes { number: self.number, offset: 0 };
        Tile::read(&mut bytes, self.length, (self.form, self.guess), range, memory)
    }
}
