//! The pieces of a database: some games each, which are decoded on any thread.

use std::io;
use std::sync::Arc;

use crate::chessbase::base::Base;
use crate::chessbase::entry::{Entry, Kind, SIZE};
use crate::chessbase::error::ChessBaseFault;
use crate::chessbase::reader::{GamesText, RecordSizes};
use crate::database::budget::Budget;
use crate::database::window::Window;
use crate::games::GameParts;
use crate::text::TextReader;
use pgn2fen_bytes::ahead::DecodedPiece;

/// The number of entries that are decoded by one thread at a time.
const PIECE: u64 = 1024;

/// The pieces of a database, and behind them the error that tells what is wrong with a file as a whole.
pub(super) struct Pieces {
    base: Arc<Base>,
    parts: GameParts,
    /// The number of the first entry of the next piece.
    next: u64,
    budget: Budget,
    /// Windows of the moves and of the annotations.
    windows: [Window; 2],
    damage: Option<ChessBaseFault>,
    is_over: bool,
}

impl Pieces {
    /// Returns the pieces of a database. `damage` is what is wrong with it as a whole.
    pub(super) fn new(base: Base, damage: Option<ChessBaseFault>, parts: GameParts) -> Self {
        let budget = Budget::new(base.records_length());
        let windows = [&base.moves, &base.annotations].map(|file| Window::new(Arc::clone(file)));
        Self { base: Arc::new(base), parts, next: 0, budget, windows, damage, is_over: false }
    }

    /// Reads the entries of the next piece, and the sizes of their records. The sizes stand in the records, so any
    /// number of games may share a record; here it is decided which ones are read.
    fn read_piece(&mut self) -> io::Result<DecodedPiece> {
        let Self { base, parts, next, budget, windows: [moves, annotations], .. } = self;
        let count = PIECE.min(base.count - *next);
        let mut entries = vec![0; SIZE * usize::try_from(count).map_err(io::Error::other)?];
        base.index.read_exact_at(&mut entries, (*next + 1) * SIZE as u64)?;
        let (extra, extra_size) = match &base.extra {
            None => (Vec::new(), 0),
            Some(extra) => (extra.read(*next, count)?, extra.size),
        };
        *next += count;
        let (chunks, _) = entries.as_chunks::<SIZE>();
        let mut records = Vec::with_capacity(chunks.len());
        for (nth, bytes) in chunks.iter().enumerate() {
            let entry = Entry::new(bytes);
            if entry.kind() != Kind::Game {
                records.push(RecordSizes::default());
                continue;
            }
            let extra = extra.get(nth * extra_size..(nth + 1) * extra_size).unwrap_or_default();
            records.push(match base.places(entry, extra) {
                Err(damage) => RecordSizes { places: [0; 2], moves: Err(damage), annotations: Ok(0) },
                Ok(places) => {
                    let mut within =
                        |size: u64| budget.take(size).then_some(size).ok_or("too-many-games-share-their-records");
                    let moves = base.moves_size(places[0], moves)?.and_then(&mut within);
                    let annotations = base.annotations_size(places[1], annotations)?.and_then(&mut within);
                    RecordSizes { places, moves, annotations }
                }
            });
        }
        Ok(Box::new(TextReader::new(GamesText::new(Arc::clone(base), *parts, entries, records, extra))))
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
        self.damage.take().map(|damage| Err(damage.into()))
    }
}
