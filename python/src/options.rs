//! Options that are given as words or numbers, and the errors for wrong ones.

use std::num::NonZeroU32;
use std::str::FromStr;

use pgn2fen_chess::fen::{CastlingStyle, EpStyle, Fields};
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::san::{Letters, languages};
use pgn2fen_games::pgn::annotation::EvalSource;
use pgn2fen_games::pgn::encoding::Label;
use pgn2fen_games::replay::SetupPolicy;
use pgn2fen_games::selection::{CourseFilter, ShapeColors, ShapeFilter, Start};
use pgn2fen_games::typed::read_position;
use pgn2fen_rows::files::Found;
use pgn2fen_rows::{BoardOptions, Orientation, page};
use pyo3::PyErr;
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::{Bound, FromPyObject, PyAny, PyAnyMethods, PyResult};

use crate::errors::wrong;

/// Parses the text of an option. The error names the option.
pub(crate) fn parsed<T: FromStr<Err: std::fmt::Display>>(option: &str, text: &str) -> PyResult<T> {
    text.parse().map_err(|error| wrong(format!("{option}: {error}")))
}

/// Returns the filter for the course of games.
pub(crate) fn course(reached: &[String], length: Option<&str>) -> PyResult<CourseFilter> {
    let position = |text: &String| {
        let typed = read_position(text, &Letters::ENGLISH).map_err(|mistake| wrong(format!("reached: {mistake}")))?;
        match typed.repair {
            None => Ok(typed.position),
            Some(repair) => Err(wrong(format!("reached: {repair}; give the position as it was in the game"))),
        }
    };
    let reached = reached.iter().map(position).collect::<PyResult<_>>()?;
    let length = length.map(|text| parsed("length", text)).transpose()?;
    Ok(CourseFilter { reached, length, ..CourseFilter::default() })
}

/// Options for the shape of positions.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct ShapeArguments {
    material: Vec<String>,
    pattern: Vec<String>,
    pawns: Vec<String>,
    colors: String,
    mirror: bool,
    for_plies: u32,
}

impl ShapeArguments {
    /// Returns the shape, which is empty if there are no options for it.
    pub(crate) fn filter(&self) -> PyResult<ShapeFilter> {
        let Self { material, pattern, pawns, colors, mirror, for_plies } = self;
        let colors = choose("colors", colors, &[("either", ShapeColors::Either), ("given", ShapeColors::Given)])?;
        let has_squares = !pattern.is_empty() || !pawns.is_empty();
        if *mirror && !has_squares {
            return Err(wrong("mirror exchanges left and right, and needs pattern or pawns"));
        }
        if !has_squares && material.is_empty() {
            if colors != ShapeColors::default() {
                return Err(wrong("colors needs material, pattern or pawns"));
            }
            if *for_plies != 1 {
                return Err(wrong("for_plies needs material, pattern or pawns"));
            }
        }
        Ok(ShapeFilter {
            material: material.iter().map(|text| parsed("material", text)).collect::<PyResult<_>>()?,
            patterns: pattern.iter().map(|text| parsed("pattern", text)).collect::<PyResult<_>>()?,
            pawns: pawns.iter().map(|text| parsed("pawns", text)).collect::<PyResult<_>>()?,
            colors,
            mirror: *mirror,
            for_plies: NonZeroU32::new(*for_plies).ok_or_else(|| wrong("for_plies is 0, but must be 1 or more"))?,
        })
    }
}

/// Returns names of options for messages.
pub(crate) fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(ToString::to_string).collect()
}

/// Extracts options from a dict. The error names the option and its value: a `ValueError` for a number that is too
/// small or too large, and a `TypeError` for a value of another type.
pub(crate) fn arguments<'py, T: for<'a> FromPyObject<'a, 'py, Error = PyErr>>(
    options: &Bound<'py, PyAny>,
) -> PyResult<T> {
    options.extract().map_err(|error: PyErr| {
        let py = options.py();
        // The message of pyo3 ends with the name of the type and the field.
        let message = error.value(py).to_string();
        let Some((cause, (_, name))) = error.cause(py).zip(message.rsplit_once('.')) else {
            return error;
        };
        let value = options.get_item(name).and_then(|value| value.repr()).map(|value| value.to_string());
        let value = value.unwrap_or_default();
        if cause.is_instance_of::<PyOverflowError>(py) {
            return wrong(format!("{name} is {value}, which is out of range"));
        }
        PyTypeError::new_err(format!("{name} is {value}: {}", cause.value(py)))
    })
}

