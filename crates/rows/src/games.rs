//! Copies the games that pass a filter to a PGN file.
//!
//! ```
//! use pgn2fen_games::database::Database;
//! use pgn2fen_rows::games::Games;
//!
//! let games = b"[White \"Tal\"]\n\n1. e4 *\n\n[White \"Petrosian\"]\n\n1. d4 *\n".to_vec();
//! let (copies, _) = Games::new().tags("White~tal")?.write([Database::from(games)], Vec::new())?;
//! assert_eq!(copies, b"[White \"Tal\"]\n\n1. e4 *\n\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod arranged;
mod aside;
mod builder;
mod copying;
mod identity;
mod labelling;
mod labels;
mod make;
mod names;
mod order;
mod parts;
mod sink;
mod split;
mod spool;

pub use crate::games::builder::Games;
pub use crate::games::names::{GameFileNames, GameNameError};
pub use crate::games::order::Order;
pub use crate::games::sink::GameSink;
pub use crate::games::split::{Shares, Split};

pub(crate) use crate::games::copying::{Bind, Copied};
