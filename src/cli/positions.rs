//! `pgn2fen` without a command: its options, and the run that writes positions.

use anyhow::Result;
use clap::{Args, ValueEnum};

use crate::cli::input;
use crate::cli::options::choice::{GameArguments, PositionArguments, StartArguments};
use crate::cli::options::output::{Chosen, OutputArguments, StyleArguments};
use crate::cli::options::read_options;
use crate::cli::options::reading::{InputArguments, MoveArguments};
use crate::cli::options::running::RunningArguments;
use crate::cli::options::shape::{ShapeArguments, StretchArguments};
use crate::cli::outcome::Outcome;
use crate::cli::report::Channel;
use crate::cli::unit::Unit;
use crate::cli::walk::{self, Run, open_output};
use crate::messages::Restrictions;
use crate::rows::{BoardOptions, Rows, page};
use crate::walk::OnError;

#[derive(Debug, Args)]
pub(crate) struct PositionsArguments {
    #[command(flatten)]
    pub(crate) input: InputArguments,
    #[command(flatten)]
    pub(crate) moves: MoveArguments,
    #[command(flatten)]
    pub(crate) games: GameArguments,
    #[command(flatten)]
    pub(crate) start: StartArguments,
    /// What to do with a game that has an error
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = OnErrorArgument::Keep, help_heading = "Games")]
    on_error: OnErrorArgument,
    #[command(flatten)]
    pub(crate) positions: PositionArguments,
    #[command(flatten)]
    pub(crate) shape: ShapeArguments,
    #[command(flatten)]
    pub(crate) stretch: StretchArguments,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
    #[command(flatten)]
    pub(crate) style: StyleArguments,
    #[command(flatten)]
    pub(crate) running: RunningArguments,
}

impl PositionsArguments {
    pub(crate) fn on_error(&self) -> OnError {
        match self.on_error {
            OnErrorArgument::Keep => OnError::Keep,
            OnErrorArgument::Drop => OnError::Drop,
            OnErrorArgument::Stop => OnError::Stop,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum OnErrorArgument {
    /// Print the positions before the error
    Keep,
    /// Print nothing of the game
    Drop,
    /// Print the positions before the error and stop
    Stop,
}

/// Runs `pgn2fen [FILE]…`.
pub(crate) fn positions(arguments: &PositionsArguments) -> Result<Outcome> {
    let PositionsArguments { input, moves, games, start, positions, output, style, running, .. } = arguments;
    let PositionsArguments { shape, stretch, .. } = arguments;
    let filter = positions.filter(shape.filter(Some(stretch))?);
    let (chosen, boards) = output.chosen(|| input::tags(input, running))?;
    let files = input::files(input)?;
    let boards = BoardOptions { title: page::title("Positions", files.iter().map(|(file, _)| &**file)), ..boards };
    let rows = Rows::new()
        .boards(boards)
        .style(style.style())
        .positions(filter)
        .unique(positions.unique)
        .variations(positions.variations)
        .read_options(read_options((games, start), moves, input, running, arguments.on_error()));
    let run = Run {
        files,
        input,
        running,
        channel: Channel::Stderr,
        unit: Unit::Position,
        restrictions: Restrictions {
            games: start.chosen(games),
            positions: [positions.chosen(), shape.chosen()].concat(),
        },
    };
    match chosen {
        Chosen::OneFile(shape, compression) => {
            let target = open_output(output.output.as_deref(), compression, &run.files, shape.format)?;
            let rows = rows.shape(shape);
            walk::write(target, |target| rows.begin(target), run)
        }
        Chosen::Pictures(format, names) => walk::draw(|files| rows.begin_pictures(format, names, files), run),
    }
}
