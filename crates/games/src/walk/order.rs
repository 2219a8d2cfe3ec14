//! Decisions that depend on the order of the games: the limit on their number, and repeated positions.

use std::io;

use crate::selection::{Identities, Tally};
use crate::walk::batch::{Batch, BlockResult, Mark};
use crate::walk::game_task::Repeats;
use crate::walk::memory_limit::MemoryLimit;

/// The state of the run that depends on the order of the games. It takes each batch in the order of the files and
/// removes what is not wanted.
///
/// Memory grows with the number of different positions, but only if repeated positions are dropped or counted.
#[derive(Debug)]
pub(super) struct InOrder {
    /// The number of games that are still wanted. None for all games.
    games_left: Option<u64>,
    seen: Seen,
    /// Whether the positions take too much memory.
    is_full: bool,
}

/// The positions so far.
#[derive(Debug)]
enum Seen {
    /// Positions may be repeated and are not stored.
    Any,
    /// The different positions, and the most memory for them.
    Once(Identities, usize),
    Counted(Tally),
}

impl InOrder {
    pub(super) fn new(max_games: Option<u64>, repeats: Repeats) -> Self {
        let seen = match repeats {
            Repeats::Keep => Seen::Any,
            Repeats::Drop { memory } => Seen::Once(Identities::default(), memory.unwrap_or(usize::MAX)),
            Repeats::Count => Seen::Counted(Tally::default()),
        };
        Self { games_left: max_games, seen, is_full: false }
    }

    /// Whether no more games are wanted, or no more positions can be stored.
    pub(super) fn is_over(&self) -> bool {
        self.games_left == Some(0) || self.is_full
    }

    /// Takes the next batch. Fails if the positions take too much memory.
    pub(super) fn take<M: BlockResult>(&mut self, batch: &mut Batch<M>) -> io::Result<()> {
        if let Some(left) = &mut self.games_left {
            if batch.count.wanted >= *left {
                let last = batch.ends.iter().find(|end| end.count.wanted == *left).copied();
                batch.go_back_to(last.filter(|_| *left > 0).unwrap_or_default());
            }
            *left -= batch.count.wanted;
        }
        match &mut self.seen {
            Seen::Any => {}
            Seen::Once(seen, memory) => {
                let retained = batch.retain(|identities| seen.insert_all(identities));
                self.is_full = retained.is_err() || seen.weight() > *memory;
                if let Err(error) = retained {
                    // It is not known which positions are new.
                    batch.go_back_to(Mark::default());
                    return Err(error);
                }
                if self.is_full {
                    return Err(MemoryLimit { positions: seen.len(), memory: *memory }.into());
                }
            }
            Seen::Counted(seen) => {
                batch.retain(|identities| Ok(identities.map(|identity| seen.add(identity)).collect()))?;
            }
        }
        Ok(())
    }

    /// Returns how often each position was met, in the order in which they were first met. Empty unless repeated
    /// positions are counted.
    pub(super) fn into_counts(self) -> Vec<u64> {
        match self.seen {
            Seen::Counted(tally) => tally.into_counts(),
            Seen::Any | Seen::Once(..) => Vec::new(),
        }
    }
}
