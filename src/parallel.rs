//! Many cores, file order kept: the only place that divides work among threads. (What is compressed is decoded by others,
//! in [`database`](crate::database).)
//!
//! A database is cut into blocks at likely starts of games, and each block goes through four stages:
//!
//! ```text
//! read ──► order ──► encode ──► deliver
//! any worker  one at a time,  any worker  one at a time,
//!             in file order               in file order
//! ```
//!
//! Workers read blocks on their own, from the cut on, and take turns putting what they found in order. A cut is a guess,
//! and is proven when its turn comes: the block before must have been left exactly there, between games. Where it was
//! not, the block is read again from where the one before was left. One worker goes the same way; as it is always its
//! turn, it never has to guess. Then the turn is passed on, and the work that no other block has to wait for is done. What
//! comes of it is left at the exit.
//!
//! Memory is bounded by the number of workers, the size of blocks and of what becomes of them, and the longest game, of which no
//! more than [`LONGEST_GAME`] bytes of a stream are held. Text that belongs to no game is passed over block by block.
//!
//! A panic in a stage lets the other workers stop at their next block, and then goes on to whoever began the walk.

mod exit;
mod turns;

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use crate::database::{Damage, Database, Fault, Source};
use crate::diagnostic::count_lines;
use crate::parallel::exit::Exit;
use crate::parallel::turns::{Frontier, Turns};
use crate::pgn::games::{Left, Text, Within, end_of_whole_games, likely_start};
use crate::pgn::lexical::LOOKAHEAD;
use crate::pgn::lists::{self, Form};

/// How far a block's text reaches beyond its cut: enough to prove the next cut.
const MARGIN: usize = 2 * LOOKAHEAD;

/// Bytes of PGN in a block. What it becomes should still be in the cache when it is written.
const BLOCK: usize = 64 * 1024;

/// Workers that walk through databases.
#[derive(Debug)]
pub struct Workers {
    pool: ThreadPool,
    cuts: Cuts,
    longest_game: usize,
}

/// Of a stream a game is held until it ends, with the comment before it. One that is longer than so many bytes ends the walk
/// with an error, so that memory does not grow with a text that never ends.
pub const LONGEST_GAME: usize = 64 * 1024 * 1024;

/// Where databases are cut.
#[derive(Clone, Debug)]
pub enum Cuts {
    /// Where games are likely to start, about every so many bytes.
    Likely(usize),
    /// At these offsets, whatever stands there, and each guessed to be right even where there is no need to. For tests of
    /// the law that cuts do not matter.
    At(Vec<u64>),
}

/// What a worker keeps from block to block, and fills from one block at a time.
pub trait Batch: Default + Send {
    /// Makes it empty, keeping its memory.
    fn clear(&mut self);

    /// How many bytes it holds while it waits to be delivered, more or less.
    fn weight(&self) -> usize {
        0
    }
}

/// What is to be done with each block, one stage after the other.
#[derive(Clone, Copy, Debug)]
pub struct Stages<R, O, E, D> {
    /// Fills a batch from the games of a text that begin before a place in it, and tells where it stopped, as
    /// [`read_games`](crate::pgn::games::read_games) does. Runs on any worker, and may run again on the same block.
    pub read: R,
    /// Gets the batches with their texts in the order of the database, one at a time, and breaks off behind the last that
    /// is wanted. All workers wait for it, so it should be quick.
    pub order: O,
    /// Works on a batch that has been put in order. Runs on any worker.
    pub encode: E,
    /// Gets the batches in the order of the database, one at a time, until it breaks off.
    pub deliver: D,
}

/// What was read of one block.
#[derive(Debug)]
pub struct Delivery<'t, B> {
    /// What was made of it.
    pub batch: &'t mut B,
    /// The text that was read, from the start of a game or of what stands before it.
    pub text: &'t [u8],
    /// Where the text begins in the database, in bytes.
    pub offset: u64,
    /// The line on which it begins, counted from 0 where the walk began.
    pub line: u64,
}

impl Workers {
    /// As many workers as there are threads; 0 takes one a core.
    ///
    /// # Errors
    ///
    /// Threads cannot be started.
    pub fn new(threads: usize) -> Result<Self, ThreadPoolBuildError> {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
        Ok(Self { pool, cuts: Cuts::Likely(BLOCK), longest_game: LONGEST_GAME })
    }

