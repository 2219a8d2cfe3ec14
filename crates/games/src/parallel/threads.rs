//! Threads beside the thread pool.

use std::io;
use std::thread::{Builder, JoinHandle};

/// Starts a thread.
///
/// # Errors
///
/// The thread cannot be started. The message says so, because that of the system only says that something is not
/// available.
#[doc(hidden)]
pub fn spawn<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> io::Result<JoinHandle<T>> {
    let failed = |error: io::Error| io::Error::new(error.kind(), format!("cannot start a thread: {error}"));
    Builder::new().spawn(work).map_err(failed)
}
