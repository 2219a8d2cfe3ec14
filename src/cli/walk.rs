//! The walk through the files that were named, whatever is made of their games.

use std::ops::ControlFlow;
use std::path::Path;

use anyhow::{Context, Result};
use pgn2fen::database::Source;
use pgn2fen::parallel::{Delivery, Stages, Workers};
use pgn2fen::pgn::games::Text;
use pgn2fen::positions::Batch;
use pgn2fen::rows::Format;
use pgn2fen::rows::export::Collector;

use crate::cli::args::{InputArguments, RunningArguments};
use crate::cli::compress::Compression;
use crate::cli::input::{self, Found};
use crate::cli::output::Output;
use crate::cli::press::{End, Printer};
use crate::cli::progress::Progress;
use crate::cli::report::{Outcome, Place, Report, Unit};

/// What is made of games, on any thread.
pub(crate) trait Job: Sync {
    /// The following texts are of this file of the run.
    fn begin_file(&mut self, number: u64);
    /// Reads the games that begin in `text` before `until`, and tells where reading must go on.
    fn read(&self, text: Text<'_>, until: usize, batch: &mut Batch) -> usize;
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

/// Walks through the files.
pub(crate) fn walk(mut job: impl Job, mut in_order: impl Order, run: Run<'_>) -> Result<Outcome> {
    let Run { files, input, running, place, unit, printer } = run;
    let workers = Workers::new(running.threads).context("cannot start threads")?;
    let progress = Progress::new(running, printer.is_terminal(), input::size(&files, input), unit);
    let mut report = Report::new(running, place, progress, unit);
    let mut is_stopped = false;
    let mut is_whole = true;
    let Printer { mut collector, encoder, mut press } = printer;
    for (file, (path, found)) in (0..).zip(files) {
        if is_stopped || press.is_stopped() || in_order.is_over() {
            break;
        }
        job.begin_file(file);
        in_order.begin_file();
        let source = match found.and_then(|()| input::open(&path, input)) {
            Ok(source) => source,
            Err(error) => {
                is_whole = false;
                report.failure(&format!("{}: {}", path.display(), input::explain(&error)));
                continue;
            }
        };
        let name = path.display().to_string();
        if let Some(collector) = &mut collector {
            collector.begin_file(&name, before(&source));
        }
        report.begin_file(name, input.encoding, &source);
        let read = |text: Text<'_>, until: usize, batch: &mut Batch| job.read(text, until, batch);
        let order = |mut delivery: Delivery<'_, Batch>| {
            let flow = in_order.take(delivery.batch);
            report.deliver(&mut delivery);
            let Delivery { batch, line, .. } = delivery;
            if let Some(collector) = &mut collector {
                collector.collect(&mut batch.table, batch.count.games, line, &mut batch.product);
            }
            is_stopped |= batch.is_stopped;
            if is_stopped { ControlFlow::Break(()) } else { flow }
        };
        let encode = |batch: &mut Batch| {
            if let Some(table) = encoder.as_ref().and_then(|encoder| encoder.encode(&mut batch.product)) {
                batch.table = table;
            }
        };
        let deliver = |batch: &mut Batch| press.print(batch);
        let walked = workers.walk_in_stages(source, Stages { read, order, encode, deliver });
        // What lies behind the last game that is wanted is none of our business, even if a worker has seen it.
        if let Err(error) = walked
            && !(is_stopped || in_order.is_over())
        {
            is_whole = false;
            report.failure(&format!("{}: {error}; the games before it were read", path.display()));
        }
        report.end_file();
    }
    press.write(in_order.end(collector.as_mut()));
    if let (Some(collector), Some(encoder)) = (collector, encoder) {
        press.print_last(collector, &encoder);
    }
    let why_unfinished = match (is_stopped, is_whole) {
        (true, _) => Some("reading stopped at an error"),
        (false, false) => Some("not all of the input could be read"),
        (false, true) => None,
    };
    let left_out = press.left_out();
    match press.end(why_unfinished)? {
        End::ClosedPipe => return Ok(Outcome::Clean),
        End::Failed(message) => report.failure(&message),
        End::Printed => {}
    }
    report.end_rows(left_out);
    Ok(report.end())
}

/// What stands in a file before the games that are read.
fn before(source: &Source) -> &[u8] {
    match source {
        Source::Whole(database) => database.before(),
        Source::Stream(_) => &[],
    }
}

fn refuse_to_replace_input(files: &[Found], output: Option<&Path>) -> Result<()> {
    let real = |path: &Path| path.canonicalize().ok();
    let Some(output) = output.and_then(real).filter(|output| output.is_file()) else {
        return Ok(());
    };
    for (file, _) in files {
        anyhow::ensure!(real(file).as_ref() != Some(&output), "{} is input and output", file.display());
    }
    Ok(())
}
