//! Turns: one worker after the other, in the order of the blocks, with what each has to know of the one before.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

use crate::parallel::batch::Delivery;
use crate::parallel::lock::lock;
use crate::pgn::games::Within;

/// Whose turn it is, and where the database has been read to.
pub(super) struct Turns<O> {
    /// The ticket of the worker whose turn it is; also asked without the lock, which may be held for long.
    ticket: AtomicU64,
    state: Mutex<State<O>>,
    passed: Condvar,
}

struct State<O> {
    frontier: Frontier,
    order: O,
    is_over: bool,
}

/// Where reading goes on.
#[derive(Debug, Default)]
pub(super) struct Frontier {
    /// In bytes from the start of the database.
    pub(super) offset: u64,
    /// What that place lies in.
    pub(super) within: Within,
    pub(super) line: u64,
    /// Of a stream, the bytes from there to the start of the next block.
    pub(super) tail: Vec<u8>,
    /// How many bytes were read in vain to find the end of a game.
    pub(super) tried: usize,
}

impl<O> Turns<O> {
    /// Reading begins at a frontier.
    pub(super) fn new(frontier: Frontier, order: O) -> Self {
        let state = State { frontier, order, is_over: false };
        Self { ticket: AtomicU64::new(0), state: Mutex::new(state), passed: Condvar::new() }
    }

    pub(super) fn is_on(&self, ticket: u64) -> bool {
        self.ticket.load(Ordering::Acquire) == ticket
    }

    /// Waits for a turn and takes the frontier. None when no more is wanted.
    pub(super) fn wait(&self, ticket: u64) -> Option<Frontier> {
        let mut state = lock(&self.state);
        while !self.is_on(ticket) && !state.is_over {
            state = self.passed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        (!state.is_over).then(|| std::mem::take(&mut state.frontier))
    }

    /// Puts a batch in order, which only the worker does whose turn it is.
    pub(super) fn order<B>(&self, delivery: Delivery<'_, B>) -> ControlFlow<()>
    where
        O: FnMut(Delivery<'_, B>) -> ControlFlow<()>,
    {
        let mut state = lock(&self.state);
        let flow = (state.order)(delivery);
        state.is_over |= flow.is_break();
        flow
    }

    /// Gives the turn to the next worker.
    pub(super) fn pass(&self, ticket: u64, frontier: Frontier) {
        let mut state = lock(&self.state);
        state.frontier = frontier;
        // Under the lock, so that nobody looks at the ticket before and goes to sleep after.
        self.ticket.store(ticket + 1, Ordering::Release);
        drop(state);
        self.passed.notify_all();
    }

    /// Nobody gets a turn any more.
    pub(super) fn stop(&self) {
        lock(&self.state).is_over = true;
        self.passed.notify_all();
    }
}
