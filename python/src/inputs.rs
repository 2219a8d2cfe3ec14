//! The files to read: paths, ranges of files, and Python's file objects.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use pgn2fen_files::{FileRange, Found, OpenOptions, find, must_be_file, size};
use pgn2fen_games::database::{Before, remote};
use pgn2fen_games::messages::with_causes;
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::walk::{FirstTags, Input};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::{Bound, FromPyObject, PyAny, PyAnyMethods, PyResult, Python};

use crate::errors::{unreadable, wrong};
use crate::objects::FileObject;
use crate::run::Run;

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
    /// Finds the files. Those that are missing or are folders are errors, so that a typing mistake is reported at once,
    /// unless the run goes on without them.
    pub(crate) fn new(
        given: &[Bound<'_, PyAny>],
        (is_recursive, skips_unreadable): (bool, bool),
        open: OpenOptions,
    ) -> PyResult<Self> {
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
            for (path, found) in checked(file.py(), path, is_recursive)? {
                if !skips_unreadable {
                    found.map_err(|error| unreadable(&path, &error))?;
                }
                files.push(File::Path(path));
            }
        }
        if open.range.is_some() {
            match files[..] {
                [File::Path(_)] => {}
                [File::Object(_)] => return Err(wrong("a range needs the path of a file, and not a file object")),
                [File::Range(_)] => return Err(wrong("a FileRange is a range already; give range or a FileRange")),
                _ => return Err(wrong("a range needs exactly one file")),
            }
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

    /// Whether there are file objects, which threads of Python read.
    pub(crate) fn has_objects(&self) -> bool {
        self.files.iter().any(|file| matches!(file, File::Object(_)))
    }

    /// Whether there are files behind addresses, for which a run may wait.
    pub(crate) fn has_addresses(&self) -> bool {
        self.files.iter().any(|file| match file {
            File::Path(path) | File::Range(FileRange { path, .. }) => remote::address(path).is_some(),
            File::Object(_) => false,
        })
    }

    /// Whether there are ranges of files.
    pub(crate) fn has_ranges(&self) -> bool {
        self.files.iter().any(|file| matches!(file, File::Range(_)))
    }

    /// Returns the inputs of a job. They are opened when their turn comes. A run that is cancelled does not wait for
    /// file objects.
    pub(crate) fn inputs(&self, run: &Run) -> PyResult<Vec<Input>> {
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
                    let reader = object.begin(run)?;
                    Input::opening(object.name(), move || options.stream(Box::new(reader)))
                }
            })
        };
        self.files.iter().map(input).collect()
    }

    /// Returns the names of the tags that the first games have. A file that cannot be read is skipped; the run reports
    /// it.
    pub(crate) fn first_tags(&self, threads: usize) -> PyResult<Vec<String>> {
        let workers = Workers::new(threads).map_err(|error| PyRuntimeError::new_err(with_causes(&error)))?;
        let mut has_object = false;
        let sources = self.files.iter().map_while(|file| match file {
            File::Path(path) => Some(self.open.open(path)),
            File::Range(range) => Some(range.options(&self.open).open(&range.path)),
            File::Object(_) => {
                has_object = true;
                None
            }
        });
        let tags = FirstTags::of(&workers, sources);
        if has_object {
            return Err(wrong(
                "columns: the tags for which wildcards stand are taken from the first games, and a file object can be \
                 read only once; name the tags, or give a path",
            ));
        }
        Ok(tags.names)
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

/// A range of a file, as `pgn2fen.FileRange` has it.
#[derive(FromPyObject)]
pub(crate) struct GivenRange {
    path: PathBuf,
    file: u64,
    start: u64,
    end: u64,
    is_whole: bool,
    before: Option<GivenBefore>,
}

/// The numbers before a range, as `pgn2fen.Before` has them.
#[derive(Clone, Copy, FromPyObject)]
struct GivenBefore {
    games: u64,
    chosen: u64,
    lines: u64,
    text: u64,
    column: usize,
}

impl GivenRange {
    /// Returns the range, if its file can be opened.
    pub(crate) fn checked(self) -> PyResult<FileRange> {
        let Self { path, file, start, end, is_whole, before } = self;
        if start > end {
            return Err(wrong("the end of the range is before its start"));
        }
        let path = remote::named(&path);
        if remote::address(&path).is_none() {
            check(&path).map_err(|error| unreadable(&path, &error))?;
        }
        let before = before.map(|GivenBefore { games, chosen, lines, text, column }| Before {
            games,
            chosen,
            lines,
            text,
            column,
        });
        Ok(FileRange { path, file, bytes: start..end, is_whole, before })
    }
}

/// Finds the files that a path stands for, and checks whether they are there. A server may need a while for that, in
/// which an interrupt ends the wait.
pub(crate) fn checked(py: Python<'_>, path: PathBuf, is_recursive: bool) -> PyResult<Vec<Found>> {
    let find = move |path: &Path| {
        let mut files = find([path], is_recursive);
        // The names of listed files are known.
        let is_listed = files.len() > 1 && remote::address(path).is_some();
        for (path, found) in files.iter_mut().filter(|(_, found)| found.is_ok() && !is_listed) {
            *found = check(path);
        }
        files
    };
    if remote::address(&path).is_none() {
        return Ok(find(&path));
    }
    let (sender, mut receiver) = mpsc::channel();
    let thread = thread::Builder::new().name("search".to_owned());
    let started = thread.spawn(move || sender.send(find(&path)));
    started.map_err(|error| PyRuntimeError::new_err(format!("cannot start a thread: {error}")))?;
    loop {
        let waiting = &mut receiver;
        match py.detach(move || waiting.recv_timeout(PATIENCE)) {
            Ok(files) => return Ok(files),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => return Err(PyRuntimeError::new_err("the search for files failed")),
        }
    }
}

/// The time after which a search is asked whether it is interrupted.
const PATIENCE: Duration = Duration::from_millis(50);

/// Returns an error for a path that leads to no file or to a folder.
pub(crate) fn check(path: &Path) -> io::Result<()> {
    must_be_file(path)
}
