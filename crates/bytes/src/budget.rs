//! A bound on the memory that the pieces of an input take together.
//!
//! A few bytes of a file may unfold to hundreds of megabytes, and as many pieces are decoded at once as there are
//! threads. So a piece asks before it takes memory, and waits while other pieces have it. The first piece never waits:
//! the reader needs it before all others, and they may wait for the reader. So nothing waits for ever.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The memory that the pieces of an input may take together. Clones share it.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct Budget(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    limit: usize,
    state: Mutex<State>,
    given_back: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// The number of the next piece.
    next: u64,
    /// The bytes that each piece holds, by its number.
    held: BTreeMap<u64, usize>,
}

impl State {
    /// Whether a piece may hold so many bytes.
    fn has_room(&self, number: u64, bytes: usize, limit: usize) -> bool {
        let others = self.held.iter().filter(|(other, _)| **other != number).map(|(_, held)| *held);
        let is_first = self.held.first_key_value().is_none_or(|(first, _)| *first == number);
        is_first || others.fold(bytes, usize::saturating_add) <= limit
    }
}

impl Budget {
    /// Creates a budget of so many bytes.
    #[doc(hidden)]
    pub fn new(limit: usize) -> Self {
        Self(Arc::new(Shared { limit, state: Mutex::default(), given_back: Condvar::new() }))
    }

    /// Returns the share of the next piece, which holds nothing yet. Pieces take their shares in the order in which
    /// they are read.
    #[doc(hidden)]
    pub fn share(&self) -> Share {
        let mut state = self.0.lock();
        let number = state.next;
        state.next += 1;
        state.held.insert(number, 0);
        Share { shared: Arc::clone(&self.0), number }
    }
}

impl Shared {
    /// Locks the state. It is consistent even after a panic.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The part of a budget that a piece holds, until the share is dropped.
#[derive(Debug)]
#[doc(hidden)]
pub struct Share {
    shared: Arc<Shared>,
    number: u64,
}

impl Share {
    /// Sets the number of bytes that the piece holds. Waits until there is room for more.
    #[doc(hidden)]
    pub fn hold(&self, bytes: usize) {
        let mut state = self.shared.lock();
        while !state.has_room(self.number, bytes, self.shared.limit) {
            state = self.shared.given_back.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let before = state.held.insert(self.number, bytes);
        if before.is_some_and(|before| before > bytes) {
            self.shared.given_back.notify_all();
        }
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.shared.lock().held.remove(&self.number);
        self.shared.given_back.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use super::Budget;

    #[test]
    fn the_first_piece_never_waits_and_the_others_stay_within_the_limit() {
        let budget = Budget::new(100);
        let (first, second) = (budget.share(), budget.share());
        second.hold(100);
        first.hold(1000);
        first.hold(0);
        drop(first);
        // It is the first one now.
        second.hold(5000);
    }

    #[test]
    fn pieces_wait_for_what_is_given_back() {
        let budget = Budget::new(100);
        let (held, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        thread::scope(|scope| {
            for _ in 0..50 {
                let share = budget.share();
                let (held, most) = (&held, &most);
                scope.spawn(move || {
                    share.hold(40);
                    most.fetch_max(held.fetch_add(40, Ordering::SeqCst) + 40, Ordering::SeqCst);
                    thread::yield_now();
                    held.fetch_sub(40, Ordering::SeqCst);
                });
            }
        });
        // Two within the limit, and the first one.
        assert!((40..=120).contains(&most.load(Ordering::SeqCst)));
        assert!(budget.0.lock().held.is_empty());
    }
}
