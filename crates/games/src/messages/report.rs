//! The report of a run: its messages one by one, and the lines that the command would print.

use crate::database::Source;
use crate::diagnostic::{Diagnostic, Kind};
use crate::messages::counts::{counted, grouped};
use crate::messages::evals::other_evals;
use crate::messages::file::{FileMessages, one_range, transcoded};
use crate::messages::hints::{Restrictions, missing_tag, nothing};
use crate::messages::message::Message;
use crate::messages::warnings::Warnings;
use crate::pgn::encoding::Label;
use crate::walk::{Count, Place, Totals};

/// The most lines of a report. Further lines are counted.
pub const MOST_LINES: usize = 1000;

/// What a run has to say: errors and warnings one by one, and the lines that the command would print.
#[derive(Debug)]
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
    /// The most messages that are kept one by one.
    most_messages: usize,
    encoding: Option<Label>,
    file: FileMessages,
    /// The warnings of the file so far.
    summed_up: Warnings,
}

impl Report {
    /// Begins a report. Names that are not UTF-8 have this encoding; None to guess it.
    pub fn new(most_messages: usize, encoding: Option<Label>) -> Self {
        Self {
            messages: Vec::new(),
            lines: Vec::new(),
            hidden: 0,
            errors: 0,
            warnings: 0,
            first_error: None,
            is_stopped: false,
            most_messages,
            encoding,
            file: FileMessages::default(),
            summed_up: Warnings::default(),
        }
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

    /// Begins a file, with its name in messages.
    pub fn begin_file(&mut self, name: String, source: &Source) {
        self.file = FileMessages::new(name, self.encoding);
        if let Some((diagnostic, place)) = transcoded(source) {
            self.record(&diagnostic, place);
        }
        if let Some(warning) = one_range(source) {
            self.line(false, format!("warning: {}: {warning}", self.file.name()));
        }
    }

    /// Adds a diagnostic of the file.
    pub fn diagnostic(&mut self, diagnostic: &Diagnostic, place: Place) {
        if diagnostic.kind == Kind::Encoding {
            self.file.feed(diagnostic);
        }
        self.record(diagnostic, place);
    }

    fn record(&mut self, diagnostic: &Diagnostic, place: Place) {
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

    /// Ends the run: adds hints about an output that is smaller than expected. They name options as the command does;
    /// `spelled` changes that.
    pub fn end(&mut self, totals: &Totals, restrictions: &Restrictions, spelled: impl Fn(&str) -> String) {
        let mut hint = |hint: &str| self.line(false, format!("warning: {}", spelled(hint)));
        totals.missing_tags.iter().for_each(|tag| hint(&missing_tag(tag)));
        if let Some(text) = other_evals(&totals.evals) {
            hint(&text);
        }
        if let Some(text) = nothing(totals.count, restrictions) {
            hint(&text);
        }
        self.is_stopped = totals.is_stopped;
    }

    /// Returns the counts in a line: `4 games, 11 positions, 2 errors, 1 warning`.
    pub fn summary(&self, count: Count) -> String {
        summary(count, self.errors, self.warnings)
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
