//! The thread pool that walks through databases.

use std::error::Error;
use std::fmt;
use std::io;
use std::sync::Arc;
use std::thread;

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use crate::database::Source;
use crate::parallel::batch::{Batch, Stages};
use crate::parallel::blocks::{BLOCK, Cuts};
use crate::parallel::stages::{self, Limits};
use crate::parallel::trace::Trace;

/// The length of the longest game that is read from a stream, with the comment before it: 64 MiB. A longer game ends
/// the walk with an error, so that memory does not grow with a text that never ends; up to 128 KiB more may still be
/// read, the size of a block and the text behind it. In a file that is not compressed a game may have any length.
pub const LONGEST_GAME: usize = 64 * 1024 * 1024;

/// A thread pool that walks through databases.
#[derive(Debug)]
pub struct Workers {
    pool: ThreadPool,
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
        Ok(Self { pool, limits: Limits { cuts: Cuts::Likely(BLOCK), longest_game: LONGEST_GAME }, trace: None })
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
        &self.pool
    }

    /// Walks through a database.
    ///
    /// # Errors
    ///
    /// The database cannot be read to its end. The games before the error have been delivered. A game that is cut short
    /// is left out.
    pub(crate) fn walk<B: Batch>(&self, source: Source, stages: Stages<'_, B>) -> io::Result<()> {
        stages::walk(&self.pool, &self.limits, self.trace.as_deref(), source, stages)
    }
}
