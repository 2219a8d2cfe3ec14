//! Files, and how their games are read: what all jobs have in common.

use pgn2fen_files::OpenOptions;
use pgn2fen_games::messages::Restrictions;
use pgn2fen_games::walk::ReadOptions;
use pgn2fen_rows::options::JobOptions;
use pgn2fen_rows::{ColumnError, ColumnPatterns, Columns};
use pyo3::prelude::{Bound, FromPyObject, PyAny, PyResult};

use crate::errors::wrong;
use crate::inputs::Inputs;
use crate::options::{arguments, owned, set, set_given};
use crate::run::{Recorder, ReportOptions, Run};

/// Options for reading games, which all jobs have.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct ReadArguments {
    tags: Vec<String>,
    names: Option<String>,
    start: String,
    opening: Vec<String>,
    reached: Vec<String>,
    length: Option<String>,
    max_games: Option<u64>,
    on_error: String,
    lang: String,
    setup: String,
    encoding: String,
    movetext: Option<String>,
    recursive: bool,
    range: Option<(u64, Option<u64>)>,
    mmap: bool,
    threads: usize,
    verbose: bool,
    max_messages: usize,
}

impl ReadArguments {
    /// Returns the options as those of a job.
    fn job(&self) -> PyResult<JobOptions> {
        let Self { tags, names, start, opening, reached, length, max_games, on_error, .. } = self;
        let Self { lang, setup, encoding, movetext, verbose, .. } = self;
        let mut job = JobOptions::new();
        let words =
            [("start", start), ("on_error", on_error), ("encoding", encoding), ("setup", setup), ("lang", lang)];
        words.into_iter().try_for_each(|(name, word)| set(&mut job, name, word))?;
        set_given(&mut job, [("tags", tags), ("opening", opening), ("reached", reached)])?;
        set_given(&mut job, [("names", names), ("length", length), ("movetext", movetext)])?;
        set_given(&mut job, [("max_games", max_games)])?;
        set(&mut job, "verbose", verbose)?;
        Ok(job)
    }
}

/// Files, and how their games are read.
pub(crate) struct Reading {
    pub(crate) inputs: Inputs,
    /// The options of the job.
    pub(crate) job: JobOptions,
    pub(crate) read: ReadOptions,
    pub(crate) threads: usize,
    pub(crate) report: ReportOptions,
    /// Whether an error in a game ends the run with an exception.
    pub(crate) raises: bool,
}

impl Reading {
    pub(crate) fn new(files: &[Bound<'_, PyAny>], options: &Bound<'_, PyAny>) -> PyResult<Self> {
        let given: ReadArguments = arguments(options)?;
        let job = given.job()?;
        let ReadArguments { movetext, recursive, range, mmap, threads, max_messages, .. } = given;
        let range = range.map(|(first, end)| first..end.unwrap_or(u64::MAX));
        if range.as_ref().is_some_and(|range| range.start > range.end) {
            return Err(wrong("the end of the range is before its start"));
        }
        let read = job.read_options();
        let encoding = read.encoding;
        let restrictions = Restrictions { games: owned(&read.games.chosen()), positions: Vec::new() };
        let open = OpenOptions { map: mmap, encoding, movetext, range, ..OpenOptions::default() };
        Ok(Self {
            inputs: Inputs::new(files, recursive, open)?,
            raises: job.raises(),
            job,
            read,
            threads,
            report: ReportOptions { encoding, max_messages, restrictions },
        })
    }

    /// Returns the columns of starting positions that patterns stand for. Reads the first games if the columns depend
    /// on their tags.
    pub(crate) fn columns(&self, patterns: Result<ColumnPatterns, ColumnError>) -> PyResult<Columns> {
        let wrong = |error: ColumnError| wrong(format!("columns: {error}"));
        let patterns = patterns.map_err(wrong)?;
        let tags = || self.inputs.first_tags(self.threads);
        let tags = match patterns.needs_tags() {
            true => tags()?,
            false if patterns.may_use_tags() => tags().unwrap_or_default(),
            false => Vec::new(),
        };
        patterns.columns(&tags).map_err(wrong)
    }

    pub(crate) fn recorder(&self, run: &Run) -> Recorder {
        Recorder::new(run.clone(), self.report.clone())
    }
}
