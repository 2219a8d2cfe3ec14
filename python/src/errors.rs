//! Errors of the library as Python exceptions.

use std::io;
use std::path::Path;

use pgn2fen::messages::shown;
use pgn2fen::rows::{RowsError, WriteError};
use pyo3::PyErr;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
