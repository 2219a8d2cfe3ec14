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
use pgn2fen_files::{self as files, Compression, FileGroup, Found, GameFiles, PictureFiles, refuse_to_replace};
use pgn2fen_games::database::{Foreign, ForeignError, Source};
use pgn2fen_games::messages::{Restrictions, Skipped, counted, grouped, in_words, plain, shown, with_causes};
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::selection::TagFilter;
use pgn2fen_games::walk::{Job, LeftOut, MemoryLimit, MissingTag, ReadOptions, Totals};
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
    /// The filters on tags.
    pub(crate) tags: Vec<TagFilter>,
    /// Whether an output without rows is an error.
    pub(crate) must_have_rows: bool,
    /// The tags in the names of the output, which must not be missing in all games.
    pub(crate) needed_tags: Vec<Box<str>>,
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

/// The outcome of a run, and what was read if the output is complete.
pub(crate) type Written = (Outcome, Option<Totals>);

/// Reads the files and writes the output of a job.
pub(crate) fn write(
    output: Output,
    begin: impl FnOnce(Output) -> Result<Writing<'static, Output>, RowsError>,
    run: Run<'_>,
) -> Result<Written> {
    let (workers, mut report) = run.begin(output.is_terminal())?;
    let name = output.name();
    let Run { files, input, restrictions, .. } = run;
    let mut inputs = Inputs::new(files, input);
    // An output may have a beginning, such as a header row. It is not written if nothing can be read.
    if run.max_games != Some(0) {
        inputs.open_next(&mut report);
    }
    if let (None, Some(why)) = (&inputs.opened, inputs.why_unfinished()) {
        inputs.end(&mut report);
        output.complete(Some(why), &mut report)?;
        return Ok((report.end(), None));
    }
    let job = match begin(output) {
        Err(RowsError::Write(WriteError::Io(error))) if error.kind() == io::ErrorKind::BrokenPipe => {
            return Ok((Outcome::Clean, None));
        }
        Err(RowsError::Write(error)) => bail!("cannot write {name}: {}", with_causes(&error)),
        job => job.context("cannot begin the output")?,
    };
    write_all(&name, job, inputs, (&workers, report), (&restrictions, &[], run.must_have_rows))
}

/// An output that a run completes: one file, or several that appear together.
pub(crate) trait Complete: Sized {
    /// Completes the output. Files are added to the group, which gives them their names. Reports that they are not
    /// written for a reason.
    fn close(self, why_unfinished: Option<&str>, group: &mut FileGroup, report: &mut Report) -> Result<()>;

    /// Completes the output, or reports that its files are not written for a reason.
    fn complete(self, why_unfinished: Option<&str>, report: &mut Report) -> Result<()> {
        let mut group = FileGroup::new();
        self.close(why_unfinished, &mut group, report)?;
        group.finish()?;
        Ok(())
    }
}

impl Complete for Output {
    fn close(self, why_unfinished: Option<&str>, group: &mut FileGroup, report: &mut Report) -> Result<()> {
        if let Some(message) = self.close_unless(why_unfinished, group)? {
            report.lost(&message);
        }
        Ok(())
    }

    fn complete(self, why_unfinished: Option<&str>, report: &mut Report) -> Result<()> {
        if let Some(message) = self.finish_unless(why_unfinished)? {
            report.lost(&message);
        }
        Ok(())
    }
}

impl Complete for GameFiles {
    fn close(self, why_unfinished: Option<&str>, group: &mut FileGroup, report: &mut Report) -> Result<()> {
        match why_unfinished {
            Some(why) => report.lost(&format!("the files are not written because {why}")),
            None => group.append(self.into_group())?,
        }
        Ok(())
    }
}

impl<A: Complete, B: Complete> Complete for (A, B) {
    fn close(self, why_unfinished: Option<&str>, group: &mut FileGroup, report: &mut Report) -> Result<()> {
        self.0.close(why_unfinished, group, report)?;
        self.1.close(why_unfinished, group, report)
    }
}

/// Reads the files and writes the output of a job that has begun. The output has a name for messages, and may be a
/// terminal.
pub(crate) fn write_to<O: Complete>(
    (name, is_terminal): (&str, bool),
    job: Writing<'static, O>,
    run: Run<'_>,
) -> Result<Written> {
    let (workers, report) = run.begin(is_terminal)?;
    let Run { files, input, restrictions, needed_tags, .. } = run;
    write_all(
        name,
        job,
        Inputs::new(files, input),
        (&workers, report),
        (&restrictions, &needed_tags, run.must_have_rows),
    )
}

