//! The walk through databases, which is the same for all jobs.
//!
//! A [`Job`] reads files one after another and reports faults and progress to a [`Listener`]. [`ReadOptions`] choose
//! the games. [`Check`] is the job that only reports faults.
//!
//! Inside the crate a job has two parts. Its `GameTask` turns one game into lines, rows, postings, a copy or nothing,
//! on any thread. Its `Output` takes the results in the order of the games and delivers them. Everything else is done
//! here: tag filters and other filters, diagnostics, the first N games, repeated positions, games with errors, line
//! numbers, and the stages of the parallel walk.
//!
//! # Inside
//!
//! - `run`, `listener`, `report`: a job and the stages put together; who is told about it; what is told, in file order
//! - `game_task`, `reading`: the result of a job for one game; the games of one block
//! - `batch`, `order`, `memory_limit`: the results of a block; decisions that need the order of the games; the limit of
//!   `-u`
//! - `options`, `choice`, `read_choice`: which games and positions are wanted, and how games are played; the options
//!   that the builders of all jobs share
//! - `evals`, `judged`, `stretches`: evaluations that were looked for, found, or could not be read; positions before
//!   moves with a judgement; positions in which a shape holds for some plies in a row
//! - `no_games`, `resemblance`: files with text and without games; what such a text seems to be
//! - `notes`, `places`, `tag_names`: diagnostics about the text; lines and columns; tags that no game has
//! - `census`, `first_tags`: counts games, lines and bytes, or collects names of tags, without playing a move
//! - `left_out`: counts rows that a format cannot represent, and boards beyond the limit
//! - `input`, `check`: reads files one after another; a job without results
//! - `background`: a job on background threads, whose results are pulled

mod background;
mod batch;
mod census;
mod check;
mod choice;
mod evals;
mod first_tags;
mod game_task;
mod input;
mod judged;
mod left_out;
mod listener;
mod memory_limit;
mod no_games;
mod notes;
mod options;
mod order;
mod places;
mod read_choice;
mod reading;
mod report;
mod resemblance;
mod run;
mod stretches;
mod tag_names;
#[cfg(test)]
mod tiles;

pub use crate::walk::batch::Count;
pub use crate::walk::census::census;
pub use crate::walk::check::Check;
pub use crate::walk::evals::EvalCount;
pub use crate::walk::first_tags::FirstTags;
pub use crate::walk::input::{Input, ReadError, read_all};
pub use crate::walk::left_out::LeftOut;
pub use crate::walk::listener::{Listener, Totals};
pub use crate::walk::memory_limit::{MemoryLimit, parse_size};
pub use crate::walk::options::{OnError, ReadOptions};
pub use crate::walk::places::Place;
#[doc(hidden)]
pub use crate::walk::read_choice::ReadChoice;
pub use crate::walk::run::Job;
pub use crate::walk::tag_names::MissingTag;

pub use crate::walk::background::{Background, ResultSender};
pub use crate::walk::batch::{BlockResult, Out};
pub use crate::walk::choice::{Choice, PositionChoice};

pub use crate::walk::game_task::{GameTask, OpenGame, Played, Repeats};
pub(crate) use crate::walk::places::Preceding;
#[doc(hidden)]
pub use crate::walk::places::TextPlace;
pub use crate::walk::report::BlockPosition;
pub use crate::walk::run::{Output, OutputStages, Walk};
pub use pgn2fen_sources::GameParts;
