//! The model of a walk.

use std::cell::Cell;
use std::io::{self, Cursor, Read};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

use crate::parallel::batch::{Batch, Delivery, Sift, Stages};
use crate::parallel::blocks::Cuts;
use crate::parallel::stages::{self, Limits};
use crate::parallel::sync::{self as shared, lock};
use crate::parallel::workers::broadcast;
use pgn2fen_pgn::chunk::{Chunk, LexState, StopPoint};
use pgn2fen_sources::{Database, Source};

/// The length of a block, in bytes. It is longer than the text that is read behind the cut of a block of a stream.
pub const BLOCK: usize = 64 * 1024;

/// The weight of a batch that no other one may wait beside at the exit, in bytes.
pub const HEAVY: usize = 1 << 30;

/// A walk through a text of some blocks.
#[derive(Clone, Copy, Debug)]
pub struct Model {
    /// The number of workers.
    pub workers: usize,
    /// The number of blocks.
    pub blocks: usize,
    /// The number of lanes of the stage `sift`; 0 if there is no such stage.
    pub lanes: usize,
    /// Whether the text is a stream.
    pub is_stream: bool,
    /// The weight of a batch that waits at the exit, in bytes.
    pub weight: usize,
    /// The course of the walk.
    pub course: Course,
}

/// The course of a walk: to its end, with a wrong guess, or up to a stop or a panic in a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Course {
    /// All blocks are read and delivered.
    Plain,
    /// Reading of this block stops this many bytes behind its cut, as if a game reached beyond it. So the guess of the
    /// next block turns out wrong.
    WrongGuess(usize, usize),
    /// This stage, `Admit`, `Order` or `Deliver`, ends the walk behind this block.
    Stops(Stage, usize),
    /// A stage panics at this block.
    Panics(Stage, usize),
    /// The stream gives nothing behind the first three blocks until the first one has been delivered.
    Waits,
}

/// A stage of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the stages")]
pub enum Stage {
    Read,
    Admit,
    Sift,
    Order,
    Encode,
    Deliver,
}

/// The place of a block in the text: its first byte, and the one behind its last.
#[derive(Default)]
struct Seen {
    from: u64,
    to: u64,
    weight: usize,
}

thread_local! {
    /// The number of batches that there are, and the most that there have been at once. The threads of a model are one
    /// thread of the system.
    static BATCHES: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
}

struct Counted(Seen);

impl Default for Counted {
    fn default() -> Self {
        let (alive, most) = BATCHES.get();
        BATCHES.set((alive + 1, most.max(alive + 1)));
        Self(Seen::default())
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let (alive, most) = BATCHES.get();
        BATCHES.set((alive - 1, most));
    }
}

impl Batch for Counted {
    fn clear(&mut self) {
        self.0 = Seen::default();
    }

    fn weight(&self) -> usize {
        self.0.weight
    }
}

