//! The results of a block: what the job made of its games, the diagnostics, and the counts.

use std::ops::AddAssign;

use crate::parallel;
use crate::walk::evals::EvalCount;
use crate::walk::tag_names::{self, TagNames};
use pgn2fen_filters::{Dealt, Identity};
use pgn2fen_pgn::diagnostic::Diagnostic;

/// The results of a job for the games of a block. The last part of them can be removed again.
#[doc(hidden)]
pub trait BlockResult: Default + Send + 'static {
    /// A length of the results, to which they can be cut back.
    type Mark: Copy + Default + Send + 'static;

    /// Returns the current length.
    fn mark(&self) -> Self::Mark;

    /// Removes the results behind a mark. The default mark is that of no results.
    fn go_back_to(&mut self, mark: Self::Mark);

    /// Removes all results, also those that an output added, and keeps the memory.
    fn clear(&mut self) {
        self.go_back_to(Self::Mark::default());
    }

    /// Returns about how many bytes the results hold while they wait to be delivered.
    fn weight(&self) -> usize {
        0
    }

    /// Removes the positions that are not wanted. `is_wanted` has one entry for each position. Called only for jobs
    /// that push identities.
    fn retain(&mut self, is_wanted: &[bool]);
}

impl BlockResult for () {
    type Mark = ();

    fn mark(&self) {}

    fn go_back_to(&mut self, (): ()) {}

    fn retain(&mut self, _: &[bool]) {}
}

/// The results of a block.
#[derive(Debug, Default)]
pub(super) struct Batch<M: BlockResult> {
    pub(super) made: M,
    /// The identities of the positions, if the job handles repeated positions.
    pub(super) identities: Vec<Identity>,
    /// Which of them are new, if the job drops repeated positions.
    pub(super) dealt: Dealt,
    pub(super) found: Found,
    /// The ends of the wanted games, if the number of games is limited.
    pub(super) ends: Vec<Mark<M::Mark>>,
    /// The length of the results that are certain.
    kept: Mark<M::Mark>,
}

/// The diagnostics, tags and counts of the games of a block, which are the same for all jobs.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The diagnostics in the order of the text. Games are numbered from 1 within the block.
    pub(super) diagnostics: Vec<Diagnostic>,
    /// The tags that were seen, as long as a tag that is asked for was not found.
    pub(super) tag_names: TagNames,
    pub(super) sums: Sums,
    /// Whether an error ends the run.
    pub(super) is_stopped: bool,
}

/// The numbers of games and of what is in them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sums {
    pub(super) count: Count,
    /// The number of wanted games that an error leaves out.
    pub(super) dropped: u64,
    /// The number of wanted games with repaired tags.
    pub(super) repaired: u64,
    /// The number of games that fail a filter and have a value that it cannot read.
    pub(super) unread: u64,
    /// The number of games of variants that a filter for positions of chess leaves out.
    pub(super) other_rules: u64,
    /// The evaluations that were looked for.
    pub(super) evals: EvalCount,
}

impl AddAssign for Sums {
    fn add_assign(&mut self, next: Self) {
        let Self { count: Count { games, wanted, positions }, dropped, repaired, unread, other_rules, evals } = next;
        self.count.games += games;
        self.count.wanted += wanted;
        self.count.positions += positions;
        self.dropped += dropped;
        self.repaired += repaired;
        self.unread += unread;
        self.other_rules += other_rules;
        self.evals += evals;
    }
}

/// The place to which a job writes the results of a game.
#[doc(hidden)]
#[derive(Debug)]
pub struct Out<'b, M> {
    pub made: &'b mut M,
    pub identities: &'b mut Vec<Identity>,
}

/// The number of games and positions that have been read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// All games, with and without errors, whether they are wanted or not.
    pub games: u64,
    /// The games that are wanted.
    pub wanted: u64,
    /// The positions of the wanted games.
    pub positions: u64,
}

/// A length of a batch, to which it can be cut back.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mark<M> {
    made: M,
    identities: usize,
    ends: usize,
    pub(super) found: FoundMark,
}

/// A length of what is found, to which it can be cut back.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FoundMark {
    diagnostics: usize,
    tag_names: tag_names::Mark,
    pub(super) sums: Sums,
    is_stopped: bool,
}

impl<M: BlockResult> parallel::Batch for Batch<M> {
    fn clear(&mut self) {
        self.go_back_to(Mark::default());
        self.made.clear();
        self.kept = Mark::default();
    }

    fn weight(&self) -> usize {
        self.made.weight() + self.found.diagnostics.len() * size_of::<Diagnostic>()
    }
}

impl<M: BlockResult> Batch<M> {
    pub(super) fn mark(&self) -> Mark<M::Mark> {
        let (identities, ends) = (self.identities.len(), self.ends.len());
        Mark { made: self.made.mark(), identities, ends, found: self.found.mark() }
    }

    /// Marks everything in the batch as certain.
    pub(super) fn keep(&mut self) {
        self.kept = self.mark();
    }

    /// Removes everything behind the last call of `keep`.
    pub(super) fn forget(&mut self) {
        self.go_back_to(self.kept);
    }

    /// Removes everything behind a mark.
    pub(super) fn go_back_to(&mut self, mark: Mark<M::Mark>) {
        self.ends.truncate(mark.ends);
        self.found.go_back_to(mark.found);
        self.drop_positions(mark);
    }

    /// Removes the positions behind a mark.
    pub(super) fn drop_positions(&mut self, mark: Mark<M::Mark>) {
        self.made.go_back_to(mark.made);
        self.identities.truncate(mark.identities);
        self.found.sums.count.positions = mark.found.sums.count.positions;
        self.found.sums.evals = mark.found.sums.evals;
    }

    /// Removes the positions that are not wanted. `are_wanted` has one entry for each identity.
    pub(super) fn retain(&mut self, are_wanted: &[bool]) {
        let count = are_wanted.iter().filter(|is_wanted| **is_wanted).count();
        if count < are_wanted.len() {
            self.found.sums.count.positions = count as u64;
            self.made.retain(are_wanted);
        }
        self.identities.clear();
    }
}

impl Found {
    fn mark(&self) -> FoundMark {
        let Self { diagnostics, tag_names, sums, is_stopped } = self;
        let (diagnostics, tag_names) = (diagnostics.len(), tag_names.mark());
        FoundMark { diagnostics, tag_names, sums: *sums, is_stopped: *is_stopped }
    }

    /// Removes everything behind a mark.
    fn go_back_to(&mut self, mark: FoundMark) {
        self.diagnostics.truncate(mark.diagnostics);
        self.tag_names.truncate(mark.tag_names);
        self.sums = mark.sums;
        self.is_stopped = mark.is_stopped;
    }
}
