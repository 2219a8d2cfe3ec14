//! A reader of the PGN text of some games of a database.

use std::io::{self, Read};
use std::sync::Arc;

use crate::database::budget::Budget;
use crate::database::window::Window;
use crate::scid::base::Base;
use crate::scid::entry::Entry;
use crate::scid::game::GameWriter;

/// The number of bytes from which on the text that has been made is read before more is made.
const TEXT: usize = 64 * 1024;

/// A reader of the PGN text of some games.
pub(super) struct GamesText {
    base: Arc<Base>,
    /// The entries of the games.
    entries: Vec<u8>,
    /// The offset of the entry that is read next.
    next: usize,
    budget: Budget,
    records: Window,
    writer: GameWriter,
    text: Vec<u8>,
    /// The number of bytes of the text that have been read.
    at: usize,
    /// The error that ended the text. The games before it are read first.
    failure: Option<io::Error>,
}

impl GamesText {
    /// Returns a reader of the games with these entries. `budget` is what the games before have left of it.
    pub(super) fn new(base: Arc<Base>, entries: Vec<u8>, budget: Budget) -> Self {
        let records = Window::new(base.games.clone());
        let writer = GameWriter::default();
        Self { base, entries, next: 0, budget, records, writer, text: Vec::new(), at: 0, failure: None }
    }

    fn refill(&mut self) {
        self.text.clear();
        self.at = 0;
        while self.text.len() < TEXT && self.next < self.entries.len() {
            if let Err(error) = self.append() {
                self.failure = Some(error);
                self.next = self.entries.len();
            }
        }
    }

    /// Appends the next game.
    fn append(&mut self) -> io::Result<()> {
        let Base { version, names, meter, .. } = &*self.base;
        let bytes = &self.entries[self.next..];
        self.next += version.entry_size();
        meter.add(version.entry_size());
        let Some(entry) = Entry::read(bytes, *version) else {
            return Ok(());
        };
        let record = if entry.length == 0 {
            Err("it-has-no-record")
        } else if self.base.record_end(&entry).is_none() {
            Err("its-record-lies-behind-the-end-of-the-games-file")
        } else if !self.budget.take(entry.length.into()) {
            Err("too-many-games-share-their-records")
        } else {
            Ok(self.records.read(entry.offset, entry.length as usize)?)
        };
        self.writer.append(&entry, record, names, &mut self.text);
        Ok(())
    }
}

impl Read for GamesText {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.text.len() {
            self.refill();
        }
        if self.at == self.text.len() {
            return self.failure.take().map_or(Ok(0), Err);
        }
        let count = (&self.text[self.at..]).read(buffer)?;
        self.at += count;
        Ok(count)
    }
}
