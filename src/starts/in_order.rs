//! What can only be decided in the order of the games: how many there have been, whether a start is a new one, and what stands
//! between games that are copied.

use std::ops::ControlFlow;

use crate::batch::Batch;
use crate::pgn::copies::Binder;
use crate::selection::Tally;
use crate::starts::{Listing, Starts};

/// What is known of the run so far. It takes each batch in the order of the files, and takes out of it what is not wanted.
///
/// If each start is listed once, it remembers all there were: memory grows with them, and only then.
#[derive(Debug, Default)]
pub struct InOrder {
    /// How many more games are wanted; None for all.
    games_left: Option<u64>,
    /// None if a start may come again.
    seen: Option<Tally>,
    /// None if games are not copied.
    binder: Option<Binder>,
}

impl InOrder {
    /// Nothing has been read yet.
    pub fn new(job: &Starts) -> Self {
        Self {
            games_left: job.max_games,
            seen: job.lists_once().then(Tally::default),
            binder: matches!(job.listing, Listing::Games).then(Binder::default),
        }
    }

    /// The following batches are of another file.
    pub fn begin_file(&mut self) {
        if let Some(binder) = &mut self.binder {
            binder.begin_database();
        }
    }

    /// Whether no more games are wanted.
    pub fn is_over(&self) -> bool {
        self.games_left == Some(0)
    }

    /// Takes the next batch. Breaks off when no more games are wanted.
    pub fn take(&mut self, batch: &mut Batch) -> ControlFlow<()> {
        batch.take_games(&mut self.games_left);
        if let Some(seen) = &mut self.seen {
            batch.retain(|identity| seen.add(identity));
        }
        if let Some(binder) = &mut self.binder {
            binder.bind(&mut batch.copies, &mut batch.output);
        }
        if self.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// In how many games each start was found that was listed once, in the order of the list.
    pub fn counts(&self) -> &[u64] {
        self.seen.as_ref().map_or(&[], Tally::counts)
    }

    /// What comes behind all batches: the line end that the last copied game may lack.
    pub fn end(self) -> &'static [u8] {
        self.binder.map_or(b"", Binder::end)
    }
}