    /// The same workers, cutting elsewhere.
    #[must_use]
    pub fn with_cuts(self, cuts: Cuts) -> Self {
        Self { cuts, ..self }
    }

    /// The same workers, holding no longer games of a stream than this, in bytes, instead of [`LONGEST_GAME`].
    #[must_use]
    pub fn with_longest_game(self, longest_game: usize) -> Self {
        Self { longest_game, ..self }
    }

    /// Walks through a database in the two stages that are always needed. `read` fills batches, as in [`Stages`]; `deliver` gets
    /// them with their texts in the order of the database, one at a time, until it breaks off.
    ///
    /// # Errors
    ///
    /// The database cannot be read to its end. The games before that have been delivered; one that is cut short is left out.
    pub fn walk<B: Batch>(
        &self,
        source: Source,
        read: impl Fn(Text<'_>, usize, &mut B) -> Left + Sync,
        deliver: impl FnMut(Delivery<'_, B>) -> ControlFlow<()> + Send,
    ) -> io::Result<()> {
        let stages =
            Stages { read, order: deliver, encode: |_: &mut B| {}, deliver: |_: &mut B| ControlFlow::Continue(()) };
        self.walk_in_stages(source, stages)
    }

    /// Walks through a database.
    ///
    /// # Errors
    ///
    /// The database cannot be read to its end. The games before that have been delivered; one that is cut short is left out.
    pub fn walk_in_stages<B, R, O, E, D>(&self, source: Source, stages: Stages<R, O, E, D>) -> io::Result<()>
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
            Source::Stream(stream) => (None, Some(stream.reader(self.pool.current_num_threads())?)),
        };
        let blocks = Blocks::new(whole.as_ref(), stream, form, self.cuts.clone());
        let Stages { read, order, encode, deliver } = stages;
        let walk = Walk {
            turns: Turns::new(Frontier { offset: blocks.offset, within: blocks.within, ..Frontier::default() }, order),
            blocks: Mutex::new(blocks),
            exit: Exit::new(deliver, self.pool.current_num_threads()),
            always_guess: matches!(self.cuts, Cuts::At(_)),
            longest_game: self.longest_game,
            read,
            encode,
        };
        self.pool.broadcast(|_| walk.work());
        let failure = lock(&walk.blocks).failure.take();
        failure.map_or(Ok(()), Err)
    }
}

impl Workers {
    /// Does pieces of work that do not depend on one another, at most so many at once, and gives what came of them in their
    /// order.
    ///
    /// # Errors
    ///
    /// The error of the first piece that failed. Pieces that had not been begun by then are left out.
    pub(crate) fn share<T: Send, E: Send>(
        &self,
        pieces: usize,
        at_once: usize,
        work: impl Fn(usize) -> Result<T, E> + Sync,
    ) -> Result<Vec<T>, E> {
        let next = AtomicUsize::new(0);
        let done = Mutex::new(BTreeMap::new());
        self.pool.broadcast(|worker| {
            let _last = LastPiece { next: &next, pieces };
            while worker.index() < at_once {
                let piece = next.fetch_add(1, Ordering::Relaxed);
                if piece >= pieces {
                    break;
                }
                let result = work(piece);
                if result.is_err() {
                    next.store(pieces, Ordering::Relaxed);
                }
                lock(&done).insert(piece, result);
            }
        });
        done.into_inner().unwrap_or_else(PoisonError::into_inner).into_values().collect()
    }

    /// How many workers there are.
    pub(crate) fn count(&self) -> usize {
        self.pool.current_num_threads()
    }
}

/// Lets no more pieces be begun when a worker panics.
struct LastPiece<'n> {
    next: &'n AtomicUsize,
    pieces: usize,
}

impl Drop for LastPiece<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.next.store(self.pieces, Ordering::Relaxed);
        }
    }
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

/// A worker that panicked has stopped everything; its locks hold nothing half done that is used again.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A piece of a database, from one cut to the next and a margin beyond.
struct Block<'m> {
    bytes: BlockBytes<'m>,
    offset: u64,
    /// What it begins in, to go by the byte before it.
    within: Within,
    /// Where the next block begins, in bytes from the start of this one.
    until: usize,
    is_last: bool,
    form: Form,
    /// The stream failed here: its text ends anywhere, in the middle of a move or of the tags that tell where a game starts.
    is_cut_short: bool,
}

