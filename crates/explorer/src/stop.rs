//! The end of a search: its client has gone, or it takes too long.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// A sign that a search should end.
#[derive(Clone, Debug)]
pub(super) struct Stop {
    is_abandoned: Arc<AtomicBool>,
    deadline: Instant,
}

/// Abandons the search when it is dropped.
#[derive(Debug)]
pub(super) struct Abandon(Arc<AtomicBool>);

impl Stop {
    /// Creates a sign that is set at a time, or when the second value is dropped.
    pub(super) fn at(deadline: Instant) -> (Self, Abandon) {
        let is_abandoned = Arc::new(AtomicBool::new(false));
        let abandon = Abandon(Arc::clone(&is_abandoned));
        (Self { is_abandoned, deadline }, abandon)
    }

    /// Whether the search should end.
    pub(super) fn is_set(&self) -> bool {
        self.is_abandoned.load(Ordering::Relaxed) || Instant::now() >= self.deadline
    }
}

impl Drop for Abandon {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
