//! Games that JavaScript has made or changed, as PGN.

use pgn2fen_games::export::{GivenError, annotate_given, write_given};

use crate::failure::Failure;
use crate::position::json;

/// Writes a game: see [`write_given`].
pub(crate) fn write(texts: &[&str]) -> Result<String, Failure> {
    Ok(write_given(texts)?)
}

/// Returns changed comments as JSON: see [`annotate_given`].
pub(crate) fn annotate(texts: &[&str]) -> Result<String, Failure> {
    Ok(json(&annotate_given(texts)?)?)
}

impl From<GivenError> for Failure {
    fn from(error: GivenError) -> Self {
        let failure = Self::from(error.to_string());
        Self { code: error.kind().map_or(failure.code, |kind| kind.as_str()), ply: error.ply(), ..failure }
    }
}
