//! Reads the files on the command line for any job, and reports the problems.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use anyhow::{Context, Result, bail};

use crate::input;
use crate::options::reading::InputArguments;
use crate::options::running::RunningArguments;
use crate::outcome::Outcome;
use crate::output::{Output, remove_when_interrupted};
use crate::progress::Progress;
use crate::report::{Channel, Report};
use crate::stdout::Closed;
use crate::unit::Unit;
use pgn2fen_games::database::Source;
use pgn2fen_games::messages::{Restrictions, counted, shown, with_causes};
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::walk::{Job, LeftOut, MemoryLimit};
use pgn2fen_rows::files::{self, Compression, Found, GameFiles, PictureFiles, refuse_to_replace};
use pgn2fen_rows::{Format, RowsError, WriteError, Writing};

/// The input of a run, and the options for its messages.
pub(crate) struct Run<'a> {
    pub(crate) files: Vec<Found>,
    pub(crate) input: &'a InputArguments,
    pub(crate) running: &'a RunningArguments,
    pub(crate) channel: Channel,
    pub(crate) unit: Unit,
    pub(crate) restrictions: Restrictions,
    /// The greatest number of games that are wanted.
    pub(crate) max_games: Option<u64>,
}

/// Opens the output for a format. Refuses to write a binary format on a terminal, or to replace an input file.
pub(crate) fn open_output(
    path: Option<&Path>,
    compression: Compression,
    files: &[Found],
    format: Format,
) -> Result<Output> {
    if let Some(path) = path {
        refuse_to_replace(files, path)?;
    }
    let output = Output::open(path, compression)?;
    let name = format.name();
    anyhow::ensure!(
        !(format.is_binary() && output.is_terminal()),
        "{name} is a binary format, which a terminal cannot show; write it to a file: -o positions.{name}"
    );
    Ok(output)
}

/// Reads the files and writes the output of a job.
pub(crate) fn write(
    output: Output,
    begin: impl FnOnce(Output) -> Result<Writing<'static, Output>, RowsError>,
    run: Run<'_>,
) -> Result<Outcome> {
    let (workers, mut report) = run.begin(output.is_terminal())?;
    let name = output.name();
    let Run { files, input, restrictions, .. } = run;
    let mut inputs = Inputs::new(files, input);
    // An output may have a beginning, such as a header row. It is not written if nothing can be read.
    if run.max_games != Some(0) {
        inputs.open_next(&mut report);
    }
    if let (None, Some(why)) = (&inputs.opened, inputs.why_unread) {
        output.complete(Some(why), &mut report)?;
        return Ok(report.end());
    }
    let job = match begin(output) {
        Err(RowsError::Write(WriteError::Io(error))) if error.kind() == io::ErrorKind::BrokenPipe => {
            return Ok(Outcome::Clean);
        }
        Err(RowsError::Write(error)) => bail!("cannot write {name}: {}", with_causes(&error)),
        job => job.context("cannot begin the output")?,
    };
    write_all(&name, job, inputs, (&workers, report), &restrictions)
}

/// An output that a run completes.
pub(crate) trait Complete {
    /// Completes the output, or reports that its files are not written for a reason.
    fn complete(self, why_unfinished: Option<&str>, report: &mut Report) -> Result<()>;
}

impl Complete for Output {
    fn complete(self, why_unfinished: Option<&str>, report: &mut Report) -> Result<()> {
        match why_unfinished {
            Some(why) if self.is_unfinished_file() => {
                report.failure(&format!("{} is not written because {why}", self.name()));
                Ok(())
            }
            _ => self.finish(),
        }
    }
}

impl Complete for GameFiles {
    fn complete(self, why_unfinished: Option<&str>, report: &mut Report) -> Result<()> {
        match why_unfinished {
            Some(why) => report.failure(&format!("the files are not written because {why}")),
            None => {
                self.finish()?;
            }
        }
        Ok(())
    }
}

impl<A: Complete, B: Complete> Complete for (A, B) {
    fn complete(self, why_unfinished: Option<&str>, report: &mut Report) -> Result<()> {
        self.0.complete(why_unfinished, report)?;
        self.1.complete(why_unfinished, report)
    }
}

/// Reads the files and writes the output of a job that has begun. The output has a name for messages, and may be a
/// terminal.
pub(crate) fn write_to<O: Complete>(
    (name, is_terminal): (&str, bool),
    job: Writing<'static, O>,
    run: Run<'_>,
) -> Result<Outcome> {
    let (workers, report) = run.begin(is_terminal)?;
    let Run { files, input, restrictions, .. } = run;
    write_all(name, job, Inputs::new(files, input), (&workers, report), &restrictions)
}

