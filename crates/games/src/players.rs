//! Players under several names: which names are those of one player, and which names games have.
//!
//! [`Players`] says which names are those of one player. [`PlayerSurvey`] counts the names in games, and [`PlayerList`]
//! says which of them may be the same player.
//!
//! # Inside
//!
//! - `survey`: the job that counts the names in games
//! - `stats`, `counts`: the job that counts the results of a player; their numbers, group by group
//! - `list`, `listed`, `name_count`: the players of these names, as a list; one of them; a name with its games
//! - `same`, `groups`: names that are certainly of one player; sets of names that are joined
//! - `guesses`, `parts`: players who may be the same; the family name and the first names in a name

mod counts;
mod groups;
mod guesses;
mod list;
mod listed;
mod name_count;
mod parts;
mod same;
mod stats;
mod survey;

pub use crate::players::counts::{GameOfPlayer, Group, PlayerCounts, Score, StatsRow};
pub use crate::players::list::PlayerList;
pub use crate::players::listed::{ListedName, ListedPlayer, Sameness};
pub use crate::players::name_count::NameCount;
pub use crate::players::stats::PlayerStats;
pub use crate::players::survey::PlayerSurvey;
#[doc(hidden)]
pub use pgn2fen_filters::players::read_text;
pub use pgn2fen_filters::players::{NamesError, Player, PlayerSet, Players, folded};
