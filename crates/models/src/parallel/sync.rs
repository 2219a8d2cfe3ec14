//! The means to share state and to wait, in the place of those of the crate `games`. At each use of one, another thread
//! may go on.

pub(super) use shuttle::hint::spin_loop;
pub(super) use shuttle::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
pub(super) use shuttle::sync::{Condvar, Mutex};
pub(super) use std::sync::PoisonError;

use shuttle::sync::MutexGuard;

/// How often a worker looks whether a lane is free before it sleeps: rarely, so that workers sleep in most orders.
pub(super) const LOOKS: u32 = 1;

/// Locks a mutex, even if a worker panicked while it held the lock.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
