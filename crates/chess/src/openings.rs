//! Names of chess openings, by position.
//!
//! The table is that of [lichess-org/chess-openings](https://github.com/lichess-org/chess-openings) (CC0 1.0): about
//! 3,800 positions with their ECO codes and names. It is part of the program and is prepared when it is first asked.
//!
//! [`opening`] returns the name of one position. Most positions of a game have none. The opening of a line is the name
//! of the last named position on the way, which a [`Tracker`] finds. Names belong to positions, not to moves. So a
//! position has its name whatever the order of the moves was, and in games that start from a FEN.
//!
//! ```
//! use pgn2fen_chess::Position;
//! use pgn2fen_chess::openings::{Tracker, opening};
//!
//! let mut position = Position::initial();
//! let mut tracker = Tracker::default();
//! for san in ["Nf3", "c5", "e4", "d6", "d4", "cxd4", "Nxd4", "Nf6", "Nc3", "a6", "a4"] {
//!     position = position.play_san(san)?;
//!     tracker.see(&position);
//! }
//! let najdorf = tracker.opening().unwrap();
//! assert_eq!((najdorf.eco, najdorf.name), ("B90", "Sicilian Defense: Najdorf Variation"));
//! assert_eq!(opening(&position), None);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The table is embedded as the files of its project, and its lines are played when a name is first asked for, so
//! nothing else pays for it. A look-up first tests a hash of the squares of both sides against a filter of 16 KiB,
//! which rules out most positions. Then positions are compared as the repetition rule does, so no two positions can be
//! mistaken for each other. A walk stops looking when no named position can be reached: unmoved pawns and pieces never
//! come back (`the_search_ends_only_when_no_name_can_come`, `every_line_of_the_table_ends_in_its_own_name`). A replay
//! of a game carries the name of its line, so a variation continues with that of its branch point. python-chess finds
//! the same names by brute force (`python/tests/test_openings.py`).

mod lookup;
mod name;
mod set;
mod table;
mod tracker;

pub use crate::openings::lookup::opening;
pub use crate::openings::name::Opening;
#[doc(hidden)]
pub use crate::openings::set::{OpeningSet, names};
pub use crate::openings::tracker::Tracker;
