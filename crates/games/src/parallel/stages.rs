//! Takes blocks through the stages, one worker at a time or many.

use std::io;
use std::ops::ControlFlow;

use crate::parallel::batch::{Admit, Batch, Deliver, Delivery, Encode, Order, Read, Sift, Stages};
use crate::parallel::blocks::{Block, Blocks, Cuts, too_long};
use crate::parallel::exit::Exit;
use crate::parallel::lanes::Lanes;
use crate::parallel::sync::{Mutex, lock};
use crate::parallel::trace::{Trace, Watch};
use crate::parallel::turns::Turns;
use pgn2fen_pgn::chunk::StopPoint;
use pgn2fen_pgn::diagnostic::count_lines;
use pgn2fen_sources::Source;

/// The places where a database is cut, and the longest game.
#[derive(Clone, Debug)]
pub(super) struct Limits {
    pub(super) cuts: Cuts,
    /// The length of the longest game of a stream, in bytes. A longer game ends the walk with an error.
    pub(super) longest_game: usize,
}

/// Walks through a database with so many workers. `run` calls a function on the thread of each worker, and returns when
/// all calls have returned.
///
/// # Errors
///
/// The database cannot be read to its end. The games before the error have been delivered. A game that is cut short is
/// left out.
pub(super) fn walk<B: Batch>(
    workers: usize,
    run: impl FnOnce(&(dyn Fn() + Sync)),
    limits: &Limits,
    trace: Option<&Trace>,
    source: Source,
    stages: Stages<'_, B>,
) -> io::Result<()> {
    let form = source.form();
    let (whole, stream) = match source {
        Source::Whole(database) => (Some(database), None),
        Source::Stream(stream) => (None, Some(stream.reader(workers)?)),
    };
    let blocks = Blocks::new(whole.as_ref(), stream, form, limits.cuts.clone());
    let Stages { read, admit, sift, order, encode, deliver } = stages;
    let walk = Walk {
        turns: Turns::new(blocks.frontier(), workers),
        blocks: Mutex::new(blocks),
        admit: Mutex::new(admit),
        // Behind the lanes of the stage is that of the stage `order`.
        sift: sift.map(|sift| (sift, Lanes::new(sift.lanes() + 1, workers))),
        order: Mutex::new(order),
        exit: Exit::new(deliver, workers),
        always_guess: matches!(limits.cuts, Cuts::At(_)),
        longest_game: limits.longest_game,
        long: Mutex::new(()),
        trace,
        read,
        encode,
    };
    run(&|| walk.work());
    let failure = lock(&walk.blocks).failure.take();
    failure.map_or(Ok(()), Err)
}

/// The state that all workers share.
struct Walk<'m, 's, B> {
    blocks: Mutex<Blocks<'m>>,
    turns: Turns,
    /// Only the worker whose turn it is runs this stage.
    admit: Mutex<Admit<'s, B>>,
    sift: Option<(&'s dyn Sift<B>, Lanes)>,
    /// Only the worker whose turn it is, or that is in the last lane, runs this stage.
    order: Mutex<Order<'s, B>>,
    exit: Exit<B, Deliver<'s, B>>,
    always_guess: bool,
    longest_game: usize,
    /// Held by the worker whose long block is behind its turn, so that memory holds one of them and the one before it.
    long: Mutex<()>,
    trace: Option<&'m Trace>,
    read: Read<'s, B>,
    encode: Encode<'s, B>,
}

impl<'m, B: Batch> Walk<'m, '_, B> {
    /// Runs one worker until no block is left or wanted.
    fn work(&self) {
        let alarm = Alarm(self);
        let mut batch = B::default();
        loop {
            let mut watch = Watch::start(self.trace);
            let next = lock(&self.blocks).next();
            watch.stop(|block| &mut block.cut);
            let Some((ticket, block)) = next else {
                break;
            };
            let Some(flow) = self.read_in_order(ticket, block, &mut batch, &mut watch) else {
                break;
            };
            (self.encode)(&mut batch);
            watch.stop(|block| &mut block.encode);
            let spare = self.exit.leave(ticket, batch);
            watch.stop(|block| &mut block.deliver);
            watch.end();
            match spare {
                Some(spare) => batch = spare,
                None => {
                    self.turns.stop();
                    break;
                }
            }
            if flow.is_break() {
                break;
            }
        }
        std::mem::forget(alarm);
    }

