//! The games of a table, as pieces of PGN text that follow one another.

use std::io::{self, Read};

use crate::database::ahead::{Ahead, DecodedPiece};

/// The games of a table, as pieces of PGN text: the row groups of a Parquet file, the whole of an Arrow file, or blocks
/// of records.
pub(in crate::database) struct TableGames(Pieces);

type Pieces = Box<dyn Iterator<Item = io::Result<DecodedPiece>> + Send>;

impl TableGames {
    #[cfg(any(feature = "records", feature = "scid", feature = "tables"))]
    pub(in crate::database) fn new(pieces: impl Iterator<Item = io::Result<DecodedPiece>> + Send + 'static) -> Self {
        Self(Box::new(pieces))
    }

    /// Returns a reader of the text. If there are several threads, other threads decode ahead of it.
    pub(in crate::database) fn reader(self, threads: usize) -> io::Result<Box<dyn Read + Send>> {
        if threads <= 1 {
            return Ok(Box::new(OneByOne { pieces: self.0, piece: None }));
        }
        // Decoding takes a small part of the time of playing. Each thread holds the pages that it decodes.
        Ok(Box::new(Ahead::new(threads / 4 + 1, 4 * 1024 * 1024, self.0)?))
    }
}

/// A reader of one piece after another.
struct OneByOne {
    pieces: Pieces,
    piece: Option<DecodedPiece>,
}

impl Read for OneByOne {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if let Some(piece) = &mut self.piece {
                let read = piece.read(buffer)?;
                if read > 0 || buffer.is_empty() {
                    return Ok(read);
                }
            }
            match self.pieces.next() {
                None => return Ok(0),
                Some(piece) => self.piece = Some(piece?),
            }
        }
    }
}
