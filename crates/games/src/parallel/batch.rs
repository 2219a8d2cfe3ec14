//! The batch that goes from stage to stage, and the stages themselves.

use std::any::Any;
use std::ops::ControlFlow;

use pgn2fen_pgn::chunk::{Chunk, StopPoint};

/// The results of one block. A worker clears its batch and fills it again for each block.
pub(crate) trait Batch: Default + Send {
    /// Makes the batch empty and keeps its memory.
    fn clear(&mut self);

    /// Returns about how many bytes the batch holds while it waits to be delivered.
    fn weight(&self) -> usize {
        0
    }
}

/// Fills a batch from the games of a text that begin before a given place, and returns where reading stopped, as
/// [`read_games`](pgn2fen_pgn::reader::read_games) does. Runs on any worker, and may run again on the same block.
pub(super) type Read<'s, B> = Box<dyn Fn(Chunk<'_>, usize, &mut B) -> StopPoint + Sync + 's>;

/// Removes what is not wanted from the batches, in the order of the database, one at a time. Breaks after the last
/// batch that is wanted. All workers wait for this stage, so it should be quick.
pub(super) type Admit<'s, B> = Box<dyn FnMut(&mut B) -> ControlFlow<()> + Send + 's>;

/// A stage that takes the batches in the order of the database in each of some lanes. Several batches are on their way
/// through the lanes at the same time, one behind another.
pub(crate) trait Sift<B>: Sync {
    /// Returns the number of lanes.
    fn lanes(&self) -> usize;

    /// Prepares a batch, on any worker.
    fn begin(&self, batch: &mut B);

    /// Takes the batch in a lane. The batches before it have been there.
    fn pass(&self, lane: usize, batch: &mut B);

    /// Ends the stage of a batch, on any worker.
    fn end(&self, batch: &mut B);
}

/// Takes the batches with their texts in the order of the database, one at a time. Breaks after the last batch that is
/// wanted. All workers wait for this stage, so it should be quick.
pub(super) type Order<'s, B> = Box<dyn FnMut(Delivery<'_, B>) -> ControlFlow<()> + Send + 's>;

/// Works on a batch that has been put in order. Runs on any worker.
pub(super) type Encode<'s, B> = Box<dyn Fn(&mut B) + Sync + 's>;

/// Takes the batches in the order of the database, one at a time, until it breaks.
pub(super) type Deliver<'s, B> = Box<dyn FnMut(&mut B) -> ControlFlow<()> + Send + 's>;

/// The work on each block, one stage after another. A stage is called once for each block, so it costs nothing that the
/// types of the closures are not known.
pub(crate) struct Stages<'s, B> {
    pub(super) read: Read<'s, B>,
    pub(super) admit: Admit<'s, B>,
    pub(super) sift: Option<&'s dyn Sift<B>>,
    pub(super) order: Order<'s, B>,
    pub(super) encode: Encode<'s, B>,
    pub(super) deliver: Deliver<'s, B>,
}

