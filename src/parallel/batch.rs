//! What goes from stage to stage.

/// What a worker keeps from block to block, and fills from one block at a time.
pub(crate) trait Batch: Default + Send {
    /// Makes it empty, keeping its memory.
    fn clear(&mut self);

    /// How many bytes it holds while it waits to be delivered, more or less.
    fn weight(&self) -> usize {
        0
    }
}

/// What is to be done with each block, one stage after the other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stages<R, O, E, D> {
    /// Fills a batch from the games of a text that begin before a place in it, and tells where it stopped, as
    /// [`read_games`](crate::pgn::games::read_games) does. Runs on any worker, and may run again on the same block.
    pub(crate) read: R,
    /// Gets the batches with their texts in the order of the database, one at a time, and breaks off behind the last that
    /// is wanted. All workers wait for it, so it should be quick.
    pub(crate) order: O,
    /// Works on a batch that has been put in order. Runs on any worker.
    pub(crate) encode: E,
    /// Gets the batches in the order of the database, one at a time, until it breaks off.
    pub(crate) deliver: D,
}

/// What was read of one block.
#[derive(Debug)]
pub(crate) struct Delivery<'t, B> {
    /// What was made of it.
    pub(crate) batch: &'t mut B,
    /// The text that was read, from the start of a game or of what stands before it.
    pub(crate) text: &'t [u8],
    /// Where the text begins in the database, in bytes.
    pub(crate) offset: u64,
    /// The line on which it begins, counted from 0 where the walk began.
    pub(crate) line: u64,
}
