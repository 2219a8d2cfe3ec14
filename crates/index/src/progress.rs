//! Reports the progress while a run is written.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::error::IndexError;

/// A function that is called with the number of parts that are written and the number of all parts. It may stop the
/// work.
pub type Progress<'p> = dyn Fn(usize, usize) -> ControlFlow<()> + Sync + 'p;

/// Counts the parts that are written.
pub(super) struct Done<'p> {
    progress: &'p Progress<'p>,
    done: AtomicUsize,
    parts: usize,
}

impl<'p> Done<'p> {
    pub(super) fn new(progress: &'p Progress<'p>, parts: usize) -> Self {
        Self { progress, done: AtomicUsize::new(0), parts }
    }

    /// Counts another part, and reports it.
    pub(super) fn one_more(&self, folder: &Path) -> Result<(), IndexError> {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        match (self.progress)(done, self.parts) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(IndexError::new(folder, "writing was broken off")),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::path::Path;
    use std::sync::Mutex;

    use super::Done;

    #[test]
    fn each_part_that_is_written_is_counted_until_the_work_is_stopped() {
        let reported = Mutex::new(Vec::new());
        let progress = |done, parts| {
            reported.lock().unwrap().push((done, parts));
            if done < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let done = Done::new(&progress, 4);
        let ended = [(); 3].map(|()| done.one_more(Path::new("games.idx")).is_err());
        assert_eq!(ended, [false, false, true]);
        assert_eq!(reported.into_inner().unwrap(), [(1, 4), (2, 4), (3, 4)]);
    }
}
