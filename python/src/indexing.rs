//! Building an index.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use pgn2fen_games::parallel::Workers;
use pgn2fen_games::walk::{ReadError, read_all};
use pgn2fen_index::{
    BuildOptions, Builder, Built, Handling, Index, IndexError, Known, after_failed_merge, after_failure, parse_memory,
    unchanged,
};
use pyo3::PyErr;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::{Bound, FromPyObject, Py, PyAny, PyResult, Python, pyclass, pyfunction, pymethods};

use crate::errors::{of_index, unread, with_context, wrong};
use crate::options::{arguments, parsed};
use crate::reading::Reading;
use crate::run::Run;
use crate::watch::Watch;
use crate::writing::wait;

/// Options for building an index, besides those for reading.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct IndexArguments {
    append: bool,
    compact: bool,
    memory: Option<String>,
    plies: String,
    /// The further tags that the index keeps, separated by commas. None for no choice.
    keep_tags: Option<String>,
}

impl IndexArguments {
    /// Returns the options for building.
    pub(crate) fn building(&self) -> PyResult<BuildOptions> {
        let plies = parsed("plies", &self.plies)?;
        let mut building = BuildOptions { plies, append: self.append, ..BuildOptions::default() };
        if let Some(memory) = &self.memory {
            building.memory = parse_memory(memory).map_err(|error| wrong(format!("memory: {error}")))?;
        }
        building.tags = self.keep_tags.as_deref().map(|tags| parsed("keep_tags", tags)).transpose()?;
        Ok(building)
    }
}

/// The numbers of a build.
#[pyclass(frozen, get_all, module = "pgn2fen._pgn2fen")]
pub(crate) struct IndexNumbers {
    games: u64,
    positions: u64,
    all_games: u64,
    all_positions: u64,
    bytes: u64,
    runs: usize,
    /// Messages about files that were not read.
    skipped: Vec<String>,
    text: String,
}

#[pymethods]
impl IndexNumbers {
    fn __str__(&self) -> &str {
        &self.text
    }
}

impl IndexNumbers {
    pub(crate) fn new(built: &Built, skipped: Vec<String>) -> Self {
        Self {
            games: built.games,
            positions: built.postings,
            all_games: built.all_games,
            all_positions: built.all_postings,
            bytes: built.bytes,
            runs: built.runs,
            skipped,
            text: built.in_words(),
        }
    }
}

/// The reason why an index was not written as it should be.
enum Failure {
    Threads(String),
    Read(ReadError),
    /// The index could not be written, and no games were added.
    Write(IndexError),
    /// The games were added, but the runs were not merged.
    Merge(IndexError),
}

impl Failure {
    fn exception(&self, folder: &Path) -> PyErr {
        match self {
            Self::Threads(error) => PyRuntimeError::new_err(error.clone()),
            Self::Read(error) => with_context(&unchanged(folder), &unread(error)),
            Self::Write(error) => with_context(&after_failure(folder, error), &of_index(error)),
            Self::Merge(error) => with_context(&after_failed_merge(folder, error), &of_index(error)),
        }
    }
}

/// Returns messages about the files that are skipped. Some files may be refused, which is an error.
pub(crate) fn skipped(paths: &[PathBuf], known: &[Known], folder: &Path) -> PyResult<Vec<String>> {
    let reasons = |handling| {
        let of_these = paths.iter().zip(known).filter(move |(_, known)| known.handling() == handling);
        of_these.filter_map(|(path, known)| known.explain(path, folder)).collect::<Vec<_>>()
    };
    let refused = reasons(Handling::Refuse);
    if refused.is_empty() {
        return Ok(reasons(Handling::Skip));
    }
    Err(wrong(format!("{}\n{}", refused.join("\n"), unchanged(folder))))
}

/// Builds an index, adds games to it, or merges its runs.
#[pyfunction]
pub(crate) fn build_index(
    py: Python<'_>,
    files: Vec<Bound<'_, PyAny>>,
    folder: PathBuf,
    options: &Bound<'_, PyAny>,
    run: &Run,
    watch: Py<PyAny>,
) -> PyResult<IndexNumbers> {
    let mut reading = Reading::new(&files, options)?;
    if reading.inputs.has_ranges() {
        return Err(wrong("an index is built of whole files, not of a FileRange"));
    }
    let given: IndexArguments = arguments(options)?;
    let (mut building, compact) = (given.building()?, given.compact);
    building.append |= files.is_empty();
    if files.is_empty() {
        // Fails if there is no index to compact.
        py.detach(|| Index::open(&folder)).map_err(|error| of_index(&error))?;
    }
    let opened = py.detach(|| {
        let workers = Workers::new(reading.threads).map_err(|error| Failure::Threads(error.to_string()))?;
        let builder = Builder::new(&folder, building, &workers).map_err(Failure::Write)?;
        Ok((workers, builder))
    });
    let (workers, builder) = opened.map_err(|failure: Failure| match failure {
        Failure::Write(error) => of_index(&error),
        failure => failure.exception(&folder),
    })?;

    let paths: Vec<PathBuf> = reading.inputs.found().into_iter().map(|(path, _)| path).collect();
    let known = py.detach(|| builder.known(&paths.iter().map(PathBuf::as_path).collect::<Vec<_>>()));
    let skipped = skipped(&paths, &known, &folder)?;
    let mut known = known.iter();
    reading.inputs.retain_paths(|_| known.next().is_none_or(|known| known.handling() == Handling::Read));

    let inputs = reading.inputs.inputs(run)?;
    let (mut recorder, read, asked) = (reading.recorder(run), reading.read.clone(), run.clone());
    let work = move || {
        let mut indexing = builder.begin(read);
        read_all(&mut indexing, &workers, inputs, &mut recorder).map_err(Failure::Read)?;
        let progress = |_, _| if asked.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        // Otherwise the games that were read so far would become an index.
        if asked.is_cancelled() {
            return Ok(None);
        }
        let finished = indexing.finish(&workers, &progress).map_err(Failure::Write)?;
        finished.merge(compact, &workers, &progress).map(Some).map_err(Failure::Merge)
    };
    match wait(py, work, run, Watch::new(watch, run, &reading))? {
        Ok(Some(built)) => {
            run.complete();
            Ok(IndexNumbers::new(&built, skipped))
        }
        // An interrupt has raised its exception before.
        Ok(None) => Err(wrong("the run was broken off")),
        Err(failure) => Err(failure.exception(&folder)),
    }
}
