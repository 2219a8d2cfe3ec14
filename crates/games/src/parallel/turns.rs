//! Turns: one worker after another, in the order of the blocks. Each worker learns where reading of the block before
//! stopped.

use std::ops::ControlFlow;

use crate::parallel::sync::{AtomicU64, Condvar, Mutex, Ordering, PoisonError, lock};
use pgn2fen_pgn::games::LexState;

/// The ticket of the current turn, and the place up to which the database has been read.
pub(super) struct Turns {
    /// The ticket of the worker whose turn it is. It is also read without the lock, which may be held for a long time.
    ticket: AtomicU64,
    state: Mutex<State>,
    /// The places at which workers wait, by ticket. The workers hold successive tickets, one each, so there is one
    /// worker at each place, and the end of a turn wakes only the worker that is next.
    places: Box<[Condvar]>,
}

struct State {
    frontier: Frontier,
    is_over: bool,
}

/// The place up to which the database has been read.
#[derive(Debug, Default)]
pub(super) struct Frontier {
    /// The offset in the database, in bytes.
    pub(super) offset: u64,
    /// The kind of text at that place.
    pub(super) within: LexState,
    pub(super) line: u64,
    /// The bytes of a stream from that place to the start of the next block.
    pub(super) tail: Vec<u8>,
    /// The number of bytes in which the end of a game was not found.
    pub(super) tried: usize,
}

impl Turns {
    /// Creates the turns of so many workers, with reading to begin at a frontier.
    pub(super) fn new(frontier: Frontier, workers: usize) -> Self {
        let state = State { frontier, is_over: false };
        let places = (0..workers.max(1)).map(|_| Condvar::new()).collect();
        Self { ticket: AtomicU64::new(0), state: Mutex::new(state), places }
    }

    pub(super) fn is_on(&self, ticket: u64) -> bool {
        self.ticket.load(Ordering::Acquire) == ticket
    }

    /// Waits for a turn and takes the frontier. None if no more blocks are wanted.
    pub(super) fn wait(&self, ticket: u64) -> Option<Frontier> {
        let mut state = lock(&self.state);
        while !self.is_on(ticket) && !state.is_over {
            state = self.place(ticket).wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        (!state.is_over).then(|| std::mem::take(&mut state.frontier))
    }

    /// Ends a turn and starts the turn of the next worker. There are no more turns if `flow` breaks.
    pub(super) fn pass(&self, ticket: u64, frontier: Frontier, flow: ControlFlow<()>) {
        let mut state = lock(&self.state);
        state.frontier = frontier;
        state.is_over |= flow.is_break();
        // The ticket is stored under the lock, so that no worker reads the old ticket and then waits after the
        // notification.
        self.ticket.store(ticket + 1, Ordering::Release);
        let is_over = state.is_over;
        drop(state);
        if is_over {
            self.wake_all();
        } else {
            self.place(ticket + 1).notify_all();
        }
    }

    /// Stops all turns: workers that wait return.
    pub(super) fn stop(&self) {
        lock(&self.state).is_over = true;
        self.wake_all();
    }

    fn place(&self, ticket: u64) -> &Condvar {
        of_ticket(&self.places, ticket)
    }

    fn wake_all(&self) {
        self.places.iter().for_each(Condvar::notify_all);
    }
}

/// Returns the place for a ticket, if successive tickets have one place each in turn.
pub(super) fn of_ticket<T>(places: &[T], ticket: u64) -> &T {
    // The remainder is less than the number of places.
    &places[usize::try_from(ticket % places.len() as u64).unwrap_or(0)]
}
