//! Record batches that are read while Python waits for them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Poll;
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use arrow_array::array::Array;
use arrow_array::cast::AsArray;
use arrow_array::ffi::to_ffi;
use arrow_array::types::{Date32Type, Float64Type, Int32Type, Int64Type};
use arrow_array::{ArrowPrimitiveType, RecordBatch, RecordBatchReader, StructArray};
use arrow_schema::{ArrowError, DataType, SchemaRef};
use pgn2fen_games::messages::{Message, with_causes};
use pgn2fen_games::walk::Input;
use pgn2fen_rows::{RecordBatches, RowsError};
use pyo3::PyErr;
use pyo3::exceptions::{PyIndexError, PyKeyboardInterrupt, PyMemoryError, PyOSError, PyRuntimeError};
use pyo3::prelude::{Bound, IntoPyObject, Py, PyAny, PyAnyMethods, PyRef, PyResult, Python, pyclass, pymethods};
use pyo3::types::{PyCapsule, PyDict, PyDictMethods, PyList, PyListMethods};

use crate::capsules::{names, schema_capsule, stream_capsule};
use crate::errors::{beyond_memory, failed, game_error, message_of, unreadable_text};
use crate::process::Own;
use crate::reading::Reading;
use crate::run::{INTERRUPTED, Recorder, Run};
use crate::watch::{PATIENCE, Watch};

/// The time after which an empty batch is given, if that is wanted.
const PAUSE: Duration = Duration::from_millis(200);

/// The batches of a run.
struct Reader {
    /// None when all have been read.
    batches: Option<Own<RecordBatches>>,
    schema: SchemaRef,
    reading: Arc<Reading>,
    run: Run,
    watch: Watch,
    /// The thread that began the run.
    opener: ThreadId,
    /// Whether an empty batch is given when there is no other for a while. So a program that pulls batches on a thread
    /// that gets no signals can look for interrupts.
    has_pauses: bool,
}

impl Reader {
    /// Returns the next batch. Waits without the global interpreter lock, and looks for signals.
    fn pull(&mut self, py: Python<'_>) -> PyResult<Option<RecordBatch>> {
        let begun = Instant::now();
        loop {
            let Some(batches) = &mut self.batches else {
                return Ok(None);
            };
            let batches = batches.for_python()?;
            let next = py.detach(|| batches.next_within(PATIENCE));
            match next {
                Poll::Ready(Some(Ok(batch))) => {
                    self.look(py)?;
                    return Ok(Some(batch));
                }
                Poll::Ready(Some(Err(error))) => {
                    py.detach(|| self.end());
                    return Err(failed(&error));
                }
                Poll::Ready(None) => {
                    if !self.complete() {
                        return Err(PyKeyboardInterrupt::new_err(INTERRUPTED));
                    }
                    self.watch.show(py)?;
                    return match self.error() {
                        Some(message) => Err(game_error(py, message)?),
                        None => Ok(None),
                    };
                }
                Poll::Pending => {
                    self.look(py)?;
                    if self.has_pauses && begun.elapsed() >= PAUSE {
                        return Ok(Some(RecordBatch::new_empty(SchemaRef::clone(&self.schema))));
                    }
                }
            }
        }
    }

    /// Looks for signals and shows the progress. An exception stops the run.
    fn look(&mut self, py: Python<'_>) -> PyResult<()> {
        let looked = self.watch.look(py);
        if looked.is_err() {
            self.run.cancel();
            // The threads may wait for the global interpreter lock, to read a file object.
            py.detach(|| self.end());
        }
        looked
    }

    /// Returns the next batch on a thread that may not call Python, because another thread may hold the global
    /// interpreter lock and wait for this one.
    fn pull_elsewhere(&mut self) -> Result<Option<RecordBatch>, ArrowError> {
        let Some(batches) = &mut self.batches else {
            return Ok(None);
        };
        let batches = batches.get().map_err(|error| ArrowError::InvalidArgumentError(error.to_owned()))?;
        let next = loop {
            if self.run.is_cancelled() {
                self.end();
                return Err(ArrowError::InvalidArgumentError(INTERRUPTED.to_owned()));
            }
            if let Poll::Ready(next) = batches.next_within(PATIENCE) {
                break next;
            }
        };
        match next {
            Some(Ok(batch)) => Ok(Some(batch)),
            Some(Err(error)) => {
                self.end();
                Err(of_stream(&error))
            }
            None => match (self.complete(), self.error()) {
                (false, _) => Err(ArrowError::InvalidArgumentError(INTERRUPTED.to_owned())),
                (true, Some(message)) => Err(ArrowError::InvalidArgumentError(message.to_string())),
                (true, None) => Ok(None),
            },
        }
    }

