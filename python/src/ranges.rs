//! Ranges of files: planning them, and counting what is in them.

use std::ffi::OsString;
use std::ops::Range;
use std::path::PathBuf;

use pgn2fen_files::{FileRange, Found, OpenOptions};
use pgn2fen_games::database::{Before, remote};
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::walk::{OnError, ReadOptions, census};
use pgn2fen_rows::options::JobOptions;
use pgn2fen_spec::Jobs;
use pyo3::PyErr;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::{Bound, FromPyObject, PyAny, PyAnyMethods, PyResult, Python, pyfunction};

use crate::errors::unreadable;
use crate::inputs::{GivenRange, check, checked};
use crate::options::{arguments, encoding, set_all};

/// Options for the ranges of files, and for counting.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct CountArguments {
    movetext: Option<String>,
    mmap: bool,
    threads: usize,
}

/// Returns the path of a file, or with `recursive` the paths of the PGN files in a folder. Each comes with the
/// `OSError` if the search found that it cannot be read.
#[pyfunction]
pub(crate) fn find_files(py: Python<'_>, path: PathBuf, recursive: bool) -> PyResult<Vec<(OsString, Option<PyErr>)>> {
    let file = |(path, found): Found| {
        let error = found.err().map(|error| unreadable(&path, &error));
        // Another process has only the address that was given.
        let given = remote::address(&path).map(|name| remote::given(name).into_owned());
        (given.map_or_else(|| path.into_os_string(), OsString::from), error)
    };
    Ok(checked(py, path, recursive)?.into_iter().map(file).collect())
}

/// Returns the name of a file in rows and messages: its path, or its address without what may be secret.
#[pyfunction]
pub(crate) fn name_of(path: PathBuf) -> OsString {
    remote::named(&path).into_os_string()
}

/// A range of a file: start, end, and whether it is the whole file.
type Planned = (u64, u64, bool);

/// Divides a file into ranges of about `size` bytes.
#[pyfunction]
pub(crate) fn plan_file(
    py: Python<'_>,
    path: PathBuf,
    size: u64,
    encoding: &str,
    movetext: Option<String>,
    mmap: bool,
) -> PyResult<Vec<Planned>> {
    let open = OpenOptions { map: mmap, encoding: self::encoding(encoding)?, movetext, ..OpenOptions::default() };
    let path = remote::named(&path);
    let planned = py.detach(|| check(&path).and_then(|()| FileRange::of_file(&path, 0, size, &open)));
    let planned = planned.map_err(|error| unreadable(&path, &error))?;
    Ok(planned
        .into_iter()
        .map(|FileRange { bytes: Range { start, end }, is_whole, .. }| (start, end, is_whole))
        .collect())
}

/// Counts the games, the chosen games, the line breaks, the bytes of text, and the bytes behind the last line break of
/// a range.
#[pyfunction]
pub(crate) fn count_range(
    py: Python<'_>,
    range: &Bound<'_, PyAny>,
    options: &Bound<'_, PyAny>,
) -> PyResult<(u64, u64, u64, u64, usize)> {
    let range = range.extract::<GivenRange>()?.checked()?;
    let CountArguments { movetext, mmap, threads } = arguments(options)?;
    let mut job = JobOptions::new();
    set_all(&mut job, Jobs::GAMES, options)?;
    // All games are counted, whatever number of them is read later.
    let read = ReadOptions { max_games: None, on_error: OnError::Keep, ..job.read_options() };
    let open = range.options(&OpenOptions { map: mmap, encoding: read.encoding, movetext, ..OpenOptions::default() });
    let workers = Workers::new(threads).map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    let counted = py.detach(|| open.open(&range.path).and_then(|source| census(&workers, source, &read)));
    let Before { games, chosen, lines, text, column } = counted.map_err(|error| unreadable(&range.path, &error))?;
    Ok((games, chosen, lines, text, column))
}