impl<'s, B> Stages<'s, B> {
    /// Creates the stages of which only the first does something.
    pub(crate) fn read(read: impl Fn(Chunk<'_>, usize, &mut B) -> StopPoint + Sync + 's) -> Self {
        Self {
            read: Box::new(read),
            admit: Box::new(|_| ControlFlow::Continue(())),
            sift: None,
            order: Box::new(|_| ControlFlow::Continue(())),
            encode: Box::new(|_| {}),
            deliver: Box::new(|_| ControlFlow::Continue(())),
        }
    }

    /// Sets the stage that admits the batches in order.
    pub(crate) fn admit(self, admit: impl FnMut(&mut B) -> ControlFlow<()> + Send + 's) -> Self {
        Self { admit: Box::new(admit), ..self }
    }

    /// Sets the stage that takes the batches in order in each lane.
    pub(crate) fn sift(self, sift: &'s dyn Sift<B>) -> Self {
        Self { sift: Some(sift), ..self }
    }

    /// Sets the stage that takes the batches in order.
    pub(crate) fn order(self, order: impl FnMut(Delivery<'_, B>) -> ControlFlow<()> + Send + 's) -> Self {
        Self { order: Box::new(order), ..self }
    }

    /// Sets the stage that works on a batch.
    pub(crate) fn encode(self, encode: impl Fn(&mut B) + Sync + 's) -> Self {
        Self { encode: Box::new(encode), ..self }
    }

    /// Sets the stage that takes finished batches.
    pub(crate) fn deliver(self, deliver: impl FnMut(&mut B) -> ControlFlow<()> + Send + 's) -> Self {
        Self { deliver: Box::new(deliver), ..self }
    }
}

impl<B: Batch + 'static> Stages<'_, B> {
    /// Calls a function with these stages for batches of any type, so that the function is compiled once.
    pub(super) fn call_erased<T>(self, call: impl FnOnce(Stages<'_, AnyBatch>) -> T) -> T {
        let Self { read, mut admit, sift, mut order, encode, mut deliver } = self;
        let sift = sift.map(AnySift);
        call(Stages {
            read: Box::new(move |text, until, batch| read(text, until, batch.get())),
            admit: Box::new(move |batch| admit(batch.get())),
            sift: sift.as_ref().map(|sift| sift as &dyn Sift<AnyBatch>),
            order: Box::new(move |Delivery { batch, text, offset, line }| {
                order(Delivery { batch: batch.get(), text, offset, line })
            }),
            encode: Box::new(move |batch| encode(batch.get())),
            deliver: Box::new(move |batch| deliver(batch.get())),
        })
    }
}

/// A batch of any type. It is created when a stage first needs it.
#[derive(Default)]
pub(super) struct AnyBatch(Option<Box<dyn Erased>>);

impl AnyBatch {
    /// Returns the batch. All stages of a walk have batches of the same type.
    fn get<B: Batch + 'static>(&mut self) -> &mut B {
        let batch: &mut dyn Any = &mut **self.0.get_or_insert_with(|| Box::<B>::default());
        batch.downcast_mut().expect("the stages of a walk have batches of one type")
    }
}

impl Batch for AnyBatch {
    fn clear(&mut self) {
        if let Some(batch) = &mut self.0 {
            batch.clear_erased();
        }
    }

    fn weight(&self) -> usize {
        self.0.as_ref().map_or(0, |batch| batch.weight_erased())
    }
}

/// The methods of [`Batch`] for any type.
trait Erased: Any + Send {
    fn clear_erased(&mut self);
    fn weight_erased(&self) -> usize;
}

impl<B: Batch + 'static> Erased for B {
    fn clear_erased(&mut self) {
        self.clear();
    }

    fn weight_erased(&self) -> usize {
        self.weight()
    }
}

/// A sift for batches of any type.
struct AnySift<'s, B>(&'s dyn Sift<B>);

impl<B: Batch + 'static> Sift<AnyBatch> for AnySift<'_, B> {
    fn lanes(&self) -> usize {
        self.0.lanes()
    }

    fn begin(&self, batch: &mut AnyBatch) {
        self.0.begin(batch.get());
    }

    fn pass(&self, lane: usize, batch: &mut AnyBatch) {
        self.0.pass(lane, batch.get());
    }

    fn end(&self, batch: &mut AnyBatch) {
        self.0.end(batch.get());
    }
}

/// A block that has been read, on its way to the stage `order`.
#[derive(Debug)]
pub(crate) struct Delivery<'t, B> {
    /// The results of the block.
    pub(crate) batch: &'t mut B,
    /// The text that was read. It begins at a game or at the text before a game.
    pub(crate) text: &'t [u8],
    /// The offset of the text in the database, in bytes.
    pub(crate) offset: u64,
    /// The line on which the text begins. The first line of the walk is line 0.
    pub(crate) line: u64,
}
