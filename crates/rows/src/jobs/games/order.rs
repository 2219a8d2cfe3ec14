//! Orders in which games are written.

use pgn2fen_games::selection::SortKeys;

/// The order in which games are written.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub enum Order {
    /// The order of the files.
    #[default]
    Files,
    /// An order by tags. Games with equal values stay in the order of the files.
    Sorted(SortKeys),
    /// A random order, which depends only on the seed, the number of the file in the run, and the byte offset of each
    /// game.
    Shuffled {
        /// The seed. Different seeds give different orders.
        seed: u64,
    },
}
