//! A job that runs on background threads, whose results are pulled one after another.
//!
//! The results go through a channel of bounded length. When nobody wants them any more, the job ends with the block
//! that it is reading, even if the job has had no results for a long time.

use std::fmt;
use std::io;
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::task::Poll;
use std::thread::JoinHandle;
use std::time::Duration;

use crate::parallel::Workers;
use crate::parallel::threads::spawn;
use crate::walk::batch::Count;
use crate::walk::input::{Input, ReadError, read_all};
use crate::walk::listener::{Listener, Totals};
use crate::walk::places::Place;
use crate::walk::run::Job;
use pgn2fen_pgn::diagnostic::Diagnostic;
use pgn2fen_sources::Source;

/// The results of a job that runs on background threads. Dropping them ends the job and waits for its threads.
#[doc(hidden)]
pub struct Background<T> {
    results: Option<Receiver<T>>,
    thread: Option<JoinHandle<()>>,
    is_unwanted: Arc<AtomicBool>,
}

/// The end of the channel that takes the results of a job.
#[doc(hidden)]
#[derive(Debug)]
pub struct ResultSender<T> {
    sender: SyncSender<T>,
    /// Whether the other end of the channel has been dropped.
    is_unwanted: Arc<AtomicBool>,
}

impl<T: Send + 'static> Background<T> {
    /// Runs `work` on a new thread. At most `waiting` results wait in the channel until they are taken.
    ///
    /// # Errors
    ///
    /// The thread cannot be started.
    pub fn start(waiting: usize, work: impl FnOnce(&ResultSender<T>) + Send + 'static) -> io::Result<Self> {
        let (sender, results) = sync_channel(waiting);
        let is_unwanted = Arc::new(AtomicBool::new(false));
        let outlet = ResultSender { sender, is_unwanted: Arc::clone(&is_unwanted) };
        let thread = spawn(move || work(&outlet))?;
        Ok(Self { results: Some(results), thread: Some(thread), is_unwanted })
    }

    /// Waits for the next result, but not longer than `timeout`. Returns `Pending` if there is none by then, and
    /// `Ready(None)` after the last result.
    ///
    /// # Panics
    ///
    /// If the job has panicked, with the same panic.
    pub fn next_within(&mut self, timeout: Duration) -> Poll<Option<T>> {
        let Some(results) = &self.results else {
            return Poll::Ready(None);
        };
        match results.recv_timeout(timeout) {
            Ok(result) => Poll::Ready(Some(result)),
            Err(RecvTimeoutError::Timeout) => Poll::Pending,
            Err(RecvTimeoutError::Disconnected) => {
                self.end();
                Poll::Ready(None)
            }
        }
    }

    /// Waits for the thread, which has sent its last result.
    fn end(&mut self) {
        self.results = None;
        if let Some(Err(panic)) = self.thread.take().map(JoinHandle::join) {
            resume_unwind(panic);
        }
    }
}

impl<T: Send + 'static> Iterator for Background<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        let next = self.results.as_ref()?.recv().ok();
        if next.is_none() {
            self.end();
        }
        next
    }
}

impl<T> Drop for Background<T> {
    fn drop(&mut self) {
        self.is_unwanted.store(true, Ordering::Relaxed);
        // A thread that waits for room in the channel goes on when the channel is closed.
        self.results = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl<T> fmt::Debug for Background<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Background").finish_non_exhaustive()
    }
}

impl<T> Clone for ResultSender<T> {
    fn clone(&self) -> Self {
        Self { sender: self.sender.clone(), is_unwanted: Arc::clone(&self.is_unwanted) }
    }
}

impl<T> ResultSender<T> {
    /// Sends a result. Waits while the channel is full. Breaks if no more results are wanted.
    pub fn send(&self, result: T) -> ControlFlow<()> {
        if self.sender.send(result).is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    /// Whether no more results are wanted.
    pub fn is_unwanted(&self) -> bool {
        self.is_unwanted.load(Ordering::Relaxed)
    }

    /// Reads all inputs, until the job is over or its results are no longer wanted.
    ///
    /// # Errors
    ///
    /// An input cannot be opened, or cannot be read to its end.
    pub fn read_all(
        &self,
        job: &mut dyn Job,
        workers: &Workers,
        inputs: impl IntoIterator<Item: Into<Input>>,
        listener: &mut dyn Listener,
    ) -> Result<(), ReadError> {
        let inputs = inputs.into_iter().take_while(|_| !self.is_unwanted());
        read_all(job, workers, inputs, &mut WhileWanted { listener, is_unwanted: &self.is_unwanted })
    }
}

/// A listener that ends the run when its results are no longer wanted.
struct WhileWanted<'o> {
    listener: &'o mut dyn Listener,
    is_unwanted: &'o AtomicBool,
}

impl Listener for WhileWanted<'_> {
    fn begin_file(&mut self, path: &Path, source: &Source) {
        self.listener.begin_file(path, source);
    }

    fn diagnostic(&mut self, diagnostic: &Diagnostic, place: Place) {
        self.listener.diagnostic(diagnostic, place);
    }

    fn progress(&mut self, bytes: usize, count: Count) -> ControlFlow<()> {
        let flow = self.listener.progress(bytes, count);
        if self.is_unwanted.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { flow }
    }

    fn end_file(&mut self) {
        self.listener.end_file();
    }

    fn unread(&mut self, path: &Path, error: &io::Error) -> bool {
        self.listener.unread(path, error)
    }

    fn end(&mut self, totals: &Totals) {
        self.listener.end(totals);
    }
}
