//! Filters for games and positions.
//!
//! A [`GameFilter`] decides by the tags, the starting position, the opening and the course of a game. A game that is
//! not wanted is not played, or only as far as that must be known. A [`PositionFilter`] decides for each position by
//! its place in the game, the board, the evaluation and the next move. A [`ShapeFilter`] is a part of both: the
//! material, a pattern or the pawns that a position has, or that a game reached. No filter depends on other games, so
//! the result is the same on any number of threads. Two decisions depend on earlier games: the limit on the number of
//! games, and whether a position is new ([`Identity`]). They are made in the order of the files.
//!
//! ```
//! use pgn2fen_games::pgn::encoding::Fallback;
//! use pgn2fen_games::pgn::games::Games;
//! use pgn2fen_games::selection::TagFilter;
//!
//! let filter: TagFilter = "WhiteElo>=2200".parse()?;
//! let games = b"[WhiteElo \"2412\"] * [WhiteElo \"987\"] * [WhiteElo \"?\"] *";
//! let wanted: Vec<u64> = Games::new(games)
//!     .filter(|game| filter.holds(game.tags(), &Fallback::default()))
//!     .map(|game| game.offset())
//!     .collect();
//! assert_eq!(wanted, [0]);
//! # Ok::<(), pgn2fen_games::selection::ParseError>(())
//! ```
//!
//! # Inside
//!
//! - `shape`: material, board patterns and pawn structures, compiled to sets of squares
//! - `course`: positions and shapes that a game reached, and its length
//! - `tag_filter`, `tag_condition`, `tag_value`: filters on tags; a condition; the values that are compared, in games
//!   and in an index
//! - `games`, `positions`, `opening_filter`: the filters for games and for positions; a condition on the opening
//! - `opening_names`, `nearest`, `mistake`: the names of openings as people write them; suggestions for a name that is
//!   not known; the error
//! - `range`, `span`, `sample`, `sort_keys`: ranges of plies and of numbers; values as intervals; random samples;
//!   orders of games
//! - `identity`, `identities`: when two positions are the same; a set of identities in little memory, in pages of lines
//!
//! A filter on tags has one answer, from files and from an index. `tag_value` decides what it compares, and the index
//! asks it when it stores the tags of a game: the written text, the substitutes of an unknown date or result, and at
//! most 4,096 bytes. A missing tag is null, and an empty one is an empty text.

mod choices;
mod course;
mod games;
mod identities;
mod identity;
mod nearest;
mod opening_filter;
mod opening_names;
mod parse_error;
mod positions;
mod range;
mod sample;
mod shape;
mod sort_keys;
mod span;
mod tag_condition;
mod tag_filter;
mod tag_value;

#[doc(hidden)]
pub use crate::selection::choices::{chosen, chosen_style};
pub use crate::selection::course::CourseFilter;
pub use crate::selection::games::{GameFilter, Start};
pub(crate) use crate::selection::identities::{Dealt, Growth, Identities};
pub use crate::selection::identity::Identity;
pub(crate) use crate::selection::identity::Tally;
#[doc(hidden)]
pub use crate::selection::nearest::distance;
pub use crate::selection::nearest::nearest_names;
pub use crate::selection::opening_filter::OpeningFilter;
pub use crate::selection::parse_error::ParseError;
pub(crate) use crate::selection::positions::InGame;
pub use crate::selection::positions::PositionFilter;
pub use crate::selection::range::{NumberRange, Plies, PlyRanges};
#[doc(hidden)]
pub use crate::selection::sample::mixed;
pub use crate::selection::sample::{Sample, Share};
#[doc(hidden)]
pub use crate::selection::shape::ShapeScan;
pub use crate::selection::shape::{BoardPattern, Material, PawnStructure, ShapeColors, ShapeFilter};
pub use crate::selection::sort_keys::SortKeys;
pub use crate::selection::tag_condition::TagCondition;
pub use crate::selection::tag_filter::TagFilter;
#[doc(hidden)]
pub use crate::selection::tag_value::{STORED, TagFinder, compared, tag_value};
