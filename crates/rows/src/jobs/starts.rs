//! Lists the starting positions of games that do not start from the initial position, and copies these games.
//!
//! ```
//! use pgn2fen_games::database::Database;
//! use pgn2fen_rows::starts::Starts;
//!
//! let games = b"1. e4 * [FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"] 1. e4 *".repeat(2);
//! let (lines, _) = Starts::lines().write([Database::from(games)], Vec::new())?;
//! assert_eq!(lines, b"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Inside
//!
//! - `builder`, `kind`, `sameness`, `format`: the options of the job
//! - `start_rows`, `copying`: a game as the line or row of its start, or its copy
//! - `batches`: rows of starts as Arrow record batches

#[cfg(feature = "arrow")]
mod batches;
mod builder;
mod copying;
mod format;
mod kind;
mod sameness;
mod start_rows;

pub use crate::jobs::starts::builder::Starts;
pub use crate::jobs::starts::format::StartsFormat;
pub use crate::jobs::starts::kind::{Kind, UnknownKind};
pub use crate::jobs::starts::sameness::Sameness;
