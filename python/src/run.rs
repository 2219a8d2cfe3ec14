//! One run through files: its counts, its report, and the request to stop it.

use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pgn2fen_games::database::{Meter, Source};
use pgn2fen_games::diagnostic::Diagnostic;
use pgn2fen_games::messages::{self, Message, Restrictions, shown};
use pgn2fen_games::pgn::encoding::Label;
use pgn2fen_games::walk::{Count, Listener, Place, Totals};
use pyo3::prelude::{Py, PyResult, Python, pyclass, pymethods};

use crate::errors::unreadable_text;
use crate::process::is_ending;
use crate::report::Report;

/// The error of a run that was interrupted.
pub(crate) const INTERRUPTED: &str = "the run was interrupted";

/// One run through files. All threads of the run share it.
#[pyclass(frozen, module = "pgn2fen._pgn2fen")]
#[derive(Clone)]
pub(crate) struct Run(Arc<State>);

#[derive(Default)]
struct State {
    /// The number of bytes that have been read. Compressed files count with their compressed size.
    bytes: AtomicU64,
    games: AtomicU64,
    wanted: AtomicU64,
    positions: AtomicU64,
    /// Whether the run should stop.
    is_cancelled: AtomicBool,
    /// Whether nothing more happens in the run.
    is_over: AtomicBool,
    /// Whether the run came to its end: everything that was wanted has been read.
    is_complete: AtomicBool,
    told: Mutex<messages::Report>,
    /// Whether it was begun when the interpreter was about to end, by a function that `atexit` calls.
    is_last: bool,
}

#[pymethods]
impl Run {
    #[new]
    fn new() -> Self {
        Self(Arc::new(State { is_last: is_ending(), ..State::default() }))
    }

    #[pyo3(name = "cancel")]
    fn cancel_from_python(&self) {
        self.cancel();
    }

    #[getter]
    fn is_over(&self) -> bool {
        self.0.is_over.load(Ordering::Acquire)
    }

    #[getter]
    fn report(&self, py: Python<'_>) -> PyResult<Py<Report>> {
        // A run that is complete says nothing more.
        let is_complete = self.0.is_complete.load(Ordering::Acquire);
        let report = Report::of(self.count(), &self.told(), is_complete);
        Py::new(py, report)
    }
}

impl Run {
    pub(crate) fn cancel(&self) {
        self.0.is_cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether the run should stop: it was cancelled, or nothing waits for it any more.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.0.is_cancelled.load(Ordering::Relaxed) || self.is_left()
    }

    /// Whether the interpreter is about to end, and will end the thread that waits for the run.
    pub(crate) fn is_left(&self) -> bool {
        is_ending() && !self.0.is_last
    }

    /// Notes that nothing more happens in the run.
    pub(crate) fn end(&self) {
        self.0.is_over.store(true, Ordering::Release);
    }

    /// Notes that everything that was wanted has been read.
    pub(crate) fn complete(&self) {
        self.0.is_complete.store(true, Ordering::Release);
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.0.bytes.load(Ordering::Relaxed)
    }

    pub(crate) fn count(&self) -> Count {
        let [games, wanted, positions] =
            [&self.0.games, &self.0.wanted, &self.0.positions].map(|count| count.load(Ordering::Relaxed));
        Count { games, wanted, positions }
    }

    fn told(&self) -> MutexGuard<'_, messages::Report> {
        self.0.told.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the error in a game that ended the run.
    pub(crate) fn stopped_by(&self) -> Option<Message> {
        self.told().stopped_by().cloned()
    }

    /// Adds a line about the whole run.
    pub(crate) fn hint(&self, hint: &str) {
        self.told().hint(hint);
    }
}

/// Options for the report of a run.
#[derive(Clone)]
pub(crate) struct ReportOptions {
    pub(crate) encoding: Option<Label>,
    /// The most messages that are kept one by one.
    pub(crate) max_messages: usize,
    /// The options that leave out games or positions.
    pub(crate) restrictions: Restrictions,
    /// Whether files that cannot be read are left out.
    pub(crate) skips_unreadable: bool,
}

/// Collects the messages and counts of a run.
pub(crate) struct Recorder {
    run: Run,
    restrictions: Restrictions,
    skips_unreadable: bool,
    /// The number of games before the file.
    games: u64,
    /// The number of bytes that were read from earlier files. Without a meter, those of this file are included.
    read: u64,
    meter: Option<Meter>,
}

impl Recorder {
    /// Begins the report of a run.
    pub(crate) fn new(run: Run, options: ReportOptions) -> Self {
        let ReportOptions { encoding, max_messages, restrictions, skips_unreadable } = options;
        *run.told() = messages::Report::new(max_messages, encoding);
        Self { run, restrictions, skips_unreadable, games: 0, read: 0, meter: None }
    }
}

impl Listener for Recorder {
    fn begin_file(&mut self, path: &Path, source: &Source) {
        self.read += self.meter.as_ref().map_or(0, Meter::bytes);
        self.meter = source.meter();
        self.games = self.run.count().games;
        self.run.told().begin_file(shown(path), source);
    }

    fn end_file(&mut self) {
        self.run.told().end_file();
    }

    fn unread(&mut self, path: &Path, error: &io::Error) -> bool {
        if self.skips_unreadable && !self.run.is_cancelled() {
            let has_games = self.run.count().games > self.games;
            self.run.told().unread(path, unreadable_text(path, error), has_games);
        }
        self.skips_unreadable
    }

    fn diagnostic(&mut self, diagnostic: &Diagnostic, place: Place) {
        self.run.told().diagnostic(diagnostic, place);
    }

    fn progress(&mut self, bytes: usize, count: Count) -> ControlFlow<()> {
        let State { bytes: read, games, wanted, positions, .. } = &*self.run.0;
        if self.meter.is_none() {
            self.read += bytes as u64;
        }
        read.store(self.read + self.meter.as_ref().map_or(0, Meter::bytes), Ordering::Relaxed);
        games.store(count.games, Ordering::Relaxed);
        wanted.store(count.wanted, Ordering::Relaxed);
        positions.store(count.positions, Ordering::Relaxed);
        if self.run.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn end(&mut self, totals: &Totals) {
        if !self.run.is_cancelled() {
            self.run.told().end(totals, &self.restrictions);
        }
    }
}
