//! What was made of a block, what is wrong with it, and how much it is.

use crate::diagnostic::Diagnostic;
use crate::parallel;
use crate::selection::Identity;
use crate::walk::tag_names::{self, TagNames};

/// What a job makes of the games of a block. A part of it can be taken back.
pub(crate) trait Made: Default + Send {
    /// A length to go back to.
    type Mark: Copy + Default + Send;

    /// How much there is.
    fn mark(&self) -> Self::Mark;

    /// Forgets what came behind a mark; the default mark is that of nothing.
    fn go_back_to(&mut self, mark: Self::Mark);

    /// Forgets everything, also what an output put there, and keeps the memory.
    fn clear(&mut self) {
        self.go_back_to(Self::Mark::default());
    }

    /// About how many bytes it holds while it waits to be delivered.
    fn weight(&self) -> usize {
        0
    }

    /// Takes out the positions that are not wanted, by their order. Only jobs that push identities are asked to.
    fn retain(&mut self, is_wanted: &[bool]);
}

impl Made for () {
    type Mark = ();

    fn mark(&self) {}

    fn go_back_to(&mut self, (): ()) {}

    fn retain(&mut self, _: &[bool]) {}
}

/// What was found in a block.
#[derive(Debug, Default)]
pub(super) struct Batch<M: Made> {
    pub(super) made: M,
    /// What the positions are, if it matters whether they come again.
    pub(super) identities: Vec<Identity>,
    /// What is wrong, in the order of the text; games are numbered from 1 within the block.
    pub(super) diagnostics: Vec<Diagnostic>,
    /// Which tags were seen, if one that is asked for has not been.
    pub(super) tag_names: TagNames,
    pub(super) count: Count,
    /// Whether an error ends the run.
    pub(super) is_stopped: bool,
    /// Where the wanted games end, if not all of them may be wanted.
    pub(super) ends: Vec<Mark<M::Mark>>,
    /// How much of it is certain.
    kept: Mark<M::Mark>,
}

/// Where a job puts what it makes of a game.
pub(crate) struct Out<'b, M> {
    pub(crate) made: &'b mut M,
    pub(crate) identities: &'b mut Vec<Identity>,
}

/// How much was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// All games, with and without errors, wanted or not.
    pub games: u64,
    /// The games among them that are wanted.
    pub wanted: u64,
    /// The positions of the wanted games.
    pub positions: u64,
}

/// How much there is in a batch.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mark<M> {
    made: M,
    identities: usize,
    ends: usize,
    pub(super) diagnostics: usize,
    tag_names: tag_names::Mark,
    pub(super) count: Count,
    is_stopped: bool,
}

impl<M: Made> parallel::Batch for Batch<M> {
    fn clear(&mut self) {
        self.go_back_to(Mark::default());
        self.made.clear();
        self.kept = Mark::default();
    }

    fn weight(&self) -> usize {
        self.made.weight() + self.diagnostics.len() * size_of::<Diagnostic>()
    }
}

impl<M: Made> Batch<M> {
    pub(super) fn mark(&self) -> Mark<M::Mark> {
        Mark {
            made: self.made.mark(),
            identities: self.identities.len(),
            ends: self.ends.len(),
            diagnostics: self.diagnostics.len(),
            tag_names: self.tag_names.mark(),
            count: self.count,
            is_stopped: self.is_stopped,
        }
    }

    /// Makes all that is in it certain.
    pub(super) fn keep(&mut self) {
        self.kept = self.mark();
    }

    /// Forgets what came since it was last kept.
    pub(super) fn forget(&mut self) {
        self.go_back_to(self.kept);
    }

    /// Forgets what came behind a mark.
    pub(super) fn go_back_to(&mut self, mark: Mark<M::Mark>) {
        self.diagnostics.truncate(mark.diagnostics);
        self.tag_names.truncate(mark.tag_names);
        self.ends.truncate(mark.ends);
        self.is_stopped = mark.is_stopped;
        self.count = mark.count;
        self.drop_positions(mark);
    }

    /// Forgets the positions behind a mark.
    pub(super) fn drop_positions(&mut self, mark: Mark<M::Mark>) {
        self.made.go_back_to(mark.made);
        self.identities.truncate(mark.identities);
        self.count.positions = mark.count.positions;
    }

    /// Takes out the positions that are not wanted.
    pub(super) fn retain(&mut self, is_wanted: impl FnMut(Identity) -> bool) {
        let wanted: Vec<bool> = self.identities.drain(..).map(is_wanted).collect();
        let count = wanted.iter().filter(|is_wanted| **is_wanted).count();
        if count < wanted.len() {
            self.count.positions = count as u64;
            self.made.retain(&wanted);
        }
    }
}
