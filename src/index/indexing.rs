//! Reads databases into an index that is being built.

use std::fmt;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use crate::database::Source;
use crate::index::build::{Builder, Finished};
use crate::index::error::IndexError;
use crate::index::make::GamePostings;
use crate::index::postings::Postings;
use crate::index::progress::Progress;
use crate::index::source::ReadSettings;
use crate::index::words::choice_in_words;
use crate::parallel::Workers;
use crate::pgn::encoding::Label;
use crate::selection::PositionFilter;
use crate::walk::{Deliver, Job, Listener, Output, PositionChoice, ReadOptions, Stretch, Totals, Walk};

impl Builder {
    /// Begins to read databases into the index. The index stores the choice of games in words: see [`IndexedFile::choice`].
    ///
    /// [`IndexedFile::choice`]: crate::index::IndexedFile::choice
    pub fn begin(self, read: ReadOptions) -> Indexing {
        let reading = ReadSettings { replay: read.replay, encoding: read.encoding };
        let plies = self.options.plies;
        let filter = PositionFilter { plies, ..PositionFilter::default() };
        let make = GamePostings(PositionChoice { filter, ..PositionChoice::default() });
        let taking = Taking { builder: self, reading, choice: choice_in_words(&read), failure: None };
        Indexing(Walk::new(make, taking, read))
    }
}

/// An index that databases are being read into.
pub struct Indexing(Walk<GamePostings, Taking>);

impl fmt::Debug for Indexing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Indexing").field("totals", &self.totals()).finish_non_exhaustive()
    }
}

impl Indexing {
    /// Writes the games that were read and makes them part of the index: see [`Builder::finish`].
    ///
    /// # Errors
    ///
    /// Fails if games could not be added or written, if a file changed while it was read, or if `progress` stopped the build. The index is
    /// then unchanged, unless the error is [in doubt](IndexError::is_in_doubt).
    pub fn finish(self, workers: &Workers, progress: &Progress<'_>) -> Result<Finished, IndexError> {
        let Taking { builder, failure, .. } = self.0.end().0;
        failure.map_or_else(|| builder.finish(workers, progress), Err)
    }
}

impl Job for Indexing {
    fn read(&mut self, workers: &Workers, path: &Path, source: Source, listener: &mut dyn Listener) -> io::Result<()> {
        self.0.read(workers, path, source, listener)
    }

    fn is_over(&self) -> bool {
        self.0.is_over()
    }

    fn totals(&self) -> Totals {
        self.0.totals()
    }

    fn encoding(&self) -> Option<Label> {
        self.0.encoding()
    }
}

/// Adds postings to an index until that fails.
struct Taking {
    builder: Builder,
    reading: ReadSettings,
    choice: String,
    failure: Option<IndexError>,
}

impl Output<Postings> for Taking {
    fn begin_file(&mut self, path: &Path) {
        self.failure = self.builder.begin_file(path, self.reading, &self.choice).err();
    }

    fn stages(
        &mut self,
    ) -> (impl FnMut(&mut Postings, &Stretch<'_>) + Send, impl Fn(&mut Postings) + Sync, impl Deliver<Postings>) {
        let Self { builder, failure, .. } = self;
        let collect = |postings: &mut Postings, stretch: &Stretch<'_>| postings.begin_on(stretch.line());
        let deliver = |postings: &mut Postings| {
            *failure = builder.take(postings).err();
            if failure.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        (collect, |_: &mut Postings| {}, deliver)
    }

    fn is_full(&self) -> bool {
        self.failure.is_some()
    }
}
