//! Whole games, one after another, from any number of files.
//!
//! [`GameReader`] chooses the games, by their tags and starting positions, and reads them on background threads. A
//! [`GameStream`] gives them in order. Each is an [`OwnedGame`], which has its own text and can be kept or sent to
//! another thread. Its moves are not played until it is asked for them.
//!
//! The games of a [`Database`](crate::database::Database) in memory need none of this:
//! [`Database::games`](crate::database::Database::games) gives them without copies.
//!
//! ```
//! use pgn2fen_games::database::Database;
//! use pgn2fen_games::stream::GameReader;
//!
//! let games = b"[WhiteElo \"2400\"]\n\n1. e4 e5 1-0\n\n[WhiteElo \"1800\"]\n\n1. d4 *\n".repeat(100);
//! let mut plies = 0;
//! for game in GameReader::new().tags("WhiteElo>=2200")?.stream([Database::from(games)])? {
//!     plies += game?.game().replay()?.last_ply();
//! }
//! assert_eq!(plies, 200);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Inside
//!
//! - `reader`, `games`: the options of the job; the iterator of games
//! - `game_texts`, `owned`: a game as its text and place, in groups for the other thread

mod game_texts;
mod games;
mod owned;
mod reader;

pub use crate::stream::games::GameStream;
pub use crate::stream::owned::OwnedGame;
pub use crate::stream::reader::{GameReader, StreamError};
