//! What can only be decided in the order of the games: how many there have been, and whether a position is a new one.

use std::ops::ControlFlow;

use crate::batch::Batch;
use crate::positions::Positions;
use crate::selection::Identities;

/// What is known of the run so far. It takes each batch in the order of the files, and takes out of it what is not wanted.
///
/// If only new positions are wanted, it remembers all there were: memory grows with them, and only then.
#[derive(Debug, Default)]
pub struct InOrder {
    /// How many more games are wanted; None for all.
    games_left: Option<u64>,
    /// None if positions may come again.
    seen: Option<Identities>,
}

impl InOrder {
    /// Nothing has been read yet.
    pub fn new(job: &Positions) -> Self {
        Self { games_left: job.max_games, seen: job.unique.then(Identities::default) }
    }

    /// Whether no more games are wanted.
    pub fn is_over(&self) -> bool {
        self.games_left == Some(0)
    }

    /// Takes the next batch. Breaks off when no more games are wanted.
    pub fn take(&mut self, batch: &mut Batch) -> ControlFlow<()> {
        batch.take_games(&mut self.games_left);
        if let Some(seen) = &mut self.seen {
            batch.retain(|identity| seen.insert(identity));
        }
        if self.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