fn write_all<O: Complete>(
    name: &str,
    mut job: Writing<'static, O>,
    inputs: Inputs<'_>,
    (workers, mut report): (&Workers, Report),
    restrictions: &Restrictions,
) -> Result<Outcome> {
    let why_unfinished = read_inputs(workers, &mut job, inputs, &mut report);
    let totals = job.totals();
    let left_out = match job.end() {
        // The program that reads the output wants no more of it. What was read before decides the status.
        Err(WriteError::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(report.outcome()),
        Err(error) => {
            report.failure(&format!("cannot write {name}: {}", with_causes(&error)));
            LeftOut::default()
        }
        Ok((output, left_out)) => {
            report.end_reading(&totals);
            match output.complete(why_unfinished, &mut report) {
                Err(error) if error.is::<Closed>() => return Ok(report.outcome()),
                completed => completed?,
            }
            left_out
        }
    };
    report.end_writing(left_out, restrictions);
    Ok(report.end())
}

/// Reads the files and writes a file for each board.
pub(crate) fn draw(
    begin: impl FnOnce(PictureFiles) -> Writing<'static, PictureFiles>,
    run: Run<'_>,
) -> Result<Outcome> {
    let files = PictureFiles::new(&run.files);
    let counter = files.counter();
    let written = || counted(counter.load(Ordering::Relaxed), "board");
    remove_when_interrupted()?;
    let mut job = begin(files);
    let (workers, mut report) = run.begin(false)?;
    let why_unfinished = read(&workers, &mut job, (run.files, run.input), &mut report);
    let totals = job.totals();
    let left_out = match job.end() {
        Err(error) => {
            report.failure(&format!("{}; {} written", with_causes(&error), written()));
            LeftOut::default()
        }
        Ok((_, left_out)) => {
            report.end_reading(&totals);
            if let Some(why) = why_unfinished {
                report.failure(&format!("{} written, not all, because {why}", written()));
            }
            left_out
        }
    };
    report.end_writing(left_out, &run.restrictions);
    Ok(report.end())
}

/// Reads the files and reports errors and warnings.
pub(crate) fn check(mut job: impl Job, run: Run<'_>) -> Result<Outcome> {
    let (workers, mut report) = run.begin(false)?;
    read(&workers, &mut job, (run.files, run.input), &mut report);
    report.end_reading(&job.totals());
    report.end_writing(LeftOut::default(), &run.restrictions);
    Ok(report.end())
}

impl Run<'_> {
    fn begin(&self, is_terminal: bool) -> Result<(Workers, Report)> {
        let workers = Workers::new(self.running.threads)?;
        let size = files::size(&self.files, self.input.open_options().range.as_ref());
        let progress = Progress::new(self.running, is_terminal, size, self.unit);
        Ok((workers, Report::new(self.running, self.channel, progress, self.unit)))
    }
}

/// The input files of a run, which are opened one after another.
struct Inputs<'a> {
    files: std::vec::IntoIter<Found>,
    input: &'a InputArguments,
    /// The file that is read next, if it is open already.
    opened: Option<(PathBuf, Source)>,
    /// The reason why not everything can be read, which completes a sentence after "because".
    why_unread: Option<&'static str>,
}

impl<'a> Inputs<'a> {
    fn new(files: Vec<Found>, input: &'a InputArguments) -> Self {
        Self { files: files.into_iter(), input, opened: None, why_unread: None }
    }

    /// Opens the next file that can be opened, and reports those that cannot.
    fn open_next(&mut self, report: &mut Report) {
        while self.opened.is_none()
            && let Some((path, found)) = self.files.next()
        {
            match found.and_then(|()| input::open(&path, self.input)) {
                Ok(source) => self.opened = Some((path, source)),
                Err(error) => {
                    self.is_not_read(report, &format!("{}: {}", shown(&path), input::explain(&path, &error)));
                }
            }
        }
    }

    /// Returns the next file, which is open.
    fn next(&mut self, report: &mut Report) -> Option<(PathBuf, Source)> {
        self.open_next(report);
        self.opened.take()
    }

    /// Reports a file that cannot be read.
    fn is_not_read(&mut self, report: &mut Report, message: &str) {
        self.why_unread = Some("not all of the input could be read");
        report.failure(message);
    }
}

/// Reads the files. If not everything was read, returns the reason, which completes a sentence after "because".
pub(crate) fn read(
    workers: &Workers,
    job: &mut dyn Job,
    (files, input): (Vec<Found>, &InputArguments),
    report: &mut Report,
) -> Option<&'static str> {
    read_inputs(workers, job, Inputs::new(files, input), report)
}

fn read_inputs(
    workers: &Workers,
    job: &mut dyn Job,
    mut inputs: Inputs<'_>,
    report: &mut Report,
) -> Option<&'static str> {
    report.set_encoding(inputs.input.encoding);
    while !job.is_over()
        && let Some((path, source)) = inputs.next(report)
    {
        if let Err(error) = job.read(workers, &path, source, report) {
            let consequence = if MemoryLimit::is_reason_of(&error) {
                "allow more with --memory, or leave out -u; the rest of the input was not read"
            } else if job.is_over() {
                "the rest of the input was not read"
            } else {
                "the games before it were read"
            };
            inputs.is_not_read(report, &format!("{}: {error}; {consequence}", shown(&path)));
        }
        report.sum_up_warnings();
    }
    let is_stopped = job.totals().is_stopped;
    is_stopped.then_some("reading stopped at an error").or(inputs.why_unread)
}
