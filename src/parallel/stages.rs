//! One worker's way through the blocks, from stage to stage.

use std::io;
use std::ops::ControlFlow;
use std::sync::Mutex;

use rayon::ThreadPool;

use crate::database::Source;
use crate::diagnostic::count_lines;
use crate::parallel::batch::{Batch, Delivery, Stages};
use crate::parallel::blocks::{Block, Blocks, Cuts, too_long};
use crate::parallel::exit::Exit;
use crate::parallel::lock::lock;
use crate::parallel::turns::Turns;
use crate::pgn::games::{Left, Text};

/// Where a walk may be cut, and what it may hold.
#[derive(Clone, Debug)]
pub(super) struct Limits {
    pub(super) cuts: Cuts,
    /// A game of a stream that is longer than so many bytes ends the walk with an error.
    pub(super) longest_game: usize,
}

/// Walks through a database with the threads of a pool.
///
/// # Errors
///
/// The database cannot be read to its end. The games before that have been delivered; one that is cut short is left out.
pub(super) fn walk<B, R, O, E, D>(
    pool: &ThreadPool,
    limits: &Limits,
    source: Source,
    stages: Stages<R, O, E, D>,
) -> io::Result<()>
where
    B: Batch,
    R: Fn(Text<'_>, usize, &mut B) -> Left + Sync,
    O: FnMut(Delivery<'_, B>) -> ControlFlow<()> + Send,
    E: Fn(&mut B) + Sync,
    D: FnMut(&mut B) -> ControlFlow<()> + Send,
{
    let form = source.form();
    let (whole, stream) = match source {
        Source::Whole(database) => (Some(database), None),
        Source::Stream(stream) => (None, Some(stream.reader(pool.current_num_threads())?)),
    };
    let blocks = Blocks::new(whole.as_ref(), stream, form, limits.cuts.clone());
    let Stages { read, order, encode, deliver } = stages;
    let walk = Walk {
        turns: Turns::new(blocks.frontier(), order),
        blocks: Mutex::new(blocks),
        exit: Exit::new(deliver, pool.current_num_threads()),
        always_guess: matches!(limits.cuts, Cuts::At(_)),
        longest_game: limits.longest_game,
        read,
        encode,
    };
    pool.broadcast(|_| walk.work());
    let failure = lock(&walk.blocks).failure.take();
    failure.map_or(Ok(()), Err)
}

/// What the workers share.
struct Walk<'m, B, R, O, E, D> {
    blocks: Mutex<Blocks<'m>>,
    turns: Turns<O>,
    exit: Exit<B, D>,
    always_guess: bool,
    longest_game: usize,
    read: R,
    encode: E,
}

impl<'m, B, R, O, E, D> Walk<'m, B, R, O, E, D>
where
    B: Batch,
    R: Fn(Text<'_>, usize, &mut B) -> Left,
    O: FnMut(Delivery<'_, B>) -> ControlFlow<()>,
    E: Fn(&mut B),
    D: FnMut(&mut B) -> ControlFlow<()>,
{
    /// What one worker does until nothing is left or wanted.
    fn work(&self) {
        let alarm = Alarm(self);
        let mut batch = B::default();
        loop {
            let next = lock(&self.blocks).next();
            let Some((ticket, block)) = next else {
                break;
            };
            let Some(flow) = self.read_in_order(ticket, block, &mut batch) else {
                break;
            };
            (self.encode)(&mut batch);
            match self.exit.leave(ticket, batch) {
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

    /// The stages up to `order`, and what that says. None when nothing more is wanted.
    fn read_in_order(&self, ticket: u64, mut block: Block<'m>, batch: &mut B) -> Option<ControlFlow<()>> {
        // Before its turn a worker can only guess that its block begins where the one before will be left.
        let may_guess = !block.is_cut_short && (self.always_guess || !self.turns.is_on(ticket));
        let guess = may_guess.then(|| self.read(&block, batch));
        let mut frontier = self.turns.wait(ticket)?;
        let proven = guess.filter(|_| (frontier.offset, frontier.within) == (block.offset, block.within));
        let line = frontier.line;
        let (left, lines) = match proven {
            Some(result) => result,
            None => {
                block.begin_at(&mut frontier);
                if block.is_worth_reading(&frontier, self.longest_game) {
                    self.read(&block, batch)
                } else {
                    batch.clear();
                    (block.text().left_at(0), 0)
                }
            }
        };
        let text = &block.text().bytes[..left.at];
        let mut flow = self.turns.order(Delivery { batch, text, offset: block.offset, line });
        frontier.line = line + lines;
        block.leave_at(left, &mut frontier);
        if frontier.tail.len() > self.longest_game {
            lock(&self.blocks).failure = Some(too_long(&frontier, self.longest_game));
            flow = ControlFlow::Break(());
            self.turns.stop();
        }
        self.turns.pass(ticket, frontier);
        lock(&self.blocks).recycle(block);
        Some(flow)
    }

    /// Where reading a block stopped, and how many lines were passed.
    fn read(&self, block: &Block<'m>, batch: &mut B) -> (Left, u64) {
        batch.clear();
        let text = block.text();
        let left = (self.read)(text, block.until, batch);
        (left, count_lines(&text.bytes[..left.at]))
    }
}

/// Lets the other workers go when one panics.
struct Alarm<'w, 'm, B, R, O, E, D>(&'w Walk<'m, B, R, O, E, D>);

impl<B, R, O, E, D> Drop for Alarm<'_, '_, B, R, O, E, D> {
    fn drop(&mut self) {
        self.0.turns.stop();
        self.0.exit.stop();
    }
}
