//! Files, and how their games are read: what all jobs have in common.

use pgn2fen_files::OpenOptions;
use pgn2fen_games::messages::Restrictions;
use pgn2fen_games::walk::ReadOptions;
use pgn2fen_rows::options::{JobOptions, NamedOptions};
use pgn2fen_spec::Jobs;
use pyo3::prelude::{Bound, FromPyObject, PyAny, PyResult};

use crate::errors::wrong;
use crate::inputs::Inputs;
use crate::options::{arguments, set_all};
use crate::run::{Recorder, ReportOptions, Run};

/// Options for files and for running, which all jobs have.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct RunArguments {
    movetext: Option<String>,
    recursive: bool,
    range: Option<(u64, Option<u64>)>,
    mmap: bool,
    #[pyo3(default)]
    skip_unreadable: bool,
    threads: usize,
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
        let mut job = JobOptions::new();
        set_all(&mut job, Jobs::GAMES, options)?;
        Self::of(files, options, &job)
    }

    /// The games are read with the options of a job.
    pub(crate) fn of(files: &[Bound<'_, PyAny>], options: &Bound<'_, PyAny>, job: &JobOptions) -> PyResult<Self> {
        let given: RunArguments = arguments(options)?;
        let RunArguments { movetext, recursive, range, mmap, skip_unreadable, threads, max_messages } = given;
        let range = range.map(|(first, end)| first..end.unwrap_or(u64::MAX));
        if range.as_ref().is_some_and(|range| range.start > range.end) {
            return Err(wrong("the end of the range is before its start"));
        }
        let read = job.read_options();
        let encoding = read.encoding;
        let restrictions = Restrictions { games: read.games.chosen(), positions: Vec::new() };
        let open = OpenOptions { map: mmap, encoding, movetext, range, ..OpenOptions::default() };
        Ok(Self {
            inputs: Inputs::new(files, (recursive, skip_unreadable), open)?,
            raises: job.raises(),
            read,
            threads,
            report: ReportOptions { encoding, max_messages, restrictions, skips_unreadable: skip_unreadable },
        })
    }

    /// Sets the names of the tags that patterns of columns stand for. Reads the first games if the columns depend on
    /// them.
    pub(crate) fn name_tags(&self, options: &mut impl NamedOptions) -> PyResult<()> {
        let tags = || self.inputs.first_tags(self.threads);
        if options.needs_tag_names().map_err(wrong)? {
            options.set_tag_names(tags()?);
        } else if options.may_use_tag_names().map_err(wrong)?
            && let Ok(names) = tags()
        {
            options.set_tag_names(names);
        }
        Ok(())
    }

    pub(crate) fn recorder(&self, run: &Run) -> Recorder {
        Recorder::new(run.clone(), self.report.clone())
    }
}
