//! The report of a run: its messages one by one, and the lines that the command would print.

use std::path::Path;

use crate::messages::counts::{counted, grouped};
use crate::messages::evals::{found_evals, has_mixed_evals, other_evals};
use crate::messages::file::{FileMessages, one_range, transcoded};
use crate::messages::hints::{Restrictions, missing_tag, nothing, other_rules, unread_tags};
use crate::messages::message::Message;
use crate::messages::shown;
use crate::messages::skipped::Skipped;
use crate::messages::warnings::Warnings;
use crate::walk::{Count, Place, Totals};
use pgn2fen_pgn::diagnostic::Diagnostic;
use pgn2fen_pgn::encoding::Label;
use pgn2fen_sources::Source;

/// The most lines of a report. Further lines are counted.
pub const MOST_LINES: usize = 1000;

/// What a run has to say: errors and warnings one by one, and the lines that the command would print.
///
/// The default keeps no messages.
#[derive(Debug, Default)]
pub struct Report {
    /// The first messages, in the order of the files.
    pub messages: Vec<Message>,
    /// The lines that the command would print, and whether each is an error: errors, warnings of a file summed up, and
    /// hints about the whole run. At most [`MOST_LINES`].
    pub lines: Vec<(bool, String)>,
    /// The numbers of messages and lines that are not kept.
    pub hidden: u64,
    /// The number of errors of games.
    pub errors: u64,
    /// The number of warnings of games.
    pub warnings: u64,
    /// The first error, which is kept even if no messages are.
    pub first_error: Option<Message>,
    /// Whether an error ended the run.
    pub is_stopped: bool,
    /// The kinds of comments in which the run found evaluations: see [`found_evals`](crate::messages::found_evals).
    pub found_evals: Option<String>,
    /// The most messages that are kept one by one.
    most_messages: usize,
    encoding: Option<Label>,
    file: FileMessages,
    /// The inputs that could not be read.
    skipped: Skipped,
    /// The warnings of the file so far.
    summed_up: Warnings,
}

impl Report {
    /// Begins a report. Names that are not UTF-8 have this encoding; None to guess it. Texts refer to
    /// [options](pgn2fen_spec::Dialect::spell).
    pub fn new(most_messages: usize, encoding: Option<Label>) -> Self {
        Self { most_messages, encoding, ..Self::default() }
    }

    /// Takes the messages so far. Those that follow are kept as if these were kept still.
    pub fn take_messages(&mut self) -> Vec<Message> {
        let taken = std::mem::take(&mut self.messages);
        self.most_messages -= taken.len();
        taken
    }

    /// Adds a line.
    pub fn line(&mut self, is_error: bool, line: String) {
        if self.lines.len() < MOST_LINES {
            self.lines.push((is_error, line));
        } else {
            self.hidden += 1;
        }
    }

    /// Adds a hint, as a line without a place.
    pub fn hint(&mut self, hint: &str) {
        self.line(false, format!("warning: {hint}"));
    }

    /// Begins a file, with its name in messages.
    pub fn begin_file(&mut self, name: String, source: &Source) {
        self.skipped.count();
        self.file = FileMessages::new(name, source.fallback(self.encoding));
        if let Some((diagnostic, place)) = transcoded(source) {
            self.diagnostic(&diagnostic, place);
        }
        if let Some(warning) = one_range(source) {
            self.hint(&format!("{}: {warning}", self.file.name()));
        }
    }

    /// Adds a diagnostic of the file.
    pub fn diagnostic(&mut self, diagnostic: &Diagnostic, place: Place) {
        let is_error = diagnostic.kind.is_error();
        let message = Message::new(&self.file, diagnostic, place);
        *if is_error { &mut self.errors } else { &mut self.warnings } += 1 + diagnostic.others;
        if is_error {
            self.line(true, message.to_string());
            self.first_error.get_or_insert_with(|| message.clone());
        } else {
            self.summed_up.add(diagnostic, place, &self.file);
        }
        if self.messages.len() < self.most_messages {
            self.messages.push(message);
            self.hidden += diagnostic.others;
        } else {
            self.hidden += 1 + diagnostic.others;
        }
    }

