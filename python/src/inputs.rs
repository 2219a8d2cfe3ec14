//! The files to read: paths and Python's file objects.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use pgn2fen::files::{FileRange, Found, OpenOptions, find, size};
use pgn2fen::messages::with_causes;
use pgn2fen::parallel::Workers;
use pgn2fen::walk::{Input, first_tags};
use pyo3::exceptions::PyRuntimeError;
use pyo3::intern;
use pyo3::prelude::{
    Bound, Py, PyAny, PyAnyMethods, PyBytesMethods, PyResult, PyStringMethods, PyTypeMethods, Python, pyclass,
    pymethods,
};
use pyo3::types::{PyBytes, PyString};

use crate::errors::{unreadable, wrong};
use crate::ranges::GivenRange;

/// The number of games from which the tags are taken for which wildcards in columns stand.
const FIRST_GAMES: u64 = 1000;

/// The files to read, and how they are opened.
pub(crate) struct Inputs {
    files: Vec<File>,
    open: OpenOptions,
}

enum File {
    Path(PathBuf),
    Range(FileRange),
    Object(FileObject),
}

impl Inputs {
    /// Finds the files. Those that are missing or are folders are errors, so that a typing mistake is reported at once.
    pub(crate) fn new(given: &[Bound<'_, PyAny>], is_recursive: bool, open: OpenOptions) -> PyResult<Self> {
        let mut files = Vec::new();
        for file in given {
            if let Ok(object) = file.cast::<FileObject>() {
                files.push(File::Object(object.get().clone()));
                continue;
            }
            if let Ok(range) = file.extract::<GivenRange>() {
                files.push(File::Range(range.checked()?));
                continue;
            }
            let path: PathBuf = file.extract()?;
            for (path, found) in find([path], is_recursive) {
                found.and_then(|()| check(&path)).map_err(|error| unreadable(&path, &error))?;
                files.push(File::Path(path));
            }
        }
        if open.range.is_some() && !matches!(files[..], [File::Path(_)]) {
            return Err(wrong("a range needs exactly one file"));
        }
        Ok(Self { files, open })
    }

    /// Returns the number of bytes to read, or None if it is unknown.
    pub(crate) fn size(&self) -> Option<u64> {
        let size_of = |file: &File| match file {
            File::Path(path) => size(&[(path.clone(), Ok(()))], self.open.range.as_ref()),
            File::Range(range) => Some(range.bytes.end - range.bytes.start),
            File::Object(_) => None,
        };
        self.files.iter().map(size_of).sum()
    }

    /// Whether there are file objects, which are read with the global interpreter lock.
    pub(crate) fn has_objects(&self) -> bool {
        self.files.iter().any(|file| matches!(file, File::Object(_)))
    }

    /// Whether there are ranges of files.
    pub(crate) fn has_ranges(&self) -> bool {
        self.files.iter().any(|file| matches!(file, File::Range(_)))
    }

    /// Returns the inputs of a job. They are opened when their turn comes.
    pub(crate) fn inputs(&self) -> PyResult<Vec<Input>> {
        let input = |file: &File| {
            let options = self.open.clone();
            Ok(match file {
                File::Path(path) => {
                    let opened = path.clone();
                    Input::opening(path, move || options.open(opened))
                }
                File::Range(range) => {
                    let (path, options) = (range.path.clone(), range.options(&options));
                    Input::opening(&range.path, move || options.open(path))
                }
                File::Object(object) => {
                    let reader = object.begin()?;
                    Input::opening(&object.0.name, move || options.stream(Box::new(reader)))
                }
            })
        };
        self.files.iter().map(input).collect()
    }

    /// Returns the names of the tags that the first games have. A file that cannot be read is skipped; the run reports it.
    pub(crate) fn first_tags(&self, threads: usize) -> PyResult<Vec<String>> {
        let workers = Workers::new(threads).map_err(|error| PyRuntimeError::new_err(with_causes(&error)))?;
        let (mut names, mut games) = (Vec::new(), 0);
        for file in &self.files {
            let source = match file {
                File::Path(path) => self.open.open(path),
                File::Range(range) => range.options(&self.open).open(&range.path),
                File::Object(_) => {
                    return Err(wrong(
                        "columns: the tags for which wildcards stand are taken from the first games, and a file object can be read only \
                         once; name the tags, or give a path",
                    ));
                }
            };
            if let Ok(source) = source {
                games += first_tags(&workers, source, FIRST_GAMES - games, &mut names).unwrap_or(0);
            }
            if games >= FIRST_GAMES {
                break;
            }
        }
        Ok(names)
    }

    /// Keeps only some of the paths, all ranges and all file objects. The function is called for each path in order.
    pub(crate) fn retain_paths(&mut self, mut is_wanted: impl FnMut(&Path) -> bool) {
        self.files.retain(|file| match file {
            File::Path(path) => is_wanted(path),
            File::Range(_) | File::Object(_) => true,
        });
    }

    /// Returns the paths of the files, and whether each can be read.
    pub(crate) fn found(&self) -> Vec<Found> {
        let path = |file: &File| match file {
            File::Path(path) => Some((path.clone(), Ok(()))),
            File::Range(range) => Some((range.path.clone(), Ok(()))),
            File::Object(_) => None,
        };
        self.files.iter().filter_map(path).collect()
    }
}

/// Returns an error for a path that leads to no file or to a folder.
pub(crate) fn check(path: &Path) -> io::Result<()> {
    if std::fs::metadata(path)?.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a directory"));
    }
    Ok(())
}

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

