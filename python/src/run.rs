//! One run through files: its counts, its report, and the request to stop it.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pgn2fen_games::database::{Meter, Source};
use pgn2fen_games::diagnostic::{Diagnostic, Kind};
use pgn2fen_games::messages::{self, FileMessages, Restrictions, Warnings, shown};
use pgn2fen_games::pgn::annotation::EvalSource;
use pgn2fen_games::pgn::encoding::Label;
use pgn2fen_games::walk::{Count, Listener, Place, Totals};
use pyo3::prelude::{Py, PyResult, Python, pyclass, pymethods};

use crate::message::Message;
use crate::report::{Report, Told};

/// One run through files. All threads of the run share it.
#[pyclass(frozen, module = "pgn2fen._pgn2fen")]
#[derive(Clone, Default)]
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
    told: Mutex<Told>,
}

#[pymethods]
impl Run {
    #[new]
    fn new() -> Self {
        Self::default()
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
        let report = Report::of(self.count(), &self.told());
        Py::new(py, report)
    }
}

impl Run {
    pub(crate) fn cancel(&self) {
        self.0.is_cancelled.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.0.is_cancelled.load(Ordering::Relaxed)
    }

    /// Notes that nothing more happens in the run.
    pub(crate) fn end(&self) {
        self.0.is_over.store(true, Ordering::Release);
    }

    /// Notes that everything that was wanted has been read.
    pub(crate) fn complete(&self) {
        self.told().is_complete = true;
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.0.bytes.load(Ordering::Relaxed)
    }

    pub(crate) fn count(&self) -> Count {
        let [games, wanted, positions] =
            [&self.0.games, &self.0.wanted, &self.0.positions].map(|count| count.load(Ordering::Relaxed));
        Count { games, wanted, positions }
    }

    pub(crate) fn told(&self) -> MutexGuard<'_, Told> {
        self.0.told.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the error in a game that ended the run.
    pub(crate) fn stopped_by(&self) -> Option<Message> {
        let told = self.told();
        told.first_error.clone().filter(|_| told.is_stopped)
    }

    /// Adds a line about the whole run.
    pub(crate) fn hint(&self, hint: &str) {
        self.told().line(false, format!("warning: {}", with_arguments(hint)));
    }
}

/// Returns a hint with the arguments of Python instead of the options of the command.
fn with_arguments(hint: &str) -> String {
    let mut hint = hint.replace("--max-boards all", "max_boards=0");
    for source in EvalSource::ALL {
        let name = source.name();
        hint = hint.replace(&format!("--evals {name}"), &format!("evals='{name}'"));
    }
    hint.replace("--evals", "evals")
}

/// Options for the report of a run.
#[derive(Clone)]
pub(crate) struct ReportOptions {
    pub(crate) encoding: Option<Label>,
    /// The most messages that are kept one by one.
    pub(crate) max_messages: usize,
    /// The options that leave out games or positions.
    pub(crate) restrictions: Restrictions,
}

/// Collects the messages and counts of a run.
pub(crate) struct Recorder {
    run: Run,
    options: ReportOptions,
    file: FileMessages,
    warnings: Warnings,
    /// The number of bytes that were read from earlier files. Without a meter, those of this file are included.
    read: u64,
    meter: Option<Meter>,
}

impl Recorder {
    pub(crate) fn new(run: Run, options: ReportOptions) -> Self {
        let file = FileMessages::new("", options.encoding);
        Self { run, options, file, warnings: Warnings::default(), read: 0, meter: None }
    }

    fn record(&mut self, diagnostic: &Diagnostic, place: Place) {
        let is_error = diagnostic.kind.is_error();
        let message = Message::new(&self.file, diagnostic, place);
        let mut told = self.run.told();
        *if is_error { &mut told.errors } else { &mut told.warnings } += 1 + diagnostic.others;
        if is_error {
            told.line(true, message.to_string());
            told.first_error.get_or_insert_with(|| message.clone());
        } else {
            self.warnings.add(diagnostic, place, &self.file);
        }
        if told.messages.len() < self.options.max_messages {
            told.messages.push(message);
            told.hidden += diagnostic.others;
        } else {
            told.hidden += 1 + diagnostic.others;
        }
    }
}

impl Listener for Recorder {
    fn begin_file(&mut self, path: &Path, source: &Source) {
        self.read += self.meter.as_ref().map_or(0, Meter::bytes);
        self.meter = source.meter();
        self.file = FileMessages::new(shown(path), self.options.encoding);
        if let Some((diagnostic, place)) = messages::transcoded(source) {
            self.record(&diagnostic, place);
        }
        if let Some(warning) = messages::one_range(source) {
            self.run.told().line(false, format!("warning: {}: {warning}", self.file.name()));
        }
    }

    fn end_file(&mut self) {
        let mut told = self.run.told();
        for (place, line) in std::mem::take(&mut self.warnings).into_lines() {
            told.line(false, format!("{}:{}:{}: warning: {line}", self.file.name(), place.line, place.column));
        }
    }

    fn diagnostic(&mut self, diagnostic: &Diagnostic, place: Place) {
        if diagnostic.kind == Kind::Encoding {
            self.file.feed(diagnostic);
        }
        self.record(diagnostic, place);
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
        if self.run.is_cancelled() {
            return;
        }
        for tag in &totals.missing_tags {
            self.run.hint(&messages::missing_tag(tag));
        }
        if let Some(hint) = messages::other_evals(&totals.evals) {
            self.run.hint(&hint);
        }
        if let Some(hint) = messages::nothing(totals.count, &self.options.restrictions) {
            self.run.hint(&hint);
        }
        self.run.told().is_stopped = totals.is_stopped;
    }
}
