//! Job 3: which games reached this position, and what was played there?

mod build;
mod error;
mod folder;
mod game_text;
mod games_table;
mod keys;
mod lookup;
mod manifest;
mod merge;
mod moves_table;
mod open;
mod part;
mod postings_table;
mod record;
mod sort;
mod source;
mod spill;
mod table;
mod tally;
mod typed;

pub use crate::index::build::{BuildOptions, Builder, Built, DEFAULT_MEMORY, Known, LEAST_MEMORY, Progress};
pub use crate::index::error::IndexError;
pub use crate::index::game_text::{GameTexts, NoText};
pub use crate::index::games_table::GameColumn;
pub use crate::index::keys::keys;
pub use crate::index::lookup::{Games, Index, PositionHits, Postings};
pub use crate::index::postings_table::Hit;
pub use crate::index::source::Reading;
pub use crate::index::tally::{Explored, MoveCount, Results};
pub use crate::index::typed::{Typed, read_position};
