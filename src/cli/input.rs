//! The input files on the command line, and messages about files that cannot be read.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};

use crate::cli::options::reading::InputArguments;
use crate::cli::options::running::RunningArguments;
use crate::database::Source;
use crate::files::{self, Found};
use crate::messages::shown;
use crate::parallel::Workers;
use crate::walk::first_tags;

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

/// The number of games from which the tags are taken for which wildcards in columns stand.
const FIRST_GAMES: u64 = 1000;

/// Returns the names of the tags that the first 1000 games of the input have. A file that cannot be read is skipped; the run reports it.
pub(crate) fn tags(arguments: &InputArguments, running: &RunningArguments) -> Result<Vec<String>> {
    let workers = Workers::new(running.threads)?;
    let mut names = Vec::new();
    let mut games = 0;
    for (path, found) in files(arguments)? {
        // A pipe can be read only once.
        let is_pipe = path == Path::new("-") || fs::metadata(&path).is_ok_and(|it| !it.is_file() && !it.is_dir());
        ensure!(
            !is_pipe,
            "the tags for which a pattern in --columns stands are taken from the first games, and {} can be read only once; \
            name the tags, or give a file",
            if path == Path::new("-") { "standard input".to_owned() } else { shown(&path).to_string() }
        );
        if let Ok(source) = found.and_then(|()| open(&path, arguments)) {
            games += first_tags(&workers, source, FIRST_GAMES - games, &mut names).unwrap_or(0);
        }
        if games >= FIRST_GAMES {
            break;
        }
    }
    Ok(names)
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
