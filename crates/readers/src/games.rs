//! The games of a table, as pieces of PGN text that follow one another.

use std::io::{self, Read};

use pgn2fen_bytes::ahead::{Ahead, DecodedPiece};
use pgn2fen_pgn::encoding::Label;

/// The parts of games that are read beside main lines. A reader may leave out the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameParts {
    /// All tags. Those that name the players, the result, the variant and the start are read in any case.
    pub tags: bool,
    /// Comments with all that they hold, such as clocks and evaluations, and NAGs.
    pub comments: bool,
    /// Variations.
    pub variations: bool,
    /// The words of the export format: numbers of moves, marks of check, the fewest squares. A reader that writes moves
    /// itself may write without them what is read as the same moves.
    pub spelling: bool,
}

impl GameParts {
    /// All parts.
    pub const ALL: Self = Self { tags: true, comments: true, variations: true, spelling: true };

    /// The main line alone, with the tags that are read in any case.
    pub const NONE: Self = Self { tags: false, comments: false, variations: false, spelling: false };

    /// Returns the parts that are among these or others.
    #[must_use]
    pub fn with(self, others: Self) -> Self {
        Self {
            tags: self.tags || others.tags,
            comments: self.comments || others.comments,
            variations: self.variations || others.variations,
            spelling: self.spelling || others.spelling,
        }
    }

    /// Whether the tag of this name is read.
    #[cfg(any(feature = "records", feature = "tables"))]
    pub(crate) fn has_tag(self, name: &str) -> bool {
        self.tags || matches!(name, "White" | "Black" | "Result" | "Variant" | "FEN" | "SetUp")
    }
}

impl Default for GameParts {
    fn default() -> Self {
        Self::ALL
    }
}

/// The games of a table, as pieces of PGN text: the row groups of a Parquet file, the whole of an Arrow file, blocks of
/// records or training data, or some games of a database.
#[allow(missing_debug_implementations, reason = "readers have none")]
pub struct TableGames {
    begin: Box<dyn FnOnce(GameParts) -> Pieces + Send>,
    /// Whether as many threads decode the pieces as play the games.
    takes_all_threads: bool,
    /// The encoding of text that is not UTF-8, guessed from what was read when the database was opened.
    pub guess: Option<Label>,
}

type Pieces = Box<dyn Iterator<Item = io::Result<DecodedPiece>> + Send>;

impl TableGames {
    /// Returns the games whose pieces a function makes. It is called with the parts of games that are read.
    #[cfg(any(feature = "chessbase", feature = "records", feature = "scid", feature = "tables"))]
    pub(crate) fn new<P>(begin: impl FnOnce(GameParts) -> P + Send + 'static) -> Self
    where
        P: Iterator<Item = io::Result<DecodedPiece>> + Send + 'static,
    {
        Self { begin: Box::new(|parts| Box::new(begin(parts))), takes_all_threads: false, guess: None }
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

    /// Returns a reader of the text, which may be without other parts of the games than these. If there are several
    /// threads, other threads decode ahead of it.
    pub fn reader(self, threads: usize, parts: GameParts) -> io::Result<Box<dyn Read + Send>> {
        let pieces = (self.begin)(parts);
        if threads <= 1 {
            return Ok(Box::new(OneByOne { pieces, piece: None }));
        }
        // Decoding a table takes a small part of the time of playing. Each thread holds the pages that it decodes.
        let decoders = if self.takes_all_threads { threads } else { threads / 4 + 1 };
        Ok(Box::new(Ahead::new(decoders, 4 * 1024 * 1024, pieces)?))
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
