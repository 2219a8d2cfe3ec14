//! The moves of a game: its main line and its variations, with comments and glyphs.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use pgn2fen_chess::Position as Rules;
use pgn2fen_chess::castling::CastlingRules;
use pgn2fen_chess::fen::{self, FenStyle};
use pgn2fen_chess::piece::Color;
use pgn2fen_games::pgn::annotation::CommentShape;
use pgn2fen_games::replay::{self, LineMove};
use pgn2fen_games::selection::GameEnd;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::{Bound, Py, PyAny, PyAnyMethods, PyResult, Python, pyclass, pymethods};
use pyo3::types::{PyList, PySlice, PySliceMethods};

use crate::position::Position;

/// An arrow or a circle: two squares and a colour.
type Shape = (String, String, &'static str);

fn shape(shape: CommentShape) -> Shape {
    (shape.from.to_string(), shape.to.to_string(), shape.color.name())
}

/// A sequence of moves: the main line of a game, or a variation.
#[pyclass(frozen, sequence, eq, hash, module = "pgn2fen")]
#[derive(Clone)]
pub(crate) struct Line(pub(crate) Arc<replay::Line>);

#[pymethods]
impl Line {
    fn __len__(&self) -> usize {
        self.0.moves.len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, at: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let length = self.0.moves.len();
        if let Ok(slice) = at.cast::<PySlice>() {
            let indices = slice.indices(isize::try_from(length)?)?;
            let count = indices.slicelength;
            let places = (0..count).map(|number| indices.start + isize::try_from(number).unwrap_or(0) * indices.step);
            let moves = places.map(|at| self.at(at.unsigned_abs())).collect::<Vec<_>>();
            return Ok(PyList::new(py, moves)?.into_any());
        }
        let at: isize = at.extract()?;
        let from_start = if at < 0 { at + isize::try_from(length)? } else { at };
        match usize::try_from(from_start) {
            Ok(at) if at < length => Ok(Py::new(py, self.at(at))?.into_bound(py).into_any()),
            _ => Err(PyIndexError::new_err(format!("there is no move {at}; the line has {length}"))),
        }
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let moves = (0..self.0.moves.len()).map(|at| self.at(at));
        Ok(PyList::new(py, moves.collect::<Vec<_>>())?.try_iter()?.into_any())
    }

    /// The position before the first move. None if the game has no usable starting position; then there are no moves.
    #[getter]
    fn start(&self) -> Option<Position> {
        self.0.has_start.then(|| self.position(&self.0.start))
    }

    /// The position after the last move. None if the game has no usable starting position.
    #[getter]
    fn end(&self) -> Option<Position> {
        self.0.has_start.then(|| self.position(self.0.end()))
    }

    /// The comments before the first move.
    #[getter]
    fn comments(&self) -> &[String] {
        &self.0.before.comments
    }

    /// The words of people in the comments before the first move: see `Move.words`.
    #[getter]
    fn words(&self) -> String {
        self.0.before.words()
    }

    /// The arrows and circles in the comments before the first move: see `Move.shapes`.
    #[getter]
    fn shapes(&self) -> Vec<Shape> {
        self.0.before.shapes().into_iter().map(shape).collect()
    }

    /// The glyphs before the first move: numbers from 0 to 255 (PGN standard §10).
    #[getter]
    fn nags(&self) -> Vec<u32> {
        self.0.before.nags.iter().copied().map(u32::from).collect()
    }

    /// The evaluation of the position before the first move: see `Move.eval`.
    #[getter]
    fn eval(&self) -> Option<i32> {
        self.0.before.centipawns(self.0.start.turn())
    }

    /// The depth of the search that gave the evaluation: see `Move.depth`.
    #[getter]
    fn depth(&self) -> Option<u32> {
        self.0.before.search().depth
    }

    /// The time of the search that gave the evaluation: see `Move.time`.
    #[getter]
    fn time(&self) -> Option<f64> {
        self.0.before.search().time
    }

    /// The nodes of the search that gave the evaluation: see `Move.nodes`.
    #[getter]
    fn nodes(&self) -> Option<u64> {
        self.0.before.search().nodes
    }

    /// The clock in the comments before the first move: see `Move.clk`.
    #[getter]
    fn clk(&self) -> Option<f64> {
        self.0.before.clk
    }

    /// The variations before the first move.
    #[getter]
    fn variations(&self) -> Vec<Self> {
        self.0.before.variations.iter().map(|line| Self(Arc::clone(line))).collect()
    }

    /// The order of the notes before the first move, and the text behind an error, for `Game.edit`.
    #[getter]
    fn _order(&self) -> &str {
        &self.0.before.order
    }

    /// Whether castling follows the rules of Chess960, for `Game.edit`.
    #[getter]
    fn _is_chess960(&self) -> bool {
        self.0.castling == CastlingRules::Chess960
    }

    #[getter]
    fn _unread(&self) -> &[String] {
        &self.0.unread
    }

    /// The position before the first move, and that after each move.
    #[getter]
    fn positions(&self) -> Vec<Position> {
        self.0.positions().map(|position| self.position(position)).collect()
    }

    /// The rules by which the last position ends the game on the board, such as mate or a repetition.
    ///
    /// A repetition and the fifty moves end it by a claim.
    ///
    /// Variants end by their own rules: see `Position.end`.
    #[getter]
    fn ends(&self) -> Vec<&'static str> {
        GameEnd::words_of(self.0.positions())
    }

    /// The FENs of the positions.
    #[getter]
    fn fens(&self) -> Vec<String> {
        self.0.positions().map(|position| fen::to_string(position, FenStyle::default())).collect()
    }

    /// The moves as SAN.
    #[getter]
    fn sans(&self) -> Vec<String> {
        (0..self.0.moves.len()).map(|at| self.at(at).san()).collect()
    }

    /// The moves in the notation of UCI engines.
    #[getter]
    fn ucis(&self) -> Vec<String> {
        (0..self.0.moves.len()).map(|at| self.at(at).uci()).collect()
    }

    fn __str__(&self) -> String {
        (0..self.0.moves.len()).map(|at| self.at(at).numbered(at == 0)).collect::<Vec<_>>().join(" ")
    }

    fn __repr__(&self) -> String {
        format!("<pgn2fen.Line {}>", self.__str__())
    }
}

