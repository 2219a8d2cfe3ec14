//! The times of the stages, for a model of more cores than there are.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The time that each stage took for a block.
#[derive(Clone, Copy, Debug, Default)]
pub struct BlockTimes {
    /// The time for the next cut. One worker at a time does this.
    pub cut: Duration,
    /// The time for the stage `read`.
    pub read: Duration,
    /// The time of a turn: the stage `order`, and the check of the cut. One worker at a time has it.
    pub order: Duration,
    /// The time for the stage `encode`.
    pub encode: Duration,
    /// The time at the exit: the stage `deliver`. One worker at a time is there.
    pub deliver: Duration,
}

#[cfg(feature = "internals")]
impl BlockTimes {
    /// Returns the lesser of two times for each stage.
    #[must_use]
    pub fn least(self, other: Self) -> Self {
        Self {
            cut: self.cut.min(other.cut),
            read: self.read.min(other.read),
            order: self.order.min(other.order),
            encode: self.encode.min(other.encode),
            deliver: self.deliver.min(other.deliver),
        }
    }
}

/// The times of the blocks of walks. With one thread they have no time in which a worker waits.
#[derive(Debug, Default)]
pub struct Trace(Mutex<Vec<BlockTimes>>);

impl Trace {
    /// Returns the times of the blocks so far, and forgets them.
    #[cfg(feature = "internals")]
    pub fn take(&self) -> Vec<BlockTimes> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(super) fn add(&self, block: BlockTimes) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(block);
    }
}

/// A watch that measures one stage after another.
pub(super) struct Watch {
    last: Instant,
    pub(super) block: BlockTimes,
}

impl Watch {
    pub(super) fn start() -> Self {
        Self { last: Instant::now(), block: BlockTimes::default() }
    }

    /// Adds the time since the last call to a stage.
    pub(super) fn stop(&mut self, stage: fn(&mut BlockTimes) -> &mut Duration) {
        let now = Instant::now();
        *stage(&mut self.block) += now - self.last;
        self.last = now;
    }
}
