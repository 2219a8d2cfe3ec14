//! Games that Python has made or changed, as PGN.

use pgn2fen_games::export::{annotate_given, write_given};
use pyo3::prelude::{PyResult, pyfunction};

use crate::errors::wrong;

/// Writes a game that is given as texts: see `pgn2fen_games::export::write_given`. Raises `ValueError` if a move, the
/// start, a tag or an option is wrong.
#[pyfunction]
pub(crate) fn write_game(texts: Vec<String>) -> PyResult<String> {
    write_given(&texts).map_err(wrong)
}

/// Returns changed comments: see `pgn2fen_games::export::annotate_given`. Raises `ValueError` if a shape is wrong.
#[pyfunction]
pub(crate) fn annotate_comments(texts: Vec<String>) -> PyResult<Vec<String>> {
    annotate_given(&texts).map_err(wrong)
}
