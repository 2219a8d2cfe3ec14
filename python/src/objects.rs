//! File objects of Python.
//!
//! Their method `read` may wait for any time, and the interpreter may end meanwhile. So no thread of Rust calls it, but
//! threads of Python (`read_pieces` in `_inputs.py`), which the interpreter may end wherever they are. They hand over
//! what they have read.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::exceptions::PyBaseException;
use pyo3::prelude::{
    Bound, Py, PyAny, PyAnyMethods, PyBytesMethods, PyResult, PyTypeMethods, Python, pyclass, pymethods,
};
use pyo3::types::PyBytes;
use pyo3::{PyErr, intern};

use crate::errors::wrong;
use crate::process::{Call, is_ending};
use crate::run::{INTERRUPTED, Run};

/// The number of bytes that are asked for at once, and the number that may wait before no more are read.
const PIECE: usize = 1 << 20;

/// The time after which a thread that waits for a piece looks whether the interpreter ends.
const PATIENCE: Duration = Duration::from_millis(50);

/// A file object of Python, such as the result of `open`.
#[pyclass(frozen, module = "pgn2fen._pgn2fen")]
#[derive(Clone)]
pub(crate) struct FileObject(Arc<Object>);

struct Object {
    file: Py<PyAny>,
    name: PathBuf,
    /// The place from which it is read, for a file object that can go back there.
    start: Option<u64>,
    /// Whether a run reads it.
    is_open: AtomicBool,
    /// Whether it has been read.
    is_read: AtomicBool,
}

/// Returns the place at which a file object is read next. None if it tells none, as a text file whose lines are being
/// read in a loop.
fn place(file: &Bound<'_, PyAny>) -> Option<u64> {
    let py = file.py();
    let told = match file.getattr(intern!(py, "tell")) {
        Ok(tell) => tell.call0(),
        // The method `seek` returns the place.
        Err(_) => file.call_method1(intern!(py, "seek"), (0, 1)),
    };
    told.and_then(|place| place.extract()).ok()
}

#[pymethods]
impl FileObject {
    #[new]
    fn new(file: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = file.py();
        let can_seek = file.call_method0(intern!(py, "seekable")).and_then(|can| can.extract()).unwrap_or(false);
        let start = if can_seek { place(file) } else { None };
        // `io.BytesIO` has no name, and that of a file descriptor is a number. Files of fsspec have a path.
        let text = |name| file.getattr(name).and_then(|name| name.extract::<String>()).ok();
        let name = match text(intern!(py, "name")).or_else(|| text(intern!(py, "path"))) {
            Some(name) => name,
            None => format!("<{}>", file.get_type().name()?),
        };
        let [is_open, is_read] = [false, false].map(AtomicBool::new);
        let file = file.clone().unbind();
        Ok(Self(Arc::new(Object { file, name: name.into(), start, is_open, is_read })))
    }

    fn __repr__(&self) -> String {
        self.0.name.display().to_string()
    }
}

impl Object {
    /// The time that a run has for its end after it was broken off.
    const PATIENCE: Duration = Duration::from_millis(500);

    /// Returns whether no other run reads the file now. A run that was broken off may need a moment for its end.
    fn take(&self) -> bool {
        let begun = Instant::now();
        while self.is_open.swap(true, Ordering::AcqRel) {
            if begun.elapsed() >= Self::PATIENCE {
                return false;
            }
            Python::attach(|py| py.detach(|| thread::sleep(Duration::from_millis(5))));
        }
        true
    }
}

impl FileObject {
    pub(crate) fn name(&self) -> &Path {
        &self.0.name
    }

    /// Begins to read the file from where it stood when it was given.
    pub(crate) fn begin(&self, run: &Run) -> PyResult<Reader> {
        let object = &self.0;
        let name = object.name.display();
        if !object.take() {
            let advice = "another run reads this file object; give a path to read a file twice at once";
            return Err(wrong(format!("{name}: {advice}")));
        }
        let is_again = object.is_read.swap(true, Ordering::AcqRel);
        // Whatever fails, dropping this ends the reading.
        let taken = Arc::new(Taken(Arc::clone(object)));
        Python::attach(|py| {
            match object.start {
                Some(start) => drop(object.file.bind(py).call_method1(intern!(py, "seek"), (start,))?),
                None if is_again => {
                    let advice = "this file object has been read and cannot go back; give a path instead";
                    return Err(wrong(format!("{name}: {advice}")));
                }
                None => {}
            }
            let start_thread = py.import("_thread")?.getattr("start_new_thread")?.unbind();
            let read_pieces = py.import("pgn2fen._inputs")?.getattr("read_pieces")?.unbind();
            let pieces = Arc::default();
            let run = run.clone();
            Ok(Reader { pieces, start_thread, read_pieces, piece: Vec::new(), at: 0, is_at_end: false, run, taken })
        })
    }
}

/// A file object that a run reads, or a thread of Python for it.
struct Taken(Arc<Object>);

