//! The files that were named, opened one after another.

use std::io;
use std::path::{Path, PathBuf};

use pgn2fen::database::Source;

use crate::cli::args::InputArguments;

/// The named files, or standard input.
pub(crate) fn files(arguments: &InputArguments) -> Vec<PathBuf> {
    if arguments.files.is_empty() { vec![PathBuf::from("-")] } else { arguments.files.clone() }
}

/// Opens one of them.
pub(crate) fn open(path: &Path, arguments: &InputArguments) -> io::Result<Source> {
    let encoding = arguments.encoding.0;
    if path == Path::new("-") {
        Source::stream(Box::new(io::stdin()), encoding)
    } else {
        Source::open(path, !arguments.no_mmap, encoding)
    }
}

/// What a failure to open or read a file means to a reader, where the system's own words do not say.
pub(crate) fn explain(path: &Path, error: &io::Error) -> String {
    const COMMANDS: [&str; 6] = ["starts", "index", "find", "check", "board", "help"];
    let is_command = path.to_str().is_some_and(|name| COMMANDS.contains(&name));
    if error.kind() == io::ErrorKind::NotFound && is_command {
        return format!("{error}; a command comes first: pgn2fen {} [OPTIONS] [FILE]…", path.display());
    }
    error.to_string()
}
