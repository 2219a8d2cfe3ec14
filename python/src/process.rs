//! The process in which runs take place: its end, and its forks.
//!
//! When the interpreter ends, a thread that comes back to it, as from a wait in the `read` of a file object, is ended
//! in the middle of what it does; if Rust has called Python there, that aborts the process. So threads of runs call
//! Python for short moments only, and before the interpreter ends, they are told to leave it alone (`_process.py`).
//! Runs that write files are stopped then, so that they remove what is unfinished. A forked process has none of the
//! threads of its parent, so it cannot go on with the parent's runs.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use std::{mem, thread};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::{PyAnyMethods, PyResult, Python, pyfunction};

/// The time in which calls and works that have begun must end when the interpreter ends. They are short, unless a
/// function for progress waits, or an output file.
const FAREWELL: Duration = Duration::from_secs(1);

/// Whether the interpreter is about to end.
static IS_ENDING: AtomicBool = AtomicBool::new(false);

/// The number of [`Work`]s, with those of [`Call`]s.
static UNFINISHED: AtomicUsize = AtomicUsize::new(0);

/// The number of forks from the process that loaded this module to this one.
static FORKS: AtomicU32 = AtomicU32::new(0);

/// Stops all calls of Python by threads of runs, and all runs. Is called before the interpreter ends.
#[pyfunction]
pub(crate) fn end_process(py: Python<'_>) {
    // The interpreter would close the standard input, and abort the process if another thread reads it. So it is never
    // dropped.
    for name in ["stdin", "__stdin__"] {
        mem::forget(py.import("sys").and_then(|sys| sys.getattr(name)));
    }
    IS_ENDING.store(true, Ordering::SeqCst);
    // A thread that has begun a call may wait for the global interpreter lock.
    py.detach(|| {
        let begun = Instant::now();
        while UNFINISHED.load(Ordering::SeqCst) > 0 && begun.elapsed() < FAREWELL {
            thread::sleep(Duration::from_millis(1));
        }
    });
}

/// Leaves the runs of the parent alone. Is called in each forked process.
#[pyfunction]
pub(crate) fn begin_child() {
    FORKS.fetch_add(1, Ordering::SeqCst);
    UNFINISHED.store(0, Ordering::SeqCst);
}

/// Whether the interpreter is about to end.
pub(crate) fn is_ending() -> bool {
    IS_ENDING.load(Ordering::SeqCst)
}

/// The right to call Python on a thread that is not the main one. The interpreter does not end before it is dropped.
pub(crate) struct Call {
    _work: Work,
}

impl Call {
    /// Begins a call; None if the interpreter is about to end.
    pub(crate) fn begin() -> Option<Self> {
        let call = Self { _work: Work::begin() };
        (!is_ending()).then_some(call)
    }
}

/// Work of a run that must not be left unfinished, such as that of an output file. The interpreter does not end before
/// it is dropped; the run is [left](crate::run::Run::is_left) then.
pub(crate) struct Work(());

impl Work {
    pub(crate) fn begin() -> Self {
        UNFINISHED.fetch_add(1, Ordering::SeqCst);
        Self(())
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        UNFINISHED.fetch_sub(1, Ordering::SeqCst);
    }
}

/// A value with threads, which a forked process can neither use nor drop: it would wait for threads that it does not
/// have.
pub(crate) struct Own<T> {
    /// None only while it is dropped.
    value: Option<T>,
    forks: u32,
}

impl<T> Own<T> {
    pub(crate) fn new(value: T) -> Self {
        Self { value: Some(value), forks: FORKS.load(Ordering::SeqCst) }
    }

    /// Returns the value, or the message of an error in a forked process.
    pub(crate) fn get(&mut self) -> Result<&mut T, &'static str> {
        let is_own = self.is_own();
        self.value.as_mut().filter(|_| is_own).ok_or(
            "this iterator was begun before the process was forked, and its threads are in the parent process; begin a \
             new one in this process",
        )
    }

    /// Returns the value, or an exception in a forked process.
    pub(crate) fn for_python(&mut self) -> PyResult<&mut T> {
        self.get().map_err(PyRuntimeError::new_err)
    }

    fn is_own(&self) -> bool {
        self.forks == FORKS.load(Ordering::SeqCst)
    }
}

impl<T> Drop for Own<T> {
    fn drop(&mut self) {
        if !self.is_own() {
            mem::forget(self.value.take());
        }
    }
}