impl Drop for Taken {
    fn drop(&mut self) {
        self.0.is_open.store(false, Ordering::Release);
    }
}

/// Reads a file object on a thread of a run.
pub(crate) struct Reader {
    pieces: Arc<Shared>,
    start_thread: Py<PyAny>,
    read_pieces: Py<PyAny>,
    /// The piece that was taken last, and the number of its bytes that have been read.
    piece: Vec<u8>,
    at: usize,
    /// Whether the end has been read. The file object is not asked again.
    is_at_end: bool,
    run: Run,
    taken: Arc<Taken>,
}

/// The pieces that a thread of Python hands over to the thread of a run.
#[pyclass(frozen, module = "pgn2fen._pgn2fen")]
pub(crate) struct Pieces {
    shared: Arc<Shared>,
    /// The file object stays taken until the thread has read it for the last time, also if the run has ended.
    _taken: Arc<Taken>,
}

#[derive(Default)]
struct Shared {
    waiting: Mutex<Waiting>,
    has_changed: Condvar,
}

#[derive(Default)]
struct Waiting {
    /// The pieces that have not been taken. An empty one is the end.
    pieces: VecDeque<Vec<u8>>,
    bytes: usize,
    error: Option<io::Error>,
    /// Whether a thread of Python reads the file object.
    is_reading: bool,
    /// Whether no more pieces will be taken.
    is_over: bool,
}

impl Shared {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a change, but not longer than a moment.
    fn wait<'w>(&self, waiting: MutexGuard<'w, Waiting>) -> MutexGuard<'w, Waiting> {
        self.has_changed.wait_timeout(waiting, PATIENCE).unwrap_or_else(PoisonError::into_inner).0
    }
}

/// The thread that calls these methods may be ended by the interpreter where it waits, so they do not wait, and call no
/// code of Python.
#[pymethods]
impl Pieces {
    /// Adds a piece; an empty one is the end. Returns whether another one should be read.
    fn add(&self, piece: &Bound<'_, PyBytes>) -> bool {
        let piece = piece.as_bytes().to_vec();
        let mut waiting = self.shared.waiting();
        waiting.bytes += piece.len();
        let is_wanted = !piece.is_empty() && waiting.bytes < PIECE && !waiting.is_over && !is_ending();
        waiting.pieces.push_back(piece);
        waiting.is_reading = is_wanted;
        self.shared.has_changed.notify_all();
        is_wanted
    }

    /// Notes an exception. Nothing more is read.
    fn fail(&self, error: Bound<'_, PyBaseException>) {
        let error = io::Error::from(PyErr::from_value(error.into_any()));
        let mut waiting = self.shared.waiting();
        waiting.error = Some(error);
        waiting.is_reading = false;
        self.shared.has_changed.notify_all();
    }
}

impl Reader {
    /// Takes the next piece.
    fn next_piece(&self) -> io::Result<Vec<u8>> {
        let mut waiting = self.pieces.waiting();
        loop {
            if let Some(piece) = waiting.pieces.pop_front() {
                waiting.bytes -= piece.len();
                return Ok(piece);
            }
            if let Some(error) = waiting.error.take() {
                return Err(error);
            }
            if is_ending() {
                return Err(ending());
            }
            if self.run.is_cancelled() {
                return Err(io::Error::other(INTERRUPTED));
            }
            if !waiting.is_reading {
                waiting.is_reading = true;
                drop(waiting);
                self.start().inspect_err(|_| self.pieces.waiting().is_reading = false)?;
                waiting = self.pieces.waiting();
            } else {
                waiting = self.pieces.wait(waiting);
            }
        }
    }

    /// Starts a thread of Python that reads pieces. It ends when enough of them wait.
    fn start(&self) -> io::Result<()> {
        let _call = Call::begin().ok_or_else(ending)?;
        let started = Python::try_attach(|py| {
            let pieces = Pieces { shared: Arc::clone(&self.pieces), _taken: Arc::clone(&self.taken) };
            let arguments = (&self.taken.0.file, PIECE, pieces);
            self.start_thread.bind(py).call1((&self.read_pieces, arguments)).map(drop)
        });
        started.ok_or_else(ending)?.map_err(io::Error::from)
    }
}

fn ending() -> io::Error {
    io::Error::other("Python is shutting down")
}

impl Read for Reader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.piece.len() && !self.is_at_end {
            self.piece = self.next_piece()?;
            self.at = 0;
            self.is_at_end = self.piece.is_empty();
        }
        let count = buffer.len().min(self.piece.len() - self.at);
        buffer[..count].copy_from_slice(&self.piece[self.at..self.at + count]);
        self.at += count;
        Ok(count)
    }
}

impl Drop for Reader {
    /// Waits for the thread that reads the file object, so that another run can read it. Does not wait if the run is
    /// cancelled or the interpreter ends.
    fn drop(&mut self) {
        let mut waiting = self.pieces.waiting();
        waiting.is_over = true;
        while waiting.is_reading && !self.run.is_cancelled() {
            waiting = self.pieces.wait(waiting);
        }
    }
}
