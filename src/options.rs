//! Options that several commands share.

pub(crate) mod boards;
pub(crate) mod choice;
pub(crate) mod edits;
pub(crate) mod export;
pub(crate) mod listed;
pub(crate) mod names;
pub(crate) mod output;
pub(crate) mod reading;
pub(crate) mod records;
pub(crate) mod running;
pub(crate) mod shape;

use crate::options::choice::{GameArguments, StartArguments};
use crate::options::reading::{InputArguments, MoveArguments};
use crate::options::running::RunningArguments;
use pgn2fen_games::walk::{OnError, ReadOptions};

/// Returns the games that the options choose, and how their text is read.
pub(crate) fn read_options(
    (games, start): (&GameArguments, &StartArguments),
    moves: &MoveArguments,
    input: &InputArguments,
    running: &RunningArguments,
    on_error: OnError,
) -> ReadOptions {
    ReadOptions {
        games: start.filter(games),
        invert: false,
        max_games: games.max_games(),
        replay: moves.replay(input, running),
        encoding: input.encoding.0,
        movetext: input.movetext.clone(),
        on_error,
    }
}
