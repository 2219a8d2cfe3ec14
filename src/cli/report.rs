//! What a run tells its user: messages with file, line and column, a summary, and the exit code.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, IsTerminal};
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::Instant;

use pgn2fen::database::Source;
use pgn2fen::diagnostic::{Diagnostic, Kind, Players};
use pgn2fen::pgn::encoding::Fallback;
use pgn2fen::rows::LeftOut;
use pgn2fen::walk::{Count, Listener, Place, Totals};

use crate::cli::args::{Encoding, RunningArguments};
use crate::cli::color::{ERROR, PLACE, WARNING};
use crate::cli::hints::{self, Restrictions};
use crate::cli::progress::Progress;
use crate::cli::say::{self, Line, plain};

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// Everything was read.
    Clean,
    /// Some games had errors.
    Errors,
    /// A file could not be read or written, or the command line is wrong.
    Failed,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        Self::from(outcome as u8)
    }
}

/// What is made of games, as it is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Position,
    Start,
    /// The games that are wanted, which are counted anyway.
    Game,
}

/// The messages of a run.
#[derive(Debug)]
pub(crate) struct Report {
    channel: Channel,
    is_quiet: bool,
    is_verbose: bool,
    /// Whether games with errors are no failure of the run.
    forgives_errors: bool,
    max_messages: u64,
    messages: u64,
    hidden: u64,
    errors: u64,
    total: Count,
    is_interrupted: fn() -> bool,
    outcome: Outcome,
    begun: Instant,
    file: FileReport,
    progress: Progress,
    unit: Unit,
}

/// Where messages go: beside the lines, or in their place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Channel {
    Stderr,
    Stdout,
}

/// What is known of the file that is being read.
#[derive(Debug, Default)]
struct FileReport {
    name: String,
    fallback: Fallback,
    /// Of each kind, by their reasons in the order in which they were met.
    warnings: BTreeMap<Kind, Vec<Warning>>,
}

/// The warnings in one file that have the same kind and reason, of which the first is shown.
#[derive(Debug)]
struct Warning {
    reason: Cow<'static, str>,
    place: Place,
    shown: String,
    /// How many games have such a warning.
    games: u64,
    last_game: Option<u64>,
    /// How many places between games have one.
    places: u64,
}

/// So many reasons of a kind are told apart in one file; those that come later are summed up in one line. So memory is bounded, whatever
/// reasons a file gives.
const MOST_REASONS: usize = 8;

impl Warning {
    fn count(&mut self, game: Option<u64>) {
        match game {
            None => self.places += 1,
            Some(_) => self.games += u64::from(game != self.last_game),
        }
        self.last_game = game.or(self.last_game);
    }