enum BlockBytes<'m> {
    /// A piece of the whole, and the whole.
    Shared {
        piece: &'m [u8],
        whole: &'m [u8],
    },
    Owned(Vec<u8>),
}

impl Block<'_> {
    fn text(&self) -> Text<'_> {
        let bytes = match &self.bytes {
            BlockBytes::Shared { piece, .. } => piece,
            BlockBytes::Owned(bytes) => bytes.as_slice(),
        };
        Text { bytes, offset: self.offset, is_last: self.is_last, within: self.within, form: self.form }
    }

    /// Moves the start of the block to the frontier. Of a mapped database all the rest is at hand from then on.
    fn begin_at(&mut self, frontier: &mut Frontier) {
        let end = self.offset + self.until as u64;
        match &mut self.bytes {
            BlockBytes::Shared { piece, whole } => {
                *piece = &whole[to_index(frontier.offset)..];
                self.is_last = true;
            }
            BlockBytes::Owned(bytes) if frontier.offset < self.offset => {
                frontier.tail.append(bytes);
                std::mem::swap(bytes, &mut frontier.tail);
            }
            BlockBytes::Owned(bytes) => {
                bytes.drain(..to_index(frontier.offset - self.offset).min(bytes.len()));
            }
        }
        self.until = to_index(end.saturating_sub(frontier.offset));
        self.offset = frontier.offset;
        self.within = frontier.within;
        frontier.tail.clear();
        if self.is_cut_short {
            self.leave_out_broken_game();
        }
    }

    /// What stands behind the last game that is whole would be read as something else than it was.
    fn leave_out_broken_game(&mut self) {
        if let BlockBytes::Owned(bytes) = &mut self.bytes {
            bytes.truncate(end_of_whole_games(bytes, self.form));
            self.until = self.until.min(bytes.len());
        }
    }

    /// A game of a stream that did not end in twice its text is not worth a look until that has doubled again: so the
    /// time stays linear.
    fn is_worth_reading(&self, frontier: &Frontier, longest_game: usize) -> bool {
        let length = self.text().bytes.len();
        self.is_last || length >= 2 * frontier.tried || length > longest_game
    }

    /// Tells the next block where this one was left, and leaves it the bytes from there on.
    fn leave_at(&mut self, left: Left, frontier: &mut Frontier) {
        let resume = left.at;
        frontier.offset = self.offset + resume as u64;
        frontier.within = left.within;
        if resume >= self.until || self.is_last {
            frontier.tried = 0;
            return;
        }
        let length = self.text().bytes.len();
        if resume > 0 || length >= 2 * frontier.tried {
            frontier.tried = length - resume;
        }
        if let BlockBytes::Owned(bytes) = &mut self.bytes {
            // A game of many blocks is handed on from one to the next, not copied.
            bytes.truncate(self.until);
            bytes.drain(..resume);
            std::mem::swap(bytes, &mut frontier.tail);
        }
    }
}

/// Cuts a database into blocks, in order.
struct Blocks<'m> {
    whole: &'m [u8],
    /// The last game that is wanted begins before.
    until: usize,
    stream: Option<Box<dyn Read + Send>>,
    /// Of a stream, what was read behind the last cut.
    carry: Vec<u8>,
    offset: u64,
    /// What the next block begins in, to go by the byte before it.
    within: Within,
    ticket: u64,
    is_ended: bool,
    form: Form,
    cuts: Cuts,
    spare: Vec<Vec<u8>>,
    failure: Option<io::Error>,
}

impl<'m> Blocks<'m> {
    fn new(whole: Option<&'m Database>, stream: Option<Box<dyn Read + Send>>, form: Form, cuts: Cuts) -> Self {
        let range = whole.map_or(0..0, Database::range);
        let is_ended = stream.is_none() && range.is_empty();
        Self {
            whole: whole.map_or(&[], Database::bytes),
            until: range.end,
            stream,
            carry: Vec::new(),
            offset: range.start as u64,
            within: Within::after(whole.and_then(|database| database.before().last().copied())),
            ticket: 0,
            is_ended,
            form,
            cuts,
            spare: Vec::new(),
            failure: None,
        }
    }

    fn next(&mut self) -> Option<(u64, Block<'m>)> {
        if self.is_ended {
            return None;
        }
        let block = if self.stream.is_some() { self.next_streamed() } else { self.next_mapped() };
        let ticket = self.ticket;
        self.ticket += 1;
        self.offset += block.until as u64;
        if let Some(last) = block.until.checked_sub(1) {
            self.within = Within::after(Some(block.text().bytes[last]));
        }
        Some((ticket, block))
    }

