//! Options that several commands share.

pub(crate) mod choice;
pub(crate) mod output;
pub(crate) mod reading;
pub(crate) mod running;

use pgn2fen::walk::{OnError, ReadOptions};

use crate::cli::options::choice::{GameArguments, StartArguments};
use crate::cli::options::reading::{InputArguments, MoveArguments};
use crate::cli::options::running::RunningArguments;

/// Returns the games that the options choose, and how their text is read.
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
