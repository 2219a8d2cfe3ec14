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
//! use pgn2fen_pgn::encoding::Fallback;
//! use pgn2fen_pgn::games::Games;
//! use pgn2fen_filters::TagFilter;
//!
//! let filter: TagFilter = "WhiteElo>=2200".parse()?;
//! let games = b"[WhiteElo \"2412\"] * [WhiteElo \"987\"] * [WhiteElo \"?\"] *";
//! let wanted: Vec<u64> = Games::new(games)
//!     .filter(|game| filter.holds(game.tags(), &Fallback::default()))
//!     .map(|game| game.offset())
//!     .collect();
//! assert_eq!(wanted, [0]);
//! # Ok::<(), pgn2fen_filters::ParseError>(())
//! ```
//!
//! # Inside
//!
//! - `shape`: material, board patterns and pawn structures, compiled to sets of squares
//! - `course`, `move_sequence`, `game_end`: positions and shapes that a game reached, and its length; moves one after
//!   another; how a game ends
//! - `commented`: games with comments in words
//! - `tag_filter`, `tag_condition`, `tag_value`: filters on tags; a condition; the values that are compared, in games
//!   and in an index
//! - `games`, `positions`, `opening_filter`: the filters for games and for positions; a condition on the opening
//! - `opening_names`, `nearest`, `parse_error`: the names of openings as people write them; suggestions for a name
//!   that is not known; the error
//! - `range`, `span`, `sample`, `sort_keys`: ranges of plies and of numbers; values as intervals; random samples;
//!   orders of games
//! - `identity`, `identities`: when two positions are the same; a set of identities in little memory, in pages of lines
//! - `players`: which names are those of one player, from a names file
//! - `typed`: positions as people type and paste them
//! - `choices`: the filters of several words or options as one
//!
//! A filter on tags has one answer, from files and from an index. `tag_value` decides what it compares, and the index
//! asks it when it stores the tags of a game: the written text, the substitutes of an unknown date or result, and at
//! most 4,096 bytes. A missing tag is null, and an empty one is an empty text.

mod choices;
mod commented;
mod course;
mod game_end;
mod games;
mod identities;
mod identity;
mod move_sequence;
mod nearest;
mod opening_filter;
mod opening_names;
mod parse_error;
pub mod players;
mod positions;
mod range;
mod sample;
mod shape;
mod sort_keys;
mod span;
mod tag_condition;
mod tag_filter;
mod tag_value;
pub mod typed;

#[doc(hidden)]
pub use crate::choices::{chosen, chosen_style};
pub use crate::course::CourseFilter;
pub use crate::game_end::GameEnd;
pub use crate::games::{GameFilter, Start};
#[doc(hidden)]
pub use crate::identities::{Dealt, Growth, Identities};
pub use crate::identity::Identity;
#[doc(hidden)]
pub use crate::identity::Tally;
pub use crate::move_sequence::MoveSequence;
#[doc(hidden)]
pub use crate::nearest::distance;
pub use crate::nearest::nearest_names;
pub use crate::opening_filter::OpeningFilter;
pub use crate::parse_error::ParseError;
#[doc(hidden)]
pub use crate::positions::InGame;
pub use crate::positions::PositionFilter;
pub use crate::range::{EvalRange, NumberRange, Plies, PlyRanges};
#[doc(hidden)]
pub use crate::sample::mixed;
pub use crate::sample::{Sample, Share};
#[doc(hidden)]
pub use crate::shape::ShapeScan;
pub use crate::shape::{BoardPattern, Material, PawnStructure, ShapeColors, ShapeFilter};
pub use crate::sort_keys::SortKeys;
#[doc(hidden)]
pub use crate::span::is_readable;
pub use crate::tag_condition::TagCondition;
pub use crate::tag_filter::TagFilter;
#[doc(hidden)]
pub use crate::tag_value::{STORED, TagFinder, compared, tag_value};
