//! The report of a run, as Python sees it.

use pgn2fen::walk::Count;
use pyo3::prelude::{pyclass, pymethods};

use crate::message::Message;
use crate::run::Run;

/// The report of a run.
#[pyclass(frozen, get_all, module = "pgn2fen")]
pub(crate) struct Report {
    games: u64,
    chosen: u64,
    positions: u64,
    errors: u64,
    warnings: u64,
    messages: Vec<Message>,
    lines: Vec<ReportLine>,
    hidden: u64,
    is_complete: bool,
    is_stopped: bool,
    summary: String,
}

/// A line of a report.
#[pyclass(frozen, get_all, module = "pgn2fen._pgn2fen")]
#[derive(Clone)]
pub(crate) struct ReportLine {
    is_error: bool,
    text: String,
}

#[pymethods]
impl ReportLine {
    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<{}>", self.text)
    }
}

impl Report {
    pub(crate) fn of(run: &Run) -> Self {
        let summary = run.summary();
        let Count { games, wanted, positions } = run.count();
        let told = run.told();
        let line = |(is_error, text): &(bool, String)| ReportLine { is_error: *is_error, text: text.clone() };
        Self {
            games,
            chosen: wanted,
            positions,
            errors: told.errors,
            warnings: told.warnings,
            messages: told.messages.clone(),
            lines: told.lines.iter().map(line).collect(),
            hidden: told.hidden,
            is_complete: told.is_complete,
            is_stopped: told.is_stopped,
            summary,
        }
    }
}

#[pymethods]
impl Report {
    fn __repr__(&self) -> String {
        let end = if self.is_complete { "" } else { " (not complete)" };
        format!("<pgn2fen.Report {}{end}>", self.summary)
    }
}
