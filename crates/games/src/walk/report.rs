//! The report about the files of a run: diagnostics with their places, progress and counts.

use std::sync::Arc;

use crate::walk::batch::{Found, Sums};
use crate::walk::listener::Listener;
use crate::walk::no_games::NoGames;
use crate::walk::places::{ContinuityCheck, Preceding, TextPlace};
use crate::walk::tag_names::TagNames;
use pgn2fen_sources::Source;

/// The place of a block in its file.
#[doc(hidden)]
#[derive(Debug)]
pub struct BlockPosition<'w> {
    /// The number of games in the block.
    pub games: u64,
    /// The line and the column on which the block begins, counted from 0 at the start of the part of the file that is
    /// read.
    pub(crate) start: (u64, usize),
    before: &'w Arc<Preceding>,
}

impl BlockPosition<'_> {
    /// Returns the number of lines of the file before the block.
    pub fn line(&self) -> u64 {
        self.before.lines() + self.start.0
    }

    /// Returns the text of the file before the part that is read.
    pub fn before(&self) -> &Arc<Preceding> {
        self.before
    }
}

/// The counts of a run so far, and whether it has ended early.
#[derive(Debug, Default)]
pub(super) struct Progress {
    pub(super) sums: Sums,
    pub(super) tag_names: TagNames,
    /// Whether an error ended the run.
    pub(super) is_stopped: bool,
    /// Whether the listener has ended the run.
    pub(super) is_broken_off: bool,
}

impl Progress {
    /// Whether an error or the listener has ended the run.
    pub(super) fn is_over(&self) -> bool {
        self.is_stopped || self.is_broken_off
    }
}

/// The report about a file to the listener of its run. It takes the blocks in the order of the file.
pub(super) struct FileReport<'f> {
    progress: &'f mut Progress,
    listener: &'f mut dyn Listener,
    before: &'f Arc<Preceding>,
    /// Whether the offsets of diagnostics count the text before the part that is read.
    has_offsets: bool,
    continuity: ContinuityCheck,
    /// The text, as long as it has no game. None if only a part of a file is read.
    no_games: Option<NoGames>,
    /// The number of games so far, and the column at which the text so far ends.
    games: u64,
    column: usize,
}

impl<'f> FileReport<'f> {
    pub(super) fn new(
        source: &Source,
        before: &'f Arc<Preceding>,
        has_offsets: bool,
        progress: &'f mut Progress,
        listener: &'f mut dyn Listener,
    ) -> Self {
        let (continuity, no_games) = (ContinuityCheck::of(source), source.is_whole().then(NoGames::default));
        Self { progress, listener, before, has_offsets, continuity, no_games, games: 0, column: 0 }
    }

    /// Reports what was found in the next block of text, and returns the place of the block.
    pub(super) fn take(&mut self, found: &mut Found, text: &[u8], offset: u64, line: u64) -> BlockPosition<'f> {
        let Self { progress, listener, before, .. } = self;
        self.continuity.pass(offset, line, text);
        let start = (line, self.column);
        let games = found.sums.count.games;
        if self.games + games > 0 {
            self.no_games = None;
        } else if let Some(no_games) = &mut self.no_games {
            no_games.see(text, (offset, line, self.column));
        }
        found.diagnostics.sort_by_key(|diagnostic| diagnostic.offset);
        let mut place = TextPlace::start(line, self.column);
        for diagnostic in &mut found.diagnostics {
            let at = usize::try_from(diagnostic.offset - offset).map_or(text.len(), |at| at.min(text.len()));
            place.go_to(text, at);
            if let Some(game) = &mut diagnostic.game {
                *game += self.games + before.games();
            }
            if !self.has_offsets {
                diagnostic.offset += before.text();
            }
            listener.diagnostic(diagnostic, before.place(place.line, place.column));
        }
        place.pass(text, text.len());
        self.column = place.column;
        self.games += games;
        progress.sums += found.sums;
        progress.tag_names.add(&found.tag_names);
        progress.is_broken_off |= listener.progress(text.len(), progress.sums.count).is_break();
        progress.is_stopped |= found.is_stopped;
        BlockPosition { games, start, before }
    }

    /// Whether no more blocks are wanted.
    pub(super) fn is_over(&self) -> bool {
        self.progress.is_over()
    }

    /// Ends the report about a file that was read to its end, unless the listener has ended the run. Text without a
    /// game is an error, which ends the run if `is_stopped_by_errors`.
    pub(super) fn end(self, is_stopped_by_errors: bool) {
        if self.progress.is_broken_off {
            return;
        }
        if let Some((error, line, column)) = self.no_games.and_then(|it| it.error()) {
            self.progress.is_stopped |= is_stopped_by_errors;
            self.listener.diagnostic(&error, self.before.place(line, column));
        }
    }
}
