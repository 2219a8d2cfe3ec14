//! Options for the choice of games and for how they are read.

use crate::pgn::encoding::Label;
use crate::replay::ReplayOptions;
use crate::selection::GameFilter;

/// Options for the choice of games and for how they are read.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ReadOptions {
    /// The filter for games. Nothing is reported about games that do not pass it, whatever faults they have.
    pub games: GameFilter,
    /// The greatest number of games in the run. None for all games.
    pub max_games: Option<u64>,
    /// Options for moves, results and starting positions.
    pub replay: ReplayOptions,
    /// The encoding of tag values that are not UTF-8. None for Windows-1252. It is not guessed here, because a guess would depend on the
    /// text that was read before.
    pub encoding: Option<Label>,
    /// The handling of a game with an error.
    pub on_error: OnError,
}

/// The handling of a game that cannot be read to its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnError {
    /// The positions before the error are kept.
    #[default]
    Keep,
    /// All positions of the game are dropped.
    Drop,
    /// The positions before the error are kept, and the run ends.
    Stop,
}