    /// ` (37 games)`, ` (2 places)` or ` (37 games, 2 places)`; nothing for the one that is shown.
    fn times(&self) -> String {
        let counts = [(self.games, "game"), (self.places, "place")];
        let counts: Vec<String> =
            counts.iter().filter(|(count, _)| *count > 0).map(|(count, noun)| counted(*count, noun)).collect();
        if self.games + self.places > 1 { format!(" ({})", counts.join(", ")) } else { String::new() }
    }
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
            file: FileReport::default(),
            progress,
            unit,
        }
    }

    /// Ends the run early when this says so.
    pub(crate) fn end_if(&mut self, is_interrupted: fn() -> bool) {
        self.is_interrupted = is_interrupted;
    }

    /// The following is about this file.
    pub(crate) fn begin_file(&mut self, name: String, encoding: Encoding, source: &Source) {
        self.progress.begin_file(source);
        self.file = FileReport { name, fallback: Fallback::new(encoding.0), ..FileReport::default() };
        if let Some(encoding) = source.transcoded_from() {
            let diagnostic = Diagnostic::new(Kind::Encoding, 0, format!("the file is read as {encoding}"));
            self.warn(&diagnostic, Place { line: 1, column: 1 });
        }
    }

    fn warn(&mut self, diagnostic: &Diagnostic, place: Place) {
        if self.is_verbose {
            let kind = diagnostic.kind.as_str();
            let message = |report: &Self, line: Line| {
                line.paint(WARNING, "warning").and(&format!(": {kind}: {}", report.describe(diagnostic)))
            };
            self.message_at(place, message);
            return;
        }
        let of_kind = self.file.warnings.get(&diagnostic.kind).map_or(&[][..], Vec::as_slice);
        let known = of_kind.iter().position(|warning| warning.reason == diagnostic.reason);
        let at = known.unwrap_or(of_kind.len().min(MOST_REASONS));
        let is_new = at == of_kind.len();
        let shown = if is_new { self.in_short(diagnostic) } else { String::new() };
        let of_kind = self.file.warnings.entry(diagnostic.kind).or_default();
        if is_new {
            let reason = diagnostic.reason.clone();
            of_kind.push(Warning { reason, place, shown, games: 0, last_game: None, places: 0 });
        }
        of_kind[at].count(diagnostic.game);
    }

    /// `♘f3: a figurine for a letter`
    fn in_short(&self, diagnostic: &Diagnostic) -> String {
        let subject = self.subject(diagnostic);
        let separator = if subject.is_empty() { "" } else { ": " };
        subject + separator + &self.reason(diagnostic)
    }

    /// `Nxe5 in game 37 (Carlsen – Anand 2013.11.16), ply 21: no white knight can reach e5`
    fn describe(&self, diagnostic: &Diagnostic) -> String {
        let mut message = self.subject(diagnostic);
        if let Some(game) = diagnostic.game {
            message += if message.is_empty() { "" } else { " in " };
            let _ = write!(message, "game {game}");
        }
        if let Some(players) = &diagnostic.players {
            message += &self.name(players);
        }
        if let Some(ply) = diagnostic.ply {
            let _ = write!(message, ", ply {ply}");
        }
        message += if message.is_empty() { "" } else { ": " };
        message + &self.reason(diagnostic)
    }

    /// ` (Carlsen – Anand 2013.11.16)`, or nothing if nothing is known.
    fn name(&self, players: &Players) -> String {
        let text = |bytes| plain(&self.file.fallback.decode(bytes)).trim().to_owned();
        let (white, black, date) = (text(&players.white), text(&players.black), text(&players.date));
        let is_unknown = |name: &str| name.trim_matches(['?', '.']).is_empty();
        if is_unknown(&white) && is_unknown(&black) {
            return String::new();
        }
        let separator = if is_unknown(&date) { "" } else { " " };
        let date = if is_unknown(&date) { "" } else { &date };
        format!(" ({white} – {black}{separator}{date})")
    }

    /// What was found, as text.
    fn subject(&self, diagnostic: &Diagnostic) -> String {
        match diagnostic.kind {
            // A sample to guess from, which is nothing to look at.
            Kind::Encoding => String::new(),
            _ => plain(&self.file.fallback.decode(&diagnostic.subject)).into_owned(),
        }
    }

    fn reason(&self, diagnostic: &Diagnostic) -> String {
        match diagnostic.kind {
            Kind::Encoding if diagnostic.game.is_some() => {
                format!("{}; names are shown as {}", diagnostic.reason, self.file.fallback.name())
            }
            _ => plain(&diagnostic.reason).into_owned(),
        }
    }

    /// Sums up the warnings of the file, a line for each reason.
    pub(crate) fn end_file(&mut self) {
        for (kind, warnings) in std::mem::take(&mut self.file.warnings) {
            for (number, warning) in warnings.iter().enumerate() {
                let others = if number == MOST_REASONS { "other reasons, such as: " } else { "" };
                let text = format!(": {}: {others}{}{}", kind.as_str(), warning.shown, warning.times());
                let message = |_: &Self, line: Line| line.paint(WARNING, "warning").and(&text);
                self.message_at(warning.place, message);
            }
        }
    }

    /// All has been read. Tells which of the tags that were asked for no game has.
    pub(crate) fn end_reading(&mut self, totals: &Totals) {
        for tag in &totals.missing_tags {
            self.hint(&hints::missing_tag(tag));
        }
    }

    /// All has been written. Tells which positions the format left out, or why there is nothing.
    pub(crate) fn end_writing(&mut self, left_out: LeftOut, restrictions: &Restrictions) {
        let left_out = hints::left_out(left_out, self.total.positions);
        if let Some(hint) = left_out.or_else(|| hints::nothing(self.total, restrictions)) {
            self.hint(&hint);
        }
    }

    /// Warns of what concerns the whole run. It is no message about a game, and counts as none.
    fn hint(&self, hint: &str) {
        if !self.is_quiet {
            self.print(&Line::painted(WARNING, "warning").and(": ").and(hint));
        }
    }

    /// Tells something that is neither error nor warning.
    pub(crate) fn note(&self, message: &str) {
        if !self.is_quiet {
            self.print(&message.into());
        }
    }

    /// Shows how much of what follows the reading is done.
    pub(crate) fn show_writing(&mut self, done: usize, all: usize) {
        self.progress.show_writing(done, all);
    }

    /// A file could not be read or written. This is told however quiet the run is.
    pub(crate) fn failure(&mut self, message: &str) {
        self.outcome = Outcome::Failed;
        self.progress.suspend(|| say::error(message));
    }

    /// Prints what is wrong at a place, if it is printed at all.
    fn message_at(&mut self, place: Place, message: impl Fn(&Self, Line) -> Line) {
        self.message(|report| {
            let place = format!("{}:{}:{}", report.file.name, place.line, place.column);
            message(report, Line::painted(PLACE, &place).and(": "))
        });
    }

    fn message(&mut self, message: impl Fn(&Self) -> Line) {
        if self.is_quiet {
            return;
        }
        if self.messages >= self.max_messages {
            self.hidden += 1;
            return;
        }
        self.messages += 1;
        self.print(&message(self));
    }

    fn print(&self, line: &Line) {
        self.progress.suspend(|| match self.channel {
            Channel::Stderr => line.to_stderr(),
            Channel::Stdout => line.to_stdout(),
        });
    }

    /// How the run went so far.
    pub(crate) fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// Says in a line what came of the run, where a summary is wanted.
    pub(crate) fn sum_up(&self, line: &str) {
        if self.wants_summary() {
            self.print(&line.into());
        }
    }

    fn wants_summary(&self) -> bool {
        !self.is_quiet && (self.is_verbose || self.channel == Channel::Stdout || io::stderr().is_terminal())
    }

    /// Ends the run with what there is to sum up.
    pub(crate) fn end(self) -> Outcome {
        if self.hidden > 0 {
            let more = format!("{} more messages; --max-messages shows them", grouped(self.hidden));
            self.print(&more.as_str().into());
        }
        if self.wants_summary() {
            let Count { games, wanted, positions } = self.total;
            let of_all = if wanted < games { format!("{} of ", grouped(wanted)) } else { String::new() };
            let made = match self.unit {
                Unit::Position => counted(positions, "position") + ", ",
                Unit::Start => counted(positions, "start") + ", ",
                Unit::Game => String::new(),
            };
            let seconds = self.begun.elapsed().as_secs_f64();
            let (games, errors) = (counted(games, "game"), counted(self.errors, "error"));
            let summary = format!("summary: {of_all}{games}, {made}{errors}, {seconds:.1} s");
            self.print(&summary.as_str().into());
        }
        self.outcome
    }
}