#[pymethods]
impl FileObject {
    #[new]
    fn new(file: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = file.py();
        let can_seek = file.call_method0(intern!(py, "seekable")).and_then(|can| can.extract()).unwrap_or(false);
        let start = if can_seek { file.call_method0(intern!(py, "tell"))?.extract().ok() } else { None };
        let name = match file.getattr(intern!(py, "name")).and_then(|name| name.extract::<String>()) {
            Ok(name) => name,
            // `io.BytesIO` has no name, and that of a file descriptor is a number.
            Err(_) => format!("<{}>", file.get_type().name()?),
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
    /// Begins to read the file from where it stood when it was given.
    fn begin(&self) -> PyResult<Reader> {
        let object = &self.0;
        let name = object.name.display();
        if !object.take() {
            let advice = "another run reads this file object; give a path to read a file twice at once";
            return Err(wrong(format!("{name}: {advice}")));
        }
        let reader = Reader { object: Arc::clone(object), rest: Vec::new(), at: 0 };
        let is_again = object.is_read.swap(true, Ordering::AcqRel);
        Python::attach(|py| match object.start {
            Some(start) => object.file.bind(py).call_method1(intern!(py, "seek"), (start,)).map(drop),
            None if is_again => {
                Err(wrong(format!("{name}: this file object has been read and cannot go back; give a path instead")))
            }
            None => Ok(()),
        })?;
        Ok(reader)
    }
}

/// Reads a file object. The global interpreter lock is held while its method `read` runs.
struct Reader {
    object: Arc<Object>,
    /// Bytes that the file object gave and that are not read yet.
    rest: Vec<u8>,
    at: usize,
}

impl Reader {
    /// The number of bytes that are asked for at once.
    const PIECE: usize = 1 << 20;

    fn fill(&mut self) -> io::Result<()> {
        let read = Python::try_attach(|py| {
            let piece = self.object.file.bind(py).call_method1(intern!(py, "read"), (Self::PIECE,))?;
            self.rest.clear();
            if let Ok(bytes) = piece.cast::<PyBytes>() {
                self.rest.extend_from_slice(bytes.as_bytes());
            } else if let Ok(text) = piece.cast::<PyString>() {
                self.rest.extend_from_slice(text.to_cow()?.as_bytes());
            } else {
                self.rest = piece.extract()?;
            }
            PyResult::Ok(())
        });
        self.at = 0;
        match read {
            Some(read) => read.map_err(io::Error::from),
            None => Err(io::Error::other("Python is shutting down")),
        }
    }
}

impl Read for Reader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.rest.len() {
            self.fill()?;
        }
        let count = buffer.len().min(self.rest.len() - self.at);
        buffer[..count].copy_from_slice(&self.rest[self.at..self.at + count]);
        self.at += count;
        Ok(count)
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.object.is_open.store(false, Ordering::Release);
    }
}
