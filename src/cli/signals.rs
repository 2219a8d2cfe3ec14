//! Signals that would kill the process where an error message should appear.

/// Turns a file that exceeds the size limit (`ulimit -f`) into a write error. Without this, the signal SIGXFSZ kills the process before it
/// can print a message and remove its temporary file.
pub(crate) fn survive_file_size_limit() {
    #[cfg(unix)]
    {
        use std::sync::Arc;
        use std::sync::atomic::AtomicBool;

        use signal_hook::consts::SIGXFSZ;
        use signal_hook::flag;

        // A signal with a handler does not kill the process. The flag is not used. A system without the signal has no limit.
        let _ = flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
    }
}