/// Two objects are equal if they are the same line of a game that was read once.
impl PartialEq for Line {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Line {}

impl Hash for Line {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Arc::as_ptr(&self.0).hash(state);
    }
}

impl Line {
    /// Returns one of the moves, by its number from 0.
    fn at(&self, at: usize) -> Move {
        Move { line: self.clone(), at }
    }

    /// Returns one of the positions as users get it.
    fn position(&self, position: &Rules) -> Position {
        Position::of_game(position, self.0.castling)
    }
}

/// A move of a game. `str(move)` is its SAN.
#[pyclass(frozen, eq, hash, module = "pgn2fen")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Move {
    line: Line,
    at: usize,
}

impl Move {
    fn data(&self) -> &LineMove {
        &self.line.0.moves[self.at]
    }

    fn position_before(&self) -> &Rules {
        self.line.0.before(self.at)
    }

    /// Returns the move with its number: `12. Nf3`. A move of Black has a number only if it begins a line: `12... Nf6`.
    fn numbered(&self, begins: bool) -> String {
        let before = self.position_before();
        match (before.turn(), begins) {
            (Color::White, _) => format!("{}. {}", before.fullmoves(), self.san()),
            (Color::Black, true) => format!("{}... {}", before.fullmoves(), self.san()),
            (Color::Black, false) => self.san(),
        }
    }
}

#[pymethods]
impl Move {
    /// The move as SAN, such as `Nf3+`, however it is written in the file.
    #[getter]
    fn san(&self) -> String {
        self.data().played.to_san(self.position_before())
    }