fn write_all<O: Complete>(
    name: &str,
    mut job: Writing<'static, O>,
    inputs: Inputs<'_>,
    (workers, mut report): (&Workers, Report),
    (restrictions, needed_tags, must_have_rows): (&Restrictions, &[Box<str>], bool),
) -> Result<Written> {
    let why_unfinished = read_inputs(workers, &mut job, inputs, &mut report);
    let mut totals = job.totals();
    let is_needed = |tag: &MissingTag| needed_tags.iter().any(|needed| **needed == *tag.name);
    let is_missing = totals.missing_tags.iter().any(is_needed);
    let why_unfinished = why_unfinished.or(is_missing.then_some("no game has a tag in their names"));
    let mut written = None;
    let left_out = match job.end() {
        // The program that reads the output wants no more of it. What was read before decides the status.
        Err(WriteError::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => return Ok((report.outcome(), None)),
        Err(error) => {
            report.lost(&format!("cannot write {name}: {}", with_causes(&error)));
            LeftOut::default()
        }
        Ok((output, left_out)) => {
            report.end_reading(&totals);
            match output.complete(why_unfinished, &mut report) {
                Err(error) if error.is::<Closed>() => return Ok((report.outcome(), None)),
                completed => completed?,
            }
            totals.left_out = left_out;
            written = why_unfinished.is_none().then_some(totals);
            left_out
        }
    };
    report.end_writing(left_out, restrictions);
    if must_have_rows && report.written(left_out) == 0 {
        if left_out.total() == 0 {
            report.hint("the output is empty");
        }
        report.fail();
    }
    Ok((report.end(), written))
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
pub(crate) fn check<J: Job>(
    mut job: J,
    run: Run<'_>,
    tell: impl FnOnce(J, &mut Report) -> Result<()>,
) -> Result<Outcome> {
    let (workers, mut report) = run.begin(false)?;
    read(&workers, &mut job, (run.files, run.input), &mut report);
    report.end_reading(&job.totals());
    tell(job, &mut report)?;
    report.end_writing(LeftOut::default(), &run.restrictions);
    // A folder is read with `--recursive` only; otherwise it has been reported.
    let is_read = |path: &&PathBuf| run.input.recursive || !path.is_dir();
    if let Some(note) = passed_over(run.input.files.iter().filter(is_read)) {
        report.note(&note);
    }
    Ok(report.end())
}

/// Reads the files for a job that gathers something, which the caller writes. Returns the workers, the report, and if
/// not everything was read, the reason, which completes a sentence after "because".
pub(crate) fn gather(
    job: &mut impl Job,
    run: Run<'_>,
    is_terminal: bool,
) -> Result<(Workers, Report, Option<&'static str>)> {
    let (workers, mut report) = run.begin(is_terminal)?;
    let why_unfinished = read(&workers, job, (run.files, run.input), &mut report);
    report.end_reading(&job.totals());
    Ok((workers, report, why_unfinished))
}

/// The endings of archives and databases that hold games which are not read.
const ARCHIVES: [&str; 16] =
    ["zip", "7z", "rar", "tar", "tgz", "tbz", "tbz2", "txz", "xz", "lz4", "gz", "bz2", "zst", "cbv", "cbh", "si3"];

/// Returns the note about the files of folders and zip archives that are not read, because they are not named like PGN
/// files. Archives are named first.
fn passed_over(paths: impl Iterator<Item = impl AsRef<Path>>) -> Option<String> {
    let mut files = files::passed_over(paths);
    let is_archive = |path: &PathBuf| {
        let ending = path.extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase);
        ending.is_some_and(|ending| ARCHIVES.contains(&&*ending))
    };
    files.sort_by_key(|path| !is_archive(path));
    let advice =
        if files.first().is_some_and(is_archive) { "; unpack archives to check the games in them" } else { "" };
    let noun = if files.len() == 1 { "file that is" } else { "files that are" };
    let count = grouped(files.len() as u64);
    in_words(&files).map(|(_, names)| format!("skipped: {count} {noun} not named like PGN ({names}){advice}"))
}

impl<'a> Run<'a> {
    /// Returns a run that counts games and wants all of them. Its messages are on standard error.
    pub(crate) fn of_games(files: Vec<Found>, input: &'a InputArguments, running: &'a RunningArguments) -> Self {
        Self {
            files,
            input,
            running,
            channel: Channel::Stderr,
            unit: Unit::Game,
            restrictions: Restrictions::default(),
            max_games: None,
            tags: Vec::new(),
            must_have_rows: false,
            needed_tags: Vec::new(),
        }
    }

    /// Returns a run that counts the games which these options choose.
    pub(crate) fn choosing(
        read: &ReadOptions,
        files: Vec<Found>,
        input: &'a InputArguments,
        running: &'a RunningArguments,
    ) -> Self {
        Self {
            restrictions: Restrictions { games: read.games.chosen(), positions: Vec::new() },
            max_games: read.max_games,
            tags: read.games.tags.clone(),
            ..Self::of_games(files, input, running)
        }
    }

    pub(crate) fn begin(&self, is_terminal: bool) -> Result<(Workers, Report)> {
        let workers = Workers::new(self.running.threads)?;
        let size = || files::size(&self.files, self.input.open_options().range.as_ref());
        let progress = Progress::new(self.running, is_terminal, size, self.unit);
        let mut report = Report::new(self.running, self.channel, progress, self.unit);
        report.set_filters(&self.tags);
        Ok((workers, report))
    }
}

/// The input files of a run, which are opened one after another.
struct Inputs<'a> {
    files: std::vec::IntoIter<Found>,
    input: &'a InputArguments,
    /// The file that is read next, if it is open already.
    opened: Option<(PathBuf, Source)>,
    /// Whether an error ended the reading that is not about a single file.
    is_broken_off: bool,
    skipped: Skipped,
}

