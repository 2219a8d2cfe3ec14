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
        failure: Mutex::new(None),
        trace,
        read,
        encode,
    };
    run(&|| walk.work());
    let failure = lock(&walk.failure).take().or_else(|| lock(&walk.blocks).failure.take());
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
    /// The error of a game that is too long. A worker may hold `blocks` while it waits for a stream, so nobody else
    /// touches them.
    failure: Mutex<Option<io::Error>>,
    trace: Option<&'m Trace>,
    read: Read<'s, B>,
    encode: Encode<'s, B>,
}

impl<'m, B: Batch> Walk<'m, '_, B> {
    /// Runs one worker until no block is left or wanted.
    fn work(&self) {
        let alarm = Alarm(self);
        let mut batch = B::default();
        let mut spare = Vec::new();
        loop {
            let mut watch = Watch::start(self.trace);
            let next = lock(&self.blocks).next(spare);
            watch.stop(|block| &mut block.cut);
            let Some((ticket, block)) = next else {
                break;
            };
            let Some((flow, memory)) = self.read_in_order(ticket, block, &mut batch, &mut watch) else {
                break;
            };
            spare = memory;
            (self.encode)(&mut batch);
            watch.stop(|block| &mut block.encode);
            let next = self.exit.leave(ticket, batch);
            watch.stop(|block| &mut block.deliver);
            watch.end();
            match next {
                Some(next) => batch = next,
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
    /// Also returns the memory of the block, to be used again.
    fn read_in_order(
        &self,
        ticket: u64,
        mut block: Block<'m>,
        batch: &mut B,
        watch: &mut Watch<'_>,
    ) -> Option<(ControlFlow<()>, Vec<u8>)> {
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
            *lock(&self.failure) = Some(too_long(&frontier, self.longest_game));
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
        watch.stop(|block| &mut block.order);
        Some((flow, block.into_spare()))
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
