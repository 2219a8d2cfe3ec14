//! Walks as any program begins them: a job reads sources, and all that it says is noted.

use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use pgn2fen_games::database::Source;
use pgn2fen_games::diagnostic::count_lines;
use pgn2fen_games::diagnostic::{Diagnostic, Kind};
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::walk::{Count, Job, Listener, Place, ReadOptions, Totals};
use pgn2fen_rows::starts::Starts;
use pgn2fen_rows::{Rows, Writing};

/// All that a walk says.
#[derive(Debug, Default)]
pub(crate) struct Said {
    pub(crate) output: Vec<u8>,
    /// Every error and warning, with its place and the number of its game in its file.
    pub(crate) diagnostics: Vec<(Diagnostic, Place)>,
    pub(crate) totals: Totals,
    /// How many bytes of text were read. Ranges that tile a file may both have read a mark that divides them.
    pub(crate) bytes: Option<usize>,
    /// How many lines were read of texts that are at hand as a whole.
    pub(crate) lines_read: Option<u64>,
    /// Whether it ended because nothing more was wanted. How far it had read by then depends on the cuts.
    pub(crate) is_over: bool,
    /// Why it ended before the end.
    pub(crate) error: Option<io::Error>,
}

impl Said {
    /// The output, which is UTF-8.
    pub(crate) fn text(&self) -> &str {
        str::from_utf8(&self.output).unwrap()
    }

    pub(crate) fn lines(&self) -> Vec<&str> {
        self.text().lines().collect()
    }

    pub(crate) fn count(&self) -> Count {
        self.totals.count
    }

    /// The kinds of the errors and warnings, with their offsets, games and plies.
    pub(crate) fn faults(&self) -> Vec<(Kind, u64, Option<u64>, Option<u32>)> {
        self.diagnostics.iter().map(|(it, _)| (it.kind, it.offset, it.game, it.ply)).collect()
    }

    /// Adds what was said of the next range of the same file. Games, lines and offsets are those of the file.
    pub(crate) fn append(&mut self, next: Self) {
        let Count { games, wanted, positions } = next.count();
        self.diagnostics.extend(next.diagnostics);
        self.output.extend(next.output);
        self.totals.count.games += games;
        self.totals.count.wanted += wanted;
        self.totals.count.positions += positions;
        self.lines_read = next.lines_read.map(|lines| lines + self.lines_read.unwrap_or(0));
        self.error = self.error.take().or(next.error);
    }
}

/// Checks that two walks said the same.
#[track_caller]
pub(crate) fn same(said: &Said, expected: &Said, what: &str) {
    if said.output != expected.output {
        let lines = |said: &Said| String::from_utf8_lossy(&said.output).lines().map(str::to_owned).collect::<Vec<_>>();
        let (lines, expected) = (lines(said), lines(expected));
        let first = lines.iter().zip(&expected).position(|(a, b)| a != b).unwrap_or(lines.len().min(expected.len()));
        panic!("{what}: line {first} of the output is {:?}, not {:?}", lines.get(first), expected.get(first));
    }
    assert_eq!(said.totals, expected.totals, "{what}");
    same_but_output(said, expected, what);
}

/// Checks that two walks said the same of the games, whatever was made of these.
#[track_caller]
pub(crate) fn same_but_output(said: &Said, expected: &Said, what: &str) {
    let differing = said.diagnostics.iter().zip(&expected.diagnostics).find(|(a, b)| a != b);
    assert_eq!(differing, None, "{what}: what is said, and what was to be said");
    assert_eq!(said.diagnostics.len(), expected.diagnostics.len(), "{what}: how much is said");
    assert_eq!((said.count(), said.is_over), (expected.count(), expected.is_over), "{what}");
    if !said.is_over {
        for (bytes, expected) in said.bytes.iter().zip(expected.bytes) {
            assert_eq!(*bytes, expected, "{what}: bytes");
        }
        for (lines, expected) in said.lines_read.iter().zip(expected.lines_read) {
            assert_eq!(*lines, expected, "{what}: lines");
        }
    }
    let message = |said: &Said| said.error.as_ref().map(ToString::to_string);
    assert_eq!(message(said), message(expected), "{what}");
}

/// A job that writes, and has not begun.
pub(crate) trait Begin {
    fn begin_writing(&self) -> Writing<'static, Vec<u8>>;
}

impl Begin for Rows {
    fn begin_writing(&self) -> Writing<'static, Vec<u8>> {
        self.begin(Vec::new()).unwrap()
    }
}

impl Begin for Starts {
    fn begin_writing(&self) -> Writing<'static, Vec<u8>> {
        self.begin(Vec::new()).unwrap()
    }
}

/// Walks through files one after another, each as far as it can be read, and writes.
pub(crate) fn walk<N: AsRef<Path>>(
    job: &impl Begin,
    workers: &Workers,
    files: impl IntoIterator<Item = (N, Source)>,
) -> Said {
    let mut writing = job.begin_writing();
    let mut said = listen(&mut writing, workers, files);
    (said.output, _) = writing.end().unwrap();
    said
}

/// Walks through files one after another, each as far as it can be read.
pub(crate) fn listen<N: AsRef<Path>>(
    job: &mut dyn Job,
    workers: &Workers,
    files: impl IntoIterator<Item = (N, Source)>,
) -> Said {
    let mut notes = Notes::default();
    let mut error = None;
    let mut lines_read = Some(0);
    for (name, source) in files {
        let begin = notes.bytes;
        let whole = match &source {
            Source::Whole(database) => Some(database.clone()),
            Source::Stream(_) => None,
        };
        error = job.read(workers, name.as_ref(), source, &mut notes).err().or(error);
        let lines = whole.map(|database| {
            let before = database.before().len();
            count_lines(&database.bytes()[before..before + notes.bytes - begin])
        });
        lines_read = lines_read.zip(lines).map(|(sum, lines)| sum + lines);
    }
    let Notes { diagnostics, bytes, count } = notes;
    let totals = job.totals();
    assert_eq!(count, totals.count, "the listener was told how much there is");
    Said { output: Vec::new(), diagnostics, totals, bytes: Some(bytes), lines_read, is_over: job.is_over(), error }
}

/// Takes notes of a walk.
#[derive(Default)]
struct Notes {
    diagnostics: Vec<(Diagnostic, Place)>,
    bytes: usize,
    count: Count,
}

impl Listener for Notes {
    fn diagnostic(&mut self, diagnostic: &Diagnostic, place: Place) {
        self.diagnostics.push((diagnostic.clone(), place));
    }

    fn progress(&mut self, bytes: usize, count: Count) -> ControlFlow<()> {
        self.bytes += bytes;
        self.count = count;
        ControlFlow::Continue(())
    }
}

/// The options of reading, changed from the usual ones.
pub(crate) fn read_options(change: impl FnOnce(&mut ReadOptions)) -> ReadOptions {
    let mut read = ReadOptions::default();
    change(&mut read);
    read
}
