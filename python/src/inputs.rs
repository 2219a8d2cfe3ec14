//! The files to read: paths and Python's file objects.

use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use pgn2fen::database::Source;
use pgn2fen::pgn::encoding::Label;
use pgn2fen::walk::Input;
use pyo3::prelude::{Bound, Py, PyAny, PyAnyMethods, PyResult, Python};
use pyo3::types::{PyBytes, PyBytesMethods, PyString, PyStringMethods};

use crate::errors::{unreadable, wrong};

/// A file to read.
pub(crate) enum File {
    Path(PathBuf),
    Object(Arc<FileObject>),
}

/// How files are opened.
#[derive(Clone)]
pub(crate) struct Opening {
    pub(crate) encoding: Option<Label>,
    pub(crate) map: bool,
    /// The bytes in which the games begin that are read.
    pub(crate) range: Option<Range<u64>>,
}
