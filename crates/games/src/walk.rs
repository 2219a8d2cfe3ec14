//! The walk through databases, which is the same for all jobs.
//!
//! A [`Job`] reads files one after another and reports faults and progress to a [`Listener`]. [`ReadOptions`] choose
//! the games. [`Check`] is the job that only reports faults.
//!
//! Inside the crate a job has two parts. Its `Make` turns one game into lines, rows, postings, a copy or nothing, on
//! any thread. Its `Output` takes the results in the order of the games and delivers them. Everything else is done
//! here: tag filters and other filters, diagnostics, the first N games, repeated positions, games with errors, line
//! numbers, and the stages of the parallel walk.

mod background;
mod batch;
mod census;
mod check;
mod choice;
mod evals;
mod first_tags;
mod input;
mod left_out;
mod make;
mod memory_limit;
mod no_games;
mod notes;
mod options;
mod order;
mod places;
mod read_choice;
mod reading;
mod resemblance;
mod run;
mod stretches;
mod tag_names;

pub use crate::walk::batch::Count;
pub use crate::walk::census::census;
pub use crate::walk::check::Check;
pub use crate::walk::evals::EvalCount;
pub use crate::walk::first_tags::first_tags;
pub use crate::walk::input::{Input, ReadError, read_all};
pub use crate::walk::left_out::LeftOut;
pub use crate::walk::memory_limit::MemoryLimit;
pub use crate::walk::options::{OnError, ReadOptions};
pub use crate::walk::places::Place;
#[doc(hidden)]
pub use crate::walk::read_choice::ReadChoice;
pub use crate::walk::run::{Job, Listener, Totals};
pub use crate::walk::tag_names::MissingTag;

pub use crate::walk::background::{Background, Outlet};
pub use crate::walk::batch::{Made, Out};
pub use crate::walk::choice::{Choice, PositionChoice};

pub use crate::walk::make::{Make, OpenGame, Played, Repeats};
pub(crate) use crate::walk::places::{Preceding, TextPlace};
pub use crate::walk::run::{Deliver, Output, Stretch, Walk};
