//! Errors of the library as Python exceptions.

use std::any::Any;
use std::io;
use std::path::Path;

use pgn2fen_files::{OutputError, explain};
use pgn2fen_games::messages::{self, shown, with_causes};
use pgn2fen_games::walk::{MemoryLimit, ReadError};
use pgn2fen_index::IndexError;
use pgn2fen_rows::{RowsError, WriteError};
use pgn2fen_trees::IndexTreeError;
use pyo3::exceptions::{PyException, PyMemoryError, PyRuntimeError, PyValueError};
use pyo3::panic::PanicException;
use pyo3::prelude::{Py, PyAny, PyAnyMethods, Python};
use pyo3::sync::PyOnceLock;
use pyo3::{PyErr, PyResult};

use crate::dialect::DIALECT;
use crate::message::Message;

/// Makes the exception of a panic a `RuntimeError`. Every call of Python into this module ends a panic with this
/// exception. `PyO3` derives it from `BaseException`, which `except Exception` does not catch.
pub(crate) fn make_panics_runtime_errors(py: Python<'_>) -> PyResult<()> {
    py.get_type::<PanicException>().setattr("__bases__", (py.get_type::<PyRuntimeError>(),))
}

/// Returns the message of a panic.
pub(crate) fn message_of(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("panic without a message")
}

/// Returns a `ValueError`.
pub(crate) fn wrong(message: impl ToString) -> PyErr {
    PyValueError::new_err(spelled(&message))
}

/// Returns a message with options as they are written in Python.
pub(crate) fn spelled(message: &impl ToString) -> String {
    DIALECT.spell(&message.to_string()).into_owned()
}

/// Returns the `OSError`, such as `FileNotFoundError`, for a file that cannot be opened or read. Its cause is the
/// exception of a file object. One that ends a program, such as `KeyboardInterrupt`, is returned itself.
pub(crate) fn unreadable(path: &Path, error: &io::Error) -> PyErr {
    let unreadable = || PyErr::from(io::Error::new(error.kind(), unreadable_text(path, error)));
    let Some(raised) = error.get_ref().and_then(|inner| inner.downcast_ref::<PyErr>()) else { return unreadable() };
    Python::attach(|py| {
        let raised = raised.clone_ref(py);
        if !raised.is_instance_of::<PyException>(py) {
            return raised;
        }
        let unreadable = unreadable();
        unreadable.set_cause(py, Some(raised));
        unreadable
    })
}

/// Returns the message for a file that cannot be opened or read.
pub(crate) fn unreadable_text(path: &Path, error: &io::Error) -> String {
    format!("{}: {}", shown(path), DIALECT.spell(&explain(path, error)))
}

/// Returns the `OSError` for an output file, or a `ValueError` if it is also an input file.
pub(crate) fn unwritable(error: &OutputError) -> PyErr {
    match error.io() {
        Some(cause) => io::Error::new(cause.kind(), with_causes(error)).into(),
        None => wrong(error),
    }
}

/// Returns the exception for a run that failed.
pub(crate) fn failed(error: &RowsError) -> PyErr {
    match error {
        RowsError::Read(error) => unread(error),
        RowsError::Shape(error) => wrong(error),
        RowsError::PartNames(error) => wrong(error),
        RowsError::Write(WriteError::Names(error)) => wrong(error),
        error => PyRuntimeError::new_err(with_causes(error)),
    }
}

/// Returns the exception for a file that cannot be read to its end: an `OSError`, or a `MemoryError` if unique
/// positions take more memory than they may.
pub(crate) fn unread(error: &ReadError) -> PyErr {
    match beyond_memory(error) {
        Some(text) => PyMemoryError::new_err(text),
        None => unreadable(&error.path, error.error()),
    }
}

/// Returns the message for unique positions that take more memory than they may, if that is the error.
pub(crate) fn beyond_memory(error: &ReadError) -> Option<String> {
    MemoryLimit::is_reason_of(error.error()).then(|| {
        let text = unreadable_text(&error.path, error.error());
        format!("{text}; allow more with memory, or leave out unique")
    })
}

/// Returns the exception for an index that gives no tree.
pub(crate) fn of_index_tree(error: &IndexTreeError) -> PyErr {
    match error {
        IndexTreeError::Index(error) => of_index(error),
        error => wrong(error),
    }
}

/// Returns the exception for an index that cannot be read or written.
pub(crate) fn of_index(error: &IndexError) -> PyErr {
    let text = DIALECT.spell(&error.to_string()).into_owned();
    if error.path().exists() { io::Error::other(text) } else { io::Error::new(io::ErrorKind::NotFound, text) }.into()
}

/// Returns an exception of the same type and cause with a phrase before its message.
pub(crate) fn with_context(context: &str, error: &PyErr) -> PyErr {
    Python::attach(|py| {
        let in_context = PyErr::from_type(error.get_type(py), format!("{context}: {}", error.value(py)));
        in_context.set_cause(py, error.cause(py));
        in_context
    })
}

/// Returns the Python exception for an error in a game.
pub(crate) fn game_error(py: Python<'_>, message: messages::Message) -> PyResult<PyErr> {
    static CLASS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let class =
        CLASS.get_or_try_init(py, || Ok::<_, PyErr>(py.import("pgn2fen._report")?.getattr("GameError")?.unbind()))?;
    Ok(PyErr::from_value(class.bind(py).call1((Message::from(message),))?))
}