    /// Ends a file: adds the lines that sum up its warnings.
    pub fn end_file(&mut self) {
        for (place, line) in std::mem::take(&mut self.summed_up).into_lines() {
            let line = format!("{}:{}:{}: warning: {line}", self.file.name(), place.line, place.column);
            self.line(false, line);
        }
    }

    /// Adds an input that could not be opened, or not be read to its end, for a run that goes on without it. The line
    /// is the error in words. `has_games` says whether games were read since the last file began.
    pub fn unread(&mut self, path: &Path, line: String, has_games: bool) {
        let has_begun = self.file.name() == shown(path);
        if !has_begun {
            self.skipped.count();
        }
        self.skipped.add(path.to_owned(), has_begun && has_games);
        self.line(true, line);
    }

    /// Ends the run: adds hints about an output that is smaller than expected, and tells the kinds of evaluations if
    /// there were several.
    pub fn end(&mut self, totals: &Totals, restrictions: &Restrictions) {
        let missing = totals.missing_tags.iter().map(missing_tag);
        let others =
            [unread_tags(totals), other_rules(totals), other_evals(&totals.evals), nothing(totals.count, restrictions)];
        for hint in missing.chain(others.into_iter().flatten()) {
            self.hint(&hint);
        }
        if let Some(warning) = self.skipped.warning() {
            self.hint(&warning);
        }
        self.found_evals = found_evals(&totals.evals);
        if let Some(found) = self.found_evals.clone().filter(|_| has_mixed_evals(&totals.evals)) {
            self.line(false, found);
        }
        self.is_stopped = totals.is_stopped;
    }

    /// Returns the error in a game that ended the run.
    pub fn stopped_by(&self) -> Option<&Message> {
        self.first_error.as_ref().filter(|_| self.is_stopped)
    }

    /// Returns the counts in a line: `4 games, 11 positions, 2 errors, 1 warning`, and the kinds of evaluations that
    /// were found.
    pub fn summary(&self, count: Count) -> String {
        let summary = summary(count, self.errors, self.warnings);
        self.found_evals.iter().fold(summary, |summary, found| format!("{summary}; {found}"))
    }
}

