//! The walk of a build: makes the postings of games, and adds them to a run that is being written.

use std::ops::ControlFlow;
use std::path::Path;

use crate::digest::Digester;
use crate::error::IndexError;
use crate::game_postings::GamePostings;
use crate::games_table::GamesLayout;
use crate::postings::Postings;
use crate::run_writer::RunWriter;
use pgn2fen_games::selection::{Plies, PositionFilter};
use pgn2fen_games::walk::{BlockPosition, Output, OutputStages, PositionChoice, ReadOptions, Walk};

/// Adds postings to a run until that fails.
pub(super) struct IndexOutput {
    pub(super) run: RunWriter,
    /// Computes the digests of the files that are read, if they are needed.
    pub(super) digester: Option<Digester>,
    /// The reason why no file can be read, if there is one.
    pub(super) refusal: Option<IndexError>,
    pub(super) failure: Option<IndexError>,
}

/// A walk that adds the games of files to a run.
pub(super) type IndexWalk = Walk<GamePostings, IndexOutput>;

impl IndexOutput {
    /// Begins the walk. The positions at these plies are indexed, and the tags of this layout are kept.
    pub(super) fn walk(self, plies: Plies, layout: GamesLayout, read: ReadOptions) -> IndexWalk {
        let filter = PositionFilter { plies: plies.into(), ..PositionFilter::default() };
        let make = GamePostings::for_index(
            PositionChoice { filter, ..PositionChoice::default() },
            layout,
            read.games.players.clone(),
        );
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

impl Output<Postings> for IndexOutput {
    fn begin_file(&mut self, path: &Path) {
        if self.failure.is_none() {
            self.failure = self.begin(path).err();
        }
    }

    fn stages(&mut self) -> OutputStages<'_, Postings> {
        let Self { run, failure, .. } = self;
        let (mut number, add_records, mut add_games) = run.steps();
        let deliver = move |postings: &mut Postings| {
            // The first failure is kept. Blocks behind it are not added.
            if failure.is_none() {
                *failure = add_games.add(postings).err();
            }
            if failure.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let order = move |postings: &mut Postings, position: &BlockPosition<'_>| {
            postings.begin_on(position.line());
            number(postings);
        };
        OutputStages::deliver(deliver).order(order).encode(add_records)
    }

    fn is_full(&self) -> bool {
        self.failure.is_some()
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::IndexOutput;
    use crate::error::IndexError;
    use crate::games_table::GamesLayout;
    use crate::options::BuildOptions;
    use crate::postings::Postings;
    use crate::run_writer::RunWriter;
    use pgn2fen_games::parallel::Workers;
    use pgn2fen_games::walk::Output;

    #[test]
    fn the_first_failure_is_kept_and_ends_the_build() {
        let folder = tempfile::tempdir().unwrap();
        let workers = Workers::new(1).unwrap();
        let options = BuildOptions { memory: 0, ..BuildOptions::default() };
        let run = RunWriter::create(folder.path(), 1, &GamesLayout::default(), options, &workers).unwrap();
        let mut output = IndexOutput { run, digester: None, refusal: None, failure: None };
        let mut failed = Postings::default();
        failed.failure = Some(IndexError::new(folder.path(), "full"));
        {
            let mut deliver = output.stages().deliver;
            let blocks = [(Postings::default(), false), (failed, true), (Postings::default(), true)];
            for (mut postings, is_over) in blocks {
                assert_eq!(deliver(&mut postings) == ControlFlow::Break(()), is_over);
            }
        }
        assert!(output.failure.as_ref().is_some_and(|failure| failure.to_string().contains("full")));
        assert!(output.is_full());
    }
}