    /// Returns the error in a game that ended the run, if such errors are raised.
    fn error(&self) -> Option<Message> {
        self.run.stopped_by().filter(|_| self.reading.raises)
    }

    /// Notes the end of the run. Returns whether everything that was wanted has been read.
    fn complete(&mut self) -> bool {
        let is_complete = !self.run.is_cancelled();
        if is_complete {
            self.run.complete();
        }
        self.end();
        is_complete
    }

    /// Stops the threads of the run.
    fn end(&mut self) {
        // A server may take its time, for which an interrupt does not wait.
        if let Some(batches) = self.batches.take().filter(|_| self.reading.inputs.has_addresses()) {
            // If no thread can be started, the batches are dropped here.
            let _ = thread::Builder::new().spawn(move || drop(batches));
        }
        self.run.end();
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.end();
    }
}

/// An iterator over the record batches of a run.
#[pyclass(frozen, module = "pgn2fen._pgn2fen")]
pub(crate) struct Batches(Mutex<Option<Reader>>);

impl Batches {
    /// Begins a run. The function starts to read the inputs.
    pub(crate) fn begin(
        py: Python<'_>,
        reading: &Arc<Reading>,
        run: &Run,
        watch: Py<PyAny>,
        has_pauses: bool,
        start: impl FnOnce(Vec<Input>, Recorder) -> Result<RecordBatches, RowsError> + Send,
    ) -> PyResult<Self> {
        let (inputs, recorder) = (reading.inputs.inputs(run)?, reading.recorder(run));
        let batches = py.detach(|| start(inputs, recorder)).map_err(|error| failed(&error))?;
        Ok(Self(Mutex::new(Some(Reader {
            schema: batches.schema(),
            batches: Some(Own::new(batches)),
            reading: Arc::clone(reading),
            run: run.clone(),
            watch: Watch::new(watch, run, reading),
            opener: thread::current().id(),
            has_pauses,
        }))))
    }

    /// Takes the reader for a while, so that no lock is held while Python runs.
    fn take(&self) -> Option<Reader> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn give_back(&self, reader: Reader) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(reader);
    }
}

#[pymethods]
impl Batches {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Batch>> {
        let Some(mut reader) = self.take() else {
            return Ok(None);
        };
        let next = reader.pull(py);
        if matches!(next, Ok(Some(_))) {
            self.give_back(reader);
        } else {
            py.detach(|| drop(reader));
        }
        Ok(next?.map(Batch))
    }

    /// Stops the run.
    fn close(&self, py: Python<'_>) {
        let reader = self.take();
        py.detach(|| drop(reader));
    }

    /// Turns the batches into a stream for other packages.
    fn stream<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let reader = self.take().ok_or_else(|| PyRuntimeError::new_err("the batches have been read"))?;
        stream_capsule(py, Box::new(Stream(reader)))
    }
}

/// Batches that another package pulls, on any thread.
struct Stream(Reader);

impl Iterator for Stream {
    type Item = Result<RecordBatch, ArrowError>;

    /// Returns the next batch. A panic is an error, because the caller is not Rust, and a panic that reaches it ends
    /// the process.
    fn next(&mut self) -> Option<Self::Item> {
        catch_unwind(AssertUnwindSafe(|| self.pull())).unwrap_or_else(|panic| {
            self.0.batches = None;
            Some(Err(ArrowError::InvalidArgumentError(format!("internal error: {}", message_of(&*panic)))))
        })
    }
}

impl Stream {
    fn pull(&mut self) -> Option<Result<RecordBatch, ArrowError>> {
        let Self(reader) = self;
        // The thread that began the run was attached to Python then. It can be attached again, whether or not the other
        // package keeps it attached while it pulls.
        let next = match thread::current().id() == reader.opener {
            true => Python::try_attach(|py| {
                let next = reader.pull(py).map_err(|error| in_arrow(py, error));
                if matches!(next, Ok(None)) {
                    reader.watch.close(py).map_err(|error| in_arrow(py, error))?;
                }
                next
            }),
            false => None,
        };
        next.unwrap_or_else(|| reader.pull_elsewhere()).transpose()
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // This thread may hold the global interpreter lock, for which a thread that reads a file object waits. So
        // another thread waits for its end.
        if let Some(batches) = self.0.batches.take().filter(|_| self.0.reading.inputs.has_objects()) {
            self.0.run.cancel();
            // If no thread can be started, the batches are dropped here.
            let _ = thread::Builder::new().spawn(move || drop(batches));
        }
    }
}

impl RecordBatchReader for Stream {
    fn schema(&self) -> SchemaRef {
        SchemaRef::clone(&self.0.schema)
    }
}

