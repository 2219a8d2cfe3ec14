//! Options that are given as words or numbers, and the errors for wrong ones. The library has their meaning.

use std::collections::HashMap;
use std::fmt::Display;
use std::fs::File;
use std::io;
use std::str::FromStr;

use pgn2fen_chess::fen::FenStyle;
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::san::Letters;
use pgn2fen_files::Found;
use pgn2fen_games::pgn::encoding::Label;
use pgn2fen_games::players::Players;
use pgn2fen_games::selection::{ShapeFilter, TagFilter};
use pgn2fen_rows::options::{self, JobOptions, SetOption};
use pgn2fen_rows::{BoardOptions, page};
use pgn2fen_spec::{Jobs, Kind, OPTIONS, OptionEntry, find};
use pyo3::PyErr;
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::{Bound, FromPyObject, PyAny, PyAnyMethods, PyResult, pyfunction};

use crate::errors::{spelled, wrong};

/// Parses the text of an option. The error names the option.
pub(crate) fn parsed<T: FromStr<Err: Display>>(option: &str, text: &str) -> PyResult<T> {
    options::parsed(option, text).map_err(wrong)
}

/// Sets those options of these jobs that a dict has. An option without a default whose value is None is not given.
pub(crate) fn set_all(options: &mut impl SetOption, jobs: Jobs, given: &Bound<'_, PyAny>) -> PyResult<()> {
    for entry in OPTIONS.iter().filter(|entry| entry.jobs.contains(jobs)) {
        let is_missing = |value: &Bound<'_, PyAny>| value.is_none() && entry.default.is_empty();
        let Some(value) = given.get_item(entry.name).ok().filter(|value| !is_missing(value)) else {
            continue;
        };
        for text in texts(entry, &value).map_err(|error| named(entry.name, &value, &error))? {
            options.set(entry.name, &text).map_err(|error| unset(entry, &text, &error))?;
        }
    }
    Ok(())
}

/// Returns the form in which each option of the list is taken, by its name: `texts`, `range`, `size`, `names`, `path`,
/// or `plain`.
#[pyfunction]
pub(crate) fn option_forms() -> HashMap<&'static str, &'static str> {
    let form = |entry: &OptionEntry| match entry.kind {
        _ if entry.is_repeated => "texts",
        Kind::Range => "range",
        Kind::Size => "size",
        Kind::Names => "names",
        Kind::Path => "path",
        _ => "plain",
    };
    OPTIONS.iter().map(|entry| (entry.name, form(entry))).collect()
}

/// Returns the error for the value of an option: an `OSError`, such as `FileNotFoundError`, if it is a names file that
/// cannot be opened, and a `ValueError` otherwise.
fn unset(entry: &OptionEntry, value: &str, error: &impl ToString) -> PyErr {
    let opened = if entry.name == "names" { File::open(value).err() } else { None };
    opened.map_or_else(|| wrong(error.to_string()), |cause| io::Error::new(cause.kind(), spelled(error)).into())
}

/// Returns the values of an option as text.
fn texts(entry: &OptionEntry, value: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    if entry.is_repeated {
        return value.extract();
    }
    let text = match entry.kind {
        Kind::Switch => value.extract::<bool>()?.to_string(),
        Kind::Share => value.extract::<f64>()?.to_string(),
        Kind::Whole | Kind::Positive | Kind::Limit | Kind::Numbers(_) => value.extract::<i64>()?.to_string(),
        _ => value.extract()?,
    };
    Ok(vec![text])
}

/// Returns the error for the value of an option: a `ValueError` for a number that is too small or too large, and a
/// `TypeError` for a value of another type.
fn named(name: &str, value: &Bound<'_, PyAny>, error: &PyErr) -> PyErr {
    let py = value.py();
    let shown = value.repr().map(|value| value.to_string()).unwrap_or_default();
    if error.is_instance_of::<PyOverflowError>(py) {
        return wrong(format!("{name} is {shown}, which is out of range"));
    }
    PyTypeError::new_err(format!("{name} is {shown}: {}", error.value(py)))
}

/// Returns the shape that the options of a dict describe, which is empty if there are none.
pub(crate) fn shape(given: &Bound<'_, PyAny>) -> PyResult<ShapeFilter> {
    let mut job = JobOptions::new();
    set_all(&mut job, Jobs::GAMES, given)?;
    job.shape().map_err(wrong)
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
        options.get_item(name).map_or(error, |value| named(name, &value, &cause))
    })
}

/// Returns the value for a word. The error lists all words.
pub(crate) fn choose<T: Copy>(option: &str, word: &str, known: &[(&str, T)]) -> PyResult<T> {
    options::choose(option, word, known).map_err(wrong)
}

/// Returns the rules of a question.
pub(crate) fn rules(name: &str) -> PyResult<pgn2fen_chess::rules::Rules> {
    options::rules("variant", name).map_err(wrong)
}

/// Returns the side to move that is chosen.
pub(crate) fn turn(word: Option<&str>) -> PyResult<Option<Color>> {
    word.map(options::turn).transpose().map_err(wrong)
}

/// Returns the style of FENs.
pub(crate) fn style_of(ep: &str, castling: &str, fields: i64, fen_style: &str) -> PyResult<FenStyle> {
    let mut job = JobOptions::new();
    let given = [("ep", ep), ("castling", castling), ("fields", &fields.to_string()), ("fen_style", fen_style)];
    given.into_iter().try_for_each(|(name, value)| job.set(name, value)).map_err(wrong)?;
    Ok(job.style())
}

/// Returns the options for boards, which a dict has if they are given. Refuses them for a format that draws no boards.
/// `what` begins the title of a page about these files.
pub(crate) fn boards(
    given: &Bound<'_, PyAny>,
    format: (&str, bool),
    what: &str,
    files: &[Found],
) -> PyResult<BoardOptions> {
    let mut job = JobOptions::new().with(Jobs::BOARDS);
    set_all(&mut job, Jobs::BOARDS, given)?;
    job.boards(format, page::title(what, files.iter().map(|(file, _)| &**file))).map_err(wrong)
}

/// Returns the players of a names file; none without one.
pub(crate) fn players(names: Option<&str>) -> PyResult<Players> {
    let mut job = JobOptions::new();
    if let Some((path, entry)) = names.zip(find("names")) {
        job.set("names", path).map_err(|error| unset(entry, path, &error))?;
    }
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