/// Returns a line with the numbers of games, positions, errors and warnings.
pub fn summary(count: Count, errors: u64, warnings: u64) -> String {
    let Count { games, wanted, positions } = count;
    let of_all = if wanted < games { format!("{} of ", grouped(wanted)) } else { String::new() };
    let parts = [(positions, "position"), (errors, "error"), (warnings, "warning")];
    let parts = parts.map(|(number, noun)| counted(number, noun));
    format!("{of_all}{}, {}", counted(games, "game"), parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::{MOST_LINES, Report, summary};
    use crate::messages::hints::Restrictions;
    use crate::walk::{Count, MissingTag, Place, Totals};
    use pgn2fen_pgn::diagnostic::{Diagnostic, Kind};
    use pgn2fen_sources::{Database, Source};

    fn begun(most_messages: usize) -> Report {
        let mut report = Report::new(most_messages, None);
        report.begin_file("a.pgn".to_owned(), &empty());
        report
    }

    fn empty() -> Source {
        Database::from(Vec::new()).into()
    }

    fn at(line: u64) -> Place {
        Place { line, column: 1 }
    }

    fn error(subject: &str) -> Diagnostic {
        Diagnostic::new(Kind::IllegalMove, 0, "no rook can move").about(subject.as_bytes())
    }

    fn warning() -> Diagnostic {
        Diagnostic::new(Kind::SkippedText, 0, "text between games").about(b"hello")
    }

    #[test]
    fn errors_have_lines_and_the_warnings_of_a_file_are_summed_up_at_its_end() {
        let mut report = begun(10);
        report.diagnostic(&warning(), at(1));
        report.diagnostic(&error("Ra3"), at(2));
        report.diagnostic(&warning(), at(3));
        report.end_file();
        let error = "a.pgn:2:1: illegal-move: Ra3: no rook can move";
        let sum = "a.pgn:1:1: warning: skipped-text: hello: text between games (2 places)";
        assert_eq!(report.lines, [(true, error.to_owned()), (false, sum.to_owned())]);
        let messages: Vec<String> = report.messages.iter().map(ToString::to_string).collect();
        assert_eq!((messages.len(), &*messages[1]), (3, error));
        assert_eq!(messages[0], "a.pgn:1:1: warning: skipped-text: hello: text between games");
        report.begin_file("b.pgn".to_owned(), &empty());
        report.end_file();
        assert_eq!((report.lines.len(), report.hidden, report.errors, report.warnings), (2, 0, 1, 2));
    }

    #[test]
    fn messages_that_are_not_kept_are_counted() {
        let mut report = begun(1);
        let mut repeated = warning();
        repeated.others = 2;
        report.diagnostic(&repeated, at(1));
        assert_eq!((report.messages.len(), report.hidden, report.warnings), (1, 2, 3));
        report.diagnostic(&repeated, at(2));
        assert_eq!((report.messages.len(), report.hidden, report.warnings), (1, 5, 6));
        report.diagnostic(&error("Ra3"), at(3));
        report.diagnostic(&error("Rb3"), at(4));
        assert_eq!((report.messages.len(), report.hidden, report.errors), (1, 7, 2));
        assert_eq!(report.first_error.as_ref().map(|error| &*error.subject), Some("Ra3"));
        assert!(report.stopped_by().is_none());
    }

    #[test]
    fn messages_that_were_taken_count_as_kept() {
        let mut report = begun(2);
        report.diagnostic(&error("Ra3"), at(1));
        assert_eq!(report.take_messages().len(), 1);
        report.diagnostic(&error("Rb3"), at(2));
        report.diagnostic(&error("Rc3"), at(3));
        assert_eq!((report.take_messages().len(), report.hidden), (1, 1));
        assert_eq!(report.lines.len(), 3);
    }

    #[test]
    fn lines_that_are_not_kept_are_counted() {
        let mut report = begun(0);
        for line in 0..MOST_LINES {
            report.line(false, line.to_string());
        }
        report.hint("no more");
        assert_eq!((report.lines.len(), report.hidden), (MOST_LINES, 1));
    }

    #[test]
    fn the_end_adds_hints_that_refer_to_options() {
        let mut report = begun(10);
        report.diagnostic(&error("Ra3"), at(1));
        report.end_file();
        report.lines.clear();
        let tag = MissingTag { name: "Elo".to_owned(), nearest: vec!["WhiteElo".to_owned()], others: Vec::new() };
        let count = Count { games: 2, wanted: 0, positions: 0 };
        let totals = Totals { count, missing_tags: vec![tag], is_stopped: true, ..Totals::default() };
        let restrictions = Restrictions { games: vec!["tags"], positions: Vec::new() };
        report.end(&totals, &restrictions);
        let hints: Vec<&str> = report.lines.iter().map(|(_, line)| &**line).collect();
        let missing = "warning: no game has the tag Elo; did you mean WhiteElo?";
        assert_eq!(hints, [missing, "warning: none of 2 games satisfies `tags`"]);
        assert!(report.lines.iter().all(|(is_error, _)| !is_error));
        assert_eq!(report.stopped_by().map(|error| &*error.subject), Some("Ra3"));
        assert_eq!(report.summary(count), "0 of 2 games, 0 positions, 1 error, 0 warnings");
    }

    #[test]
    fn a_summary_has_all_counts() {
        let count = Count { games: 4, wanted: 4, positions: 11_000 };
        assert_eq!(summary(count, 2, 1), "4 games, 11,000 positions, 2 errors, 1 warning");
    }
}
