//! Help for the tests of jobs: games as text, and receivers of files in memory.

use std::io::{self, Write};
use std::path::Path;

use crate::games::GameSink;
use crate::{Format, PictureSink, Rows};
use pgn2fen_games::database::Database;
use pgn2fen_games::diagnostic::{Diagnostic, Kind};
use pgn2fen_games::walk::{LeftOut, Listener, Place, Totals};

/// Returns a database of this text.
pub(crate) fn games(text: &str) -> [Database; 1] {
    [Database::from(text.as_bytes().to_vec())]
}

/// Writes rows as text, with the totals of what was read.
#[track_caller]
pub(crate) fn written(rows: &Rows, text: &str) -> (String, Totals) {
    let (bytes, totals) = rows.write(games(text), Vec::new()).unwrap();
    (String::from_utf8(bytes).unwrap(), totals)
}

/// Writes all positions in a format, with the numbers of rows that it left out.
#[track_caller]
pub(crate) fn in_format(format: Format, text: &str) -> (Vec<u8>, LeftOut) {
    let (bytes, totals) = Rows::new().format(format).write(games(text), Vec::new()).unwrap();
    (bytes, totals.left_out)
}

/// Keeps the kinds of all diagnostics, and their offsets.
#[derive(Debug, Default)]
pub(crate) struct Told(pub(crate) Vec<(Kind, u64)>);

impl Listener for Told {
    fn diagnostic(&mut self, diagnostic: &Diagnostic, _: Place) {
        self.0.push((diagnostic.kind, diagnostic.offset));
    }
}

/// Files in memory, in the order in which they were completed.
#[derive(Debug, Default)]
pub(crate) struct Files {
    pub(crate) complete: Vec<NamedFile>,
}

/// A file in memory.
#[derive(Debug)]
pub(crate) struct NamedFile {
    path: String,
    bytes: Vec<u8>,
}

impl Files {
    /// Returns the paths and the texts of the files.
    pub(crate) fn texts(&self) -> Vec<(&str, &str)> {
        self.complete.iter().map(|file| (&*file.path, str::from_utf8(&file.bytes).unwrap())).collect()
    }
}

impl NamedFile {
    fn new(path: &Path) -> Self {
        Self { path: path.to_str().unwrap().to_owned(), bytes: Vec::new() }
    }
}

impl Write for NamedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl GameSink for Files {
    type File = NamedFile;

    fn create(&mut self, path: &Path) -> io::Result<NamedFile> {
        Ok(NamedFile::new(path))
    }

    fn complete(&mut self, file: NamedFile) -> io::Result<()> {
        self.complete.push(file);
        Ok(())
    }
}

impl PictureSink for Files {
    fn put(&mut self, path: &Path, picture: &[u8]) -> io::Result<()> {
        let mut file = NamedFile::new(path);
        file.write_all(picture)?;
        self.complete(file)
    }
}
