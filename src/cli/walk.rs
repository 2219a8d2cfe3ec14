//! The commands that walk through games: positions, and check.

use std::ops::ControlFlow;
use std::path::Path;

use anyhow::{Context, Result};
use pgn2fen::database::Source;
use pgn2fen::parallel::{Delivery, Stages, Workers};
use pgn2fen::pgn::games::Text;
use pgn2fen::positions::{Batch, InOrder, Positions};

use crate::cli::args::{CheckArguments, InputArguments, PositionsArguments, RunningArguments};
use crate::cli::input::{self, Found};
use crate::cli::output::Output;
use crate::cli::press::{End, Printer};
use crate::cli::progress::Progress;
use crate::cli::report::{Outcome, Place, Report};

/// `pgn2fen [FILE]…`
pub(crate) fn positions(arguments: &PositionsArguments) -> Result<Outcome> {
    let (shape, compression) = arguments.output.shape()?;
    let columns = shape.columns()?;
    let job = Positions {
        style: Some(arguments.output.style()),
        columns,
        encoding: arguments.input.encoding.0,
        games: arguments.games.filter(),
        max_games: arguments.games.max_games,
        positions: arguments.positions.filter(),
        unique: arguments.positions.unique,
        variations: arguments.positions.variations,
        file: 0,
        replay: arguments.input.replay(&arguments.running),
        on_error: arguments.on_error(),
    };
    let files = input::files(&arguments.input)?;
    refuse_to_replace_input(&files, arguments.output.output.as_deref())?;
    let output = Output::open(arguments.output.output.as_deref(), compression)?;
    let name = shape.format.name();
    anyhow::ensure!(
        !(shape.format.is_binary() && output.is_terminal()),
        "{name} is nothing to look at; write it to a file: -o positions.{name}"
    );
    let printer = Printer::begin(output, &shape, job.columns.as_ref())?;
    walk(job, files, &arguments.input, &arguments.running, Place::Stderr, printer)
}

/// `pgn2fen check [FILE]…`
pub(crate) fn check(arguments: &CheckArguments) -> Result<Outcome> {
    let job = Positions {
        encoding: arguments.input.encoding.0,
        games: arguments.games.filter(),
        max_games: arguments.games.max_games,
        variations: arguments.variations,
        replay: arguments.input.replay(&arguments.running),
        ..Positions::default()
    };
    walk(job, input::files(&arguments.input)?, &arguments.input, &arguments.running, Place::Stdout, Printer::none())
}

fn walk(
    mut job: Positions,
    files: Vec<Found>,
    input: &InputArguments,
    running: &RunningArguments,
    place: Place,
    printer: Printer,
) -> Result<Outcome> {
    let workers = Workers::new(running.threads).context("cannot start threads")?;
    let progress = Progress::new(running, printer.is_terminal(), input::size(&files, input));
    let mut report = Report::new(running, place, progress);
    let mut in_order = InOrder::new(&job);
    let mut is_stopped = false;
    let mut is_whole = true;
    let Printer { mut collector, encoder, mut press } = printer;
    for (file, (path, found)) in (0..).zip(files) {
        if is_stopped || press.is_stopped() || in_order.is_over() {
            break;
        }
        job.file = file;
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
