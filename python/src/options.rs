//! Options that are given as words or numbers, and the errors for wrong ones. The library has their meaning.

use std::fmt::Display;
use std::str::FromStr;

use pgn2fen_chess::fen::FenStyle;
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::san::Letters;
use pgn2fen_files::Found;
use pgn2fen_games::pgn::encoding::Label;
use pgn2fen_games::players::Players;
use pgn2fen_games::selection::{ShapeFilter, TagFilter};
use pgn2fen_rows::options::{self, JobOptions};
use pgn2fen_rows::{BoardOptions, Orientation, page};
use pyo3::PyErr;
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::{Bound, FromPyObject, PyAny, PyAnyMethods, PyResult};

use crate::errors::wrong;

/// Parses the text of an option. The error names the option.
pub(crate) fn parsed<T: FromStr<Err: Display>>(option: &str, text: &str) -> PyResult<T> {
    options::parsed(option, text).map_err(wrong)
}

/// Sets an option of a job.
pub(crate) fn set(job: &mut JobOptions, name: &str, value: impl ToString) -> PyResult<()> {
    job.set(name, &value.to_string()).map_err(wrong)
}

/// Sets options of a job to the values that are given: none, one or several for each.
pub(crate) fn set_given<V: ToString, const N: usize>(
    job: &mut JobOptions,
    options: [(&str, impl IntoIterator<Item = V>); N],
) -> PyResult<()> {
    let mut given = options.into_iter().flat_map(|(name, values)| values.into_iter().map(move |value| (name, value)));
    given.try_for_each(|(name, value)| set(job, name, value))
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
    /// Sets the options of a job.
    pub(crate) fn set(&self, job: &mut JobOptions) -> PyResult<()> {
        let Self { material, pattern, pawns, colors, mirror, for_plies } = self;
        set(job, "colors", colors)?;
        set(job, "mirror", mirror)?;
        set(job, "for_plies", for_plies)?;
        set_given(job, [("material", material), ("pattern", pattern), ("pawns", pawns)])
    }

    /// Returns the shape, which is empty if there are no options for it.
    pub(crate) fn filter(&self) -> PyResult<ShapeFilter> {
        let mut job = JobOptions::new();
        self.set(&mut job)?;
        job.shape().map_err(wrong)
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
    options::choose(option, word, known).map_err(wrong)
}

#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct EvalArguments {
    evals: String,
}

/// Sets the comments in which evaluations are found.
pub(crate) fn set_evals(job: &mut JobOptions, options: &Bound<'_, PyAny>) -> PyResult<()> {
    let EvalArguments { evals } = arguments(options)?;
    set(job, "evals", evals)
}

/// Returns the side to move that is chosen.
pub(crate) fn turn(word: Option<&str>) -> PyResult<Option<Color>> {
    word.map(options::turn).transpose().map_err(wrong)
}

/// Returns the style of FENs.
pub(crate) fn fen_style(ep: &str, castling: &str, fields: i64) -> PyResult<FenStyle> {
    let mut job = JobOptions::new();
    set_style(&mut job, ep, castling, fields)?;
    Ok(job.style())
}

/// Sets the style of FENs.
pub(crate) fn set_style(job: &mut JobOptions, ep: &str, castling: &str, fields: i64) -> PyResult<()> {
    set(job, "ep", ep)?;
    set(job, "castling", castling)?;
    set(job, "fields", fields)
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

/// Returns the players of a names file; none without one.
pub(crate) fn players(names: Option<&str>) -> PyResult<Players> {
    let mut job = JobOptions::new();
    set_given(&mut job, [("names", names)])?;
    Ok(job.read_options().games.players)
}

/// Returns the filters for the games of an index: those on tags, and that of a player, for the players of a names file.
pub(crate) fn index_filters(
    tags: &[String],
    player: Option<TagFilter>,
    names: Option<&str>,
) -> PyResult<Vec<TagFilter>> {
    let mut filters = tags.iter().map(|filter| parsed("tags", filter)).collect::<PyResult<Vec<TagFilter>>>()?;
    filters.extend(player);
    let players = players(names)?;
    Ok(filters.iter().map(|filter| filter.for_players(&players)).collect())
}

/// Returns the piece letters of a language.
pub(crate) fn letters(language: &str) -> PyResult<Letters> {
    options::letters(language).map_err(wrong)
}

/// Returns the encoding with a name, or `None` for `auto`.
pub(crate) fn encoding(name: &str) -> PyResult<Option<Label>> {
    options::encoding(name).map_err(wrong)
}
