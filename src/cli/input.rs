//! The input files on the command line, and messages about files that cannot be read.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::cli::options::reading::InputArguments;
use crate::database::Source;
use crate::files::{self, Found};

/// Returns the files on the command line, or `-` for standard input. With `--recursive`, a folder is replaced by the files in it.
pub(crate) fn files(arguments: &InputArguments) -> Result<Vec<Found>> {
    if arguments.range.is_some() {
        let is_one_file = arguments.files.len() == 1 && arguments.files[0] != Path::new("-");
        anyhow::ensure!(is_one_file, "--range needs exactly one file");
    }
    if arguments.files.is_empty() {
        return Ok(vec![(PathBuf::from("-"), Ok(()))]);
    }
    Ok(files::find(&arguments.files, arguments.recursive))
}

/// Opens an input file.
pub(crate) fn open(path: &Path, arguments: &InputArguments) -> io::Result<Source> {
    let options = arguments.open_options();
    if path == Path::new("-") { options.stream(Box::new(io::stdin())) } else { options.open(path) }
}

/// Returns the message for a file that cannot be opened or read, with advice.
pub(crate) fn explain(path: &Path, error: &io::Error) -> String {
    files::explain(path, error, "--recursive")
}
