//! The end of a run that is interrupted by Ctrl-C or a signal.
//!
//! The first interruption lets the run remove its temporary files. The second ends the process at once; the next run
//! that writes to the index removes what is left behind.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::Result;

use crate::signals::{INTERRUPTED, on_interruption};

/// The time after which an interrupted run ends if it still waits for input.
const PATIENCE: Duration = Duration::from_secs(1);

static IS_INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Whether the run reads games, and may have to wait for the other end of a pipe.
static IS_READING: AtomicBool = AtomicBool::new(false);

/// Handles interruptions from now on.
#[expect(clippy::exit, reason = "the run is interrupted, on a thread that cannot return to main")]
pub(crate) fn handle() -> Result<()> {
    on_interruption(|| {
        if IS_INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED);
        }
        // A separate thread waits, so that this one can handle the next interruption.
        let waiting = thread::Builder::new().spawn(|| {
            thread::sleep(PATIENCE);
            if IS_READING.load(Ordering::Relaxed) {
                std::process::exit(INTERRUPTED);
            }
        });
        if waiting.is_err() && IS_READING.load(Ordering::Relaxed) {
            std::process::exit(INTERRUPTED);
        }
    })?;
    Ok(())
}

/// Whether the run was interrupted.
pub(crate) fn is_interrupted() -> bool {
    IS_INTERRUPTED.load(Ordering::Relaxed)
}

/// Returns `Break` if the run was interrupted.
pub(crate) fn check() -> ControlFlow<()> {
    if is_interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// Runs a function that reads games. An interruption ends it even if it waits for input.
pub(crate) fn reading<T>(read: impl FnOnce() -> T) -> T {
    IS_READING.store(true, Ordering::Relaxed);
    let result = read();
    IS_READING.store(false, Ordering::Relaxed);
    result
}

/// Ends the process if the run was interrupted.
#[expect(clippy::exit, reason = "an interrupted run ends with the status that shells expect")]
pub(crate) fn end_if_interrupted() {
    if is_interrupted() {
        std::process::exit(INTERRUPTED);
    }
}
