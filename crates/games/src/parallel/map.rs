//! Calls a closure for every game of a database, on all cores, and returns the results in the order of the database.

use std::fmt;
use std::io;
use std::ops::ControlFlow;

use crate::parallel::batch::{Batch, Stages};
use crate::parallel::workers::Workers;
use pgn2fen_pgn::games::{Chunk, Game};
use pgn2fen_pgn::reader::{Reader, read_games};
use pgn2fen_pgn::tags::Tags;
use pgn2fen_sources::Source;

impl Workers {
    /// Calls a closure for every game of a database, on any of the threads. [`for_each`](Map::for_each) and
    /// [`try_for_each`](Map::try_for_each) return the results one at a time, in the order of the games.
    ///
    /// The closure may be called twice for the same game: if the end of the last game of a block was not found, the
    /// first result is dropped and the game is read again. So the closure should only compute. For each thread about 1
    /// MiB of results may wait. This counts the size of the results themselves, not the memory that they point to.
    ///
    /// ```
    /// use pgn2fen_games::database::Database;
    /// use pgn2fen_games::parallel::Workers;
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

/// A closure for every game of a database. Created by [`Workers::map`].
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
    /// Runs the closure and calls `take` with each result, in the order of the games.
    ///
    /// # Errors
    ///
    /// The database cannot be read to its end. The results of the games before the error have been taken.
    pub fn for_each(self, mut take: impl FnMut(T) + Send) -> io::Result<()> {
        self.try_for_each(|result| {
            take(result);
            ControlFlow::Continue(())
        })
    }

    /// Runs the closure and calls `take` with each result, in the order of the games, until `take` breaks.
    ///
    /// # Errors
    ///
    /// The database cannot be read to its end. The results of the games before the error have been taken.
    pub fn try_for_each(self, mut take: impl FnMut(T) -> ControlFlow<()> + Send) -> io::Result<()> {
        let Self { workers, source, compute } = self;
        let read = |text: Chunk<'_>, until: usize, results: &mut Results<T>| {
            read_games(text, until, &mut Calls { compute: &compute, results, tags: Tags::default() })
        };
        let deliver = |results: &mut Results<T>| results.of_games.drain(..).try_for_each(&mut take);
        workers.walk_typed(source, Stages::read(read).deliver(deliver))
    }
}

/// The results of the games of a block.
struct Results<T> {
    of_games: Vec<T>,
    /// The number of results that are certain: their games were read to the end.
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
    /// The memory of the tags, which is used again for each game.
    tags: Tags<'t>,
}

impl<'t, T, F: Fn(&Game<'_>) -> T> Reader<'t> for Calls<'_, 't, F, T> {
    fn game(&mut self, text: Chunk<'t>, start: usize) -> usize {
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

    fn keep(&mut self) {
        self.results.kept = self.results.of_games.len();
    }

    fn forget(&mut self) {
        self.results.of_games.truncate(self.results.kept);
    }
}
