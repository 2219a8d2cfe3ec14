//! Files, and how their games are read: what all jobs have in common.

use pgn2fen_games::messages::Restrictions;
use pgn2fen_games::replay::ReplayOptions;
use pgn2fen_games::selection::GameFilter;
use pgn2fen_games::walk::{OnError, ReadOptions};
use pgn2fen_rows::files::OpenOptions;
use pgn2fen_rows::{ColumnError, ColumnPatterns, Columns};
use pyo3::prelude::{Bound, FromPyObject, PyAny, PyResult};

use crate::errors::wrong;
use crate::inputs::Inputs;
use crate::options::{arguments, course, encoding, letters, owned, parsed, setup, start};
use crate::run::{Recorder, ReportOptions, Run};

/// Options for reading games, which all jobs have.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct ReadArguments {
    tags: Vec<String>,
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

/// Files, and how their games are read.
pub(crate) struct Reading {
    pub(crate) inputs: Inputs,
    pub(crate) read: ReadOptions,
    pub(crate) threads: usize,
    pub(crate) report: ReportOptions,
    /// Whether an error in a game ends the run with an exception.
    pub(crate) raises: bool,
}

impl Reading {
    pub(crate) fn new(files: &[Bound<'_, PyAny>], options: &Bound<'_, PyAny>) -> PyResult<Self> {
        let ReadArguments {
            tags,
            start,
            opening,
            reached,
            length,
            max_games,
            on_error,
            lang,
            setup,
            encoding,
            movetext,
            recursive,
            range,
            mmap,
            threads,
            verbose,
            max_messages,
        } = arguments(options)?;
        let start = self::start(&start)?;
        let (raises, on_error) = match &*on_error {
            "keep" => (false, OnError::Keep),
            "drop" => (false, OnError::Drop),
            "stop" => (false, OnError::Stop),
            "raise" => (true, OnError::Stop),
            word => return Err(wrong(format!("on_error is '{word}', but must be one of keep, drop, stop, raise"))),
        };
        let range = range.map(|(first, end)| first..end.unwrap_or(u64::MAX));
        if range.as_ref().is_some_and(|range| range.start > range.end) {
            return Err(wrong("the end of the range is before its start"));
        }
        let encoding = self::encoding(&encoding)?;
        let mut read = ReadOptions::default();
        let tags = tags.iter().map(|filter| parsed("tags", filter)).collect::<PyResult<_>>()?;
        let openings = opening.iter().map(|filter| parsed("opening", filter)).collect::<PyResult<_>>()?;
        read.games = GameFilter { tags, start, openings, course: course(&reached, length.as_deref())? };
        let restrictions = Restrictions { games: owned(&read.games.chosen()), positions: Vec::new() };
        read.max_games = max_games;
        read.replay = ReplayOptions {
            setup: self::setup(&setup)?,
            letters: letters(&lang)?,
            encoding,
            first_warnings_only: !verbose,
            ..ReplayOptions::default()
        };
        read.encoding = encoding;
        read.movetext.clone_from(&movetext);
        read.on_error = on_error;
        Ok(Self {
            inputs: Inputs::new(
                files,
                recursive,
                OpenOptions { map: mmap, encoding, movetext, range, ..OpenOptions::default() },
            )?,
            read,
            threads,
            report: ReportOptions { encoding, max_messages, restrictions },
            raises,
        })
    }

    /// Returns the columns that patterns stand for. Reads the first games if the columns depend on their tags.
    pub(crate) fn columns(&self, patterns: Result<ColumnPatterns, ColumnError>) -> PyResult<Columns> {
        let wrong = |error: ColumnError| wrong(format!("columns: {error}"));
        let patterns = patterns.map_err(wrong)?;
        let tags = if patterns.needs_tags() { self.inputs.first_tags(self.threads)? } else { Vec::new() };
        patterns.columns(&tags).map_err(wrong)
    }

    pub(crate) fn recorder(&self, run: &Run) -> Recorder {
        Recorder::new(run.clone(), self.report.clone())
    }
}
