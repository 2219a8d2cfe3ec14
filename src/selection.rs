//! Which games and which positions are wanted.
//!
//! A [`GameFilter`] decides by the tags of a game, so that the movetext of a game that is not wanted need not be played. A
//! [`PositionFilter`] decides position by position, by what is seen from there alone: its place in the game, the board, and
//! the next move. So the choice is the same whichever thread reads the game. What needs to know the games before, which is
//! the number of games and whether a position is a new one ([`Identity`]), is decided in the order of the files.
//!
//! ```
//! use pgn2fen::pgn::encoding::Fallback;
//! use pgn2fen::pgn::games::Games;
//! use pgn2fen::selection::TagFilter;
//!
//! let filter: TagFilter = "WhiteElo>=2200".parse()?;
//! let games = b"[WhiteElo \"2412\"] * [WhiteElo \"987\"] * [WhiteElo \"?\"] *";
//! let wanted: Vec<u64> = Games::new(games)
//!     .filter(|game| filter.holds(game.tags(), &Fallback::default()))
//!     .map(|game| game.offset())
//!     .collect();
//! assert_eq!(wanted, [0]);
//! # Ok::<(), pgn2fen::selection::Mistake>(())
//! ```

mod games;
mod identity;
mod mistake;
mod nearest;
mod positions;
mod range;
mod sample;
mod span;
mod tag_filter;

pub use crate::selection::games::{GameFilter, Start};
pub use crate::selection::identity::{Identities, Identity, Tally};
pub use crate::selection::mistake::Mistake;
pub(crate) use crate::selection::nearest::distance;
pub use crate::selection::nearest::nearest_names;
pub use crate::selection::positions::{InGame, PositionFilter};
pub use crate::selection::range::{Men, Plies};
pub use crate::selection::sample::{Sample, Share};
pub use crate::selection::tag_filter::TagFilter;
