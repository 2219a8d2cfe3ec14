//! Signals that would kill the process where an error message should appear, or without an exit status.

/// Turns a file that exceeds the size limit (`ulimit -f`) into a write error. Without this, the signal SIGXFSZ kills
/// the process before it can print a message and remove its temporary file.
///
/// Turns an abort into exit status 2. The standard library aborts if there is not enough memory or stack, and prints a
/// message before.
pub(crate) fn survive() {
    #[cfg(unix)]
    {
        use std::sync::Arc;
        use std::sync::atomic::AtomicBool;

        use signal_hook::consts::{SIGABRT, SIGXFSZ};
        use signal_hook::flag;

        use crate::outcome::Outcome;

        // A signal with a handler does not kill the process. The flag is not used. A system without the signal has no
        // limit.
        let _ = flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
        let _ = flag::register_conditional_shutdown(SIGABRT, Outcome::Failed as i32, Arc::new(AtomicBool::new(true)));
    }
}
