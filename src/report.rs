//! The report of a run: messages with file, line and column, a summary, and the outcome.

use std::io::{self, IsTerminal};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::OnceLock;
use std::time::Instant;

use crate::color::{ERROR, PLACE, WARNING};
use crate::options::reading::Encoding;
use crate::options::running::RunningArguments;
use crate::outcome::Outcome;
use crate::progress::Progress;
use crate::say::{self, Line};
use crate::stdout::Closed;
use crate::unit::Unit;
use pgn2fen_games::database::Source;
use pgn2fen_games::diagnostic::Diagnostic;
use pgn2fen_games::messages::{self, FileMessages, Restrictions, Warnings, counted, grouped, shown};
use pgn2fen_games::walk::LeftOut;
use pgn2fen_games::walk::{Count, Listener, Place, Totals};

/// The messages of a run, and the counts for its summary.
#[derive(Debug)]
pub(crate) struct Report {
    channel: Channel,
    is_quiet: bool,
    is_verbose: bool,
    /// Whether errors in games leave the exit status at 0.
    forgives_errors: bool,
    max_messages: u64,
    /// The number of messages printed, which is at most `max_messages`.
    messages: u64,
    /// The number of messages not printed because there were too many.
    hidden: u64,
    errors: u64,
    total: Count,
    is_interrupted: fn() -> bool,
    outcome: Outcome,
    begun: Instant,
    /// The encoding of names in the files, or a guess for each file.
    encoding: Encoding,
    file: FileMessages,
    /// The warnings of the file so far. With `--verbose` they are printed at once instead.
    warnings: Warnings,
    progress: Progress,
    unit: Unit,
    /// The error that ended the messages, if they are printed on standard output.
    lost: OnceLock<anyhow::Error>,
}

/// The stream that messages are printed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Channel {
    Stderr,
    /// Standard output, for commands whose messages are their output.
    Stdout,
}

impl Report {
    pub(crate) fn new(arguments: &RunningArguments, channel: Channel, progress: Progress, unit: Unit) -> Self {
        Self {
            channel,
            is_quiet: arguments.quiet,
            is_verbose: arguments.verbose,
            forgives_errors: arguments.exit_zero,
            max_messages: arguments.max_messages,
            messages: 0,
            hidden: 0,
            errors: 0,
            total: Count::default(),
            is_interrupted: || false,
            outcome: Outcome::Clean,
            begun: Instant::now(),
            encoding: Encoding::default(),
            file: FileMessages::default(),
            warnings: Warnings::default(),
            progress,
            unit,
            lost: OnceLock::new(),
        }
    }

    /// Ends the run early as soon as the function returns true.
    pub(crate) fn end_if(&mut self, is_interrupted: fn() -> bool) {
        self.is_interrupted = is_interrupted;
    }

    /// Sets the encoding of names in the files that follow.
    pub(crate) fn set_encoding(&mut self, encoding: Encoding) {
        self.encoding = encoding;
    }

    /// Prints the lines that sum up the warnings of the file, behind the message about a failure to read it.
    pub(crate) fn sum_up_warnings(&mut self) {
        for (place, text) in std::mem::take(&mut self.warnings).into_lines() {
            self.message_at(place, 1, |_, line| line.paint(WARNING, "warning").and(": ").and(&text));
        }
    }

    fn warn(&mut self, diagnostic: &Diagnostic, place: Place) {
        if self.is_verbose {
            let kind = diagnostic.kind.as_str();
            self.message_at(place, 1 + diagnostic.others, |file, line| {
                line.paint(WARNING, "warning").and(&format!(": {kind}: {}", file.describe(diagnostic)))
            });
        } else {
            self.warnings.add(diagnostic, place, &self.file);
        }
    }

    fn error(&mut self, diagnostic: &Diagnostic, place: Place) {
        self.errors += 1;
        let outcome = if self.forgives_errors { Outcome::Clean } else { Outcome::Errors };
        self.outcome = self.outcome.max(outcome);
        self.message_at(place, 1, |file, line| {
            line.paint(ERROR, diagnostic.kind.as_str()).and(": ").and(&file.describe(diagnostic))
        });
    }

    /// Ends the reading, and warns about tags in filters and columns that no game has, and about evaluations that were
    /// not read.
    pub(crate) fn end_reading(&mut self, totals: &Totals) {
        for tag in &totals.missing_tags {
            self.hint(&messages::missing_tag(tag));
        }
        if let Some(hint) = messages::other_evals(&totals.evals) {
            self.hint(&hint);
        }
    }

