//! A reader of the PGN text of some games of a database.

use std::io;
use std::sync::Arc;

use crate::database::budget::Budget;
use crate::database::window::Window;
use crate::games::GameParts;
use crate::scid::base::Base;
use crate::scid::entry::Entry;
use crate::scid::game::GameWriter;
use crate::text::TextOfEntries;

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
}

impl GamesText {
    /// Returns a reader of these parts of the games with these entries. `budget` is what the games before have left of
    /// it.
    pub(super) fn new(base: Arc<Base>, parts: GameParts, entries: Vec<u8>, budget: Budget) -> Self {
        let records = Window::new(base.games.clone());
        let writer = GameWriter::new(parts);
        Self { base, entries, next: 0, budget, records, writer }
    }
}

impl TextOfEntries for GamesText {
    fn append(&mut self, text: &mut Vec<u8>) -> io::Result<bool> {
        if self.next >= self.entries.len() {
            return Ok(false);
        }
        let Base { version, names, meter, .. } = &*self.base;
        let bytes = &self.entries[self.next..];
        self.next += version.entry_size();
        meter.add(version.entry_size());
        let Some(entry) = Entry::read(bytes, *version) else {
            return Ok(true);
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
        self.writer.append(&entry, record, names, text);
        Ok(true)
    }
}
