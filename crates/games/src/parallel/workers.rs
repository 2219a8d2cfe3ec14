//! The thread pool that walks through databases.

use std::error::Error;
use std::fmt;
use std::io;
use std::sync::Arc;
use std::thread;

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use crate::parallel::batch::{Batch, Stages};
use crate::parallel::blocks::{BLOCK, Cuts};
use crate::parallel::stages::{self, Limits};
use crate::parallel::trace::Trace;
use pgn2fen_sources::{LONGEST_GAME, Source};

/// A thread pool that walks through databases.
#[derive(Debug)]
pub struct Workers {
    pool: ThreadPool,
    /// Whether the pool is the thread that created it.
    is_current_thread: bool,
    limits: Limits,
    trace: Option<Arc<Trace>>,
}

/// The error when threads cannot be started.
#[derive(Debug)]
pub struct WorkersError(ThreadPoolBuildError);

impl fmt::Display for WorkersError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("cannot start threads")
    }
}

impl Error for WorkersError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        // The text of the error is that of its cause.
        Some(self.0.source().unwrap_or(&self.0))
    }
}

impl Workers {
    /// The most threads that a caller can ask for. Thousands of threads need more time to wait for each other than to
    /// work.
    const MOST_THREADS: usize = 256;

    /// Starts `threads` threads, but not more than 256, or one for each core if `threads` is 0. Environment variables
    /// of the thread pool have no effect.
    ///
    /// # Errors
    ///
    /// Threads cannot be started.
    pub fn new(threads: usize) -> Result<Self, WorkersError> {
        let cores = || thread::available_parallelism().map_or(1, usize::from);
        let threads = if threads == 0 { cores() } else { threads }.min(Self::MOST_THREADS);
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().map_err(WorkersError)?;
        Ok(Self::of_pool(pool, false))
    }

    /// Creates a pool of the current thread alone, for systems without threads, such as WebAssembly. Walks run on this
    /// thread.
    ///
    /// A thread can do this once, even if the pool is dropped: the thread stays a member of its first pool. So keep the
    /// workers, for example in a `thread_local!`. Jobs in the background, whose results are pulled, need other threads
    /// all the same.
    ///
    /// ```
    /// use pgn2fen_games::{Database, Workers};
    ///
    /// let workers = Workers::current_thread()?;
    /// let mut games = 0;
    /// workers.map(Database::from(b"1. e4 *\n1. d4 *".to_vec()), |_| ()).for_each(|()| games += 1)?;
    /// assert_eq!(games, 2);
    /// assert!(Workers::current_thread().is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The current thread is already a member of a pool.
    ///
    /// # Panics
    ///
    /// Walks panic on any other thread.
    pub fn current_thread() -> Result<Self, WorkersError> {
        let pool = ThreadPoolBuilder::new().num_threads(1).use_current_thread().build().map_err(WorkersError)?;
        Ok(Self::of_pool(pool, true))
    }

    fn of_pool(pool: ThreadPool, is_current_thread: bool) -> Self {
        let limits = Limits { cuts: Cuts::Likely(BLOCK), longest_game: LONGEST_GAME };
        Self { pool, is_current_thread, limits, trace: None }
    }

    /// Sets where databases are cut.
    #[doc(hidden)]
    #[must_use]
    pub fn with_cuts(mut self, cuts: Cuts) -> Self {
        self.limits.cuts = cuts;
        self
    }

    /// Measures the stages of walks.
    #[doc(hidden)]
    #[must_use]
    pub fn with_trace(self, trace: Arc<Trace>) -> Self {
        Self { trace: Some(trace), ..self }
    }

    /// Sets the length of the longest game that is read from a stream, in bytes. The default is [`LONGEST_GAME`].
    #[must_use]
    pub fn with_longest_game(mut self, longest_game: usize) -> Self {
        self.limits.longest_game = longest_game;
        self
    }

    /// Returns the number of threads.
    pub fn count(&self) -> usize {
        self.pool.current_num_threads()
    }

    pub(super) fn pool(&self) -> &ThreadPool {
        let is_member = self.pool.current_thread_index().is_some();
        // The pool would wait for ever for its thread.
        assert!(is_member || !self.is_current_thread, "these workers are another thread");
        &self.pool
    }

    /// Walks through a database.
    ///
    /// # Errors
    ///
    /// The database cannot be read to its end. The games before the error have been delivered. A game that is cut short
    /// is left out.
    pub(crate) fn walk<B: Batch + 'static>(&self, source: Source, stages: Stages<'_, B>) -> io::Result<()> {
        stages.call_erased(|stages| self.walk_typed(source, stages))
    }

    /// Walks through a database as [`walk`](Self::walk) does, also with batches that borrow. Each type of batch is
    /// compiled anew.
    pub(super) fn walk_typed<B: Batch>(&self, source: Source, stages: Stages<'_, B>) -> io::Result<()> {
        let pool = self.pool();
        let run = |work: &(dyn Fn() + Sync)| _ = pool.broadcast(|_| work());
        stages::walk(pool.current_num_threads(), run, &self.limits, self.trace.as_deref(), source, stages)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::thread;

    use crate::parallel::blocks::Cuts;
    use crate::parallel::workers::Workers;
    use pgn2fen_pgn::games::Game;
    use pgn2fen_sources::{Database, Source};

    #[test]
    fn the_current_thread_walks_alone() {
        let on_a_fresh_thread = || {
            let workers = Workers::current_thread().unwrap().with_cuts(Cuts::Likely(500));
            assert_eq!(workers.count(), 1);
            let this = thread::current().id();
            let text = "1. e4 e5 *\n".repeat(2000);
            for is_stream in [false, true] {
                let source = match is_stream {
                    false => Source::Whole(Database::from(text.clone().into_bytes())),
                    true => Source::stream(Box::new(Cursor::new(text.clone().into_bytes())), None).unwrap(),
                };
                let mut plies = 0;
                let last_ply = |game: &Game<'_>| {
                    assert_eq!(thread::current().id(), this);
                    game.replay().map_or(0, |replay| replay.last_ply())
                };
                workers.map(source, last_ply).for_each(|count| plies += count).unwrap();
                assert_eq!(plies, 4000);
            }
            assert_eq!(workers.share(3, 1, Ok::<_, ()>), Ok(vec![0, 1, 2]));
            // A thread is a member of one pool, for ever.
            let refused = Workers::current_thread().unwrap_err();
            assert_eq!(refused.to_string(), "cannot start threads");
            drop(workers);
            assert!(Workers::current_thread().is_err());
        };
        thread::spawn(on_a_fresh_thread).join().unwrap();
    }

    #[test]
    fn another_thread_is_refused_and_does_not_wait_for_ever() {
        let workers = thread::spawn(|| Workers::current_thread().unwrap()).join().unwrap();
        let walk = || workers.map(Database::from(b"1. e4 *".to_vec()), |_| ()).for_each(|()| ());
        let payload = catch_unwind(AssertUnwindSafe(walk)).unwrap_err();
        assert_eq!(payload.downcast_ref(), Some(&"these workers are another thread"));
    }
}