    /// Ends the writing, and warns about positions that the format left out, or about an empty output.
    pub(crate) fn end_writing(&mut self, left_out: LeftOut, restrictions: &Restrictions) {
        let left_out = messages::left_out(left_out, self.total.positions);
        if let Some(hint) = left_out.or_else(|| messages::nothing(self.total, restrictions)) {
            self.hint(&hint);
        }
    }

    /// Prints a warning about the whole run. It does not count as one of the `max_messages`, which are about games.
    pub(crate) fn hint(&self, hint: &str) {
        if !self.is_quiet {
            self.print(&Line::painted(WARNING, "warning").and(": ").and(hint));
        }
    }

    /// Prints a message that is neither an error nor a warning.
    pub(crate) fn note(&self, message: &str) {
        if !self.is_quiet {
            self.print(&message.into());
        }
    }

    /// Shows the progress of the work after reading: `done` of `all` parts.
    pub(crate) fn show_writing(&mut self, done: usize, all: usize) {
        self.progress.show_writing(done, all);
    }

    /// Reports a file that could not be read or written. This message appears even with `--quiet`.
    pub(crate) fn failure(&mut self, message: &str) {
        self.outcome = Outcome::Failed;
        self.progress.suspend(|| say::error(message));
    }

    /// Prints a message about a place in the file, which stands for `count` messages, or counts it if `max_messages`
    /// are printed already.
    fn message_at(&mut self, place: Place, count: u64, message: impl FnOnce(&FileMessages, Line) -> Line) {
        if self.is_quiet {
            return;
        }
        if self.messages >= self.max_messages {
            self.hidden += count;
            return;
        }
        self.messages += 1;
        let place = format!("{}:{}:{}", self.file.name(), place.line, place.column);
        self.print(&message(&self.file, Line::painted(PLACE, &place).and(": ")));
    }

    fn print(&self, line: &Line) {
        self.progress.suspend(|| match self.channel {
            Channel::Stderr => line.to_stderr(),
            Channel::Stdout if self.lost.get().is_some() => {}
            Channel::Stdout => {
                if let Err(error) = line.to_stdout() {
                    self.lost.get_or_init(|| error);
                }
            }
        });
    }

    /// Returns the outcome so far.
    pub(crate) fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// Prints a line of the summary, if the run prints a summary.
    pub(crate) fn sum_up(&self, line: &str) {
        if self.wants_summary() {
            self.print(&line.into());
        }
    }

    fn wants_summary(&self) -> bool {
        !self.is_quiet && (self.is_verbose || self.channel == Channel::Stdout || io::stderr().is_terminal())
    }

    /// Ends the run: prints the summary and the number of hidden messages, and returns the outcome.
    pub(crate) fn end(self) -> Outcome {
        if self.hidden > 0 {
            let more = format!("{} more messages; use --max-messages to print them", grouped(self.hidden));
            self.print(&more.as_str().into());
        }
        if self.wants_summary() {
            let Count { games, wanted, positions } = self.total;
            let of_all = if wanted < games { format!("{} of ", grouped(wanted)) } else { String::new() };
            let made = match self.unit {
                Unit::Position => counted(positions, "position") + ", ",
                Unit::Start => counted(positions, "start") + ", ",
                Unit::Game if positions < wanted => counted(wanted - positions, "duplicate") + ", ",
                Unit::Game => String::new(),
            };
            let seconds = self.begun.elapsed().as_secs_f64();
            let (games, errors) = (counted(games, "game"), counted(self.errors, "error"));
            let summary = format!("summary: {of_all}{games}, {made}{errors}, {seconds:.1} s");
            self.print(&summary.as_str().into());
        }
        match self.lost.into_inner() {
            Some(error) if !error.is::<Closed>() => {
                say::error(&format!("{error:#}"));
                Outcome::Failed
            }
            _ => self.outcome,
        }
    }
}

impl Listener for Report {
    fn begin_file(&mut self, path: &Path, source: &Source) {
        self.progress.begin_file(source);
        self.file = FileMessages::new(shown(path), self.encoding.0);
        if let Some((diagnostic, place)) = messages::transcoded(source) {
            self.warn(&diagnostic, place);
        }
        if let Some(warning) = messages::one_range(source) {
            self.hint(&format!("{}: {warning}", shown(path)));
        }
    }

    fn diagnostic(&mut self, diagnostic: &Diagnostic, place: Place) {
        self.file.feed(diagnostic);
        if diagnostic.kind.is_error() { self.error(diagnostic, place) } else { self.warn(diagnostic, place) }
    }

    fn progress(&mut self, bytes: usize, count: Count) -> ControlFlow<()> {
        self.total = count;
        self.progress.deliver(bytes, count);
        if (self.is_interrupted)() || self.lost.get().is_some() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}
