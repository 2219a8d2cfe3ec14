//! The report of a run: messages with file, line and column, a summary, and the outcome.

use std::collections::BTreeMap;
use std::ffi::OsStr;
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
use pgn2fen_games::messages::{self, FileMessages, Restrictions, Warnings, counted, grouped, plain, quoted, shown};
use pgn2fen_games::selection::TagFilter;
use pgn2fen_games::tournament::{Finding, FindingKind};
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
    /// For the summary of warnings by their kinds: the number of games with a warning, or of places between games, and
    /// the last of these games.
    warnings_by_kind: BTreeMap<&'static str, (u64, u64, Option<u64>)>,
    /// What was found in the games of tournaments, by its kind.
    findings: BTreeMap<FindingKind, u64>,
    /// The number of files that were read, at least in part, and of those that were not.
    files: (u64, u64),
    total: Count,
    /// The number of chosen games that an error leaves out.
    dropped: u64,
    /// The number of games whose tags were repaired.
    repaired: u64,
    /// Whether the output could not be written.
    is_lost: bool,
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
    /// The filters on tags.
    filters: Vec<TagFilter>,
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
            warnings_by_kind: BTreeMap::new(),
            findings: BTreeMap::new(),
            files: (0, 0),
            total: Count::default(),
            dropped: 0,
            repaired: 0,
            is_lost: false,
            is_interrupted: || false,
            outcome: Outcome::Clean,
            begun: Instant::now(),
            encoding: Encoding::default(),
            file: FileMessages::default(),
            warnings: Warnings::default(),
            progress,
            unit,
            filters: Vec::new(),
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

    /// Sets the filters on tags that games must satisfy.
    pub(crate) fn set_filters(&mut self, filters: &[TagFilter]) {
        self.filters = filters.to_vec();
    }

    /// Prints the lines that sum up the warnings of the file, behind the message about a failure to read it.
    pub(crate) fn sum_up_warnings(&mut self) {
        for (place, text) in std::mem::take(&mut self.warnings).into_lines() {
            self.message_at(place, 1, |_, line| line.paint(WARNING, "warning").and(": ").and(&text));
        }
    }

    fn warn(&mut self, diagnostic: &Diagnostic, place: Place) {
        let (games, places, last) = self.warnings_by_kind.entry(diagnostic.kind.as_str()).or_default();
        match diagnostic.game {
            None => *places += 1 + diagnostic.others,
            // Only the first warning of a kind is told of a game without `--verbose`.
            game if game != *last => {
                *games += 1;
                *last = game;
            }
            _ => {}
        }
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
        self.fail_game();
        self.message_at(place, 1, |file, line| {
            line.paint(ERROR, diagnostic.kind.as_str()).and(": ").and(&file.describe(diagnostic))
        });
    }

    /// Ends the reading, and warns about tags in filters and columns that no game has, and about evaluations that were
    /// not read.
    pub(crate) fn end_reading(&mut self, totals: &Totals) {
        self.dropped = totals.dropped;
        self.repaired = totals.repaired;
        if !totals.missing_tags.is_empty() {
            self.filters.clear();
        }
        for tag in &totals.missing_tags {
            self.hint(&messages::missing_tag(tag));
        }
        for hint in [messages::unread_tags(totals), messages::other_rules(totals)].into_iter().flatten() {
            self.hint(&hint);
        }
        if let Some(hint) = messages::other_evals(&totals.evals) {
            self.hint(&hint);
        }
        // Evaluations of several kinds are of different positions, which users should know without asking.
        if let Some(found) = messages::found_evals(&totals.evals) {
            if messages::has_mixed_evals(&totals.evals) {
                self.note(&found);
            } else {
                self.sum_up(&found);
            }
        }
    }

    /// Ends the writing, and warns about positions that the format left out, or about an empty output.
    pub(crate) fn end_writing(&mut self, left_out: LeftOut, restrictions: &Restrictions) {
        self.total.positions -= left_out.duplicates;
        let left_out = messages::left_out(left_out, self.total.positions);
        if let Some(hint) = left_out.or_else(|| messages::nothing(self.total, restrictions)) {
            self.hint(&hint);
        }
        if self.chose_nothing() {
            self.filters.iter().filter_map(whole_value).for_each(|hint| self.hint(&hint));
        }
    }

    /// Counts something that was found in the games of tournaments, which counts like an error in a game.
    pub(crate) fn count_finding(&mut self, finding: &Finding) {
        self.fail_game();
        *self.findings.entry(finding.kind).or_default() += 1;
    }

    /// Prints something that was found in the games of tournaments.
    pub(crate) fn finding(&mut self, finding: &Finding) {
        if self.is_quiet {
            return;
        }
        if self.messages >= self.max_messages {
            self.hidden += 1;
            return;
        }
        self.messages += 1;
        let Finding { file, line, column, kind, text, .. } = finding;
        let place = format!("{}:{line}:{column}", shown(file));
        self.print(&Line::painted(PLACE, &place).and(": ").paint(ERROR, kind.as_str()).and(": ").and(&plain(text)));
    }

    /// Prints the numbers of what was found in the games of tournaments, as a line of the summary.
    pub(crate) fn sum_up_findings(&self) {
        let of_kind = |(kind, count): (&FindingKind, &u64)| format!("{} ({})", kind.as_str(), grouped(*count));
        let counts: Vec<String> = self.findings.iter().map(of_kind).collect();
        let found = if counts.is_empty() { "nothing found".to_owned() } else { counts.join(", ") };
        self.sum_up(&format!("tournaments: {found}"));
    }

    /// Counts a file that could not be read.
    pub(crate) fn count_unread(&mut self) {
        self.files.1 += 1;
    }

    /// Lets the outcome be at least that of a run with errors, whatever errors are forgiven.
    pub(crate) fn fail(&mut self) {
        self.outcome = self.outcome.max(Outcome::Errors);
    }

    /// Returns the number of rows that were made, of which `left_out` were not written.
    pub(crate) fn written(&self, left_out: LeftOut) -> u64 {
        self.total.positions.saturating_sub(left_out.total())
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

    /// Reports that the output could not be written.
    pub(crate) fn lost(&mut self, message: &str) {
        self.is_lost = true;
        self.failure(message);
    }

    /// Reports a file that could not be read and is skipped. This message appears even with `--quiet`, and counts like
    /// an error in a game.
    pub(crate) fn skipped(&mut self, message: &str) {
        self.fail_game();
        self.progress.suspend(|| say::error(message));
    }

    /// Lets the outcome be at least that of a run with an error in a game.
    fn fail_game(&mut self) {
        let outcome = if self.forgives_errors { Outcome::Clean } else { Outcome::Errors };
        self.outcome = self.outcome.max(outcome);
    }

    /// Returns the number of games so far.
    pub(crate) fn games(&self) -> u64 {
        self.total.games
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

    /// Whether games were read, and none of them was chosen.
    pub(crate) fn chose_nothing(&self) -> bool {
        self.total.games > 0 && self.total.wanted == 0
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

    /// Returns the number of files for the summary of a check; nothing for a single file.
    fn files_in_words(&self) -> String {
        let (read, unread) = self.files;
        if self.channel != Channel::Stdout || read + unread < 2 {
            return String::new();
        }
        let of_all = if unread > 0 { format!("{} of ", grouped(read)) } else { String::new() };
        format!("{of_all}{}, ", counted(read + unread, "file"))
    }

    /// Returns what became of the chosen games: how many were written, and why others were not.
    fn copies_in_words(&self) -> String {
        let Count { wanted, positions, .. } = self.total;
        let duplicates = wanted.saturating_sub(positions + self.dropped);
        let mut words = if self.is_lost { String::new() } else { format!("{} written, ", grouped(positions)) };
        if self.dropped > 0 {
            words += &format!("{} dropped for errors, ", grouped(self.dropped));
        }
        if self.repaired > 0 {
            words += &format!("{} repaired, ", grouped(self.repaired));
        }
        if duplicates > 0 {
            words += &format!("{}, ", counted(duplicates, "duplicate"));
        }
        words
    }

    /// Returns the kinds of the warnings with their numbers.
    fn warnings_in_words(&self) -> String {
        let of_kind = |(kind, (games, places, _)): (&&str, &(u64, u64, _))| {
            let counts = [(*games, "game"), (*places, "place")].into_iter().filter(|(count, _)| *count > 0);
            let counts: Vec<String> = counts.map(|(count, noun)| counted(count, noun)).collect();
            format!("{kind} ({})", counts.join(", "))
        };
        self.warnings_by_kind.iter().map(of_kind).collect::<Vec<_>>().join(", ")
    }

    fn wants_summary(&self) -> bool {
        !self.is_quiet && (self.is_verbose || self.channel == Channel::Stdout || io::stderr().is_terminal())
    }

    /// Ends the run: prints the summary and the number of hidden messages, and returns the outcome.
    pub(crate) fn end(self) -> Outcome {
        if self.hidden > 0 {
            let (messages, them) = if self.hidden == 1 { ("message", "it") } else { ("messages", "them") };
            let more = format!("{} more {messages}; use --max-messages to print {them}", grouped(self.hidden));
            self.print(&more.as_str().into());
        }
        if self.wants_summary() {
            let Count { games, wanted, positions } = self.total;
            let of_all = if wanted < games { format!("{} of ", grouped(wanted)) } else { String::new() };
            let made = match self.unit {
                Unit::Position => counted(positions, "position") + ", ",
                Unit::Start => counted(positions, "start") + ", ",
                Unit::Game if positions >= wanted => String::new(),
                Unit::Game | Unit::Copy => self.copies_in_words(),
            };
            let seconds = self.begun.elapsed().as_secs_f64();
            let (games, errors) = (counted(games, "game"), counted(self.errors, "error"));
            let files = self.files_in_words();
            let summary = format!("summary: {files}{of_all}{games}, {made}{errors}, {seconds:.1} s");
            self.print(&summary.as_str().into());
            if self.channel == Channel::Stdout && !self.warnings_by_kind.is_empty() {
                self.print(&format!("warnings: {}", self.warnings_in_words()).as_str().into());
            }
        }
        match self.lost.into_inner() {
            Some(error) if !error.is::<Closed>() => {
                say::error(&messages::with_causes(error.as_ref()));
                Outcome::Failed
            }
            _ => self.outcome,
        }
    }
}

/// Returns the hint about a filter that compares whole values, if it found nothing.
pub(crate) fn whole_value(filter: &TagFilter) -> Option<String> {
    let containing = filter.containing()?;
    Some(format!("= compares the whole value; -t {} looks for a part of it", quoted(OsStr::new(&containing))))
}

impl Listener for Report {
    fn begin_file(&mut self, path: &Path, source: &Source) {
        self.progress.begin_file(source);
        self.files.0 += 1;
        self.warnings_by_kind.values_mut().for_each(|(.., last)| *last = None);
        self.file = FileMessages::new(shown(path), source.fallback(self.encoding.0));
        if let Some((diagnostic, place)) = messages::transcoded(source) {
            self.warn(&diagnostic, place);
        }
        if let Some(kind) = source.table().filter(|_| self.is_verbose) {
            self.note(&format!("{}: read as {kind}", shown(path)));
        }
        if let Some(warning) = messages::one_range(source) {
            self.hint(&format!("{}: {warning}", shown(path)));
        }
    }

    fn diagnostic(&mut self, diagnostic: &Diagnostic, place: Place) {
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
