//! Pieces of work that workers take one after another.

use std::collections::BTreeMap;
use std::thread;

use crate::parallel::sync::{AtomicUsize, Mutex, Ordering, PoisonError, lock};

/// Pieces of work, and the results of those that are done.
pub(super) struct Pieces<T, E> {
    count: usize,
    /// The number of the next piece.
    next: AtomicUsize,
    done: Mutex<BTreeMap<usize, Result<T, E>>>,
}

impl<T, E> Pieces<T, E> {
    pub(super) fn new(count: usize) -> Self {
        Self { count, next: AtomicUsize::new(0), done: Mutex::new(BTreeMap::new()) }
    }

    /// Runs one worker until no piece is left. No piece is begun behind one that fails or panics.
    pub(super) fn work(&self, work: impl Fn(usize) -> Result<T, E>) {
        let _last = LastPiece(self);
        loop {
            let piece = self.next.fetch_add(1, Ordering::Relaxed);
            if piece >= self.count {
                break;
            }
            let result = work(piece);
            if result.is_err() {
                self.stop();
            }
            lock(&self.done).insert(piece, result);
        }
    }

    /// Begins no more pieces.
    fn stop(&self) {
        self.next.store(self.count, Ordering::Relaxed);
    }

    /// Returns the results in the order of the pieces, or the error of the first piece that failed.
    pub(super) fn results(self) -> Result<Vec<T>, E> {
        let done = self.done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.into_values().collect()
    }
}

/// Stops the start of more pieces when a worker panics.
struct LastPiece<'p, T, E>(&'p Pieces<T, E>);

impl<T, E> Drop for LastPiece<'_, T, E> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
}
