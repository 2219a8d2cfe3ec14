//! Signals that would end the run where an error message should.

/// Lets a file that grows beyond the limit of the system (`ulimit -f`) be an error of the write, and not the end of the run: the
/// run can then say what happened, and remove what it has not finished.
pub(crate) fn survive_file_size_limit() {
    #[cfg(unix)]
    {
        use std::sync::Arc;
        use std::sync::atomic::AtomicBool;

        use signal_hook::consts::SIGXFSZ;
        use signal_hook::flag;

        // A signal with a handler does not end the run; nobody looks at the flag. A system without the signal has no limit.
        let _ = flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
    }
}
