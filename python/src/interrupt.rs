//! Interrupts, for threads on which Python does not handle signals.
//!
//! A package may pull batches on threads of its own while the main thread waits in its code. Python handles an interrupt (Ctrl-C) only on
//! the main thread, when Python code runs there. So the threads that pull look at a flag, which a signal handler of this module sets before
//! it calls Python's own handler.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

static FLAG: LazyLock<Arc<AtomicBool>> = LazyLock::new(|| {
    let flag = Arc::new(AtomicBool::new(false));
    // Without the handler, a run that another package pulls on its own threads goes on until that package ends it.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGINT, Arc::clone(&flag));
    flag
});

/// Forgets earlier interrupts. Called when a stream begins.
pub(crate) fn forget() {
    FLAG.store(false, Ordering::Relaxed);
}

/// Whether there was an interrupt since the last stream began.
pub(crate) fn has_happened() -> bool {
    FLAG.load(Ordering::Relaxed)
}
