//! The commands that play games over: positions, and check.

use std::ops::ControlFlow;

use anyhow::Result;
use pgn2fen::pgn::games::{Left, Text};
use pgn2fen::positions::{AskedTags, Batch, InOrder, Positions};

use crate::cli::args::{CheckArguments, PositionsArguments};
use crate::cli::hints::Restrictions;
use crate::cli::input;
use crate::cli::press::Printer;
use crate::cli::report::{Outcome, Place, Unit};
use crate::cli::walk::{Job, Order, Run, open_output, walk};

/// `pgn2fen [FILE]…`
pub(crate) fn positions(arguments: &PositionsArguments) -> Result<Outcome> {
    let (shape, compression) = arguments.output.shape()?;
    let columns = shape.columns()?;
    let job = Positions {
        style: Some(arguments.style.style()),
        columns,
        postings: false,
        encoding: arguments.input.encoding.0,
        games: arguments.start.filter(&arguments.games),
        max_games: arguments.games.max_games,
        positions: arguments.positions.filter(),
        unique: arguments.positions.unique,
        variations: arguments.positions.variations,
        file: 0,
        replay: arguments.moves.replay(&arguments.input, &arguments.running),
        on_error: arguments.on_error(),
    };
    let files = input::files(&arguments.input)?;
    let output = open_output(arguments.output.output.as_deref(), compression, &files, shape.format)?;
    let printer = Printer::begin(output, &shape, job.columns.as_ref())?;
    let run = Run {
        files,
        input: &arguments.input,
        running: &arguments.running,
        place: Place::Stderr,
        unit: Unit::Position,
        restrictions: Restrictions {
            games: arguments.start.chosen(&arguments.games),
            positions: arguments.positions.chosen(),
        },
        printer,
    };
    let in_order = InOrder::new(&job);
    walk(job, in_order, run)
}

/// `pgn2fen check [FILE]…`
pub(crate) fn check(arguments: &CheckArguments) -> Result<Outcome> {
    let job = Positions {
        encoding: arguments.input.encoding.0,
        games: arguments.start.filter(&arguments.games),
        max_games: arguments.games.max_games,
        variations: arguments.variations,
        replay: arguments.moves.replay(&arguments.input, &arguments.running),
        ..Positions::default()
    };
    let run = Run {
        files: input::files(&arguments.input)?,
        input: &arguments.input,
        running: &arguments.running,
        place: Place::Stdout,
        unit: Unit::Position,
        restrictions: Restrictions { games: arguments.start.chosen(&arguments.games), positions: Vec::new() },
        printer: Printer::none(),
    };
    let in_order = InOrder::new(&job);
    walk(job, in_order, run)
}

impl Job for Positions {
    fn begin_file(&mut self, number: u64) {
        self.file = number;
    }

    fn read(&self, text: Text<'_>, until: usize, batch: &mut Batch) -> Left {
        self.read(text, until, batch)
    }

    fn asked_tags(&self) -> AskedTags {
        self.asked_tags()
    }
}

impl Order for InOrder {
    fn take(&mut self, batch: &mut Batch) -> ControlFlow<()> {
        self.take(batch)
    }

    fn is_over(&self) -> bool {
        self.is_over()
    }
}
