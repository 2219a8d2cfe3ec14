//! A reader of the PGN text of some games of a database.

use std::io::{self, Read};
use std::ops::Range;
use std::sync::Arc;

use crate::scid::base::Base;
use crate::scid::entry::Entry;
use crate::scid::game::GameWriter;
use crate::scid::window::Window;

/// The number of bytes from which on the text that has been made is read before more is made.
const TEXT: usize = 64 * 1024;

/// A reader of the PGN text of some games.
pub(super) struct GamesText {
    base: Arc<Base>,
    /// The numbers of the games that are still to be read.
    games: Range<u64>,
    index: Window,
    records: Window,
    writer: GameWriter,
    text: Vec<u8>,
    /// The number of bytes of the text that have been read.
    at: usize,
    /// The error that ended the text. The games before it are read first.
    failure: Option<io::Error>,
}

impl GamesText {
    pub(super) fn new(base: Arc<Base>, games: Range<u64>) -> Self {
        let (index, records) = (Window::new(base.index.clone()), Window::new(base.games.clone()));
        let writer = GameWriter::default();
        Self { base, games, index, records, writer, text: Vec::new(), at: 0, failure: None }
    }

    fn refill(&mut self) {
        self.text.clear();
        self.at = 0;
        while self.text.len() < TEXT
            && self.failure.is_none()
            && let Some(game) = self.games.next()
        {
            self.failure = self.append(game).err();
        }
        if self.failure.is_some() {
            self.games = 0..0;
        }
    }

    fn append(&mut self, game: u64) -> io::Result<()> {
        let Base { version, names, games_length, meter, .. } = &*self.base;
        let bytes = self.index.read(version.entry_offset(game), version.entry_size())?;
        meter.add(bytes.len());
        let Some(entry) = Entry::read(bytes, *version) else {
            // Another program has shortened the file.
            return Err(io::ErrorKind::UnexpectedEof.into());
        };
        let length = entry.length as usize;
        let record = if length == 0 {
            Err("it-has-no-record")
        } else if entry.offset.checked_add(length as u64).is_none_or(|end| end > *games_length) {
            Err("its-record-lies-behind-the-end-of-the-games-file")
        } else {
            Ok(self.records.read(entry.offset, length)?)
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
