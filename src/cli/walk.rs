//! The walk through the files that were named, whatever is made of their games.

use std::ops::ControlFlow;
use std::path::Path;

use anyhow::{Context, Result};
use pgn2fen::database::Source;
use pgn2fen::parallel::{Delivery, Stages, Workers};
use pgn2fen::pgn::games::{Left, Text};
use pgn2fen::positions::{AskedTags, Batch};
use pgn2fen::rows::Format;
use pgn2fen::rows::export::Collector;

use crate::cli::args::{InputArguments, RunningArguments};
use crate::cli::compress::Compression;
use crate::cli::hints::Restrictions;
use crate::cli::input::{self, Found};
use crate::cli::output::Output;
use crate::cli::press::{End, Printer};
use crate::cli::progress::Progress;
use crate::cli::report::{Outcome, Place, Report, Unit};
use crate::cli::say::shown;

/// What is made of games, on any thread.
pub(crate) trait Job: Sync {
    /// The following texts are of this file of the run.
    fn begin_file(&mut self, number: u64);
    /// Reads the games that begin in `text` before `until`, and tells where reading must go on.
    fn read(&self, text: Text<'_>, until: usize, batch: &mut Batch) -> Left;
    /// The tags that filters and columns ask for.
    fn asked_tags(&self) -> AskedTags;
}

/// What is decided in the order of the games.
pub(crate) trait Order: Send {
    /// The following batches are of another file.
    fn begin_file(&mut self) {}
    /// Takes the next batch. Breaks off when no more games are wanted.
    fn take(&mut self, batch: &mut Batch) -> ControlFlow<()>;
    /// Whether no more games are wanted.
    fn is_over(&self) -> bool;
    /// All batches have been taken. Tells the rows that were held what they waited for, and gives what comes behind the lines.
    fn end(self, _rows: Option<&mut Collector>) -> &'static [u8]
    where
        Self: Sized,
    {
        b""
    }
}

/// What is read, and where what is said of it goes.
pub(crate) struct Run<'a> {
    pub(crate) files: Vec<Found>,
    pub(crate) input: &'a InputArguments,
    pub(crate) running: &'a RunningArguments,
    pub(crate) place: Place,
    pub(crate) unit: Unit,
    pub(crate) restrictions: Restrictions,
    pub(crate) printer: Printer,
}

/// Opens the place for what is printed in this format.
pub(crate) fn open_output(
    path: Option<&Path>,
    compression: Compression,
    files: &[Found],
    format: Format,
) -> Result<Output> {
    refuse_to_replace_input(files, path)?;
    let output = Output::open(path, compression)?;
    let name = format.name();
    anyhow::ensure!(
        !(format.is_binary() && output.is_terminal()),
        "{name} is nothing to look at; write it to a file: -o positions.{name}"
    );
    Ok(output)
}

/// What becomes of what was read.
pub(crate) trait Sink {
    /// What comes now is of this file.
    fn begin_file(&mut self, path: &Path, source: &Source) -> Result<()>;

    /// What is done with each batch: in the order of the games, where it is told on which line it begins, counted from 0 where
    /// the games begin that are read; then on any worker; then in order again, until nothing more is wanted.
    fn stages(&mut self) -> (impl Collect, impl Fn(&mut Batch) + Sync, impl Deliver);

    /// Whether nothing more is wanted.
    fn is_stopped(&self) -> bool;
}

/// Takes a batch that begins on a line.
pub(crate) trait Collect: FnMut(&mut Batch, u64) + Send {}
impl<F: FnMut(&mut Batch, u64) + Send> Collect for F {}

/// Takes a batch, and may break off.
pub(crate) trait Deliver: FnMut(&mut Batch) -> ControlFlow<()> + Send {}
impl<F: FnMut(&mut Batch) -> ControlFlow<()> + Send> Deliver for F {}

/// Walks through the files and prints.
pub(crate) fn walk(mut job: impl Job, mut in_order: impl Order, run: Run<'_>) -> Result<Outcome> {
    let Run { files, input, running, place, unit, restrictions, mut printer } = run;
    let workers = Workers::new(running.threads).context("cannot start threads")?;
    let progress = Progress::new(running, printer.is_terminal(), input::size(&files, input), unit);
    let mut report = Report::new(running, place, progress, unit);
    let why_unfinished = read(&workers, &mut job, &mut in_order, (files, input), &mut report, &mut printer)?;
    printer.print_last(in_order);
    let left_out = printer.left_out();
    match printer.end(why_unfinished)? {
        End::ClosedPipe => return Ok(Outcome::Clean),
        End::Failed(message) => report.failure(&message),
        End::Printed => {}
    }
    report.end_writing(left_out, &restrictions);
    Ok(report.end())
}

/// Walks through the files. Tells why that was not all, if it was not.
pub(crate) fn read(
    workers: &Workers,
    job: &mut impl Job,
    in_order: &mut impl Order,
    (files, input): (Vec<Found>, &InputArguments),
    report: &mut Report,
    sink: &mut impl Sink,
) -> Result<Option<&'static str>> {
    let mut is_stopped = false;
    let mut is_whole = true;
    for (file, (path, found)) in (0..).zip(files) {
        if is_stopped || sink.is_stopped() || in_order.is_over() {
            break;
        }
        job.begin_file(file);
        in_order.begin_file();
        let source = match found.and_then(|()| input::open(&path, input)) {
            Ok(source) => source,
            Err(error) => {
                is_whole = false;
                report.failure(&format!("{}: {}", shown(&path), input::explain(&path, &error)));
                continue;
            }
        };
        sink.begin_file(&path, &source)?;
        report.begin_file(shown(&path), input.encoding, &source);
        let (mut collect, encode, deliver) = sink.stages();
        let read = |text: Text<'_>, until: usize, batch: &mut Batch| job.read(text, until, batch);
        let order = |mut delivery: Delivery<'_, Batch>| {
            let flow = in_order.take(delivery.batch);
            report.deliver(&mut delivery);
            is_stopped |= delivery.batch.is_stopped;
            collect(delivery.batch, delivery.line);
            if is_stopped { ControlFlow::Break(()) } else { flow }
        };
        let walked = workers.walk_in_stages(source, Stages { read, order, encode, deliver });
        // What lies behind the last game that is wanted is none of our business, even if a worker has seen it.
        if let Err(error) = walked
            && !(is_stopped || in_order.is_over())
        {
            is_whole = false;
            report.failure(&format!("{}: {error}; the games before it were read", shown(&path)));
        }
        report.end_file();
    }
    if !sink.is_stopped() {
        report.end_reading(&job.asked_tags());
    }
    Ok(match (is_stopped, is_whole) {
        (true, _) => Some("reading stopped at an error"),
        (false, false) => Some("not all of the input could be read"),
        (false, true) => None,
    })
}

fn refuse_to_replace_input(files: &[Found], output: Option<&Path>) -> Result<()> {
    let real = |path: &Path| path.canonicalize().ok();
    let Some(output) = output.and_then(real).filter(|output| output.is_file()) else {
        return Ok(());
    };
    for (file, _) in files {
        anyhow::ensure!(real(file).as_ref() != Some(&output), "{} is input and output", shown(file));
    }
    Ok(())
}
