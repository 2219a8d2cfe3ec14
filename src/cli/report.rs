//! What a run tells its user: messages with file, line and column, a summary, and the exit code.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write as _};
use std::process::ExitCode;
use std::time::Instant;

use pgn2fen::database::{Database, Source};
use pgn2fen::diagnostic::{Diagnostic, Kind, Players, column, count_lines};
use pgn2fen::parallel::Delivery;
use pgn2fen::pgn::encoding::Fallback;
use pgn2fen::positions::{Batch, Count};

use crate::cli::args::{Encoding, RunningArguments};
use crate::cli::color::{self, ERROR, PLACE, WARNING, paint};
use crate::cli::progress::Progress;

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
    place: Place,
    is_quiet: bool,
    is_verbose: bool,
    max_messages: u64,
    messages: u64,
    hidden: u64,
    errors: u64,
    total: Count,
    outcome: Outcome,
    begun: Instant,
    file: FileReport,
    progress: Progress,
    unit: Unit,
}

/// Where messages go: beside the lines, or in their place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Stderr,
    Stdout,
}

/// What is known of the file that is being read.
#[derive(Debug, Default)]
struct FileReport {
    name: String,
    games: u64,
    /// Bytes on the line so far that ended the last delivery.
    column: usize,
    fallback: Fallback,
    warnings: BTreeMap<Kind, Warning>,
    /// Of a database whose games are read from somewhere on.
    ranged: Option<Database>,
    /// How many lines stand before the games that are read, and how many bytes on their first line: counted when first asked for.
    before: OnceCell<(u64, usize)>,
}

impl FileReport {
    /// `games.pgn:1204:5`, of a line and column counted from 0 where the games begin that are read.
    fn place(&self, line: u64, column: usize) -> String {
        let (lines, on_line) = *self.before.get_or_init(|| {
            let before = self.ranged.as_ref().map_or(&[][..], Database::before);
            (count_lines(before), pgn2fen::diagnostic::column(before))
        });
        let column = if line == 0 { on_line + column } else { column };
        format!("{}:{}:{}", self.name, lines + line + 1, column + 1)
    }
}

/// The warnings of a kind in one file, of which the first is shown.
#[derive(Debug)]
struct Warning {
    line: u64,
    column: usize,
    reason: String,
    /// How many games have such a warning; between games, how many places.
    count: u64,
    last_game: Option<u64>,
}

/// A place in a text, by lines and columns counted from 0. It only goes forward, so that the time is linear however long
/// the lines are.
struct TextPlace {
    at: usize,
    line: u64,
    column: usize,
}

impl TextPlace {
    fn go_to(&mut self, text: &[u8], at: usize) {
        // Between CR and LF is still the old line.
        let is_in_line_end = at > self.at && text[at - 1] == b'\r' && text.get(at) == Some(&b'\n');
        let at = if is_in_line_end { at - 1 } else { at };
        self.line += count_lines(&text[self.at..at]);
        self.pass(text, at);
    }

    /// Goes on without counting lines: only the column will be asked for.
    fn pass(&mut self, text: &[u8], at: usize) {
        let passed = &text[self.at..at];
        let on_line = column(passed);
        self.column = if on_line < passed.len() { on_line } else { self.column + on_line };
        self.at = at;
    }
}

impl Report {
    pub(crate) fn new(arguments: &RunningArguments, place: Place, progress: Progress, unit: Unit) -> Self {
        Self {
            place,
            is_quiet: arguments.quiet,
            is_verbose: arguments.verbose,
            max_messages: arguments.max_messages,
            messages: 0,
            hidden: 0,
            errors: 0,
            total: Count::default(),
            outcome: Outcome::Clean,
            begun: Instant::now(),
            file: FileReport::default(),
            progress,
            unit,
        }
    }

    /// The following is about this file.
    pub(crate) fn begin_file(&mut self, name: String, encoding: Encoding, source: &Source) {
        self.progress.begin_file(source);
        let ranged = match source {
            Source::Whole(database) if !database.before().is_empty() => Some(database.clone()),
            _ => None,
        };
        self.file = FileReport { name, fallback: Fallback::new(encoding.0), ranged, ..FileReport::default() };
        if let Some(encoding) = source.transcoded_from() {
            let mut diagnostic =
                Diagnostic::new(Kind::Encoding, 0, format!("the file is {encoding}; it is read as such"));
            diagnostic.game = None;
            self.warn(&diagnostic, 0, 0);
        }
    }

    /// Tells what is wrong with a stretch of the file.
    pub(crate) fn deliver(&mut self, delivery: &mut Delivery<'_, Batch>) {
        let Delivery { batch, text, offset, line } = delivery;
        // Games are numbered in the batch, and places are byte offsets: both are known for good only here.
        batch.diagnostics.sort_by_key(|diagnostic| diagnostic.offset);
        let mut place = TextPlace { at: 0, line: *line, column: self.file.column };
        for diagnostic in &mut batch.diagnostics {
            let at = usize::try_from(diagnostic.offset - *offset).map_or(text.len(), |at| at.min(text.len()));
            place.go_to(text, at);
            if let Some(game) = &mut diagnostic.game {
                *game += self.file.games;
            }
            self.tell(diagnostic, place.line, place.column);
        }
        // Lines have been counted by the workers; what is left is the column where the next delivery begins.
        place.pass(text, text.len());
        self.file.column = place.column;
        self.file.games += batch.count.games;
        self.total.games += batch.count.games;
        self.total.wanted += batch.count.wanted;
        self.total.positions += batch.count.positions;
        self.progress.deliver(text.len(), self.total);
    }