impl Model {
    /// Runs the walk once.
    ///
    /// # Panics
    ///
    /// The results are not as they must be, or a stage panics that should not.
    pub fn run(self) {
        BATCHES.set((0, 0));
        // Behind a line break a game may begin, so guesses turn out right.
        let text = vec![b'\n'; self.blocks * BLOCK];
        let gate = Arc::new(Gate::default());
        let source = match self.is_stream {
            false => Source::Whole(Database::from(text)),
            true => {
                let gate = (self.course == Course::Waits).then(|| Arc::clone(&gate));
                Source::stream(Box::new(Stream { text: Cursor::new(text), gate }), None)
                    .unwrap_or_else(|_| unreachable!())
            }
        };
        let cuts = (1..self.blocks).map(|block| (block * BLOCK) as u64).collect();
        let limits = Limits { cuts: Cuts::At(cuts), longest_game: 1 << 20 };
        let (ordered, delivered) = (Mutex::new(Vec::new()), Mutex::new(Vec::new()));
        let sift = Watching { model: self, passed: (0..self.lanes).map(|_| Mutex::default()).collect() };
        let add = |to: &Mutex<Vec<(u64, u64)>>, seen: &Seen| {
            if let Ok(mut to) = to.lock() {
                to.push((seen.from, seen.to));
            }
        };
        let read = |text: Chunk<'_>, until: usize, batch: &mut Counted| {
            let at = (until + self.beyond(text.offset, until)).min(text.bytes.len());
            batch.0 = Seen { from: text.offset, to: text.offset + at as u64, weight: self.weight };
            _ = self.pass(Stage::Read, &batch.0);
            StopPoint { at, within: LexState::LineStart }
        };
        let order = |delivery: Delivery<'_, Counted>| {
            add(&ordered, &delivery.batch.0);
            self.pass(Stage::Order, &delivery.batch.0)
        };
        let deliver = |batch: &mut Counted| {
            add(&delivered, &batch.0);
            gate.open();
            self.pass(Stage::Deliver, &batch.0)
        };
        let stages = Stages::read(read)
            .admit(|batch: &mut Counted| self.pass(Stage::Admit, &batch.0))
            .order(order)
            .encode(|batch: &mut Counted| _ = self.pass(Stage::Encode, &batch.0))
            .deliver(deliver);
        let stages = if self.lanes > 0 { stages.sift(&sift) } else { stages };
        let run = |work: &(dyn Fn() + Sync)| broadcast(self.workers, work);
        let walked = catch_unwind(AssertUnwindSafe(|| stages::walk(self.workers, run, &limits, None, source, stages)));
        match (self.course, walked) {
            (Course::Panics(stage, _), Err(panic)) => {
                assert_eq!(panic.downcast_ref::<String>(), Some(&format!("{stage:?} broke")));
            }
            (Course::Panics(..), Ok(_)) => panic!("the panic did not go on"),
            (_, walked) => assert!(walked.is_ok_and(|walked| walked.is_ok()), "the walk failed"),
        }
        let taken = |list: Mutex<Vec<(u64, u64)>>| list.into_inner().unwrap_or_default();
        self.check(&taken(ordered), &taken(delivered));
        for lane in sift.passed {
            let passed = taken(lane);
            assert!(follow_one_another(&passed), "{passed:?}");
        }
        // A worker has one. If they are heavy, it waits at the exit until those before it have been delivered;
        // meanwhile the worker that delivers keeps one for each worker to be used again.
        let (alive, most) = BATCHES.get();
        assert!(alive == 0 && (self.weight < HEAVY || most <= 2 * self.workers), "{alive} batches, {most} at once");
    }

    /// Checks what was put in order and what was delivered.
    fn check(self, ordered: &[(u64, u64)], delivered: &[(u64, u64)]) {
        assert!(follow_one_another(ordered), "{ordered:?}");
        assert!(ordered.starts_with(delivered), "{ordered:?} {delivered:?}");
        let (end, last) = ((self.blocks * BLOCK) as u64, |list: &[(u64, u64)]| list.last().map_or(0, |last| last.1));
        match self.course {
            Course::Plain | Course::WrongGuess(..) | Course::Waits => {
                assert_eq!((last(ordered), last(delivered)), (end, end));
            }
            Course::Stops(stage, block) => {
                let wanted = ((block + 1) * BLOCK) as u64;
                assert_eq!(last(delivered), wanted);
                assert!(stage == Stage::Deliver || last(ordered) == wanted, "{ordered:?}");
            }
            Course::Panics(_, block) => assert!(last(delivered) <= ((block + 1) * BLOCK) as u64, "{delivered:?}"),
        }
    }

    /// Returns by how many bytes reading of a text goes beyond its cut.
    fn beyond(self, offset: u64, until: usize) -> usize {
        match self.course {
            Course::WrongGuess(block, bytes) if offset + until as u64 == ((block + 1) * BLOCK) as u64 => bytes,
            _ => 0,
        }
    }

    /// Does what the course of the walk has for a stage of a block.
    fn pass(self, stage: Stage, seen: &Seen) -> ControlFlow<()> {
        let is_at = |block: usize| seen.from <= (block * BLOCK) as u64 && seen.to > (block * BLOCK) as u64;
        match self.course {
            Course::Panics(at, block) if at == stage && is_at(block) => panic!("{stage:?} broke"),
            Course::Stops(at, block) if at == stage && is_at(block) => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }
}

/// A gate at which a stream waits until it is opened.
#[derive(Default)]
struct Gate {
    is_open: shared::Mutex<bool>,
    opened: shared::Condvar,
}

impl Gate {
    fn open(&self) {
        *lock(&self.is_open) = true;
        self.opened.notify_all();
    }

    fn pass(&self) {
        let mut is_open = lock(&self.is_open);
        while !*is_open {
            is_open = self.opened.wait(is_open).unwrap_or_else(shared::PoisonError::into_inner);
        }
    }
}

/// A stream that waits at a gate behind three blocks, if there is one.
struct Stream {
    text: Cursor<Vec<u8>>,
    gate: Option<Arc<Gate>>,
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let before = (3 * BLOCK).saturating_sub(usize::try_from(self.text.position()).unwrap_or(usize::MAX));
        match &self.gate {
            Some(gate) if before == 0 => gate.pass(),
            Some(_) => return (&mut self.text).take(before as u64).read(buffer),
            None => {}
        }
        self.text.read(buffer)
    }
}

/// Whether blocks follow one another from the start of the text on.
fn follow_one_another(blocks: &[(u64, u64)]) -> bool {
    let mut at = 0;
    blocks.iter().all(|(from, to)| std::mem::replace(&mut at, *to) == *from)
}

/// A sift that notes the blocks in each lane.
struct Watching {
    model: Model,
    passed: Vec<Mutex<Vec<(u64, u64)>>>,
}

impl Sift<Counted> for Watching {
    fn lanes(&self) -> usize {
        self.passed.len()
    }

    fn begin(&self, _: &mut Counted) {}

    fn pass(&self, lane: usize, batch: &mut Counted) {
        if let Ok(mut passed) = self.passed[lane].lock() {
            passed.push((batch.0.from, batch.0.to));
        }
        if lane + 1 == self.passed.len() {
            _ = self.model.pass(Stage::Sift, &batch.0);
        }
    }

    fn end(&self, _: &mut Counted) {}
}
