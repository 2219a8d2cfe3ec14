//! The input files on the command line, and messages about files that cannot be read.

use std::fs;
use std::io::{self, IsTerminal, Read, Stdin};
use std::path::{Path, PathBuf};

use anyhow::{Result, bail, ensure};

use crate::near::near_name;
use crate::options::reading::InputArguments;
use crate::options::running::RunningArguments;
use crate::say;
use crate::wildcards::expanded;
use pgn2fen_files::{self as files, Found};
use pgn2fen_games::database::{Source, remote};
use pgn2fen_games::messages::{missing_tag, quoted, shown};
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::walk::{FirstTags, MissingTag};
use pgn2fen_index::Index;

/// Returns the files on the command line, or `-` for standard input. With `--recursive`, a folder is replaced by the
/// files in it.
pub(crate) fn files(arguments: &InputArguments) -> Result<Vec<Found>> {
    if arguments.range.is_some() {
        let is_one_file = arguments.files.len() == 1 && arguments.files[0] != Path::new("-");
        anyhow::ensure!(is_one_file, "--range needs exactly one file");
    }
    if arguments.files.is_empty() {
        return Ok(vec![(PathBuf::from("-"), Ok(()))]);
    }
    Ok(find(&arguments.files, arguments.recursive))
}

/// Returns these files, in which names with wildcards are replaced on Windows. With `recursive`, a folder is replaced
/// by the files in it.
pub(crate) fn find(files: &[PathBuf], recursive: bool) -> Vec<Found> {
    let found = expanded(files).into_iter().flat_map(|(path, found)| match found {
        Ok(()) => files::find([&path], recursive),
        Err(error) => vec![(path, Err(error))],
    });
    found.collect()
}

/// Returns the names of the tags that the first 1000 games of the input have. A file that cannot be read is skipped;
/// the run reports it.
pub(crate) fn tags(arguments: &InputArguments, running: &RunningArguments) -> Result<Vec<String>> {
    let is_readable = |path: &Path| {
        // A pipe can be read only once.
        let is_pipe = path == Path::new("-") || fs::metadata(path).is_ok_and(|it| !it.is_file() && !it.is_dir());
        ensure!(
            !is_pipe,
            "the tags for which a pattern in --columns stands are taken from the first games, and {} can be read only \
             once; name the tags, or give a file",
            if path == Path::new("-") { "standard input".to_owned() } else { shown(path).to_string() }
        );
        Ok(true)
    };
    let first = tags_of_first_games(&files(arguments)?, arguments, running, is_readable)?;
    Ok(first.map_or_else(Vec::new, |first| first.names))
}

/// Refuses tags in the name of an output that no game of these files has. Only inputs with few games are read for this;
/// of others the run may tell it at its end.
pub(crate) fn check_tags(
    wanted: &[Box<str>],
    files: &[Found],
    arguments: &InputArguments,
    running: &RunningArguments,
) -> Result<()> {
    if wanted.is_empty() {
        return Ok(());
    }
    // A pipe can be read only once.
    let is_file = |path: &Path| {
        let is_local = fs::metadata(files::on_disk(path)).is_ok_and(|it| it.is_file());
        Ok(path != Path::new("-") && (is_local || remote::address(path).is_some()))
    };
    let Some(FirstTags { names, games: 1..FirstTags::MOST_GAMES }) =
        tags_of_first_games(files, arguments, running, is_file)?
    else {
        return Ok(());
    };
    let is_known = |tag: &str| names.iter().any(|name| name.eq_ignore_ascii_case(tag));
    match wanted.iter().find(|tag| !is_known(tag)) {
        Some(tag) => {
            let missing = MissingTag::among(tag, names.iter().map(|name| &**name));
            bail!("{}; it stands in the name of the output", missing_tag(&missing))
        }
        None => Ok(()),
    }
}

/// Returns the names of the tags of the first 1000 games. None if one of the files is not to be read.
fn tags_of_first_games(
    files: &[Found],
    arguments: &InputArguments,
    running: &RunningArguments,
    is_to_be_read: impl Fn(&Path) -> Result<bool>,
) -> Result<Option<FirstTags>> {
    let workers = Workers::new(running.threads)?;
    let mut is_read = Ok(true);
    let sources = files.iter().filter(|(_, found)| found.is_ok()).map_while(|(path, _)| {
        is_read = is_to_be_read(path);
        matches!(is_read, Ok(true)).then(|| open(path, arguments))
    });
    let first = FirstTags::of(&workers, sources);
    Ok(is_read?.then_some(first))
}

/// Opens an input file.
pub(crate) fn open(path: &Path, arguments: &InputArguments) -> io::Result<Source> {
    let options = arguments.open_options();
    if path == Path::new("-") {
        options.stream(Box::new(Once { inner: stdin("games"), is_over: false }))
    } else {
        options.open(path)
    }
}

/// Returns standard input. If it is a terminal, a hint says that it is read, because otherwise the program seems to
/// hang. `things` are read from it.
pub(crate) fn stdin(things: &str) -> Stdin {
    let stdin = io::stdin();
    if stdin.is_terminal() {
        let end = if cfg!(windows) { "Ctrl-Z and Enter" } else { "Ctrl-D" };
        say::hint(&format!("reading {things} from standard input; {end} ends them, --help shows other ways"));
    }
    stdin
}

/// A reader that ends when its source ends for the first time. A terminal would go on with the next line that is typed.
struct Once<R> {
    inner: R,
    is_over: bool,
}

impl<R: Read> Read for Once<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.is_over {
            return Ok(0);
        }
        let count = self.inner.read(buffer)?;
        self.is_over = count == 0 && !buffer.is_empty();
        Ok(count)
    }
}

/// Whether a path is that of an index.
pub(crate) fn is_index(path: &Path) -> bool {
    path.is_dir() && Index::open(path).is_ok()
}

/// Returns the message for a file that cannot be opened or read, with advice. `may_be_command` says whether the name of
/// a command may be meant.
pub(crate) fn explain(path: &Path, error: &io::Error, may_be_command: bool) -> String {
    let message = files::explain(path, error);
    if remote::address(path).is_some() {
        let is_missing = error.kind() == io::ErrorKind::Unsupported && cfg!(not(feature = "remote"));
        let advice = "; the programs of a release read it, and so does a build with --features remote";
        return if is_missing { message + advice } else { message };
    }
    if error.kind() == io::ErrorKind::IsADirectory && is_index(path) {
        let folder = quoted(path.as_os_str());
        return format!("is an index, which pgn2fen find, tree, book and serve read: pgn2fen find {folder} '1. e4 c5'");
    }
    match near_name(path, may_be_command) {
        Some(near) if error.kind() == io::ErrorKind::NotFound => format!("{message}; did you mean {near}?"),
        _ => message,
    }
}
