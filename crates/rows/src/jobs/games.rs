//! Copies the games that pass a filter to a PGN file.
//!
//! ```
//! use pgn2fen_games::database::Database;
//! use pgn2fen_rows::games::Copies;
//!
//! let games = b"[White \"Tal\"]\n\n1. e4 *\n\n[White \"Petrosian\"]\n\n1. d4 *\n".to_vec();
//! let (copies, _) = Copies::new().tags("White~tal")?.write([Database::from(games)], Vec::new())?;
//! assert_eq!(copies, b"[White \"Tal\"]\n\n1. e4 *\n\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Inside
//!
//! - `builder`, `order`: the options of the job
//! - `request`: these options as programs are given them, and what does not go together
//! - `copies`, `copying`: a game as its copy; copies, and the output that writes them
//! - `identity`, `unique_keys`, `aside`: the identity of a game; what makes two games the same; an output that writes
//!   duplicates to a file of their own
//! - `edits`, `cut`: changes of tags and results; the last ply that is written
//! - `joined`: positions that follow one another, as games
//! - `labelling`, `labels`: the labels of copies: keys of an order, names of files
//! - `contest`: which of the games that are the same is kept, once all are known
//! - `names`, `split`: the names of several files; rules by which games are split
//! - `chapters`: games as chapters of a Lichess study, and the names of chapters
//! - `parts`, `sink`: an output of several files; what receives them
//! - `arranged`, `spool`: outputs by labels; copies that wait for their place in another order
//!
//! Copied games keep their blank lines. Blank lines belong to the game before them, so a copy of all games is identical
//! to the file. If two copied games were not neighbours, a separator is inserted only where they would otherwise read
//! as one game.

mod arranged;
mod aside;
mod builder;
mod chapters;
mod contest;
mod copies;
mod copying;
mod cut;
mod edits;
mod identity;
mod joined;
mod labelling;
mod labels;
mod names;
mod order;
mod parts;
mod request;
mod sink;
mod split;
mod spool;
mod unique_keys;

pub use crate::jobs::games::builder::Copies;
pub use crate::jobs::games::chapters::{ChapterNameError, ChapterNames};
pub use crate::jobs::games::contest::Keep;
pub use crate::jobs::games::cut::Cut;
pub use crate::jobs::games::edits::{EditError, GameEdits, TagRemoval, TagSetting};
pub use crate::jobs::games::joined::JoinedGames;
pub use crate::jobs::games::names::{GameFileNames, GameNameError};
pub use crate::jobs::games::order::Order;
pub use crate::jobs::games::request::CopyRequest;
pub use crate::jobs::games::sink::GameSink;
pub use crate::jobs::games::split::{Shares, Split};
pub use crate::jobs::games::unique_keys::{UniqueKeys, UniqueKeysError};

pub(crate) use crate::jobs::games::copying::{Bind, Copied};
pub(crate) use crate::jobs::games::identity::play as identity;
