//! Models of the threads that walk through a database.
//!
//! The sources of `crates/games/src/parallel` are compiled here again, with the locks, condition variables and atomics
//! of [shuttle](https://docs.rs/shuttle) instead of those of the standard library (`parallel/sync.rs`). A model runs
//! them with two or three workers and a few blocks, again and again, each time in another order. Shuttle switches
//! threads only where they share state, and reports a schedule in which all of them wait for ever.
//!
//! A [`Model`] is tried in random orders, or in all of them where they are few ([`Tries`]). Each model checks the order
//! of the results, that every block is read once, and that the walk ends.
//!
//! # Inside
//!
//! - `parallel`: the sources, and what is in the place of the standard library; the models of walks, and of work that
//!   is shared

mod parallel;

pub use crate::parallel::parts::{exit, lanes, turns};
pub use crate::parallel::pieces_model::share;
pub use crate::parallel::walk::{BLOCK, Course, HEAVY, Model, Stage};

use shuttle::scheduler::{DfsScheduler, PctScheduler, RandomScheduler, Scheduler};
use shuttle::{Config, FailurePersistence, Runner};

/// The orders in which a model is tried.
#[derive(Clone, Copy, Debug)]
pub enum Tries {
    /// So many random orders.
    Random(usize),
    /// So many orders in which some threads run before others whenever they can (probabilistic concurrency testing,
    /// Burckhardt and others, ASPLOS 2010).
    Ranked(usize),
    /// All orders, but at most so many.
    All(usize),
}

impl Tries {
    /// Tries a model. Returns the number of orders in which it ran.
    ///
    /// # Panics
    ///
    /// The model failed in an order, or all of its threads wait for each other.
    pub fn run(self, model: impl Fn() + Send + Sync + 'static) -> usize {
        match self {
            Self::Random(count) => run(RandomScheduler::new(count), model),
            Self::Ranked(count) => run(PctScheduler::new(3, count), model),
            Self::All(most) => run(DfsScheduler::new(Some(most), false), model),
        }
    }
}

fn run(scheduler: impl Scheduler + 'static, model: impl Fn() + Send + Sync + 'static) -> usize {
    let mut config = Config::new();
    config.failure_persistence = FailurePersistence::Print;
    Runner::new(scheduler, config).run(model)
}
