//! A walk through databases, whatever is made of their games.
//!
//! A job has two sides. Its [`Make`] says what it makes of one game, on any thread: lines, rows, postings, a copy, nothing. Its
//! [`Output`] takes what was made in the order of the games and brings it where it belongs. Everything else is the same for all jobs
//! and is done here: tags and filters, notes of faults, the first N games, positions that come again, what becomes of a game with an
//! error, line numbers, and the stages of the parallel walk.

mod batch;
mod check;
mod choice;
mod input;
mod make;
mod notes;
mod options;
mod order;
mod places;
mod reading;
mod run;
mod tag_names;

pub use crate::walk::batch::Count;
pub use crate::walk::check::Check;
pub use crate::walk::input::{Input, ReadError};
pub use crate::walk::options::{OnError, ReadOptions};
pub use crate::walk::places::Place;
pub use crate::walk::run::{Job, Listener, Totals};
pub use crate::walk::tag_names::MissingTag;

pub(crate) use crate::walk::batch::{Made, Out};
pub(crate) use crate::walk::choice::PositionChoice;
pub(crate) use crate::walk::input::read_all;
pub(crate) use crate::walk::make::{Make, OpenGame, Played, Repeats};
pub(crate) use crate::walk::run::{Deliver, Output, Stretch, Walk};
