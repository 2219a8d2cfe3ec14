//! The exit: delivers batches in the order of the blocks, in whatever order they are finished.
//!
//! A worker does not wait until it is the turn of its batch. It leaves the batch at the exit and goes on with the next
//! block. The worker that delivers a batch also delivers the batches behind it that were left in the meantime. So one
//! block may take a hundred times as long as its neighbours, for example when it completes a group of rows, and no
//! worker is idle. The memory of the waiting batches is bounded by their weight.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use crate::parallel::batch::Batch;
use crate::parallel::sync::{Condvar, Mutex, PoisonError, lock};

/// The number of bytes that may wait at the exit for each worker. Waiting batches should still be in the processor's
/// cache when they are delivered.
const ROOM: usize = 1024 * 1024;

/// The weight of an empty batch, in bytes.
const BASE_WEIGHT: usize = 4096;

/// The place where batches are left and delivered.
pub(super) struct Exit<B, D> {
    state: Mutex<State<B, D>>,
    room: usize,
    workers: usize,
    carried: Condvar,
}

struct State<B, D> {
    /// The ticket of the next batch to deliver.
    next: u64,
    /// The batches that wait, by ticket.
    waiting: BTreeMap<u64, B>,
    /// The weight of the batches that wait, in bytes.
    weight: usize,
    /// Batches that have been delivered and can be used again.
    spare: Vec<B>,
    /// None while a worker delivers a batch.
    deliver: Option<D>,
    is_over: bool,
}

impl<B: Batch, D: FnMut(&mut B) -> ControlFlow<()>> Exit<B, D> {
    pub(super) fn new(deliver: D, workers: usize) -> Self {
        let state = State {
            next: 0,
            waiting: BTreeMap::new(),
            weight: 0,
            spare: Vec::new(),
            deliver: Some(deliver),
            is_over: false,
        };
        Self { state: Mutex::new(state), room: ROOM * workers, workers, carried: Condvar::new() }
    }

    /// Delivers a batch, or leaves it for another worker to deliver. Returns a batch to work with, or None if no more
    /// batches are wanted.
    pub(super) fn leave(&self, ticket: u64, mut batch: B) -> Option<B> {
        let mut state = lock(&self.state);
        let is_next = state.next == ticket && !state.is_over;
        if let Some(mut deliver) = is_next.then(|| state.deliver.take()).flatten() {
            loop {
                drop(state);
                let flow = deliver(&mut batch);
                state = lock(&self.state);
                state.next += 1;
                state.is_over |= flow.is_break();
                let next = state.next;
                match state.waiting.remove(&next).filter(|_| flow.is_continue()) {
                    Some(following) => {
                        state.weight -= weight(&following);
                        state.give_back(std::mem::replace(&mut batch, following), self.workers);
                        self.carried.notify_all();
                    }
                    None => break,
                }
            }
            state.deliver = Some(deliver);
            self.carried.notify_all();
            return (!state.is_over).then_some(batch);
        }
        state.weight += weight(&batch);
        state.waiting.insert(ticket, batch);
        while state.weight > self.room && !state.is_over {
            state = self.carried.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        (!state.is_over).then(|| state.spare.pop().unwrap_or_default())
    }
}

impl<B, D> Exit<B, D> {
    /// Stops the exit: no more batches are delivered.
    pub(super) fn stop(&self) {
        lock(&self.state).is_over = true;
        self.carried.notify_all();
    }
}

impl<B, D> State<B, D> {
    /// Keeps a batch to use its memory again, unless enough batches are kept.
    fn give_back(&mut self, batch: B, enough: usize) {
        if self.spare.len() < enough {
            self.spare.push(batch);
        }
    }
}

fn weight(batch: &impl Batch) -> usize {
    batch.weight() + BASE_WEIGHT
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::Exit;
    use crate::parallel::batch::Batch;

    impl Batch for Vec<u64> {
        fn clear(&mut self) {
            self.clear();
        }
    }

    #[test]
    fn batches_leave_in_order_whoever_is_done_first() {
        let mut left = Vec::new();
        let deliver = |batch: &mut Vec<u64>| {
            left.append(batch);
            ControlFlow::Continue(())
        };
        let exit = Exit::new(deliver, 1);
        for ticket in [1, 3, 0, 2] {
            assert!(exit.leave(ticket, vec![ticket]).is_some_and(|batch| batch.is_empty()));
        }
        drop(exit);
        assert_eq!(left, [0, 1, 2, 3]);
    }

    #[test]
    fn nothing_leaves_behind_the_last_that_is_wanted() {
        let mut left = Vec::new();
        let deliver = |batch: &mut Vec<u64>| {
            left.append(batch);
            if left.len() == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let exit = Exit::new(deliver, 1);
        for (ticket, is_wanted) in [(1, true), (0, false), (2, false), (3, false)] {
            assert_eq!(exit.leave(ticket, vec![ticket]).is_some(), is_wanted, "{ticket}");
        }
        drop(exit);
        assert_eq!(left, [0, 1]);
    }
}
