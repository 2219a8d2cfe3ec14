//! Errors and warnings of games.

use std::fmt;

use pgn2fen_games::diagnostic::{Diagnostic, Kind};
use pgn2fen_games::messages::FileMessages;
use pgn2fen_games::pgn::encoding::decode;
use pgn2fen_games::walk::Place;
use pyo3::prelude::{Bound, PyAnyMethods, PyResult, pyclass, pymethods};
use pyo3::types::PyType;

/// An error or a warning about a place in a file. `str(message)` is the line that the command prints.
#[pyclass(frozen, get_all, eq, hash, from_py_object, module = "pgn2fen")]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Message {
    /// The kind, such as `illegal-move`. The guide lists all kinds.
    kind: String,
    /// Whether positions of the game are missing because of it. Otherwise it is a warning.
    is_error: bool,
    /// The path of the file.
    file: String,
    /// The line, from 1.
    line: u64,
    /// The column in bytes, from 1.
    column: usize,
    /// The number of the game in its file, from 1. None between games.
    game: Option<u64>,
    /// The number of the ply, from 1. None if the message is not about a move.
    ply: Option<u32>,
    /// The text that it is about, such as a move as it is written. May be empty.
    subject: String,
    /// The fault, described in a phrase.
    reason: String,
    /// The message in words, without the place and the kind.
    text: String,
}

impl Message {
    pub(crate) fn new(file: &FileMessages, diagnostic: &Diagnostic, place: Place) -> Self {
        let Diagnostic { kind, game, ply, subject, reason, .. } = diagnostic;
        // The subject of this kind is a sample of bytes for guessing the encoding.
        let subject = if *kind == Kind::Encoding { String::new() } else { decode(subject).into_owned() };
        Self {
            kind: kind.as_str().to_owned(),
            is_error: kind.is_error(),
            file: file.name().to_owned(),
            line: place.line,
            column: place.column,
            game: *game,
            ply: *ply,
            subject,
            reason: reason.to_string(),
            text: file.describe(diagnostic),
        }
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, is_error, file, line, column, text, .. } = self;
        let warning = if *is_error { "" } else { "warning: " };
        write!(f, "{file}:{line}:{column}: {warning}{kind}: {text}")
    }
}

/// The values of a message that is pickled.
type Values = (String, bool, String, u64, usize, Option<u64>, Option<u32>, String, String, String);

#[pymethods]
impl Message {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "pickle calls it with all values")]
    fn restore(
        kind: String,
        is_error: bool,
        file: String,
        line: u64,
        column: usize,
        game: Option<u64>,
        ply: Option<u32>,
        subject: String,
        reason: String,
        text: String,
    ) -> Self {
        Self { kind, is_error, file, line, column, game, ply, subject, reason, text }
    }

    fn __str__(&self) -> String {
        self.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<pgn2fen.Message {self}>")
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyType>, Values)> {
        let Self { kind, is_error, file, line, column, game, ply, subject, reason, text } = slf.get().clone();
        let kind_of = slf.as_any().get_type();
        Ok((kind_of, (kind, is_error, file, line, column, game, ply, subject, reason, text)))
    }
}