    fn tell(&mut self, diagnostic: &Diagnostic, line: u64, column: usize) {
        if diagnostic.kind == Kind::Encoding {
            self.file.fallback.feed(&diagnostic.subject);
        }
        if diagnostic.kind.is_error() {
            self.errors += 1;
            self.outcome = self.outcome.max(Outcome::Errors);
            let kind = paint(ERROR, diagnostic.kind.as_str());
            let message = |report: &Self| format!("{kind}: {}", report.describe(diagnostic));
            self.message_at(line, column, message);
        } else {
            self.warn(diagnostic, line, column);
        }
    }

    fn warn(&mut self, diagnostic: &Diagnostic, line: u64, column: usize) {
        if self.is_verbose {
            let kind = diagnostic.kind.as_str();
            let warning = paint(WARNING, "warning");
            let message = |report: &Self| format!("{warning}: {kind}: {}", report.describe(diagnostic));
            self.message_at(line, column, message);
            return;
        }
        let game = diagnostic.game;
        match self.file.warnings.get_mut(&diagnostic.kind) {
            Some(warning) => {
                warning.count += u64::from(game.is_none() || game != warning.last_game);
                warning.last_game = game;
            }
            None => {
                let subject = self.subject(diagnostic);
                let separator = if subject.is_empty() { "" } else { ": " };
                let reason = subject + separator + &self.reason(diagnostic);
                let warning = Warning { line, column, reason, count: 1, last_game: game };
                self.file.warnings.insert(diagnostic.kind, warning);
            }
        }
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
        let text = |bytes| printable(&self.file.fallback.decode(bytes)).trim().to_owned();
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
            _ => printable(&self.file.fallback.decode(&diagnostic.subject)),
        }
    }

    fn reason(&self, diagnostic: &Diagnostic) -> String {
        match diagnostic.kind {
            Kind::Encoding if diagnostic.game.is_some() => {
                format!("{}; names are shown as {}", diagnostic.reason, self.file.fallback.name())
            }
            _ => diagnostic.reason.clone().into_owned(),
        }
    }

    /// Sums up the warnings of the file, a line a kind.
    pub(crate) fn end_file(&mut self) {
        for (kind, warning) in std::mem::take(&mut self.file.warnings) {
            let Warning { line, column, reason, count, last_game } = warning;
            let unit = if last_game.is_some() { "games" } else { "places" };
            let count = if count > 1 { format!(" ({} {unit})", grouped(count)) } else { String::new() };
            let kind = kind.as_str();
            let message = |_: &Self| format!("{}: {kind}: {reason}{count}", paint(WARNING, "warning"));
            self.message_at(line, column, message);
        }
    }

    /// So many positions were left out because the format has no use for them.
    pub(crate) fn end_rows(&mut self, left_out: u64) {
        if left_out > 0 {
            let positions = counted(left_out, "position");
            let warning = paint(WARNING, "warning");
            self.message(|_| format!("{warning}: {positions} without an evaluation or a result left out"));
        }
    }

    /// Tells something that is neither error nor warning.
    pub(crate) fn note(&self, message: &str) {
        if !self.is_quiet {
            self.print(message);
        }
    }

    /// Shows how much of what follows the reading is done.
    pub(crate) fn show_writing(&mut self, done: usize, all: usize) {
        self.progress.show_writing(done, all);
    }

    /// A file could not be read or written. This is told however quiet the run is.
    pub(crate) fn failure(&mut self, message: &str) {
        self.outcome = Outcome::Failed;
        self.progress.suspend(|| {
            let _ = writeln!(color::stderr(), "{} {message}", paint(ERROR, "pgn2fen:"));
        });
    }

    /// Prints what is wrong at a place, if it is printed at all.
    fn message_at(&mut self, line: u64, column: usize, message: impl Fn(&Self) -> String) {
        self.message(|report| format!("{}: {}", paint(PLACE, &report.file.place(line, column)), message(report)));
    }

    fn message(&mut self, message: impl Fn(&Self) -> String) {
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

    fn print(&self, line: &str) {
        self.progress.suspend(|| {
            // Messages that nobody reads are no reason to stop.
            let _ = match self.place {
                Place::Stderr => writeln!(color::stderr(), "{line}"),
                Place::Stdout => writeln!(color::stdout(), "{line}"),
            };
        });
    }

    /// Says in a line what came of the run, where a summary is wanted.
    pub(crate) fn sum_up(&self, line: &str) {
        if self.wants_summary() {
            self.print(line);
        }
    }

    fn wants_summary(&self) -> bool {
        !self.is_quiet && (self.is_verbose || self.place == Place::Stdout || io::stderr().is_terminal())
    }

    /// Ends the run with what there is to sum up.
    pub(crate) fn end(self) -> Outcome {
        if self.hidden > 0 {
            self.print(&format!("{} more messages; --max-messages shows them", grouped(self.hidden)));
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
            self.print(&format!(
                "summary: {of_all}{}, {made}{}, {seconds:.1} s",
                counted(games, "game"),
                counted(self.errors, "error")
            ));
        }
        self.outcome
    }
}

/// `1 game`, `20,253 games`.
pub(crate) fn counted(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// Digits in groups of three.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|group| str::from_utf8(group).unwrap_or("")).collect();
    groups.join(",")
}

/// Text from a file as one line that does nothing to a terminal.
fn printable(text: &str) -> String {
    text.chars().map(|char| if char.is_control() { ' ' } else { char }).collect()
}

#[cfg(test)]
mod tests {
    use super::{counted, grouped, printable};

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(grouped(1_852_929), "1,852,929");
        assert_eq!(grouped(12), "12");
        assert_eq!((counted(1, "game"), counted(0, "game")), ("1 game".to_owned(), "0 games".to_owned()));
    }

    #[test]
    fn control_characters_never_reach_the_terminal() {
        assert_eq!(printable("a\u{1b}[31m\n"), "a [31m ");
    }
}
