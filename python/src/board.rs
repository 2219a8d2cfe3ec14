//! Boards: pictures of positions.

use pgn2fen_board::{Arrow, Board, Colors, Paint, TextStyle};
use pgn2fen_chess::notation::uci::Uci;
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::setup::Setup;
use pgn2fen_chess::square::Square;
use pgn2fen_games::typed::read_diagram_by;
use pyo3::PyErr;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::{Bound, FromPyObject, Py, PyAny, PyAnyMethods, PyRef, PyResult, Python, pyfunction};
use pyo3::types::PyBytes;

use crate::errors::wrong;
use crate::options::{arguments, letters};
use crate::position::{Position, game};

/// The options of a picture.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct BoardArguments {
    orientation: String,
    last_move: LastMove,
    check: bool,
    arrows: Vec<String>,
    fill: Vec<(String, String)>,
    marks: Vec<String>,
    size: Option<u32>,
    coordinates: bool,
    colors: String,
    lang: String,
    variant: Option<String>,
}

/// The last move: that of the text if it has moves, none, or another one.
#[derive(FromPyObject)]
enum LastMove {
    Played(bool),
    Named(String),
    /// A value of another type.
    Wrong(Py<PyAny>),
}

/// The options of a board that is text.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct TextArguments {
    ascii: bool,
    ansi: bool,
}

/// Returns the SVG document of a position.
#[pyfunction]
pub(crate) fn draw_svg(position: &Bound<'_, PyAny>, options: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(board(position, options)?.to_svg())
}

/// Returns the PNG picture of a position.
#[pyfunction]
pub(crate) fn draw_png<'py>(
    py: Python<'py>,
    position: &Bound<'py, PyAny>,
    options: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyBytes>> {
    let board = board(position, options)?;
    let png = py.detach(|| board.to_png()).map_err(wrong)?;
    Ok(PyBytes::new(py, &png))
}

/// Returns the board of a position as text.
#[pyfunction]
pub(crate) fn draw_text(position: &Bound<'_, PyAny>, options: &Bound<'_, PyAny>) -> PyResult<String> {
    let TextArguments { ascii, ansi } = arguments(options)?;
    Ok(board(position, options)?.to_text(TextStyle { ascii, ansi }))
}

/// Returns the board of a position, or of a text as `Position` reads it. The text may also be a FEN of which no game
/// can be played.
fn board(position: &Bound<'_, PyAny>, options: &Bound<'_, PyAny>) -> PyResult<Board> {
    let given: BoardArguments = arguments(options)?;
    let BoardArguments { orientation, last_move, check, arrows, fill, marks, size, .. } = given;
    let BoardArguments { coordinates, colors, lang, variant, .. } = given;
    let rules = game(variant.as_deref())?.map(|(rules, _)| rules);
    let (setup, played): (Setup, _) = match position.extract::<PyRef<'_, Position>>() {
        Ok(position) => (position.0.setup().clone(), None),
        Err(_) => {
            let typed = read_diagram_by(position.extract()?, &letters(&lang)?, rules).map_err(wrong)?;
            // A drop has one square.
            let played = typed.moves.last().and_then(|m| m.from().or(m.to()).zip(m.to()));
            (typed.setup, played)
        }
    };
    let side = match orientation.as_str() {
        "white" => Color::White,
        "black" => Color::Black,
        "turn" => setup.turn,
        other => return Err(wrong(format!("orientation is '{other}', but must be one of white, black, turn"))),
    };
    let mut board = Board::of_setup(&setup).orientation(side).check(check).coordinates(coordinates);
    board = board.colors(colors.parse::<Colors>().map_err(|error| wrong(format!("colors: {error}")))?);
    let must_be = "must be the squares of a move, such as e2e4, or True or False";
    let shown = match last_move {
        LastMove::Played(is_shown) => played.filter(|_| is_shown),
        LastMove::Named(text) => {
            Some(squares(&text).ok_or_else(|| wrong(format!("last_move is '{text}', but {must_be}")))?)
        }
        LastMove::Wrong(value) => {
            let value = value.bind(position.py()).repr()?;
            return Err(PyTypeError::new_err(format!("last_move is {value}, but {must_be}")));
        }
    };
    if let Some((from, to)) = shown {
        board = board.last_move(from, to);
    }
    if let Some(size) = size {
        if size == 0 {
            return Err(wrong("size is 0, but must be at least 1"));
        }
        board = board.size(size);
    }
    for (name, paint) in &fill {
        board =
            board.fill(square("fill", name)?, paint.parse::<Paint>().map_err(|error| wrong(format!("fill: {error}")))?);
    }
    for name in &marks {
        board = board.mark(square("marks", name)?);
    }
    for arrow in &arrows {
        board = board.arrow(arrow.parse::<Arrow>().map_err(|error| wrong(format!("arrows: {error}")))?);
    }
    Ok(board)
}

/// Parses a square.
fn square(option: &str, name: &str) -> Result<Square, PyErr> {
    Square::from_ascii(name.as_bytes()).ok_or_else(|| wrong(format!("{option}: '{name}' is not a square, such as e4")))
}

/// Parses the squares of a move in the notation of UCI engines.
fn squares(text: &str) -> Option<(Square, Square)> {
    let uci = Uci::from_ascii(text.as_bytes()).filter(|uci| *uci != Uci::NULL);
    uci.and_then(|_| Square::from_ascii(&text.as_bytes()[..2]).zip(Square::from_ascii(&text.as_bytes()[2..4])))
}
