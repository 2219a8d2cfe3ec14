//! Decisions that depend on the order of the games: the limit on their number, and repeated positions.

use std::io;
use std::ops::ControlFlow;

use crate::parallel::Sift;
use crate::walk::batch::{Batch, BlockResult, Mark};
use crate::walk::game_task::Repeats;
use crate::walk::memory_limit::MemoryLimit;
use pgn2fen_filters::{Growth, Identities, Tally};

/// The limit on the number of games.
#[derive(Clone, Copy, Debug)]
pub(super) struct GameLimit {
    /// The number of games that are still wanted. None for all games.
    left: Option<u64>,
}

impl GameLimit {
    pub(super) fn new(max_games: Option<u64>) -> Self {
        Self { left: max_games }
    }

    /// Whether no more games are wanted.
    pub(super) fn is_reached(self) -> bool {
        self.left == Some(0)
    }

    /// Removes the games of the next batch that are beyond the limit. Breaks if no batch behind it is wanted.
    pub(super) fn admit<M: BlockResult>(&mut self, batch: &mut Batch<M>) -> ControlFlow<()> {
        let Some(left) = &mut self.left else {
            return ControlFlow::Continue(());
        };
        if batch.found.sums.count.wanted >= *left {
            let last = batch.ends.iter().find(|end| end.found.sums.count.wanted == *left).copied();
            batch.go_back_to(last.filter(|_| *left > 0).unwrap_or_default());
        }
        *left -= batch.found.sums.count.wanted;
        if self.is_reached() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// The different positions so far, if repeated positions are dropped. It takes the batches on many threads: see
/// [`Identities`].
#[derive(Debug)]
pub(super) struct Different(Identities);

impl Different {
    pub(super) fn new(repeats: Repeats) -> Option<Self> {
        matches!(repeats, Repeats::Drop { .. }).then(|| Self(Identities::default()))
    }
}

impl<M: BlockResult> Sift<Batch<M>> for Different {
    fn lanes(&self) -> usize {
        Identities::LANES
    }

    fn begin(&self, batch: &mut Batch<M>) {
        Identities::deal(&batch.identities, &mut batch.dealt);
    }

    fn pass(&self, lane: usize, batch: &mut Batch<M>) {
        self.0.insert(lane, &mut batch.dealt);
    }

    fn end(&self, batch: &mut Batch<M>) {
        // If there is no memory, it is not known which positions are new.
        if batch.dealt.growth().is_full {
            batch.go_back_to(Mark::default());
        } else {
            let dealt = std::mem::take(&mut batch.dealt);
            batch.retain(dealt.are_new());
            batch.dealt = dealt;
        }
    }
}

/// What is counted of positions that are repeated, in the order of the files.
///
/// Memory grows with the number of different positions, but only if repeated positions are dropped or counted.
#[derive(Debug)]
pub(super) struct Seen {
    /// How often each position was met, if that is counted.
    tally: Option<Tally>,
    /// The number of different positions, if repeated positions are dropped, and the memory for them.
    len: usize,
    weight: usize,
    /// The most memory for different positions.
    memory: usize,
    /// Whether the positions take too much memory.
    is_full: bool,
}

impl Seen {
    pub(super) fn new(repeats: Repeats) -> Self {
        let tally = matches!(repeats, Repeats::Count).then(Tally::default);
        let memory = if let Repeats::Drop { memory: Some(memory) } = repeats { memory } else { usize::MAX };
        Self { tally, len: 0, weight: 0, memory, is_full: false }
    }

    /// Whether no more positions can be stored.
    pub(super) fn is_full(&self) -> bool {
        self.is_full
    }

    /// Takes the next batch.
    ///
    /// # Errors
    ///
    /// The positions take too much memory.
    pub(super) fn take<M: BlockResult>(&mut self, batch: &mut Batch<M>) -> io::Result<()> {
        if let Some(tally) = &mut self.tally {
            let are_new: Vec<bool> = batch.identities.iter().map(|identity| tally.add(*identity)).collect();
            batch.retain(&are_new);
        }
        let Growth { len, weight, is_full } = batch.dealt.growth();
        self.is_full = is_full || self.weight + weight > self.memory;
        if is_full {
            let reason = format!("there is no memory for more than {} different positions", self.len);
            return Err(io::Error::new(io::ErrorKind::OutOfMemory, reason));
        }
        self.len += len;
        self.weight += weight;
        if self.is_full {
            return Err(MemoryLimit { positions: self.len, memory: self.memory }.into());
        }
        Ok(())
    }

    /// Returns how often each position was met, in the order in which they were first met. Empty unless repeated
    /// positions are counted.
    pub(super) fn into_counts(self) -> Vec<u64> {
        self.tally.map(Tally::into_counts).unwrap_or_default()
    }
}