impl<'a> Inputs<'a> {
    fn new(files: Vec<Found>, input: &'a InputArguments) -> Self {
        Self { files: files.into_iter(), input, opened: None, is_broken_off: false, skipped: Skipped::default() }
    }

    /// Opens the next file that can be opened, and reports those that cannot.
    fn open_next(&mut self, report: &mut Report) {
        while self.opened.is_none()
            && let Some((path, found)) = self.files.next()
        {
            match found.and_then(|()| input::open(&path, self.input)) {
                Ok(source) => self.opened = Some((path, source)),
                Err(error) => {
                    let is_table = ForeignError::of(&error).is_some_and(|foreign| foreign.kind == Foreign::Csv);
                    let why = match &self.input.movetext {
                        Some(column) if is_table => format!("is a table without a column {}", plain(column)),
                        _ => input::explain(&path, &error, self.input.may_be_command),
                    };
                    self.report(report, &format!("{}: {why}", shown(&path)));
                    report.count_unread();
                    self.skipped.count();
                    self.skipped.add(path, false);
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
    fn report(&self, report: &mut Report, message: &str) {
        if self.input.skip_unreadable {
            report.skipped(message);
        } else {
            report.failure(message);
        }
    }

    /// If the output is not to be written, returns the reason, which completes a sentence after "because".
    fn why_unfinished(&self) -> Option<&'static str> {
        let is_whole = self.skipped.is_empty() && !self.is_broken_off;
        if is_whole {
            None
        } else if self.is_broken_off {
            Some("not all of the input could be read")
        } else if !self.input.skip_unreadable {
            Some("not all of the input could be read; --skip-unreadable writes what could be read")
        } else {
            self.skipped.is_all().then_some("none of the input could be read")
        }
    }

    /// Ends the reading: names what was skipped.
    fn end(&self, report: &mut Report) {
        let Some(warning) = self.skipped.warning().filter(|_| self.input.skip_unreadable) else {
            return;
        };
        if self.why_unfinished().is_some() {
            report.failure("no file could be read");
        } else {
            report.hint(&warning);
        }
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
        let games_before = report.games();
        let read = job.read(workers, &path, source, report);
        let has_games = report.games() > games_before;
        inputs.skipped.count();
        if let Err(error) = read {
            let is_broken_off = MemoryLimit::is_reason_of(&error);
            let consequence = if is_broken_off {
                "allow more with --memory, or leave out -u; the rest of the input was not read"
            } else if job.is_over() {
                "the rest of the input was not read"
            } else {
                "the games before it were read"
            };
            let message = format!("{}: {error}; {consequence}", shown(&path));
            if is_broken_off {
                inputs.is_broken_off = true;
                report.failure(&message);
            } else {
                inputs.report(report, &message);
                inputs.skipped.add(path, has_games);
            }
        }
        report.sum_up_warnings();
    }
    inputs.end(report);
    let is_stopped = job.totals().is_stopped;
    is_stopped.then_some("reading stopped at an error").or(inputs.why_unfinished())
}
