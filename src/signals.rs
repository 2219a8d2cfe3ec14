//! Signals: interruptions, and those that would kill the process where an error message should appear, or without an
//! exit status.

use std::io;

/// The exit status that shells expect of an interrupted process.
pub(crate) const INTERRUPTED: i32 = 130;

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

/// Calls a function on another thread at each interruption from now on: Ctrl-C, SIGTERM, and SIGHUP unless the process
/// was started by `nohup`, with which it goes on.
#[cfg(unix)]
pub(crate) fn on_interruption(mut act: impl FnMut() + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    if !is_ignored(SIGHUP) {
        signals.add_signal(SIGHUP)?;
    }
    std::thread::Builder::new().spawn(move || signals.forever().for_each(|_| act()))?;
    Ok(())
}

/// Calls a function on another thread at each interruption from now on.
#[cfg(not(unix))]
pub(crate) fn on_interruption(act: impl FnMut() + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(act).map_err(io::Error::other)
}

/// Whether the process was started so that it ignores a signal, as far as the system tells it in a file.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask >> (signal - 1) & 1 == 1
}
