//! The moves of a game: its main line and its variations, with comments and glyphs.

use std::sync::Arc;

use pgn2fen::diagnostic::Diagnostic;
use pgn2fen::fen::{self, FenStyle};
use pgn2fen::pgn::annotation::RawComment;
use pgn2fen::pgn::encoding::Fallback;
use pgn2fen::replay::{Event, Moves};
use pgn2fen::rows::centipawns;
use pgn2fen::{Move as Played, Position as Rules};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::{Bound, Py, PyAny, PyAnyMethods, PyResult, Python, pyclass, pymethods};
use pyo3::types::{PyList, PySlice, PySliceMethods};

use crate::position::Position;

/// A sequence of moves: the main line of a game, or a variation.
pub(crate) struct LineData {
    /// The position before the first move.
    start: Rules,
    /// Whether the position is known. If it is not, the line has no moves.
    has_start: bool,
    before: Notes,
    nodes: Vec<Node>,
}

/// A move, and what is written behind it.
struct Node {
    played: Played,
    /// The number of the ply in its game, from 1.
    ply: u32,
    /// The move as it is written.
    text: Box<str>,
    after: Rules,
    notes: Notes,
}

/// Comments, glyphs and variations between two moves.
#[derive(Default)]
struct Notes {
    comments: Vec<String>,
    nags: Vec<u8>,
    eval: Option<i32>,
    clk: Option<f64>,
    variations: Vec<Arc<LineData>>,
}

impl LineData {
    /// Reads a line to its end, and adds its errors. The function is recursive; variations are nested at most 256 deep.
    pub(crate) fn read(moves: &mut Moves<'_>, encoding: &Fallback, errors: &mut Vec<Diagnostic>) -> Self {
        let mut line =
            Self { start: moves.after().clone(), has_start: true, before: Notes::default(), nodes: Vec::new() };
        while let Some(event) = moves.next() {
            match event {
                Ok(Event::Move(ply)) => line.nodes.push(Node {
                    played: ply.played,
                    ply: ply.number,
                    text: encoding.decode(ply.san).into(),
                    after: moves.after().clone(),
                    notes: Notes::default(),
                }),
                Ok(Event::Comment(comment)) => {
                    let turn = line.end().turn();
                    let notes = line.notes();
                    notes.comments.push(encoding.decode(comment.0).into_owned());
                    notes.eval = notes.eval.or_else(|| comment.eval().map(|eval| centipawns(eval, turn)));
                    notes.clk = notes.clk.or_else(|| RawComment::clock(comment));
                }
                Ok(Event::Nag(nag)) => line.notes().nags.push(nag),
                Ok(Event::VariationStart) => {
                    let variation = Self::read(moves, encoding, errors);
                    line.notes().variations.push(Arc::new(variation));
                }
                Ok(Event::VariationEnd) => break,
                Ok(_) => {}
                Err(error) => errors.push(error),
            }
        }
        line
    }

    /// Returns the line of a game without a usable starting position. It has no moves.
    pub(crate) fn unplayable() -> Self {
        Self { start: Rules::initial(), has_start: false, before: Notes::default(), nodes: Vec::new() }
    }

    /// Returns the notes behind the last move.
    fn notes(&mut self) -> &mut Notes {
        self.nodes.last_mut().map_or(&mut self.before, |node| &mut node.notes)
    }

    /// Returns the position before a move.
    fn before(&self, at: usize) -> &Rules {
        at.checked_sub(1).map_or(&self.start, |before| &self.nodes[before].after)
    }

    /// Returns the position after the last move.
    pub(crate) fn end(&self) -> &Rules {
        self.before(self.nodes.len())
    }

    fn positions(&self) -> impl Iterator<Item = &Rules> {
        self.has_start.then_some(&self.start).into_iter().chain(self.nodes.iter().map(|node| &node.after))
    }
}

/// A sequence of moves.
#[pyclass(frozen, sequence, module = "pgn2fen")]
#[derive(Clone)]
pub(crate) struct Line(pub(crate) Arc<LineData>);

#[pymethods]
impl Line {
    fn __len__(&self) -> usize {
        self.0.nodes.len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, at: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let length = self.0.nodes.len();
        if let Ok(slice) = at.cast::<PySlice>() {
            let indices = slice.indices(isize::try_from(length)?)?;
            let count = indices.slicelength;
            let places = (0..count).map(|number| indices.start + isize::try_from(number).unwrap_or(0) * indices.step);
            let moves = places.map(|at| self.node(at.unsigned_abs())).collect::<Vec<_>>();
            return Ok(PyList::new(py, moves)?.into_any());
        }
        let at: isize = at.extract()?;
        let from_start = if at < 0 { at + isize::try_from(length)? } else { at };
        match usize::try_from(from_start) {
            Ok(at) if at < length => Ok(Py::new(py, self.node(at))?.into_bound(py).into_any()),
            _ => Err(PyIndexError::new_err(format!("there is no move {at}; the line has {length}"))),
        }
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let moves = (0..self.0.nodes.len()).map(|at| self.node(at));
        Ok(PyList::new(py, moves.collect::<Vec<_>>())?.try_iter()?.into_any())
    }