impl Listener for Report {
    fn diagnostic(&mut self, diagnostic: &Diagnostic, place: Place) {
        if diagnostic.kind == Kind::Encoding {
            self.file.fallback.feed(&diagnostic.subject);
        }
        if diagnostic.kind.is_error() {
            self.errors += 1;
            let outcome = if self.forgives_errors { Outcome::Clean } else { Outcome::Errors };
            self.outcome = self.outcome.max(outcome);
            let message = |report: &Self, line: Line| {
                line.paint(ERROR, diagnostic.kind.as_str()).and(": ").and(&report.describe(diagnostic))
            };
            self.message_at(place, message);
        } else {
            self.warn(diagnostic, place);
        }
    }

    fn progress(&mut self, bytes: usize, count: Count) -> ControlFlow<()> {
        self.total = count;
        self.progress.deliver(bytes, count);
        if (self.is_interrupted)() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// `1 game`, `20,253 games`.
pub(crate) fn counted(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// Digits in groups of three.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|group| str::from_utf8(group).unwrap_or("")).collect();
    groups.join(",")
}

#[cfg(test)]
mod tests {
    use super::{counted, grouped};

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(grouped(1_852_929), "1,852,929");
        assert_eq!(grouped(12), "12");
        assert_eq!((counted(1, "game"), counted(0, "game")), ("1 game".to_owned(), "0 games".to_owned()));
    }
}
