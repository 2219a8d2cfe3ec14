//! The walk of a build: makes the postings of games, and adds them to a run that is being written.

use std::ops::ControlFlow;
use std::path::Path;

use crate::index::digest::Digester;
use crate::index::error::IndexError;
use crate::index::make::GamePostings;
use crate::index::postings::Postings;
use crate::index::run_writer::RunWriter;
use crate::selection::{Plies, PositionFilter};
use crate::walk::{Deliver, Output, PositionChoice, ReadOptions, Stretch, Walk};

/// Adds postings to a run until that fails.
pub(super) struct Taking {
    pub(super) run: RunWriter,
    /// Computes the digests of the files that are read, if they are needed.
    pub(super) digester: Option<Digester>,
    /// The reason why no file can be read, if there is one.
    pub(super) refusal: Option<IndexError>,
    pub(super) failure: Option<IndexError>,
}

/// A walk that adds the games of files to a run.
pub(super) type TakingWalk = Walk<GamePostings, Taking>;

impl Taking {
    /// Begins the walk. The positions at these plies are indexed.
    pub(super) fn walk(self, plies: Plies, read: ReadOptions) -> TakingWalk {
        let filter = PositionFilter { plies, ..PositionFilter::default() };
        let make = GamePostings(PositionChoice { filter, ..PositionChoice::default() });
        Walk::new(make, self, read)
    }

    fn begin(&mut self, path: &Path) -> Result<(), IndexError> {
        self.refusal.take().map_or(Ok(()), Err)?;
        let is_file = self.run.begin_file(path)?;
        // A pipe or device can be read only once, so it gets no digest.
        if let Some(digester) = self.digester.as_ref().filter(|_| is_file) {
            digester.take(path);
        }
        Ok(())
    }
}

impl Output<Postings> for Taking {
    fn begin_file(&mut self, path: &Path) {
        self.failure = self.begin(path).err();
    }

    fn stages(
        &mut self,
    ) -> (impl FnMut(&mut Postings, &Stretch<'_>) + Send, impl Fn(&mut Postings) + Sync, impl Deliver<Postings>) {
        let Self { run, failure, .. } = self;
        let (mut number, add_records, mut add_games) = run.steps();
        let collect = move |postings: &mut Postings, stretch: &Stretch<'_>| {
            postings.begin_on(stretch.line());
            number(postings);
        };
        let deliver = move |postings: &mut Postings| {
            *failure = add_games.add(postings).err();
            if failure.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        (collect, add_records, deliver)
    }

    fn is_full(&self) -> bool {
        self.failure.is_some()
    }
}
