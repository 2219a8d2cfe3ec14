//! A closure over all games, on all cores, in the order of the database.

use std::fmt;
use std::io;
use std::ops::{ControlFlow, Range};

use crate::database::{Database, Source};
use crate::parallel::batch::{Batch, Delivery, Stages};
use crate::parallel::workers::Workers;
use crate::pgn::games::{Game, Reader, Text, read_games};
use crate::pgn::tags::Tags;

impl Workers {
    /// Calls a closure for every game of a database, on any of the threads. The results come in the order of the games, by
    /// [`for_each`](Map::for_each) or [`try_for_each`](Map::try_for_each), one at a time.
    ///
    /// The closure may be called again for the same game: a game at the end of a block is read again if its end was not in sight, and
    /// the first result is dropped. So it should do nothing but compute. About 1 MiB of results a thread waits, counted by their own
    /// size without what they point to.
    ///
    /// ```
    /// use pgn2fen::database::Database;
    /// use pgn2fen::parallel::Workers;
    ///
    /// let database = Database::from(b"1. e4 e5 1-0\n1. d4 *\n".repeat(500));
    /// let mut plies = Vec::new();
    /// Workers::new(0)?
    ///     .map(&database, |game| game.replay().map_or(0, |replay| replay.last_ply()))
    ///     .for_each(|count| plies.push(count))?;
    /// assert_eq!(plies, [2, 1].repeat(500));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn map<T: Send, F: Fn(&Game<'_>) -> T + Sync>(&self, source: impl Into<Source>, compute: F) -> Map<'_, F> {
        Map { workers: self, source: source.into(), compute }
    }
}

/// A closure that is to be called for every game of a database: see [`Workers::map`].
#[must_use = "nothing is computed before `for_each` or `try_for_each`"]
pub struct Map<'w, F> {
    workers: &'w Workers,
    source: Source,
    compute: F,
}

impl<F> fmt::Debug for Map<'_, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Map").field("source", &self.source).finish_non_exhaustive()
    }
}

impl<T: Send, F: Fn(&Game<'_>) -> T + Sync> Map<'_, F> {
    /// Takes the results in the order of the games.
    ///
    /// # Errors
    ///
    /// The database cannot be read to its end. The results of the games before that have been taken.
    pub fn for_each(self, mut take: impl FnMut(T) + Send) -> io::Result<()> {
        self.try_for_each(|result| {
            take(result);
            ControlFlow::Continue(())
        })
    }

    /// Takes the results in the order of the games, until it breaks off.
    ///
    /// # Errors
    ///
    /// The database cannot be read to its end. The results of the games before that have been taken.
    pub fn try_for_each(self, mut take: impl FnMut(T) -> ControlFlow<()> + Send) -> io::Result<()> {
        let Self { workers, source, compute } = self;
        let read = |text: Text<'_>, until: usize, results: &mut Results<T>| {
            read_games(text, until, &mut Calls { compute: &compute, results, tags: Tags::default() })
        };
        let order = |_: Delivery<'_, Results<T>>| ControlFlow::Continue(());
        let deliver = |results: &mut Results<T>| results.of_games.drain(..).try_for_each(&mut take);
        workers.walk(source, Stages { read, order, encode: |_: &mut Results<T>| {}, deliver })
    }
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

/// The results of the games of a block.
struct Results<T> {
    of_games: Vec<T>,
    /// How many of them are certain.
    kept: usize,
}

impl<T> Default for Results<T> {
    fn default() -> Self {
        Self { of_games: Vec::new(), kept: 0 }
    }
}

impl<T: Send> Batch for Results<T> {
    fn clear(&mut self) {
        self.of_games.clear();
        self.kept = 0;
    }

    fn weight(&self) -> usize {
        self.of_games.len() * size_of::<T>()
    }
}

/// Calls the closure for the games of a block.
struct Calls<'c, 't, F, T> {
    compute: &'c F,
    results: &'c mut Results<T>,
    /// Kept for its memory.
    tags: Tags<'t>,
}

impl<'t, T, F: Fn(&Game<'_>) -> T> Reader<'t> for Calls<'_, 't, F, T> {
    fn game(&mut self, text: Text<'t>, start: usize) -> usize {
        let mut tags = std::mem::take(&mut self.tags);
        text.read_tags(start, &mut tags);
        if tags.is_open() && !text.is_last {
            self.tags = tags;
            return text.bytes.len();
        }
        let game = Game::new(text, start, tags);
        self.results.of_games.push((self.compute)(&game));
        let end = game.end();
        self.tags = game.into_tags();
        end
    }

    fn skipped(&mut self, _: Text<'t>, _: Range<usize>) {}

    fn keep(&mut self) {
        self.results.kept = self.results.of_games.len();
    }

    fn forget(&mut self) {
        self.results.of_games.truncate(self.results.kept);
    }

    fn is_done(&self) -> bool {
        false
    }
}
