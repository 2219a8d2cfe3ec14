//! Tests of walks through all stages.

use std::io::{self, Read};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

use crate::parallel::Workers;
use crate::parallel::batch::{Batch, Delivery, Sift, Stages};
use crate::parallel::blocks::Cuts;
use pgn2fen_pgn::chunk::{Chunk, LexState, StopPoint};
use pgn2fen_sources::{Database, Source};

/// The start of a block.
#[derive(Default)]
struct Offset(u64);

impl Batch for Offset {
    fn clear(&mut self) {}
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Read,
    Admit,
    Sift,
    Order,
    Encode,
    Deliver,
}

fn whole(text: &[u8]) -> Source {
    Source::Whole(Database::from(text.to_vec()))
}

/// A stream that returns a few bytes at a time.
fn stream(text: &[u8]) -> Source {
    struct Trickle(Vec<u8>, usize);
    impl Read for Trickle {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = buffer.len().min(1009);
            let given = self.0[self.1..].take(count as u64).read(buffer)?;
            self.1 += given;
            Ok(given)
        }
    }
    Source::stream(Box::new(Trickle(text.to_vec(), 0)), None).unwrap()
}

/// A sift that may panic in its last lane.
struct Breaking {
    middle: u64,
    is_breaking: bool,
}

impl Sift<Offset> for Breaking {
    fn lanes(&self) -> usize {
        3
    }

    fn begin(&self, _: &mut Offset) {}

    fn pass(&self, lane: usize, batch: &mut Offset) {
        let stage = Stage::Sift;
        assert!(!self.is_breaking || lane < 2 || batch.0 < self.middle, "{stage:?} broke");
    }

    fn end(&self, _: &mut Offset) {}
}

/// Notes the blocks in each lane.
struct Noting(Vec<Mutex<Vec<u64>>>);

impl Sift<Offset> for Noting {
    fn lanes(&self) -> usize {
        self.0.len()
    }

    fn begin(&self, _: &mut Offset) {}

    fn pass(&self, lane: usize, batch: &mut Offset) {
        self.0[lane].lock().unwrap().push(batch.0);
    }

    fn end(&self, _: &mut Offset) {}
}

/// Panics in one stage, for the block that holds the middle of the text. Returns the message of the panic, and the
/// offsets that were delivered before.
fn walk(workers: &Workers, text: &[u8], is_stream: bool, stage: Stage) -> (String, Vec<u64>) {
    let middle = text.len() as u64 / 2;
    let source = if is_stream { stream(text) } else { whole(text) };
    let mut delivered = Vec::new();
    let check = |current: Stage, offset: u64| assert!(current != stage || offset < middle, "{current:?} broke");
    let read = |text: Chunk<'_>, until: usize, batch: &mut Offset| {
        batch.0 = text.offset;
        check(Stage::Read, text.offset);
        StopPoint { at: until.min(text.bytes.len()), within: LexState::LineStart }
    };
    let admit = |batch: &mut Offset| {
        check(Stage::Admit, batch.0);
        ControlFlow::Continue(())
    };
    let order = |delivery: Delivery<'_, Offset>| {
        check(Stage::Order, delivery.offset);
        ControlFlow::Continue(())
    };
    let sift = Breaking { middle, is_breaking: stage == Stage::Sift };
    let deliver = |batch: &mut Offset| {
        check(Stage::Deliver, batch.0);
        delivered.push(batch.0);
        ControlFlow::Continue(())
    };
    let encode = |batch: &mut Offset| check(Stage::Encode, batch.0);
    let stages = Stages::read(read).admit(admit).sift(&sift).order(order).encode(encode).deliver(deliver);
    let walked = catch_unwind(AssertUnwindSafe(|| workers.walk(source, stages)));
    let payload = walked.expect_err("the panic goes on");
    (payload.downcast_ref::<String>().expect("its message goes with it").clone(), delivered)
}

/// Every worker gets its turn, and is woken for it, also if there are many more workers than cores.
#[test]
fn blocks_are_in_order_however_many_workers_there_are() {
    let text = "1. e4 *\n".repeat(20_000);
    for threads in [1, 2, 16, 64] {
        let workers = Workers::new(threads).unwrap().with_cuts(Cuts::Likely(500));
        let (mut ordered, mut delivered) = (Vec::new(), Vec::new());
        let noting = Noting((0..7).map(|_| Mutex::default()).collect());
        let read = |text: Chunk<'_>, until: usize, batch: &mut Offset| {
            batch.0 = text.offset;
            StopPoint { at: until.min(text.bytes.len()), within: LexState::LineStart }
        };
        let order = |delivery: Delivery<'_, Offset>| {
            ordered.push(delivery.offset);
            ControlFlow::Continue(())
        };
        let deliver = |batch: &mut Offset| {
            delivered.push(batch.0);
            ControlFlow::Continue(())
        };
        let stages = Stages::read(read).sift(&noting).order(order).deliver(deliver);
        workers.walk(whole(text.as_bytes()), stages).unwrap();
        assert!(ordered.len() > 200 && ordered.is_sorted(), "{threads} threads");
        assert_eq!(ordered, delivered, "{threads} threads");
        assert!(noting.0.iter().all(|lane| *lane.lock().unwrap() == ordered), "{threads} threads");
    }
}

/// In whatever stage the last block is known, no block behind it is ordered or delivered.
#[test]
fn a_walk_ends_behind_the_last_block_that_is_wanted() {
    let text = "1. e4 *\n".repeat(20_000);
    for (threads, is_admitted) in [1, 2, 16].into_iter().flat_map(|threads| [(threads, true), (threads, false)]) {
        let workers = Workers::new(threads).unwrap().with_cuts(Cuts::Likely(500));
        let (mut ordered, mut delivered, mut admitted) = (0, 0, 0);
        let noting = Noting((0..7).map(|_| Mutex::default()).collect());
        let until = |count: &mut u32, is_wanted: bool| {
            *count += 1;
            if is_wanted && *count == 50 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let read = |text: Chunk<'_>, until: usize, _: &mut Offset| StopPoint {
            at: until.min(text.bytes.len()),
            within: LexState::LineStart,
        };
        let stages = Stages::read(read)
            .admit(|_| until(&mut admitted, is_admitted))
            .sift(&noting)
            .order(|_| until(&mut ordered, !is_admitted))
            .deliver(|_| until(&mut delivered, false));
        workers.walk(whole(text.as_bytes()), stages).unwrap();
        assert_eq!((ordered, delivered), (50, 50), "{threads} threads");
        assert_eq!(is_admitted, admitted == 50 && noting.0[6].lock().unwrap().len() == 50 && is_admitted);
    }
}

/// The panic goes on in the thread that started the walk. No worker waits for ever, and no block behind it is
/// delivered.
#[test]
fn a_panic_in_any_stage_ends_the_walk() {
    let text = "1. e4 *\n".repeat(20_000);
    for threads in [1, 2, 3] {
        let workers = Workers::new(threads).unwrap().with_cuts(Cuts::Likely(1000));
        for stage in [Stage::Read, Stage::Admit, Stage::Sift, Stage::Order, Stage::Encode, Stage::Deliver] {
            for is_stream in [false, true] {
                let (message, delivered) = walk(&workers, text.as_bytes(), is_stream, stage);
                assert_eq!(message, format!("{stage:?} broke"));
                assert!(delivered.iter().all(|offset| *offset < text.len() as u64 / 2));
                assert!(delivered.is_sorted(), "{delivered:?}");
            }
        }
    }
}