    /// Runs the stages from `read` to `order`. Breaks if no block behind this one is wanted. None if this one is not.
    fn read_in_order(
        &self,
        ticket: u64,
        mut block: Block<'m>,
        batch: &mut B,
        watch: &mut Watch<'_>,
    ) -> Option<ControlFlow<()>> {
        // Before its turn, a worker can only guess that reading of the block before will stop where its own block
        // begins.
        let may_guess = !block.is_cut_short && (self.always_guess || !self.turns.is_on(ticket));
        let guess = may_guess.then(|| self.read(&block, batch, watch));
        let mut frontier = self.turns.wait(ticket)?;
        let proven = guess.filter(|_| (frontier.offset, frontier.within) == (block.offset, block.within));
        let line = frontier.line;
        let (left, lines) = match proven {
            Some(result) => result,
            None => {
                block.begin_at(&mut frontier);
                if block.is_worth_reading(&frontier, self.longest_game) {
                    self.read(&block, batch, watch)
                } else {
                    batch.clear();
                    (block.text().left_at(0), 0)
                }
            }
        };
        let mut flow = lock(&self.admit)(batch);
        let order = |batch: &mut B, block: &Block<'m>| {
            let text = &block.text().bytes[..left.at];
            lock(&self.order)(Delivery { batch, text, offset: block.offset, line })
        };
        if self.sift.is_none() && order(batch, &block).is_break() {
            flow = ControlFlow::Break(());
        }
        frontier.line = line + lines;
        block.leave_at(left, &mut frontier);
        // The blocks before this one need nothing of it, so they leave and let it pass.
        let _long = block.is_long().then(|| lock(&self.long));
        if frontier.tail.len() > self.longest_game {
            lock(&self.blocks).failure = Some(too_long(&frontier, self.longest_game));
            flow = ControlFlow::Break(());
        }
        self.turns.pass(ticket, frontier, flow);
        if let Some((sift, lanes)) = &self.sift {
            watch.stop(|block| &mut block.order);
            pass_lanes(*sift, lanes, ticket, batch, watch)?;
            if order(batch, &block).is_break() {
                flow = ControlFlow::Break(());
                self.turns.stop();
                lanes.stop();
            } else {
                lanes.leave(sift.lanes(), ticket);
            }
        }
        lock(&self.blocks).recycle(block);
        watch.stop(|block| &mut block.order);
        Some(flow)
    }

    /// Reads a block. Returns where reading stopped, and the number of line breaks before that place.
    fn read(&self, block: &Block<'m>, batch: &mut B, watch: &mut Watch<'_>) -> (StopPoint, u64) {
        watch.stop(|block| &mut block.order);
        batch.clear();
        let text = block.text();
        let left = (self.read)(text, block.until, batch);
        let lines = count_lines(&text.bytes[..left.at]);
        watch.stop(|block| &mut block.read);
        (left, lines)
    }
}

/// Takes a batch through the lanes of a stage, and then into the lane of the stage `order`. None if no more blocks are
/// wanted.
fn pass_lanes<B>(sift: &dyn Sift<B>, lanes: &Lanes, ticket: u64, batch: &mut B, watch: &mut Watch<'_>) -> Option<()> {
    watch.set_lanes(sift.lanes());
    sift.begin(batch);
    watch.stop(|block| &mut block.encode);
    for lane in 0..sift.lanes() {
        lanes.enter(lane, ticket).then_some(())?;
        sift.pass(lane, batch);
        lanes.leave(lane, ticket);
    }
    watch.stop(|block| &mut block.sift);
    sift.end(batch);
    watch.stop(|block| &mut block.encode);
    lanes.enter(sift.lanes(), ticket).then_some(())
}

/// Stops the other workers when one panics.
struct Alarm<'w, 'm, 's, B>(&'w Walk<'m, 's, B>);

impl<B> Drop for Alarm<'_, '_, '_, B> {
    fn drop(&mut self) {
        self.0.turns.stop();
        if let Some((_, lanes)) = &self.0.sift {
            lanes.stop();
        }
        self.0.exit.stop();
    }
}

#[cfg(test)]
mod tests {
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
}
