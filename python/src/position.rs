//! Positions and the rules of chess.

use pgn2fen::chess::piece::Color;
use pgn2fen::fen::{self, CastlingStyle, EpStyle, FenStyle, Fields};
use pgn2fen::index::key;
use pgn2fen::notation::uci::Uci;
use pgn2fen::san::{self, Letters};
use pgn2fen::typed::read_position;
use pgn2fen::{Move, Position as Rules};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::{Bound, PyAnyMethods, PyResult, pyclass, pymethods};
use pyo3::types::{PyTuple, PyType};

use crate::options::{castling_style, ep_style, fields, letters};

/// A chess position.
#[pyclass(frozen, eq, hash, module = "pgn2fen")]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Position(pub(crate) Rules);

impl From<Rules> for Position {
    fn from(position: Rules) -> Self {
        Self(position)
    }
}

impl Position {
    /// Returns the side to move, as the column `turn` has it.
    pub(crate) fn turn_of(position: &Rules) -> &'static str {
        match position.turn() {
            Color::White => "w",
            Color::Black => "b",
        }
    }
}

#[pymethods]
impl Position {
    #[new]
    #[pyo3(signature = (text=None, *, lang="en"))]
    fn new(text: Option<&str>, lang: &str) -> PyResult<Self> {
        match text {
            None => Ok(Self(Rules::initial())),
            Some(text) => typed(text, &letters(lang)?),
        }
    }

    #[pyo3(signature = (*, ep="always", castling="xfen", fields=6))]
    #[pyo3(name = "fen")]
    fn write_fen(&self, ep: &str, castling: &str, fields: u8) -> PyResult<String> {
        let style = FenStyle { ep: ep_style(ep)?, castling: castling_style(castling)?, fields: self::fields(fields)? };
        Ok(fen::to_string(&self.0, style))
    }

    #[getter]
    fn key(&self) -> i64 {
        key(&self.0).cast_signed()
    }

    #[getter]
    fn turn(&self) -> &'static str {
        Self::turn_of(&self.0)
    }

    #[getter]
    fn fullmove_number(&self) -> u32 {
        self.0.fullmoves()
    }

    #[getter]
    fn halfmove_clock(&self) -> u32 {
        self.0.halfmoves()
    }

    #[getter]
    fn pieces(&self) -> u32 {
        self.0.board().occupied().count()
    }

    #[getter]
    fn is_check(&self) -> bool {
        self.0.is_check()
    }

    #[getter]
    fn is_checkmate(&self) -> bool {
        self.0.is_check() && self.0.legal_moves().is_empty()
    }

    #[getter]
    fn is_stalemate(&self) -> bool {
        !self.0.is_check() && self.0.legal_moves().is_empty()
    }

    #[getter]
    fn legal_moves(&self) -> Vec<String> {
        self.0.legal_moves().iter().map(|m| m.to_uci(&self.0)).collect()
    }

    #[pyo3(signature = (*moves, lang="en"))]
    fn play(&self, moves: &Bound<'_, PyTuple>, lang: &str) -> PyResult<Self> {
        let letters = letters(lang)?;
        let mut position = self.0.clone();
        for m in moves {
            let found = find(&position, m.extract()?, &letters)?;
            position.play_unchecked(found);
        }
        Ok(Self(position))
    }

    #[pyo3(signature = (r#move, *, lang="en"))]
    fn san(&self, r#move: &str, lang: &str) -> PyResult<String> {
        Ok(find(&self.0, r#move, &letters(lang)?)?.to_san(&self.0))
    }

    #[pyo3(signature = (r#move, *, lang="en"))]
    fn uci(&self, r#move: &str, lang: &str) -> PyResult<String> {
        Ok(find(&self.0, r#move, &letters(lang)?)?.to_uci(&self.0))
    }

    fn is_same(&self, other: &Self) -> bool {
        self.0.is_same_position(&other.0)
    }

    fn __str__(&self) -> String {
        fen::to_string(&self.0, FenStyle::default())
    }

    fn __repr__(&self) -> String {
        format!("Position('{}')", self.__str__())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyType>, (String,))> {
        // Shredder-FEN loses nothing, whatever the castling rights are.
        let style = FenStyle { ep: EpStyle::Always, castling: CastlingStyle::Shredder, fields: Fields::Six };
        Ok((slf.get_type(), (fen::to_string(&slf.get().0, style),)))
    }
}

/// Reads a position that a user has typed.
pub(crate) fn typed(text: &str, letters: &Letters) -> PyResult<Position> {
    match read_position(text, letters) {
        Ok(typed) => Ok(Position(typed.position)),
        Err(mistake) => Err(PyValueError::new_err(mistake.to_string())),
    }
}

/// Finds a legal move, which is written in the notation of UCI or as SAN.
fn find(position: &Rules, text: &str, letters: &Letters) -> PyResult<Move> {
    if let Some(m) = Uci::from_ascii(text.as_bytes()).and_then(|uci| uci.find(position)) {
        return Ok(m);
    }
    match san::resolve(text.as_bytes(), position, letters) {
        Ok(resolved) => Ok(resolved.mv),
        Err(error) => Err(PyValueError::new_err(format!("{text}: {error} (in {position})"))),
    }
}
