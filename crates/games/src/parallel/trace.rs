//! The times of the stages, for a model of more cores than there are.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::parallel::lock::lock;

/// The time that each stage took for a block.
#[derive(Clone, Copy, Debug, Default)]
pub struct BlockTimes {
    /// The time for the next cut. One worker at a time does this.
    pub cut: Duration,
    /// The time for the stage `read`.
    pub read: Duration,
    /// The time of the turns: the stages `admit` and `order`, and the check of the cut. One worker at a time has one.
    pub order: Duration,
    /// The time in the lanes of the stage `sift`. One worker at a time is in each.
    pub sift: Duration,
    /// The number of lanes.
    pub lanes: usize,
    /// The time for the stage `encode`, and for the work before and behind the lanes.
    pub encode: Duration,
    /// The time at the exit: the stage `deliver`. One worker at a time is there.
    pub deliver: Duration,
}

impl BlockTimes {
    /// Returns the lesser of two times for each stage.
    #[must_use]
    pub fn least(self, other: Self) -> Self {
        Self {
            cut: self.cut.min(other.cut),
            read: self.read.min(other.read),
            order: self.order.min(other.order),
            sift: self.sift.min(other.sift),
            lanes: self.lanes,
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
    pub fn take(&self) -> Vec<BlockTimes> {
        std::mem::take(&mut lock(&self.0))
    }

    fn add(&self, block: BlockTimes) {
        lock(&self.0).push(block);
    }
}

/// Measures one stage of a block after another, if there is a trace.
pub(super) struct Watch<'t> {
    /// The trace, and the time of the last call.
    trace: Option<(&'t Trace, Instant)>,
    block: BlockTimes,
}

impl<'t> Watch<'t> {
    pub(super) fn start(trace: Option<&'t Trace>) -> Self {
        Self { trace: trace.map(|trace| (trace, Instant::now())), block: BlockTimes::default() }
    }

    /// Adds the time since the last call to a stage.
    pub(super) fn stop(&mut self, stage: fn(&mut BlockTimes) -> &mut Duration) {
        if let Some((_, last)) = &mut self.trace {
            let now = Instant::now();
            *stage(&mut self.block) += now - *last;
            *last = now;
        }
    }

    /// Sets the number of lanes of the block.
    pub(super) fn set_lanes(&mut self, lanes: usize) {
        self.block.lanes = lanes;
    }

    /// Adds the times of the block to the trace.
    pub(super) fn end(self) {
        if let Some((trace, _)) = self.trace {
            trace.add(self.block);
        }
    }
}
