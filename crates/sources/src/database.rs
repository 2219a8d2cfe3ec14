//! Databases whose bytes are in memory or mapped.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use crate::before::Before;
use crate::first_words::guess_of;
use pgn2fen_bytes::map::Bytes;
use pgn2fen_pgn::chunk::Chunk;
use pgn2fen_pgn::encoding::Label;
use pgn2fen_pgn::games::Games;
use pgn2fen_pgn::lists::Form;
use pgn2fen_pgn::ranges::first_place;

/// A database whose bytes are in memory or mapped, or the part of it whose games begin in a range of bytes. A clone
/// shares the bytes.
///
/// ```
/// use pgn2fen_sources::Database;
///
/// let database = Database::from(b"1. e4 e5 1-0 1. d4 *".to_vec());
/// assert_eq!(database.games().count(), 2);
/// ```
#[derive(Clone, Debug)]
pub struct Database {
    pub(crate) bytes: Arc<Bytes>,
    pub(crate) form: Form,
    /// The range of bytes in which its games begin.
    pub(crate) range: Range<usize>,
    pub(crate) part: Part,
    /// The encoding of text that is not UTF-8, once it has been guessed.
    guess: OnceLock<Option<Label>>,
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
    /// use pgn2fen_sources::Database;
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
    #[doc(hidden)]
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// Returns the form of the content: games, or a position on each line.
    pub fn form(&self) -> Form {
        self.form
    }

    /// Guesses the encoding of text that is not UTF-8 from the first text of the file.
    pub(crate) fn guess(&self) -> Option<Label> {
        *self.guess.get_or_init(|| guess_of(&self.bytes))
    }

    fn text(&self) -> Chunk<'_> {
        Chunk { form: self.form, ..Chunk::whole(&self.bytes) }
    }

    /// Returns the bytes of the file before the first game of the range.
    pub fn before(&self) -> &[u8] {
        &self.bytes[..self.range.start]
    }

    /// Returns the part of the file before the first game of the range.
    #[doc(hidden)]
    pub fn up_to_here(self) -> Self {
        Self { range: 0..self.range.start, ..self }
    }

    pub(crate) fn new(bytes: Arc<Bytes>) -> Self {
        let range = 0..bytes.len();
        Self { form: Form::detect(&bytes), bytes, range, part: Part::default(), guess: OnceLock::new() }
    }
}

impl From<Vec<u8>> for Database {
    fn from(bytes: Vec<u8>) -> Self {
        Self::new(Arc::new(Bytes::Owned(bytes)))
    }
}
