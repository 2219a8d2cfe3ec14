//! The commands that walk through games: positions, and check.

use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::{Context, Result};
use pgn2fen::parallel::{Delivery, Stages, Workers};
use pgn2fen::pgn::games::Text;
use pgn2fen::positions::{Batch, Positions};

use crate::cli::args::{CheckArguments, InputArguments, PositionsArguments, RunningArguments};
use crate::cli::input::{self, Found};
use crate::cli::output::Output;
use crate::cli::progress::Progress;
use crate::cli::report::{Outcome, Place, Report};

/// `pgn2fen [FILE]…`
pub(crate) fn positions(arguments: &PositionsArguments) -> Result<Outcome> {
    let job = Positions {
        style: Some(arguments.style()),
        skip_start: arguments.no_start,
        replay: arguments.input.replay(&arguments.running),
        on_error: arguments.on_error(),
    };
    let files = input::files(&arguments.input)?;
    refuse_to_replace_input(&files, arguments.output.as_deref())?;
    let output = Output::open(arguments.output.as_deref())?;
    walk(job, files, &arguments.input, &arguments.running, Place::Stderr, Some(output))
}

/// `pgn2fen check [FILE]…`
pub(crate) fn check(arguments: &CheckArguments) -> Result<Outcome> {
    let job = Positions { replay: arguments.input.replay(&arguments.running), ..Positions::default() };
    walk(job, input::files(&arguments.input)?, &arguments.input, &arguments.running, Place::Stdout, None)
}

/// Why a walk ended before the end of its input.
enum Stop {
    /// Nobody reads on.
    ClosedPipe,
    CannotWrite(io::Error),
    /// An error in a game, and the user wanted to stop at the first.
    GameError,
}

fn walk(
    job: Positions,
    files: Vec<Found>,
    input: &InputArguments,
    running: &RunningArguments,
    place: Place,
    mut output: Option<Output>,
) -> Result<Outcome> {
    let workers = Workers::new(running.threads).context("cannot start threads")?;
    let positions_are_seen = output.as_ref().is_some_and(Output::is_terminal);
    let progress = Progress::new(running, positions_are_seen, input::size(&files, input));
    let mut report = Report::new(running, place, progress);
    let mut stop = None;
    let mut is_whole = true;
    for (path, found) in files {
        let source = match found.and_then(|()| input::open(&path, input)) {
            Ok(source) => source,
            Err(error) => {
                is_whole = false;
                report.failure(&format!("{}: {}", path.display(), input::explain(&error)));
                continue;
            }
        };
        report.begin_file(path.display().to_string(), input.encoding, &source);
        let order = |mut delivery: Delivery<'_, Batch>| {
            report.deliver(&mut delivery);
            if delivery.batch.is_stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let deliver = |batch: &mut Batch| {
            if let Some(output) = &mut output
                && let Err(error) = output.write(&batch.output)
            {
                let is_closed = error.kind() == io::ErrorKind::BrokenPipe;
                stop = Some(if is_closed { Stop::ClosedPipe } else { Stop::CannotWrite(error) });
                return ControlFlow::Break(());
            }
            if batch.is_stopped {
                stop = Some(Stop::GameError);
            }
            ControlFlow::Continue(())
        };
        let read = |text: Text<'_>, until: usize, batch: &mut Batch| job.read(text, until, batch);
        let stages = Stages { read, order, encode: |_: &mut Batch| {}, deliver };
        if let Err(error) = workers.walk_in_stages(source, stages) {
            is_whole = false;
            report.failure(&format!("{}: {error}; the games before it were read", path.display()));
        }
        report.end_file();
        if stop.is_some() {
            break;
        }
    }
    match (stop, output) {
        (Some(Stop::ClosedPipe), _) => return Ok(Outcome::Clean),
        (Some(Stop::CannotWrite(error)), output) => {
            let name = output.map_or_else(String::new, |output| output.name());
            report.failure(&format!("cannot write {name}: {error}"));
        }
        (Some(Stop::GameError), Some(output @ Output::Beside { .. })) => {
            report.failure(&format!("{} is not written, since reading stopped at an error", output.name()));
        }
        (_, Some(output @ Output::Beside { .. })) if !is_whole => {
            report.failure(&format!("{} is not written, since not all of the input could be read", output.name()));
        }
        (_, Some(output)) => output.finish()?,
        (_, None) => {}
    }
    Ok(report.end())
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
