//! `pgn2fen check`: its options, and the run that reports errors and warnings.

use anyhow::Result;
use clap::Args;

use crate::examples::examples;
use crate::input;
use crate::options::choice::{GameArguments, StartArguments};
use crate::options::read_options;
use crate::options::reading::{InputArguments, MoveArguments};
use crate::options::running::RunningArguments;
use crate::outcome::Outcome;
use crate::report::Channel;
use crate::unit::Unit;
use crate::walk::{self, Run};
use pgn2fen_games::walk::{Check, OnError};

/// Report errors and warnings, and print a summary.
///
/// Reads and replays all games, with their variations, and prints each message on standard output, with file, line and
/// column.
#[derive(Debug, Args)]
#[command(after_long_help = examples(EXAMPLES))]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    pub(crate) input: InputArguments,
    #[command(flatten)]
    pub(crate) moves: MoveArguments,
    #[command(flatten)]
    pub(crate) games: GameArguments,
    #[command(flatten)]
    pub(crate) start: StartArguments,
    /// Check only main lines: errors in variations are neither reported nor counted
    #[arg(long, help_heading = "Positions")]
    pub(crate) no_variations: bool,
    /// Check the moves of variations, too, which is the default
    #[arg(long, help_heading = "Positions", hide = true, overrides_with = "no_variations")]
    pub(crate) variations: bool,
    #[command(flatten)]
    pub(crate) running: RunningArguments,
}

const EXAMPLES: &str = "\
Examples:
  pgn2fen check games.pgn                  report what is wrong with a file
  pgn2fen check -v games.pgn               report each warning
  pgn2fen check --no-variations games.pgn  check main lines only
  pgn2fen check -r games > messages.txt    check a folder

Exit status: 0 if no game has an error, 1 if some games have errors (0 with --exit-zero), 2 for wrong usage or if a \
file could not
be read.";

/// Runs `pgn2fen check [FILE]…`.
pub(crate) fn check(arguments: &CheckArguments) -> Result<Outcome> {
    let CheckArguments { input, moves, games, start, no_variations, variations: _, running } = arguments;
    let read = read_options((games, start), moves, input, running, OnError::Keep);
    let run = Run {
        channel: Channel::Stdout,
        unit: Unit::Position,
        ..Run::choosing(&read, input::files(input)?, input, running)
    };
    walk::check(if *no_variations { Check::of_main_lines(read) } else { Check::new(read) }, run)
}
