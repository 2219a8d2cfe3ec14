//! Jobs that write a file.

use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;

use pgn2fen::files::{Compression, OutputFile, refuse_to_replace};
use pgn2fen::messages;
use pgn2fen::parallel::Workers;
use pgn2fen::rows::{RowsError, WriteError, Writing};
use pgn2fen::walk::read_all;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::{Py, PyAny, PyResult, Python};

use crate::batches::game_error;
use crate::errors::{failed, unwritable};
use crate::plan::Reading;
use crate::run::Run;
use crate::watch::{PATIENCE, Watch};

/// Runs a job that writes a file, and shows its progress. The file appears if everything was read.
pub(crate) fn write(
    py: Python<'_>,
    (path, compression): (&Path, Compression),
    begin: impl FnOnce(OutputFile) -> Result<Writing<'static, OutputFile>, RowsError> + Send + 'static,
    reading: &Reading,
    run: &Run,
    watch: Py<PyAny>,
) -> PyResult<()> {
    refuse_to_replace(&reading.inputs.found(), path).map_err(|error| unwritable(&error))?;
    let output = OutputFile::create(path, compression).map_err(|error| unwritable(&error))?;
    let name = output.name();
    let inputs = reading.inputs.inputs()?;
    let (mut recorder, threads) = (reading.recorder(run), reading.threads);
    let work = move || {
        let mut job = begin(output)?;
        let workers = Workers::new(threads)?;
        read_all(&mut job, &workers, inputs, &mut recorder)?;
        job.end().map_err(RowsError::from)
    };
    let (output, left_out) = wait(py, work, run, Watch::new(watch, run, reading))?.map_err(|error| match error {
        RowsError::Write(WriteError::Io(error)) => {
            std::io::Error::new(error.kind(), format!("cannot write {name}: {error}")).into()
        }
        error => failed(&error),
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

/// Runs a job on another thread, and waits for it without the global interpreter lock. An exception of a signal handler or of the function
/// that shows progress stops the job.
pub(crate) fn wait<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
    run: &Run,
    mut watch: Watch,
) -> PyResult<T> {
    let (sender, receiver) = sync_channel(1);
    let thread = thread::Builder::new().spawn(move || {
        // The receiver waits for the result.
        let _ = sender.send(work());
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