/// Returns the value for a word. The error lists all words.
pub(crate) fn choose<T: Copy>(option: &str, word: &str, known: &[(&str, T)]) -> PyResult<T> {
    known.iter().find(|(name, _)| *name == word).map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        wrong(format!("{option} is '{word}', but must be one of {}", names.join(", ")))
    })
}

#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct EvalArguments {
    evals: String,
}

/// Returns the comments in which evaluations are found.
pub(crate) fn evals(options: &Bound<'_, PyAny>) -> PyResult<EvalSource> {
    let EvalArguments { evals } = arguments(options)?;
    choose("evals", &evals, &EvalSource::ALL.map(|source| (source.name(), source)))
}

/// Returns the side to move that is chosen.
pub(crate) fn turn(word: Option<&str>) -> PyResult<Option<Color>> {
    match word {
        None => Ok(None),
        Some("w") => Ok(Some(Color::White)),
        Some("b") => Ok(Some(Color::Black)),
        Some(word) => Err(wrong(format!("turn is '{word}', but must be w or b"))),
    }
}

pub(crate) fn ep_style(word: &str) -> PyResult<EpStyle> {
    choose("ep", word, &[("always", EpStyle::Always), ("xfen", EpStyle::Xfen), ("legal", EpStyle::Legal)])
}

pub(crate) fn castling_style(word: &str) -> PyResult<CastlingStyle> {
    choose("castling", word, &[("xfen", CastlingStyle::Xfen), ("shredder", CastlingStyle::Shredder)])
}

/// Options for boards, which are None if they are not given: their maximum number, 0 for all, and the side at the
/// bottom.
pub(crate) type BoardArguments = (Option<u64>, Option<String>);

/// Returns the options for boards. Refuses them for a format that draws no boards. `what` begins the title of a page
/// about these files.
pub(crate) fn boards(
    (max_boards, orientation): &BoardArguments,
    (format, has_boards): (&str, bool),
    what: &str,
    files: &[Found],
) -> PyResult<BoardOptions> {
    for (name, is_given) in [("max_boards", max_boards.is_some()), ("orientation", orientation.is_some())] {
        if is_given && !has_boards {
            return Err(wrong(format!(
                "{name} has no effect on the format {format}; only html, svg and png draw boards"
            )));
        }
    }
    let mut options =
        BoardOptions { title: page::title(what, files.iter().map(|(file, _)| &**file)), ..BoardOptions::default() };
    if let Some(most) = max_boards {
        options.max_boards = Some(*most).filter(|most| *most > 0);
    }
    if let Some(word) = orientation {
        options.orientation = choose("orientation", word, &Orientation::ALL.map(|side| (side.name(), side)))?;
    }
    Ok(options)
}

pub(crate) fn fields(number: i64) -> PyResult<Fields> {
    match number {
        4 => Ok(Fields::Four),
        6 => Ok(Fields::Six),
        _ => Err(wrong(format!("fields is {number}, but must be 4 or 6"))),
    }
}

pub(crate) fn start(word: &str) -> PyResult<Start> {
    let known = [("any", Start::Any), ("standard", Start::Standard), ("nonstandard", Start::Nonstandard)];
    choose("start", word, &known)
}

pub(crate) fn setup(word: &str) -> PyResult<SetupPolicy> {
    let known = [("auto", SetupPolicy::Auto), ("strict", SetupPolicy::Strict), ("ignore", SetupPolicy::Ignore)];
    choose("setup", word, &known)
}

pub(crate) fn letters(language: &str) -> PyResult<Letters> {
    Letters::of(language).ok_or_else(|| {
        let known: Vec<&str> = languages().map(Letters::code).collect();
        wrong(format!("lang is '{language}', but must be one of {}", known.join(", ")))
    })
}

/// Returns the encoding with a name, or `None` for `auto`.
pub(crate) fn encoding(name: &str) -> PyResult<Option<Label>> {
    if name.eq_ignore_ascii_case("auto") {
        return Ok(None);
    }
    let unknown = || wrong(format!("unknown encoding '{name}'; try utf-8, latin1, windows-1251, koi8-r, cp866 or gbk"));
    Label::find(name).map(Some).ok_or_else(unknown)
}
