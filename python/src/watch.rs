//! Signals and progress, which a thread that waits for a run looks after.

use std::time::{Duration, Instant};

use pyo3::intern;
use pyo3::prelude::{Py, PyAny, PyAnyMethods, PyResult, Python};

use crate::process::Call;
use crate::reading::Reading;
use crate::run::Run;

/// The time after which a thread that waits looks for signals.
pub(crate) const PATIENCE: Duration = Duration::from_millis(50);

/// The time between two calls of the function that shows progress.
const FRAME: Duration = Duration::from_millis(100);

/// Looks for signals, and calls the functions of the watch of a run, on a thread that may call Python.
pub(crate) struct Watch {
    watch: Py<PyAny>,
    run: Run,
    /// The number of bytes to read, if it is known.
    total: Option<u64>,
    next: Instant,
}

impl Watch {
    pub(crate) fn new(watch: Py<PyAny>, run: &Run, reading: &Reading) -> Self {
        Self { watch, run: run.clone(), total: reading.inputs.size(), next: Instant::now() + FRAME }
    }

    /// Raises the exception of a signal handler, and shows the progress of the run.
    pub(crate) fn look(&mut self, py: Python<'_>) -> PyResult<()> {
        py.check_signals()?;
        if Instant::now() >= self.next {
            self.next = Instant::now() + FRAME;
            self.show(py)?;
        }
        Ok(())
    }

    /// Shows the progress of the run.
    pub(crate) fn show(&self, py: Python<'_>) -> PyResult<()> {
        // This thread may be one that the interpreter does not wait for.
        let Some(_call) = Call::begin() else {
            return Ok(());
        };
        let count = self.run.count();
        let counts = (self.run.bytes(), self.total, count.games, count.positions);
        self.watch.bind(py).call_method1(intern!(py, "update"), counts).map(drop)
    }

    pub(crate) fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.watch.bind(py).call_method0(intern!(py, "close")).map(drop)
    }
}
