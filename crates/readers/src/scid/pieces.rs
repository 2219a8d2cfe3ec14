//! The pieces of a database: some games each, which are decoded on any thread.

use std::io;
use std::sync::Arc;

use crate::database::budget::Budget;
use crate::games::GameParts;
use crate::scid::Version;
use crate::scid::base::Base;
use crate::scid::entry::Entry;
use crate::scid::error::ScidFault;
use crate::scid::text::GamesText;
use crate::text::TextReader;
use pgn2fen_bytes::ahead::DecodedPiece;

/// The number of games that are decoded by one thread at a time.
const PIECE: u64 = 1024;

/// The pieces of a database, and behind them the error that tells what is wrong with a file as a whole.
pub(super) struct Pieces {
    base: Arc<Base>,
    parts: GameParts,
    /// The number of the game that is the first one of the next piece.
    next: u64,
    budget: Budget,
    /// The end of the last record in the games file, of the games of all pieces so far.
    records_end: u64,
    damage: Option<ScidFault>,
    is_over: bool,
}

impl Pieces {
    /// Returns these parts of the games of a database. `damage` is what is wrong with it as a whole.
    pub(super) fn new(base: Base, damage: Option<ScidFault>, parts: GameParts) -> Self {
        let budget = Budget::new(base.games_length);
        Self { base: Arc::new(base), parts, next: 0, budget, records_end: 0, damage, is_over: false }
    }

    /// Reads the entries of the next piece.
    fn read_piece(&mut self) -> io::Result<DecodedPiece> {
        let Base { version, index, count, .. } = &*self.base;
        let games = PIECE.min(count - self.next);
        let mut entries = vec![0; version.entry_size() * usize::try_from(games).map_err(io::Error::other)?];
        index.read_exact_at(&mut entries, version.entry_offset(self.next))?;
        self.next += games;
        let budget = self.budget;
        for bytes in entries.chunks(version.entry_size()) {
            if let Some(entry) = Entry::read(bytes, *version)
                && let Some(end) = self.base.record_end(&entry)
                && self.budget.take(entry.length.into())
            {
                self.records_end = self.records_end.max(end);
            }
        }
        Ok(Box::new(TextReader::new(GamesText::new(Arc::clone(&self.base), self.parts, entries, budget))))
    }

    /// Returns what is wrong with the database as a whole, when all entries have been read.
    ///
    /// The index of si5 does not say how many games it has. But Scid only appends to the games file, and writes the
    /// entry of a game right behind its record, so some entry has the last record.
    fn damage(&mut self) -> Option<ScidFault> {
        let Base { version, games_length, files, .. } = &*self.base;
        let rest = games_length.saturating_sub(self.records_end);
        let is_cut = *version == Version::Five && rest > 0;
        let reason = || format!("has no game for the last {rest} bytes of {}", files.games);
        let cut = || ScidFault::Damaged(files.index.clone(), reason());
        self.damage.take().or_else(|| is_cut.then(cut))
    }
}

impl Iterator for Pieces {
    type Item = io::Result<DecodedPiece>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        if self.next < self.base.count {
            let piece = self.read_piece();
            self.is_over = piece.is_err();
            return Some(piece);
        }
        self.is_over = true;
        self.damage().map(|damage| Err(damage.into()))
    }
}
