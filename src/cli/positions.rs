//! The commands that play games over: positions, and check.

use anyhow::Result;
use pgn2fen::rows::Rows;
use pgn2fen::walk::{Check, OnError, ReadOptions};

use crate::cli::args::{CheckArguments, InputArguments, MoveArguments, PositionsArguments, RunningArguments};
use crate::cli::choice::{GameArguments, StartArguments};
use crate::cli::hints::Restrictions;
use crate::cli::input;
use crate::cli::report::{Channel, Outcome, Unit};
use crate::cli::walk::{self, Run, open_output};

/// `pgn2fen [FILE]…`
pub(crate) fn positions(arguments: &PositionsArguments) -> Result<Outcome> {
    let PositionsArguments { input, moves, games, start, positions, output, style, running, .. } = arguments;
    let (shape, compression) = output.shape()?;
    shape.columns()?;
    let files = input::files(input)?;
    let target = open_output(output.output.as_deref(), compression, &files, shape.format)?;
    let rows = Rows::new()
        .shape(shape)
        .style(style.style())
        .positions(positions.filter())
        .unique(positions.unique)
        .variations(positions.variations)
        .read_options(read_options((games, start), moves, input, running, arguments.on_error()));
    let run = Run {
        files,
        input,
        running,
        channel: Channel::Stderr,
        unit: Unit::Position,
        restrictions: Restrictions { games: start.chosen(games), positions: positions.chosen() },
    };
    walk::write(target, |target| rows.begin(target), run)
}

/// `pgn2fen check [FILE]…`
pub(crate) fn check(arguments: &CheckArguments) -> Result<Outcome> {
    let CheckArguments { input, moves, games, start, variations, running } = arguments;
    let read = read_options((games, start), moves, input, running, OnError::Keep);
    let run = Run {
        files: input::files(input)?,
        input,
        running,
        channel: Channel::Stdout,
        unit: Unit::Position,
        restrictions: Restrictions { games: start.chosen(games), positions: Vec::new() },
    };
    walk::check(if *variations { Check::with_variations(read) } else { Check::new(read) }, run)
}

/// Which games are read, and how they are understood.
pub(crate) fn read_options(
    (games, start): (&GameArguments, &StartArguments),
    moves: &MoveArguments,
    input: &InputArguments,
    running: &RunningArguments,
    on_error: OnError,
) -> ReadOptions {
    let mut read = ReadOptions::default();
    read.games = start.filter(games);
    read.max_games = games.max_games;
    read.replay = moves.replay(input, running);
    read.encoding = input.encoding.0;
    read.on_error = on_error;
    read
}
