//! Errors and warnings of games.

use crate::dialect::DIALECT;
use pgn2fen_games::messages;
use pyo3::prelude::{Bound, PyAnyMethods, PyResult, pyclass, pymethods};
use pyo3::types::PyType;

/// An error or a warning about a place in a file. `str(message)` is the line of the command, with Python's options.
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

impl From<messages::Message> for Message {
    fn from(message: messages::Message) -> Self {
        let messages::Message { kind, is_error, file, line, column, game, ply, subject, reason, text } =
            message.spell(DIALECT);
        Self { kind, is_error, file, line, column, game, ply, subject, reason, text }
    }
}

impl From<Message> for messages::Message {
    fn from(message: Message) -> Self {
        let Message { kind, is_error, file, line, column, game, ply, subject, reason, text } = message;
        Self { kind, is_error, file, line, column, game, ply, subject, reason, text }
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
        messages::Message::from(self.clone()).to_string()
    }

    fn __repr__(&self) -> String {
        format!("<pgn2fen.Message {}>", self.__str__())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyType>, Values)> {
        let Self { kind, is_error, file, line, column, game, ply, subject, reason, text } = slf.get().clone();
        let kind_of = slf.as_any().get_type();
        Ok((kind_of, (kind, is_error, file, line, column, game, ply, subject, reason, text)))
    }
}
