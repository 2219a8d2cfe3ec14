//! The extension module of the Python package `pgn2fen`.
//!
//! The module converts arguments and results. Everything else is done by the crate `pgn2fen`. The classes that users see are in the
//! Python files of the package, which are built on this module.

mod options;
mod position;

use std::ffi::OsString;

use pyo3::prelude::{Python, pyfunction, pymodule};

/// Runs the command `pgn2fen` and returns its exit status. The first argument is the name of the program.
#[pyfunction]
fn run_command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| pgn2fen::cli::run(&arguments))
}

/// The extension module.
#[pymodule]
mod _pgn2fen {
    #[pymodule_export]
    use super::run_command;

    #[pymodule_export]
    use crate::position::Position;
}
