//! Models of the parts of a walk by themselves, which are small enough for all orders of their threads.

use std::ops::ControlFlow;
use std::sync::Mutex;

use crate::parallel::batch::Batch;
use crate::parallel::exit::Exit;
use crate::parallel::lanes::Lanes;
use crate::parallel::sync::{AtomicU64, Ordering};
use crate::parallel::turns::{Frontier, Turns};
use crate::parallel::workers::broadcast;

#[derive(Default)]
struct Ticket(u64);

impl Batch for Ticket {
    fn clear(&mut self) {}
}

/// Calls a function for each ticket, on the thread that took it.
fn take_tickets(threads: usize, tickets: u64, work: impl Fn(u64) + Sync) {
    let next = AtomicU64::new(0);
    broadcast(threads, &|| {
        while let ticket = next.fetch_add(1, Ordering::Relaxed)
            && ticket < tickets
        {
            work(ticket);
        }
    });
}

/// Leaves batches at the exit.
///
/// # Panics
///
/// They are not delivered in their order.
pub fn exit(threads: usize, tickets: u64) {
    let delivered = Mutex::new(Vec::new());
    let deliver = |batch: &mut Ticket| {
        delivered.lock().expect("no thread panicked").push(batch.0);
        ControlFlow::Continue(())
    };
    let exit = Exit::new(deliver, threads);
    take_tickets(threads, tickets, |ticket| assert!(exit.leave(ticket, Ticket(ticket)).is_some()));
    drop(exit);
    assert!(delivered.into_inner().is_ok_and(|delivered| delivered.into_iter().eq(0..tickets)));
}

/// Takes turns, each of which adds one to the number of lines.
///
/// # Panics
///
/// A worker does not find the lines of all turns before its own.
pub fn turns(threads: usize, tickets: u64) {
    let turns = Turns::new(Frontier::default(), threads);
    take_tickets(threads, tickets, |ticket| {
        let mut frontier = turns.wait(ticket).expect("nobody stops the turns");
        assert_eq!(frontier.line, ticket);
        frontier.line += 1;
        turns.pass(ticket, frontier, ControlFlow::Continue(()));
    });
}

/// Goes through lanes.
///
/// # Panics
///
/// A block overtakes another.
pub fn lanes(threads: usize, tickets: u64, count: usize) {
    let lanes = Lanes::new(count, threads);
    let passed: Vec<Mutex<Vec<u64>>> = (0..count).map(|_| Mutex::default()).collect();
    take_tickets(threads, tickets, |ticket| {
        for (lane, passed) in passed.iter().enumerate() {
            assert!(lanes.enter(lane, ticket), "nobody stops the lanes");
            passed.lock().expect("no thread panicked").push(ticket);
            lanes.leave(lane, ticket);
        }
    });
    for passed in passed {
        assert!(passed.into_inner().is_ok_and(|passed| passed.into_iter().eq(0..tickets)));
    }
}
