//! The batch that goes from stage to stage, and the stages themselves.

/// The results of one block. A worker clears its batch and fills it again for each block.
pub(crate) trait Batch: Default + Send {
    /// Makes the batch empty and keeps its memory.
    fn clear(&mut self);

    /// Returns about how many bytes the batch holds while it waits to be delivered.
    fn weight(&self) -> usize {
        0
    }
}

/// The work on each block, one stage after another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stages<R, O, E, D> {
    /// Fills a batch from the games of a text that begin before a given place, and returns where reading stopped, as
    /// [`read_games`](crate::pgn::reader::read_games) does. Runs on any worker, and may run again on the same block.
    pub(crate) read: R,
    /// Takes the batches with their texts in the order of the database, one at a time. Breaks after the last batch that
    /// is wanted. All workers wait for this stage, so it should be quick.
    pub(crate) order: O,
    /// Works on a batch that has been put in order. Runs on any worker.
    pub(crate) encode: E,
    /// Takes the batches in the order of the database, one at a time, until it breaks.
    pub(crate) deliver: D,
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
