//! Lanes: the blocks go through them in their order, one behind another.

use crate::parallel::sync::{AtomicBool, AtomicU64, Condvar, LOOKS, Mutex, Ordering, PoisonError, lock, spin_loop};
use crate::parallel::turns::of_ticket;

/// For each lane, the block that may be there.
pub(super) struct Lanes {
    /// The ticket of the block that each lane is for.
    tickets: Box<[AtomicU64]>,
    /// The places at which workers sleep, by ticket. The workers in the lanes hold successive tickets, one each.
    places: Box<[Place]>,
    is_over: Mutex<bool>,
}

#[derive(Default)]
struct Place {
    is_taken: AtomicBool,
    woken: Condvar,
}

impl Lanes {
    /// Creates lanes for so many workers.
    pub(super) fn new(lanes: usize, workers: usize) -> Self {
        Self {
            tickets: (0..lanes).map(|_| AtomicU64::new(0)).collect(),
            places: (0..workers.max(1)).map(|_| Place::default()).collect(),
            is_over: Mutex::new(false),
        }
    }

    /// Waits until all blocks before this one have left a lane. False if no more blocks are wanted.
    #[must_use]
    pub(super) fn enter(&self, lane: usize, ticket: u64) -> bool {
        let is_free = || self.tickets[lane].load(Ordering::SeqCst) == ticket;
        for _ in 0..LOOKS {
            if is_free() {
                return true;
            }
            spin_loop();
        }
        let place = self.place(ticket);
        // This is stored before the lane is looked at, and whoever leaves the lane looks at them the other way round.
        // So one of both sees the other.
        place.is_taken.store(true, Ordering::SeqCst);
        let mut is_over = lock(&self.is_over);
        while !*is_over && !is_free() {
            is_over = place.woken.wait(is_over).unwrap_or_else(PoisonError::into_inner);
        }
        place.is_taken.store(false, Ordering::SeqCst);
        !*is_over
    }

    /// Leaves a lane to the next block.
    pub(super) fn leave(&self, lane: usize, ticket: u64) {
        self.tickets[lane].store(ticket + 1, Ordering::SeqCst);
        let next = self.place(ticket + 1);
        if next.is_taken.load(Ordering::SeqCst) {
            drop(lock(&self.is_over));
            next.woken.notify_all();
        }
    }

    /// Stops the lanes: workers that wait return.
    pub(super) fn stop(&self) {
        *lock(&self.is_over) = true;
        self.places.iter().for_each(|place| place.woken.notify_all());
    }

    fn place(&self, ticket: u64) -> &Place {
        of_ticket(&self.places, ticket)
    }
}
