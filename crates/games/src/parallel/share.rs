//! Shares work among the workers that is not a walk through a database.

use crate::parallel::pieces::Pieces;
use crate::parallel::workers::Workers;

impl Workers {
    /// Calls `work` for each piece, on at most `at_once` threads, and returns the results in the order of the pieces.
    ///
    /// # Errors
    ///
    /// The error of the first piece that failed. Pieces that had not been started by then are skipped.
    #[doc(hidden)]
    pub fn share<T: Send, E: Send>(
        &self,
        pieces: usize,
        at_once: usize,
        work: impl Fn(usize) -> Result<T, E> + Sync,
    ) -> Result<Vec<T>, E> {
        self.share_beside(pieces, at_once, work, || ()).0
    }

    /// Shares work like [`share`](Self::share), and does something else on this thread meanwhile.
    #[doc(hidden)]
    pub fn share_beside<T: Send, E: Send, R>(
        &self,
        pieces: usize,
        at_once: usize,
        work: impl Fn(usize) -> Result<T, E> + Sync,
        beside: impl FnOnce() -> R,
    ) -> (Result<Vec<T>, E>, R) {
        let pieces = Pieces::new(pieces);
        let beside = self.pool().in_place_scope(|scope| {
            scope.spawn_broadcast(|_, worker| {
                if worker.index() < at_once {
                    pieces.work(&work);
                }
            });
            beside()
        });
        (pieces.results(), beside)
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use crate::parallel::workers::Workers;

    #[test]
    fn pieces_that_are_shared_come_back_in_order() {
        let workers = Workers::new(3).unwrap();
        let squares = workers.share(100, 2, |piece| Ok::<_, ()>(piece * piece)).unwrap();
        assert!(squares.into_iter().eq((0..100).map(|piece| piece * piece)));
        assert_eq!(workers.share(0, 1, |_| Err::<(), _>("never asked")), Ok(Vec::new()));
    }

    #[test]
    fn something_else_is_done_beside_the_work() {
        let workers = Workers::new(2).unwrap();
        let (send, receive) = std::sync::mpsc::channel();
        // The pieces wait for what is done beside them.
        let receive = std::sync::Mutex::new(receive);
        let work = |piece: usize| receive.lock().unwrap().recv().map(|sent: usize| piece + sent);
        let beside = || (0..10).for_each(|_| send.send(7).unwrap());
        let (done, ()) = workers.share_beside(10, 2, work, beside);
        assert!(done.unwrap().into_iter().eq(7..17));
    }

    #[test]
    fn no_piece_is_begun_behind_a_panic() {
        let workers = Workers::new(2).unwrap();
        let begun = AtomicUsize::new(0);
        let work = |piece: usize| {
            begun.fetch_add(1, Ordering::Relaxed);
            assert!(piece != 3, "the piece broke");
            std::thread::sleep(Duration::from_millis(1));
            Ok::<_, ()>(piece)
        };
        let shared = catch_unwind(AssertUnwindSafe(|| workers.share(10_000, 2, work)));
        assert_eq!(shared.unwrap_err().downcast_ref(), Some(&"the piece broke"));
        assert!(begun.load(Ordering::Relaxed) < 1000);
    }

    #[test]
    fn the_first_failure_is_told() {
        let fail = |piece| if piece == 7 { Err("seven") } else { Ok(piece) };
        assert_eq!(Workers::new(2).unwrap().share(100, 9, fail), Err("seven"));
    }
}