    /// The move in the notation of UCI engines, such as `g1f3`.
    #[getter]
    fn uci(&self) -> String {
        self.data().played.to_uci(self.line.0.castling)
    }

    /// The move as it is written in the file.
    #[getter]
    fn text(&self) -> &str {
        &self.data().text
    }

    /// The number of the ply in the game, from 1.
    #[getter]
    fn ply(&self) -> u32 {
        self.data().ply
    }

    /// The number of the move, as in `12. Nf3` and `12... Nf6`.
    #[getter]
    fn number(&self) -> u32 {
        self.position_before().fullmoves()
    }

    /// The side that plays the move.
    #[getter]
    fn turn(&self) -> &'static str {
        Position::turn_of(self.position_before())
    }

    /// The position before the move.
    #[getter]
    fn before(&self) -> Position {
        self.line.position(self.position_before())
    }

    /// The position after the move.
    #[getter]
    fn after(&self) -> Position {
        self.line.position(&self.data().after)
    }

    /// The FEN of the position after the move.
    #[getter]
    fn fen(&self) -> String {
        fen::to_string(&self.data().after, FenStyle::default())
    }

    /// The comments behind the move as one text.
    #[getter]
    fn comment(&self) -> String {
        self.data().notes.comment()
    }

    /// The comments behind the move, as they are written, commands such as `[%clk 0:01:00]` included.
    #[getter]
    fn comments(&self) -> &[String] {
        &self.data().notes.comments
    }

    /// The words of people in the comments behind the move, without commands such as `[%clk 0:01:00]` and the reports
    /// of engines.
    #[getter]
    fn words(&self) -> String {
        self.data().notes.words()
    }

    /// The arrows and circles in the comments behind the move, `[%cal Ge2e4]` and `[%csl Rd5]`: the square where an
    /// arrow begins, that of its head (the same for a circle), and `green`, `red`, `yellow` or `blue`.
    #[getter]
    fn shapes(&self) -> Vec<Shape> {
        self.data().notes.shapes().into_iter().map(shape).collect()
    }

    /// The glyphs behind the move: numbers from 0 to 255 (PGN standard §10). `! ? !! ?? !? ?!` are 1 to 6.
    #[getter]
    fn nags(&self) -> Vec<u32> {
        self.data().notes.nags.iter().copied().map(u32::from).collect()
    }

    /// The evaluation of the position after the move, in centipawns from White's side. Mate in n moves is 32000 − n or
    /// −(32000 − n).
    ///
    /// It is read from the comments of the kind that `games(evals=…)` names. Those of engine matches are behind the
    /// next move.
    #[getter]
    fn eval(&self) -> Option<i32> {
        let data = self.data();
        data.notes.centipawns(data.after.turn())
    }

    /// The depth of the search that gave the evaluation, in plies.
    #[getter]
    fn depth(&self) -> Option<u32> {
        self.data().notes.search().depth
    }

    /// The time of the search that gave the evaluation, in seconds.
    #[getter]
    fn time(&self) -> Option<f64> {
        self.data().notes.search().time
    }

    /// The number of nodes of the search that gave the evaluation.
    #[getter]
    fn nodes(&self) -> Option<u64> {
        self.data().notes.search().nodes
    }

    /// The clock in the comments: the time that is left to the side that played the move, in seconds.
    #[getter]
    fn clk(&self) -> Option<f64> {
        self.data().notes.clk
    }

    /// The variations that replace the move.
    #[getter]
    fn variations(&self) -> Vec<Line> {
        self.data().notes.variations.iter().map(|line| Line(Arc::clone(line))).collect()
    }

    /// The order of the notes behind the move, for `Game.edit`.
    #[getter]
    fn _order(&self) -> &str {
        &self.data().notes.order
    }

    fn __str__(&self) -> String {
        self.san()
    }

    fn __repr__(&self) -> String {
        format!("<pgn2fen.Move {}>", self.numbered(true))
    }
}
