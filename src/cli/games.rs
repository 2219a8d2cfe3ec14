//! `pgn2fen games`: its options, and the run that copies games.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use crate::cli::input;
use crate::cli::options::choice::{GameArguments, StartArguments};
use crate::cli::options::export::ExportArguments;
use crate::cli::options::read_options;
use crate::cli::options::reading::{InputArguments, MoveArguments};
use crate::cli::options::running::RunningArguments;
use crate::cli::options::shape::{ShapeArguments, StretchArguments};
use crate::cli::outcome::Outcome;
use crate::cli::output::Output;
use crate::cli::report::Channel;
use crate::cli::unit::Unit;
use crate::cli::walk::{self, Run};
use crate::files::{Compression, compression_of_games, refuse_to_replace};
use crate::games::Games;
use crate::messages::Restrictions;

/// Copy the games that pass the filters, as PGN.
///
/// Games are copied byte for byte, in the order of the files: with -t by their tags, with --opening by their opening, with --start by their
/// starting position, with --reached, --material, --pattern and --pawns by what their main line reached, with --length by its length. Without
/// a filter, all games of all files are copied.
///
/// With --san, or with another option of its group, games are written anew instead: in one form, or without some of their parts.
///
/// Moves are played only if an option needs them. So errors in moves are reported only then; `pgn2fen check` reports all of them.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct GamesArguments {
    #[command(flatten)]
    input: InputArguments,
    #[command(flatten)]
    moves: MoveArguments,
    #[command(flatten)]
    games: GameArguments,
    #[command(flatten)]
    start: StartArguments,
    #[command(flatten)]
    shape: ShapeArguments,
    #[command(flatten)]
    stretch: StretchArguments,
    /// Copy the other games: those that do not pass all filters
    #[arg(long, help_heading = "Games")]
    invert: bool,
    #[command(flatten)]
    export: ExportArguments,
    #[command(flatten)]
    output: GamesOutput,
    #[command(flatten)]
    running: RunningArguments,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
struct GamesOutput {
    /// Write to FILE, which appears when it is complete; the endings .zst .gz .bz2 compress it
    ///
    /// The format is always PGN, so endings of other formats are refused: strong.pgn, strong.pgn.zst.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  pgn2fen games -t 'WhiteElo>=2200' -t 'BlackElo>=2200' games.pgn -o strong.pgn    copy the games of strong players
  pgn2fen games --opening Najdorf -r games -o najdorf.pgn.zst    copy the games of an opening
  pgn2fen games --material 'RP+1:RP*' --for-plies 20 games.pgn    copy rook endings with an extra pawn
  pgn2fen games --start standard --invert games.pgn              copy studies, puzzles and Chess960 games
  pgn2fen games --san old.pgn -o new.pgn                         write games by the PGN standard
  pgn2fen games --no-comments --no-variations --tags roster games.pgn    the roster and the moves
  pgn2fen games a.pgn.zst b.pgn -o all.pgn                       join files

Exit status: 0 if everything was read, 1 if some games have errors (0 with --exit-zero), 2 for wrong usage or if a file could not be
read or written.";

/// Runs `pgn2fen games [FILE]…`.
pub(crate) fn games(arguments: &GamesArguments) -> Result<Outcome> {
    let GamesArguments { input, moves, games, start, shape, stretch, invert, export, output, running } = arguments;
    let output = output.output.as_deref();
    let compression = output.map_or(Ok(Compression::None), compression_of_games)?;
    let files = input::files(input)?;
    let mut read = read_options((games, start), moves, input, running, export.on_error());
    read.games.course.shape = shape.filter(Some(stretch))?;
    read.invert = *invert;
    let mut restrictions = [start.chosen(games), shape.chosen()].concat();
    if *invert {
        restrictions.push("--invert");
    }
    let mut job = Games::new().read_options(read);
    if let Some(options) = export.options()? {
        job = job.export(options);
    }
    let run = Run {
        files,
        input,
        running,
        channel: Channel::Stderr,
        unit: Unit::Game,
        restrictions: Restrictions { games: restrictions, positions: Vec::new() },
    };
    if let Some(output) = output {
        refuse_to_replace(&run.files, output)?;
    }
    let target = Output::open(output, compression)?;
    walk::write(target, |target| Ok(job.begin(target)), run)
}
