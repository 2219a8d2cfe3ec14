//! Which games are read, and how they are understood.

use crate::pgn::encoding::Label;
use crate::replay::ReplayOptions;
use crate::selection::GameFilter;

/// Which games are read, and how they are understood.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ReadOptions {
    /// Which games are wanted. Nothing is reported about the others, whatever is wrong with them.
    pub games: GameFilter,
    /// How many games of the run are wanted; None for all.
    pub max_games: Option<u64>,
    /// How moves, results and starting positions are understood.
    pub replay: ReplayOptions,
    /// The encoding of tag values that are not UTF-8; None for Windows-1252. It must not depend on what was read before, as a
    /// guess would.
    pub encoding: Option<Label>,
    /// What becomes of a game with an error.
    pub on_error: OnError,
}

/// What becomes of a game that cannot be read to its end.
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
