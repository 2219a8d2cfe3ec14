//! An index whose runs are built by several processes: its coordinator, and the building of a run.

use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use pgn2fen_games::parallel::Workers;
use pgn2fen_games::walk::{ReadError, read_all};
use pgn2fen_index::{
    Assembly as Coordinator, BuildOptions, BuiltRun, Digest, Handling, IndexError, Piece, RunBuilder,
    after_failed_merge, after_failure,
};
use pyo3::PyErr;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::{Bound, Py, PyAny, PyResult, Python, pyclass, pyfunction, pymethods};

use crate::errors::{of_index, unread, unreadable, with_context, wrong};
use crate::indexing::{IndexArguments, IndexNumbers, skipped};
use crate::options::arguments;
use crate::reading::Reading;
use crate::run::Run;
use crate::watch::Watch;
use crate::writing::wait;

/// The coordinator of an index whose runs are built by several processes. It holds the lock of the folder until it is
/// finished or closed.
#[pyclass(frozen, module = "pgn2fen._pgn2fen")]
pub(crate) struct Assembly {
    folder: PathBuf,
    coordinator: Mutex<Option<Coordinator>>,
    /// The paths of the files to read, in order. Their positions are their numbers.
    #[pyo3(get)]
    files: Vec<PathBuf>,
    /// Messages about files that are not read.
    #[pyo3(get)]
    skipped: Vec<String>,
    /// The folder in which the runs are built.
    #[pyo3(get)]
    build_folder: PathBuf,
    /// The number of the first game that is added.
    #[pyo3(get)]
    first_game: u64,
}

#[pymethods]
impl Assembly {
    #[new]
    fn new(
        py: Python<'_>,
        files: Vec<Bound<'_, PyAny>>,
        folder: PathBuf,
        options: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let reading = Reading::new(&files, options)?;
        let building = building(options)?;
        let paths: Vec<PathBuf> = reading.inputs.found().into_iter().map(|(path, _)| path).collect();
        let begin = || {
            let coordinator = Coordinator::begin(&folder, building)?;
            let known = coordinator.known(&paths.iter().map(PathBuf::as_path).collect::<Vec<_>>());
            Ok((coordinator, known))
        };
        let (mut coordinator, known) = py.detach(begin).map_err(|error: IndexError| of_index(&error))?;
        let skipped = skipped(&paths, &known, &folder)?;
        let new = paths.iter().zip(&known).filter(|(_, known)| known.handling() == Handling::Read);
        let files: Vec<PathBuf> = new.map(|(path, _)| path.clone()).collect();
        let add = || files.iter().try_for_each(|path| coordinator.add(path, &reading.read).map(drop));
        py.detach(add).map_err(|error| failed(&folder, &error))?;
        let (build_folder, first_game) = (coordinator.build_folder().to_owned(), coordinator.first_game());
        Ok(Self { folder, coordinator: Mutex::new(Some(coordinator)), files, skipped, build_folder, first_game })
    }

    /// Makes the runs part of the index, and merges all runs if `compact` is set.
    fn finish(
        &self,
        py: Python<'_>,
        runs: Vec<String>,
        digests: Vec<String>,
        compact: bool,
        threads: usize,
    ) -> PyResult<IndexNumbers> {
        let wrong = |what: &str| PyValueError::new_err(format!("{what} has another form than expected"));
        let runs = runs.iter().map(|run| BuiltRun::from_json(run)).collect::<Option<_>>();
        let runs = runs.ok_or_else(|| wrong("a run"))?;
        let digests: Result<Vec<Digest>, _> = digests.iter().map(|digest| digest.parse()).collect();
        let digests = digests.map_err(|_| wrong("a digest"))?;
        let coordinator = self.take().ok_or_else(|| PyRuntimeError::new_err("the build has ended"))?;
        let finished =
            py.detach(|| coordinator.finish(runs, &digests)).map_err(|error| failed(&self.folder, &error))?;
        let built = if compact {
            let workers = Workers::new(threads).map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
            let merged = py.detach(|| finished.merge(true, &workers, &|_, _| ControlFlow::Continue(())));
            merged.map_err(|error| with_context(&after_failed_merge(&self.folder, &error), &of_index(&error)))?
        } else {
            finished.keep_runs()
        };
        Ok(IndexNumbers::new(&built, self.skipped.clone()))
    }

    /// Ends the build, and removes its runs if it is not finished.
    fn close(&self, py: Python<'_>) {
        py.detach(|| drop(self.take()));
    }
}

impl Assembly {
    fn take(&self) -> Option<Coordinator> {
        self.coordinator.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Returns the options for building.
fn building(options: &Bound<'_, PyAny>) -> PyResult<BuildOptions> {
    arguments::<IndexArguments>(options)?.building()
}

/// Returns the exception for an index that was not written.
fn failed(folder: &Path, error: &IndexError) -> PyErr {
    with_context(&after_failure(folder, error), &of_index(error))
}

/// The reason why a run was not built.
enum Failure {
    Threads(String),
    Read(ReadError),
    Write(IndexError),
}

impl Failure {
    fn exception(&self) -> PyErr {
        match self {
            Self::Threads(error) => PyRuntimeError::new_err(error.clone()),
            Self::Read(error) => unread(error),
            Self::Write(error) => of_index(error),
        }
    }
}

/// Builds a run from ranges of files, and returns it as text. Each piece is the number of a file, the start and the end
/// of a range of its bytes, and the same range as it is given to a scan.
#[pyfunction]
pub(crate) fn build_run(
    py: Python<'_>,
    build_folder: PathBuf,
    first_game: u64,
    pieces: Vec<(usize, u64, u64, Bound<'_, PyAny>)>,
    options: &Bound<'_, PyAny>,
    run: &Run,
    watch: Py<PyAny>,
) -> PyResult<String> {
    let piece = |(file, start, end, range)| (Piece { file, range: Range { start, end } }, range);
    let (pieces, ranges): (Vec<Piece>, Vec<Bound<'_, PyAny>>) = pieces.into_iter().map(piece).unzip();
    let reading = Reading::new(&ranges, options)?;
    let building = building(options)?;
    let inputs = reading.inputs.inputs(run)?;
    let (mut recorder, read, threads, asked) =
        (reading.recorder(run), reading.read.clone(), reading.threads, run.clone());
    let work = move || {
        let workers = Workers::new(threads).map_err(|error| Failure::Threads(error.to_string()))?;
        let builder = RunBuilder::new(&build_folder, first_game, building, &workers).map_err(Failure::Write)?;
        let mut indexing = builder.begin(pieces, read);
        read_all(&mut indexing, &workers, inputs, &mut recorder).map_err(Failure::Read)?;
        let progress = |_, _| if asked.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        // Otherwise the games that were read so far would become a run.
        if asked.is_cancelled() {
            return Ok(None);
        }
        indexing.finish(&workers, &progress).map(Some).map_err(Failure::Write)
    };
    match wait(py, work, run, Watch::new(watch, run, &reading))? {
        Ok(Some(built)) => {
            run.complete();
            Ok(built.to_json())
        }
        // An interrupt has raised its exception before.
        Ok(None) => Err(wrong("the run was broken off")),
        Err(failure) => Err(failure.exception()),
    }
}

/// Returns a hash of all bytes of a file as text, by which an index recognises the file wherever it is moved.
#[pyfunction]
pub(crate) fn digest(py: Python<'_>, path: PathBuf) -> PyResult<String> {
    py.detach(|| Digest::of(&path)).map(|digest| digest.to_string()).map_err(|error| unreadable(&path, &error))
}
