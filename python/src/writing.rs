//! Jobs that write files.

use std::mem;
use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;

use pgn2fen_files::{Compression, FileGroup, GameFiles, OutputError, OutputFile, PictureFiles, refuse_to_replace};
use pgn2fen_games::messages;
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::walk::{Job, read_all};
use pgn2fen_rows::games::GameNameError;
use pgn2fen_rows::{RowsError, WriteError, Writing};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::{Py, PyAny, PyResult, Python};

use crate::errors::{failed, game_error, unwritable, wrong};
use crate::process::Work;
use crate::reading::Reading;
use crate::run::Run;
use crate::watch::{PATIENCE, Watch};

/// One output file, or several. They appear together when they are finished.
pub(crate) trait Finish: Sized + Send + 'static {
    /// Completes the files and adds them to a group, which gives them their names.
    fn close(self, group: &mut FileGroup) -> Result<(), OutputError>;

    fn finish(self) -> Result<(), OutputError> {
        let mut group = FileGroup::new();
        self.close(&mut group)?;
        group.finish().map(|_| ())
    }
}

impl Finish for OutputFile {
    fn close(self, group: &mut FileGroup) -> Result<(), OutputError> {
        group.add(self)
    }

    fn finish(self) -> Result<(), OutputError> {
        Self::finish(self)
    }
}

impl Finish for GameFiles {
    fn close(self, group: &mut FileGroup) -> Result<(), OutputError> {
        group.append(self.into_group())
    }
}

impl Finish for PictureFiles {
    /// Each picture has appeared when it was complete.
    fn close(self, _group: &mut FileGroup) -> Result<(), OutputError> {
        Ok(())
    }
}

impl<A: Finish, B: Finish> Finish for (A, B) {
    fn close(self, group: &mut FileGroup) -> Result<(), OutputError> {
        self.0.close(group)?;
        self.1.close(group)
    }
}

/// The reason why files were not written.
pub(crate) enum Failure {
    Names(GameNameError),
    Rows(RowsError),
}

impl From<GameNameError> for Failure {
    fn from(error: GameNameError) -> Self {
        Self::Names(error)
    }
}

impl From<RowsError> for Failure {
    fn from(error: RowsError) -> Self {
        Self::Rows(error)
    }
}

/// Creates an output file. An input file is not replaced.
pub(crate) fn create(path: &Path, compression: Compression, reading: &Reading) -> PyResult<OutputFile> {
    refuse_to_replace(&reading.inputs.found(), path).map_err(|error| unwritable(&error))?;
    OutputFile::create(path, compression).map_err(|error| unwritable(&error))
}

/// Runs a job that writes a file, and shows its progress. The file appears if everything was read.
pub(crate) fn write(
    py: Python<'_>,
    (path, compression): (&Path, Compression),
    begin: impl FnOnce(OutputFile) -> Result<Writing<'static, OutputFile>, RowsError> + Send + 'static,
    reading: &Reading,
    run: &Run,
    watch: Py<PyAny>,
) -> PyResult<()> {
    let output = create(path, compression, reading)?;
    let name = output.name();
    write_to(py, &name, move || begin(output), reading, run, watch)
}

/// Runs a job that writes files, and shows its progress. The files appear if everything was read.
pub(crate) fn write_to<O: Finish, E: Into<Failure> + 'static>(
    py: Python<'_>,
    name: &str,
    begin: impl FnOnce() -> Result<Writing<'static, O>, E> + Send + 'static,
    reading: &Reading,
    run: &Run,
    watch: Py<PyAny>,
) -> PyResult<()> {
    let inputs = reading.inputs.inputs(run)?;
    let (mut recorder, threads) = (reading.recorder(run), reading.threads);
    let work = move || {
        let mut job = begin().map_err(Into::into)?;
        let workers = Workers::new(threads).map_err(RowsError::from)?;
        read_all(&mut job, &workers, inputs, &mut recorder).map_err(RowsError::from)?;
        Ok(job.end().map_err(RowsError::from)?)
    };
    let (output, left_out) =
        wait(py, work, run, Watch::new(watch, run, reading))?.map_err(|failure| match failure {
            Failure::Rows(RowsError::Write(WriteError::Io(error))) => {
                std::io::Error::new(error.kind(), format!("cannot write {name}: {error}")).into()
            }
            Failure::Rows(error) => failed(&error),
            Failure::Names(error) => wrong(error),
        })?;
    if let Some(hint) = messages::left_out(left_out, run.count().positions) {
        run.hint(&hint);
    }
    if let Some(message) = run.stopped_by() {
        return Err(game_error(py, message)?);
    }
    py.detach(|| output.finish()).map_err(|error| unwritable(&error))?;
    run.complete();
    Ok(())
}

/// Runs a job that gathers something from games, and shows its progress. Returns what `end` makes of it.
pub(crate) fn gather<J: Job + Send + 'static, T: Send + 'static>(
    py: Python<'_>,
    reading: &Reading,
    mut job: J,
    (run, watch): (&Run, Py<PyAny>),
    end: impl FnOnce(J, &Workers) -> T + Send + 'static,
) -> PyResult<T> {
    let (inputs, mut recorder, threads) = (reading.inputs.inputs(run)?, reading.recorder(run), reading.threads);
    let work = move || {
        let workers = Workers::new(threads).map_err(RowsError::from)?;
        read_all(&mut job, &workers, inputs, &mut recorder).map_err(RowsError::from)?;
        Ok::<_, RowsError>(end(job, &workers))
    };
    let watch = Watch::new(watch, run, reading);
    let gathered = wait(py, work, run, watch)?.map_err(|error| failed(&error))?;
    run.complete();
    Ok(gathered)
}

/// Runs a job on another thread, and waits for it without the global interpreter lock. An exception of a signal handler
/// or of the function that shows progress stops the job.
pub(crate) fn wait<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
    run: &Run,
    mut watch: Watch,
) -> PyResult<T> {
    let (sender, receiver) = sync_channel(1);
    let (begun, unfinished) = (run.clone(), Work::begin());
    let thread = thread::Builder::new().spawn(move || {
        let result = work();
        // The receiver waits for the result. A thread that the interpreter will end waits until then: without a sender,
        // it would go on with an error.
        if begun.is_left() {
            drop(result);
            mem::forget(sender);
        } else {
            let _ = sender.send(result);
        }
        drop(unfinished);
    })?;
    let mut receiver = receiver;
    let result = loop {
        let received;
        (received, receiver) = py.detach(move || (receiver.recv_timeout(PATIENCE), receiver));
        match received {
            Err(RecvTimeoutError::Timeout) => {
                if let Err(error) = watch.look(py) {
                    run.cancel();
                    break Err(error);
                }
            }
            Ok(result) => break Ok(result),
            Err(RecvTimeoutError::Disconnected) => {
                break Err(PyRuntimeError::new_err("internal error: the job has panicked"));
            }
        }
    };
    // A panic is reported by the missing result.
    let _ = py.detach(|| thread.join());
    run.end();
    let result = result?;
    watch.show(py)?;
    Ok(result)
}
