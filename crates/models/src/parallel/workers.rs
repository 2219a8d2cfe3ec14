//! Threads of a model.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Calls a function on so many threads, and returns when all of them have returned. A panic of one goes on here, as the
/// thread pool does it.
pub(super) fn broadcast(threads: usize, work: &(dyn Fn() + Sync)) {
    let panics: Vec<Box<dyn Any + Send>> = shuttle::thread::scope(|scope| {
        let guarded = || catch_unwind(AssertUnwindSafe(work)).err();
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(guarded)).collect();
        threads.into_iter().filter_map(|thread| thread.join().ok().flatten()).collect()
    });
    if let Some(panic) = panics.into_iter().next() {
        resume_unwind(panic);
    }
}
