//! The report of a run, as Python sees it.

use pgn2fen_games::messages::{self, MOST_LINES, summary};
use pgn2fen_games::walk::Count;
use pyo3::prelude::{Bound, PyAnyMethods, pyclass, pyfunction, pymethods};
use pyo3::types::PyType;

use crate::dialect::DIALECT;
use crate::message::Message;

/// The report of a run: what was read, and what was wrong with it.
#[pyclass(frozen, get_all, module = "pgn2fen")]
pub(crate) struct Report {
    /// The number of games that were read.
    games: u64,
    /// The number of games that passed the filters.
    chosen: u64,
    /// The number of rows.
    positions: u64,
    /// The number of errors of games.
    errors: u64,
    /// The number of warnings of games.
    warnings: u64,
    /// The errors and warnings one by one, in the order of the files, up to `max_messages` of them.
    messages: Vec<Message>,
    /// The lines that the command would print: each error, and the warnings of a file summed up. At most 1000.
    lines: Vec<ReportLine>,
    /// The number of messages and lines that are not in the lists, because there were too many.
    hidden: u64,
    /// Whether the run came to its end. False if it goes on, failed, or was broken off.
    is_complete: bool,
    /// Whether an error in a game ended the run, by `on_error="stop"` or `"raise"`.
    is_stopped: bool,
    /// The counts in a line: `4 games, 11 positions, 2 errors, 1 warning`.
    summary: String,
}

/// A line of a report: an error, warnings of a kind summed up, or a hint about the whole run.
#[pyclass(frozen, get_all, from_py_object, module = "pgn2fen._pgn2fen")]
#[derive(Clone)]
pub(crate) struct ReportLine {
    is_error: bool,
    text: String,
}

#[pymethods]
impl ReportLine {
    #[new]
    fn restore(is_error: bool, text: String) -> Self {
        Self { is_error, text }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyType>, (bool, String)) {
        let Self { is_error, text } = slf.get().clone();
        (slf.as_any().get_type(), (is_error, text))
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<{}>", self.text)
    }
}

impl Report {
    /// Returns the report of a run so far.
    pub(crate) fn of(count: Count, told: &messages::Report, is_complete: bool) -> Self {
        let Count { games, wanted, positions } = count;
        let line = |(is_error, text): &(bool, String)| ReportLine {
            is_error: *is_error,
            text: DIALECT.spell(text).into_owned(),
        };
        Self {
            games,
            chosen: wanted,
            positions,
            errors: told.errors,
            warnings: told.warnings,
            messages: told.messages.iter().cloned().map(Message::from).collect(),
            lines: told.lines.iter().map(line).collect(),
            hidden: told.hidden,
            is_complete,
            is_stopped: told.is_stopped,
            summary: told.summary(count),
        }
    }
}

/// The beginning of a line about all games of a run. Other lines begin with the name of a file.
const HINT: &str = "warning: ";

/// Adds up the reports of the parts of a job, in the order of the parts. Hints are kept if every part has them. At most
/// `max_messages` messages are kept, and the others are counted.
#[pyfunction]
pub(crate) fn sum_reports(reports: Vec<Bound<'_, Report>>, max_messages: usize) -> Report {
    let reports: Vec<&Report> = reports.iter().map(Bound::get).collect();
    let sum = |number: fn(&Report) -> u64| reports.iter().map(|report| number(report)).sum::<u64>();
    let is_hint = |line: &&ReportLine| line.text.starts_with(HINT);
    let in_all =
        |line: &&ReportLine| reports.iter().all(|other| other.lines.iter().any(|other| other.text == line.text));
    let all_lines = || reports.iter().flat_map(|report| &report.lines);
    let hints = reports.first().into_iter().flat_map(|first| &first.lines).filter(is_hint).filter(in_all);
    let mut lines: Vec<ReportLine> = all_lines().filter(|line| !is_hint(line)).chain(hints).cloned().collect();
    let mut messages: Vec<Message> = reports.iter().flat_map(|report| &report.messages).cloned().collect();
    let cut = lines.len().saturating_sub(MOST_LINES) + messages.len().saturating_sub(max_messages);
    lines.truncate(MOST_LINES);
    messages.truncate(max_messages);
    let (games, wanted, positions) = (sum(|part| part.games), sum(|part| part.chosen), sum(|part| part.positions));
    let (errors, warnings) = (sum(|part| part.errors), sum(|part| part.warnings));
    Report {
        games,
        chosen: wanted,
        positions,
        errors,
        warnings,
        messages,
        lines,
        hidden: sum(|part| part.hidden) + cut as u64,
        is_complete: reports.iter().all(|part| part.is_complete),
        is_stopped: reports.iter().any(|part| part.is_stopped),
        summary: summary(Count { games, wanted, positions }, errors, warnings),
    }
}

/// The values of a report that is pickled.
type Values = ([u64; 6], Vec<Message>, Vec<ReportLine>, bool, bool, String);

#[pymethods]
impl Report {
    #[new]
    fn restore(
        counts: [u64; 6],
        messages: Vec<Message>,
        lines: Vec<ReportLine>,
        is_complete: bool,
        is_stopped: bool,
        summary: String,
    ) -> Self {
        let [games, chosen, positions, errors, warnings, hidden] = counts;
        Self { games, chosen, positions, errors, warnings, messages, lines, hidden, is_complete, is_stopped, summary }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyType>, Values) {
        let report = slf.get();
        let counts = [report.games, report.chosen, report.positions, report.errors, report.warnings, report.hidden];
        let Self { messages, lines, is_complete, is_stopped, summary, .. } = report;
        let values = (counts, messages.clone(), lines.clone(), *is_complete, *is_stopped, summary.clone());
        (slf.as_any().get_type(), values)
    }

    fn __repr__(&self) -> String {
        let end = if self.is_complete { "" } else { " (not complete)" };
        format!("<pgn2fen.Report {}{end}>", self.summary)
    }
}
