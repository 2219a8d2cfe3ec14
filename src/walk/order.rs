//! What can only be decided in the order of the games: how many there have been, and whether a position is a new one.

use crate::selection::{Identities, Tally};
use crate::walk::batch::{Batch, Made};
use crate::walk::make::Repeats;

/// What is known of the run so far. It takes each batch in the order of the files, and takes out of it what is not wanted.
///
/// If only new positions are wanted, it remembers all there were: memory grows with them, and only then.
#[derive(Debug)]
pub(super) struct InOrder {
    /// How many more games are wanted; None for all.
    games_left: Option<u64>,
    seen: Seen,
}

/// The positions so far.
#[derive(Debug)]
enum Seen {
    /// They may come again, and are not remembered.
    Any,
    Once(Identities),
    Counted(Tally),
}

impl InOrder {
    pub(super) fn new(max_games: Option<u64>, repeats: Repeats) -> Self {
        let seen = match repeats {
            Repeats::Keep => Seen::Any,
            Repeats::Drop => Seen::Once(Identities::default()),
            Repeats::Count => Seen::Counted(Tally::default()),
        };
        Self { games_left: max_games, seen }
    }

    /// Whether no more games are wanted.
    pub(super) fn is_over(&self) -> bool {
        self.games_left == Some(0)
    }

    /// Takes the next batch.
    pub(super) fn take<M: Made>(&mut self, batch: &mut Batch<M>) {
        if let Some(left) = &mut self.games_left {
            if batch.count.wanted >= *left {
                let last = batch.ends.iter().find(|end| end.count.wanted == *left).copied();
                batch.go_back_to(last.filter(|_| *left > 0).unwrap_or_default());
            }
            *left -= batch.count.wanted;
        }
        match &mut self.seen {
            Seen::Any => {}
            Seen::Once(seen) => batch.retain(|identity| seen.insert(identity)),
            Seen::Counted(seen) => batch.retain(|identity| seen.add(identity)),
        }
    }

    /// How often each position was met that was kept once, in the order of their first times.
    pub(super) fn into_counts(self) -> Vec<u64> {
        match self.seen {
            Seen::Counted(tally) => tally.into_counts(),
            Seen::Any | Seen::Once(_) => Vec::new(),
        }
    }
}
