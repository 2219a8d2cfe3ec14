//! The games of a table, as pieces of PGN text that follow one another.

use std::io::{self, Read};

use pgn2fen_bytes::ahead::{Ahead, DecodedPiece};
use pgn2fen_pgn::encoding::Label;

/// The games of a table, as pieces of PGN text: the row groups of a Parquet file, the whole of an Arrow file, blocks of
/// records or training data, or some games of a database.
#[allow(missing_debug_implementations, reason = "readers have none")]
pub struct TableGames {
    pieces: Pieces,
    /// Whether as many threads decode the pieces as play the games.
    takes_all_threads: bool,
    /// The encoding of text that is not UTF-8, guessed from what was read when the database was opened.
    pub guess: Option<Label>,
}

type Pieces = Box<dyn Iterator<Item = io::Result<DecodedPiece>> + Send>;

impl TableGames {
    #[cfg(any(feature = "chessbase", feature = "records", feature = "scid", feature = "tables"))]
    pub(crate) fn new(pieces: impl Iterator<Item = io::Result<DecodedPiece>> + Send + 'static) -> Self {
        Self { pieces: Box::new(pieces), takes_all_threads: false, guess: None }
    }

    /// Returns the games, whose decoding takes as long as playing them.
    #[cfg(any(feature = "training", all(any(feature = "chessbase", feature = "scid"), not(target_family = "wasm"))))]
    pub(crate) fn on_all_threads(self) -> Self {
        Self { takes_all_threads: true, ..self }
    }

    #[cfg(feature = "scid")]
    pub(crate) fn with_guess(self, guess: Option<Label>) -> Self {
        Self { guess, ..self }
    }

    /// Returns a reader of the text. If there are several threads, other threads decode ahead of it.
    pub fn reader(self, threads: usize) -> io::Result<Box<dyn Read + Send>> {
        if threads <= 1 {
            return Ok(Box::new(OneByOne { pieces: self.pieces, piece: None }));
        }
        // Decoding a table takes a small part of the time of playing. Each thread holds the pages that it decodes.
        let decoders = if self.takes_all_threads { threads } else { threads / 4 + 1 };
        Ok(Box::new(Ahead::new(decoders, 4 * 1024 * 1024, self.pieces)?))
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
            // What a piece holds is given back before the next one is read.
            self.piece = None;
            match self.pieces.next() {
                None => return Ok(0),
                Some(piece) => self.piece = Some(piece?),
            }
        }
    }
}
