//! Reads games of chess from PGN as it is found: starts each game where its SetUp and FEN tags say, and plays it over
//! by the rules of chess and Chess960, on all cores.
//!
//! ```text
//! bytes ──► games ──► tags │ tokens ──► replay ──► positions
//! ```

pub mod database;
pub mod diagnostic;
pub mod export;
pub mod messages;
pub mod parallel;
pub mod pgn;
pub mod replay;
pub mod selection;
pub mod stream;
pub mod typed;
pub mod walk;

pub use crate::database::{Database, Source};
pub use crate::diagnostic::Diagnostic;
pub use crate::parallel::Workers;
pub use crate::pgn::games::Game;
pub use crate::replay::{Event, Moves, Ply};