/// Converts an error of a run to an error of a stream, with the message of the exception that Python would get.
fn of_stream(error: &RowsError) -> ArrowError {
    match error {
        RowsError::Read(error) => match beyond_memory(error) {
            Some(text) => ArrowError::MemoryError(text),
            None => ArrowError::IoError(unreadable_text(&error.path, error.error()), error.error().kind().into()),
        },
        error => ArrowError::InvalidArgumentError(with_causes(error)),
    }
}

/// Converts a Python exception to an error of a stream. An interrupt is raised again when Python runs next.
fn in_arrow(py: Python<'_>, error: PyErr) -> ArrowError {
    if error.is_instance_of::<PyKeyboardInterrupt>(py) {
        // Without the module there is nothing left to interrupt.
        let _ = py.import("_thread").and_then(|module| module.call_method0("interrupt_main"));
        return ArrowError::InvalidArgumentError(INTERRUPTED.to_owned());
    }
    let text = error.value(py).to_string();
    let text = if text.is_empty() { error.to_string() } else { text };
    if error.is_instance_of::<PyOSError>(py) {
        // Converting an exception to an `io::Error` would keep it, and a stream may be used on any thread.
        ArrowError::IoError(text, std::io::ErrorKind::Other.into())
    } else if error.is_instance_of::<PyMemoryError>(py) {
        ArrowError::MemoryError(text)
    } else {
        ArrowError::InvalidArgumentError(text)
    }
}

/// A record batch: some consecutive rows. It has the methods of the Arrow PyCapsule interface; `len` is the number of
/// rows.
#[pyclass(frozen, module = "pgn2fen")]
pub(crate) struct Batch(pub(crate) RecordBatch);

#[pymethods]
impl Batch {
    fn __len__(&self) -> usize {
        self.0.num_rows()
    }

    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        names(&self.0.schema())
    }

    /// Returns the values of a column, which is given by its number from 0.
    fn to_list<'py>(&self, py: Python<'py>, column: usize) -> PyResult<Bound<'py, PyList>> {
        if column >= self.0.num_columns() {
            return Err(PyIndexError::new_err(format!("there is no column {column}")));
        }
        values(py, self.0.column(column))
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, &self.0.schema())
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        // A producer may ignore the schema that a consumer asks for.
        let _ = requested_schema;
        let array = StructArray::from(self.0.clone());
        let (array, schema) = to_ffi(&array.to_data()).map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        Ok((
            PyCapsule::new_with_value(py, schema, c"arrow_schema")?,
            PyCapsule::new_with_value(py, array, c"arrow_array")?,
        ))
    }

    fn __repr__(&self) -> String {
        format!("<pgn2fen.Batch of {} rows: {}>", self.0.num_rows(), self.columns().join(", "))
    }
}

/// Returns the values of an array as Python objects.
fn values<'py>(py: Python<'py>, array: &dyn Array) -> PyResult<Bound<'py, PyList>> {
    match array.data_type() {
        DataType::Int32 => numbers::<Int32Type>(py, array),
        DataType::Int64 => numbers::<Int64Type>(py, array),
        DataType::Float64 => numbers::<Float64Type>(py, array),
        DataType::Date32 => {
            // Day 719163 of the Gregorian calendar is 1 January 1970.
            let date = py.import("datetime")?.getattr("date")?;
            let days = array.as_primitive::<Date32Type>().iter();
            let dates = days.map(|day| day.map(|day| date.call_method1("fromordinal", (day + 719_163,))).transpose());
            PyList::new(py, dates.collect::<PyResult<Vec<_>>>()?)
        }
        DataType::List(_) => {
            let lists = array.as_list::<i32>().iter();
            let lists = lists.map(|list| list.map(|list| values(py, &list)).transpose());
            PyList::new(py, lists.collect::<PyResult<Vec<_>>>()?)
        }
        DataType::Map(..) => {
            let maps = array.as_map().iter();
            let maps = maps.map(|entries| entries.map(|entries| dict(py, &entries)).transpose());
            PyList::new(py, maps.collect::<PyResult<Vec<_>>>()?)
        }
        _ => PyList::new(py, array.as_string::<i32>()),
    }
}

/// Returns the entries of a map as a dict. Of entries with equal keys, the last one counts.
fn dict<'py>(py: Python<'py>, entries: &StructArray) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (key, value) in values(py, entries.column(0))?.iter().zip(values(py, entries.column(1))?.iter()) {
        dict.set_item(key, value)?;
    }
    Ok(dict)
}

fn numbers<'py, T: ArrowPrimitiveType<Native: IntoPyObject<'py>>>(
    py: Python<'py>,
    array: &dyn Array,
) -> PyResult<Bound<'py, PyList>> {
    PyList::new(py, array.as_primitive::<T>())
}
