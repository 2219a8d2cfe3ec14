//! The files that a query reads.

use std::env;
use std::path::{MAIN_SEPARATOR_STR, Path, PathBuf};

use pgn2fen_files::{OpenOptions, explain, find, must_be_file, on_disk, size};
use pgn2fen_games::messages::{shown, with_causes};
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::pgn::encoding::Label;
use pgn2fen_games::walk::{FirstTags, Input, MemoryLimit, ReadError};
use pgn2fen_rows::RowsError;

use crate::door::{Argument, Arguments};
use crate::options::{is_on, number, one, spelled};

/// The names of the options of all functions that read files.
pub(crate) const OPTIONS: &[&str] = &["recursive", "range", "mmap", "skip_unreadable", "threads"];

/// The files to read, and how they are read.
#[derive(Clone, Debug)]
pub(crate) struct Inputs {
    paths: Vec<PathBuf>,
    open: OpenOptions,
    /// The number of threads that read; 0 for one on each core.
    pub(crate) threads: usize,
    /// Whether files that cannot be read are left out.
    pub(crate) skips_unreadable: bool,
}

impl Inputs {
    /// Finds the files of a call: the first argument, and the options for files.
    ///
    /// # Errors
    ///
    /// A pattern matches no file, a file is missing or a folder, or an option is wrong.
    pub(crate) fn new(arguments: &Arguments) -> Result<Self, String> {
        let (mut open, mut recursive, mut threads) = (OpenOptions { map: false, ..OpenOptions::default() }, false, 0);
        let mut skips_unreadable = false;
        for (name, argument) in &arguments.named {
            match *name {
                "recursive" => recursive = is_on(name, argument)?,
                "mmap" => open.map = is_on(name, argument)?,
                "skip_unreadable" => skips_unreadable = is_on(name, argument)?,
                "threads" => threads = number(name, argument)?,
                "range" => open.range = Some(byte_range(one(name, argument)?)?),
                _ => {}
            }
        }
        let mut paths = Vec::new();
        let given = match arguments.positional.first() {
            Some(Argument::One(given)) => std::slice::from_ref(given),
            Some(Argument::Many(given)) if !given.is_empty() => given,
            _ => return Err("give a file, a pattern such as 'games/*.pgn', or a list of them".to_owned()),
        };
        for name in given {
            for (path, found) in find(matching(name, recursive)?, recursive) {
                if !skips_unreadable {
                    found.and_then(|()| must_be_file(&path)).map_err(|error| unreadable(&path, &error))?;
                }
                paths.push(path);
            }
        }
        if open.range.is_some() && paths.len() != 1 {
            return Err("a range needs exactly one file".to_owned());
        }
        Ok(Self { paths, open, threads, skips_unreadable })
    }

    /// Sets how the text of files is read.
    pub(crate) fn reading(&mut self, encoding: Option<Label>, movetext: Option<String>) {
        (self.open.encoding, self.open.movetext) = (encoding, movetext);
    }

    /// Returns the inputs of a job. They are opened when their turn comes.
    pub(crate) fn inputs(&self) -> Vec<Input> {
        let input = |path: &PathBuf| {
            let (open, opened) = (self.open.clone(), path.clone());
            Input::opening(path, move || open.open(opened))
        };
        self.paths.iter().map(input).collect()
    }

    /// Returns the names of the tags that the first games have. A file that cannot be read is skipped; the query fails
    /// when it comes to it.
    pub(crate) fn first_tags(&self) -> Result<Vec<String>, String> {
        let workers = self.workers()?;
        Ok(FirstTags::of(&workers, self.paths.iter().map(|path| self.open.open(path))).names)
    }

    /// Starts threads.
    pub(crate) fn workers(&self) -> Result<Workers, String> {
        Workers::new(self.threads).map_err(|error| with_causes(&error))
    }

    /// Estimates the number of rows, of each of which a file has so many bytes of text. DuckDB chooses the order of
    /// joins by it. Compressed text is about a fifth.
    pub(crate) fn rows(&self, bytes: u64) -> Option<u64> {
        let found = self.paths.iter().map(|path| (path.clone(), Ok(()))).collect::<Vec<_>>();
        let is_compressed = |path: &PathBuf| {
            path.extension().is_some_and(|ending| !ending.eq_ignore_ascii_case("pgn")) || on_disk(path) != path
        };
        let factor = if self.paths.iter().any(is_compressed) { 5 } else { 1 };
        size(&found, self.open.range.as_ref()).map(|size| size.saturating_mul(factor) / bytes)
    }
}

/// Returns the number of threads that take rows from a job: one for each core.
pub(crate) fn takers() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Returns the files of a name, which may be a pattern, in alphabetical order. `~` is the home folder. As in DuckDB,
/// `**` at the end of a pattern stands for the files in all subfolders, and a pattern finds folders only to search in
/// them.
fn matching(name: &str, recursive: bool) -> Result<Vec<PathBuf>, String> {
    let path = match name.strip_prefix("~/").zip(env::home_dir()) {
        Some((rest, home)) => home.join(rest),
        None => PathBuf::from(name),
    };
    // A file may have a name that looks like a pattern.
    if path.exists() || !name.contains(['*', '?', '[']) {
        return Ok(vec![path]);
    }
    let files = if path.ends_with("**") { path.join("*") } else { path };
    let pattern = files.to_string_lossy().replace('/', MAIN_SEPARATOR_STR);
    let found = glob::glob(&pattern).map_err(|error| format!("'{name}' is no pattern: {}", error.msg))?;
    let mut paths = found.collect::<Result<Vec<_>, _>>().map_err(|error| unreadable(error.path(), error.error()))?;
    paths.retain(|path| recursive || !path.is_dir());
    if paths.is_empty() { Err(format!("no file matches '{name}'")) } else { Ok(paths) }
}

/// Parses a range of bytes. A missing start is 0, and a missing end is the end of the file.
fn byte_range(text: &str) -> Result<std::ops::Range<u64>, String> {
    let number = |text: &str, default| if text.is_empty() { Some(default) } else { text.parse().ok() };
    let range = text.split_once("..").and_then(|(start, end)| Some(number(start, 0)?..number(end, u64::MAX)?));
    match range {
        Some(range) if range.start <= range.end => Ok(range),
        Some(_) => Err("the end of the range is before its start".to_owned()),
        None => Err(format!("range is '{text}', but must be a range of bytes: 0..1000000, 1000000.. or ..1000000")),
    }
}

/// Returns the message for a file that cannot be opened or read.
pub(crate) fn unreadable(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {}", shown(path), spelled(&explain(path, error)))
}

/// Returns the message for a file that cannot be read to its end, or for unique positions that take too much memory.
pub(crate) fn unread(error: &ReadError) -> String {
    let text = unreadable(&error.path, error.error());
    match MemoryLimit::is_reason_of(error.error()) {
        true => format!("{text}; allow more with memory, or leave out unique"),
        false => text,
    }
}

/// Returns the message for a job that failed.
pub(crate) fn failed(error: &RowsError) -> String {
    match error {
        RowsError::Read(error) => unread(error),
        error => with_causes(error),
    }
}

#[cfg(test)]
mod tests {
    use super::byte_range;

    #[test]
    fn ranges_may_be_open() {
        assert_eq!(byte_range("10..20"), Ok(10..20));
        assert_eq!(byte_range("..20"), Ok(0..20));
        assert_eq!(byte_range("10.."), Ok(10..u64::MAX));
        assert!(byte_range("20..10").is_err() && byte_range("10").is_err());
    }
}
