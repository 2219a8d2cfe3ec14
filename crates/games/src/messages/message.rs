//! An error or a warning with its place, for programs.

use std::fmt;

use crate::messages::file::FileMessages;
use crate::walk::Place;
use pgn2fen_pgn::diagnostic::Diagnostic;
use pgn2fen_spec::Dialect;

/// An error or a warning about a place in a file, with its parts as text. Its [`Display`](fmt::Display) is the line
/// that the command prints. Texts refer to options, which [`spell`](Self::spell) writes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Message {
    /// The kind, such as `illegal-move`.
    pub kind: String,
    /// Whether positions of the game are missing because of it. Otherwise it is a warning.
    pub is_error: bool,
    /// The path of the file.
    pub file: String,
    /// The line, from 1.
    pub line: u64,
    /// The column in bytes, from 1.
    pub column: usize,
    /// The number of the game in its file, from 1. None between games.
    pub game: Option<u64>,
    /// The number of the ply, from 1. None if the message is not about a move.
    pub ply: Option<u32>,
    /// The text that it is about, such as a move as it is written. May be empty.
    pub subject: String,
    /// The fault, described in a phrase.
    pub reason: String,
    /// The message in words, without the place and the kind.
    pub text: String,
}

impl Message {
    /// Describes a diagnostic of a file.
    pub fn new(file: &FileMessages, diagnostic: &Diagnostic, place: Place) -> Self {
        let Diagnostic { kind, game, ply, subject, reason, .. } = diagnostic;
        Self {
            kind: kind.as_str().to_owned(),
            is_error: kind.is_error(),
            file: file.name().to_owned(),
            line: place.line,
            column: place.column,
            game: *game,
            ply: *ply,
            subject: file.decode(subject),
            reason: reason.to_string(),
            text: file.describe(diagnostic),
        }
    }
}

impl Message {
    /// Writes the options in its texts as a program does.
    #[must_use]
    pub fn spell(self, dialect: Dialect) -> Self {
        let [reason, text] = [&self.reason, &self.text].map(|text| dialect.spell(text).into_owned());
        Self { reason, text, ..self }
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, is_error, file, line, column, text, .. } = self;
        let warning = if *is_error { "" } else { "warning: " };
        write!(f, "{file}:{line}:{column}: {warning}{kind}: {text}")
    }
}
