//! The model of pieces of work that threads share.

use std::sync::Mutex;

use crate::parallel::pieces::Pieces;
use crate::parallel::workers::broadcast;

/// Shares pieces of work among threads. If one fails, it is the error, and the pieces before it have been done.
///
/// # Panics
///
/// The results are not those of the pieces in their order, a piece is done twice, or a thread goes on behind a piece
/// that failed.
pub fn share(threads: usize, count: usize, failing: Option<usize>) {
    let pieces = Pieces::new(count);
    let (begun, failed) = (Mutex::new(Vec::new()), Mutex::new(None));
    let work = |piece| {
        let thread = Some(shuttle::thread::current().id());
        if let (Ok(mut begun), Ok(mut failed)) = (begun.lock(), failed.lock()) {
            assert!(!begun.contains(&piece) && *failed != thread, "{piece} after {begun:?}");
            begun.push(piece);
            if failing == Some(piece) {
                *failed = thread;
            }
        }
        if failing == Some(piece) { Err(piece) } else { Ok(piece) }
    };
    broadcast(threads, &|| pieces.work(work));
    match failing {
        None => assert_eq!(pieces.results(), Ok((0..count).collect())),
        Some(piece) => assert_eq!(pieces.results(), Err(piece)),
    }
}