    fn next_mapped(&mut self) -> Block<'m> {
        let from = to_index(self.offset);
        let rest = &self.whole[from..];
        let until = self.cut(&rest[..self.until - from]);
        self.is_ended = from + until == self.until;
        // The last game may end anywhere behind the range.
        let reach = if self.is_ended { rest.len() } else { (until + MARGIN).min(rest.len()) };
        Block {
            bytes: BlockBytes::Shared { piece: &rest[..reach], whole: self.whole },
            offset: self.offset,
            within: self.within,
            until,
            is_last: reach == rest.len(),
            form: self.form,
            is_cut_short: false,
        }
    }

    fn next_streamed(&mut self) -> Block<'m> {
        let mut bytes = self.spare.pop().unwrap_or_default();
        bytes.clear();
        bytes.append(&mut self.carry);
        let wanted = self.wanted() + MARGIN;
        if let Some(stream) = &mut self.stream {
            let missing = wanted.saturating_sub(bytes.len()) as u64;
            if let Err(error) = stream.take(missing).read_to_end(&mut bytes) {
                self.failure = Some(error);
            }
        }
        self.is_ended = bytes.len() < wanted;
        let until = if self.is_ended { bytes.len() } else { self.cut(&bytes[..bytes.len() - MARGIN]) };
        self.carry.extend_from_slice(&bytes[until..]);
        let is_cut_short = self.failure.as_ref().is_some_and(cuts_text);
        let Self { offset, within, is_ended, form, .. } = *self;
        Block { bytes: BlockBytes::Owned(bytes), offset, within, until, is_last: is_ended, form, is_cut_short }
    }

    /// How many bytes to look at for the next cut.
    fn wanted(&self) -> usize {
        match &self.cuts {
            Cuts::Likely(size) => size + size / 2,
            Cuts::At(offsets) => self.next_offset(offsets).map_or(BLOCK, |offset| to_index(offset - self.offset)),
        }
    }

    /// Where the block that begins with `rest` ends.
    fn cut(&self, rest: &[u8]) -> usize {
        let likely_start = match self.form {
            Form::Games => likely_start,
            Form::Positions => lists::likely_start,
        };
        let cut = match &self.cuts {
            Cuts::Likely(size) if rest.len() > *size => {
                likely_start(rest, *size, size + size / 2).unwrap_or(size + size / 2)
            }
            Cuts::Likely(_) => rest.len(),
            Cuts::At(offsets) => self.next_offset(offsets).map_or(rest.len(), |offset| to_index(offset - self.offset)),
        };
        cut.min(rest.len())
    }

    fn next_offset(&self, offsets: &[u64]) -> Option<u64> {
        offsets.iter().copied().find(|offset| *offset > self.offset)
    }

    fn recycle(&mut self, block: Block<'m>) {
        if let BlockBytes::Owned(bytes) = block.bytes {
            self.spare.push(bytes);
        }
    }
}

/// A game of a stream has not ended yet.
fn too_long(frontier: &Frontier, longest: usize) -> io::Error {
    let (line, longest) = (frontier.line + 1, longest / 1024 / 1024);
    io::Error::other(format!(
        "the game on line {line} is longer than {longest} MiB, the most that is held of a stream; in a file that is not \
         compressed it can be read"
    ))
}

/// Whether the text that was read before a failure ends where it should not.
fn cuts_text(failure: &io::Error) -> bool {
    Damage::of(failure).is_none_or(|damage| damage.fault != Fault::Trailing)
}

/// An offset in bytes that are in memory fits an index.
#[expect(clippy::cast_possible_truncation, reason = "the bytes at this offset are addressable")]
fn to_index(offset: u64) -> usize {
    offset as usize
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use super::Workers;

    #[test]
    fn pieces_that_are_shared_come_back_in_order() {
        let workers = Workers::new(3).unwrap();
        let squares = workers.share(100, 2, |piece| Ok::<_, ()>(piece * piece)).unwrap();
        assert!(squares.into_iter().eq((0..100).map(|piece| piece * piece)));
        assert_eq!(workers.share(0, 1, |_| Err::<(), _>("never asked")), Ok(Vec::new()));
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
