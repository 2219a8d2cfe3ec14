//! Locks that outlive a panic.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// A worker that panicked has stopped everything; its locks hold nothing half done that is used again.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