    #[getter]
    fn start(&self) -> Option<Position> {
        self.0.has_start.then(|| self.0.start.clone().into())
    }

    #[getter]
    fn end(&self) -> Option<Position> {
        self.0.has_start.then(|| self.0.end().clone().into())
    }

    #[getter]
    fn comments(&self) -> &[String] {
        &self.0.before.comments
    }

    #[getter]
    fn nags(&self) -> Vec<u32> {
        self.0.before.nags.iter().copied().map(u32::from).collect()
    }

    #[getter]
    fn eval(&self) -> Option<i32> {
        self.0.before.eval
    }

    #[getter]
    fn clk(&self) -> Option<f64> {
        self.0.before.clk
    }

    #[getter]
    fn variations(&self) -> Vec<Self> {
        self.0.before.variations.iter().map(|line| Self(Arc::clone(line))).collect()
    }

    #[getter]
    fn positions(&self) -> Vec<Position> {
        self.0.positions().map(|position| position.clone().into()).collect()
    }

    #[getter]
    fn fens(&self) -> Vec<String> {
        self.0.positions().map(|position| fen::to_string(position, FenStyle::default())).collect()
    }

    #[getter]
    fn sans(&self) -> Vec<String> {
        (0..self.0.nodes.len()).map(|at| self.node(at).san()).collect()
    }

    #[getter]
    fn ucis(&self) -> Vec<String> {
        (0..self.0.nodes.len()).map(|at| self.node(at).uci()).collect()
    }

    fn __str__(&self) -> String {
        (0..self.0.nodes.len()).map(|at| self.node(at).numbered(at == 0)).collect::<Vec<_>>().join(" ")
    }

    fn __repr__(&self) -> String {
        format!("<pgn2fen.Line {}>", self.__str__())
    }
}

impl Line {
    fn node(&self, at: usize) -> Move {
        Move { line: Arc::clone(&self.0), at }
    }
}

/// A move of a game.
#[pyclass(frozen, module = "pgn2fen")]
pub(crate) struct Move {
    line: Arc<LineData>,
    at: usize,
}

impl Move {
    fn data(&self) -> &Node {
        &self.line.nodes[self.at]
    }

    fn position_before(&self) -> &Rules {
        self.line.before(self.at)
    }

    /// Returns the move with its number: `12. Nf3`. A move of Black has a number only if it begins a line: `12... Nf6`.
    fn numbered(&self, begins: bool) -> String {
        let before = self.position_before();
        match (before.turn(), begins) {
            (pgn2fen::chess::piece::Color::White, _) => format!("{}. {}", before.fullmoves(), self.san()),
            (pgn2fen::chess::piece::Color::Black, true) => format!("{}... {}", before.fullmoves(), self.san()),
            (pgn2fen::chess::piece::Color::Black, false) => self.san(),
        }
    }
}

#[pymethods]
impl Move {
    #[getter]
    fn san(&self) -> String {
        self.data().played.to_san(self.position_before())
    }

    #[getter]
    fn uci(&self) -> String {
        self.data().played.to_uci(self.position_before())
    }

    #[getter]
    fn text(&self) -> &str {
        &self.data().text
    }

    #[getter]
    fn ply(&self) -> u32 {
        self.data().ply
    }

    #[getter]
    fn number(&self) -> u32 {
        self.position_before().fullmoves()
    }

    #[getter]
    fn turn(&self) -> &'static str {
        Position::turn_of(self.position_before())
    }

    #[getter]
    fn before(&self) -> Position {
        self.position_before().clone().into()
    }

    #[getter]
    fn after(&self) -> Position {
        self.data().after.clone().into()
    }

    #[getter]
    fn fen(&self) -> String {
        fen::to_string(&self.data().after, FenStyle::default())
    }

    #[getter]
    fn comment(&self) -> String {
        self.data().notes.comments.iter().map(|comment| comment.trim()).collect::<Vec<_>>().join(" ")
    }

    #[getter]
    fn comments(&self) -> &[String] {
        &self.data().notes.comments
    }

    #[getter]
    fn nags(&self) -> Vec<u32> {
        self.data().notes.nags.iter().copied().map(u32::from).collect()
    }

    #[getter]
    fn eval(&self) -> Option<i32> {
        self.data().notes.eval
    }

    #[getter]
    fn clk(&self) -> Option<f64> {
        self.data().notes.clk
    }

    #[getter]
    fn variations(&self) -> Vec<Line> {
        self.data().notes.variations.iter().map(|line| Line(Arc::clone(line))).collect()
    }

    fn __str__(&self) -> String {
        self.san()
    }

    fn __repr__(&self) -> String {
        format!("<pgn2fen.Move {}>", self.numbered(true))
    }
}
