//! A reader of the PGN text of some games of a database.

use std::io;
use std::sync::Arc;

use crate::chessbase::base::Base;
use crate::chessbase::entry::{Entry, Kind, SIZE};
use crate::chessbase::extra::Extra;
use crate::chessbase::game::{GameWriter, Records};
use crate::database::window::Window;
use crate::games::GameParts;
use crate::text::TextOfEntries;

/// Where the records of a game are, and how many bytes they have. A record that cannot be read is a word for messages.
#[derive(Clone, Debug)]
pub(super) struct RecordSizes {
    pub(super) places: [u64; 2],
    pub(super) moves: Result<u64, &'static str>,
    pub(super) annotations: Result<u64, &'static str>,
}

impl Default for RecordSizes {
    fn default() -> Self {
        Self { places: [0; 2], moves: Ok(0), annotations: Ok(0) }
    }
}

/// A reader of the PGN text of some games.
pub(super) struct GamesText {
    base: Arc<Base>,
    entries: Vec<u8>,
    records: Vec<RecordSizes>,
    extra: Vec<u8>,
    /// The number of the entry that is read next, among these.
    next: usize,
    windows: [Window; 2],
    writer: GameWriter,
}

impl GamesText {
    pub(super) fn new(
        base: Arc<Base>,
        parts: GameParts,
        entries: Vec<u8>,
        records: Vec<RecordSizes>,
        extra: Vec<u8>,
    ) -> Self {
        let windows = [&base.moves, &base.annotations].map(|file| Window::new(Arc::clone(file)));
        let writer = GameWriter::new(parts);
        Self { base, entries, records, extra, next: 0, windows, writer }
    }
}

impl TextOfEntries for GamesText {
    fn append(&mut self, text: &mut Vec<u8>) -> io::Result<bool> {
        let Self { base, windows: [moves, annotations], .. } = self;
        // A size is at most that of the longest record.
        let length = |size: u64| usize::try_from(size).map_err(io::Error::other);
        let Some(bytes) = self.entries.as_chunks::<SIZE>().0.get(self.next) else { return Ok(false) };
        let sizes = &self.records[self.next];
        let entry = Entry::new(bytes);
        base.meter.add(SIZE);
        let extra_size = base.extra.as_ref().map_or(0, |extra| extra.size);
        let extra = self.extra.get(self.next * extra_size..(self.next + 1) * extra_size).unwrap_or_default();
        self.next += 1;
        let left_out = match entry.kind() {
            Kind::Game => {
                let moves = match sizes.moves {
                    Ok(size) => Ok(moves.read(sizes.places[0], length(size)?)?),
                    Err(damage) => Err(damage),
                };
                let annotations = match sizes.annotations {
                    Ok(0) => Ok(&[][..]),
                    Ok(size) => Ok(annotations.read(sizes.places[1], length(size)?)?),
                    Err(damage) => Err(damage),
                };
                let records = Records { moves, annotations, teams: Extra::teams(extra) };
                self.writer.append(entry, &records, &base.names, &base.texts, text);
                return Ok(true);
            }
            Kind::GuidingText => "a guiding text is left out",
            Kind::DeletedGame => "a deleted game is left out",
            Kind::Unknown => "damaged: an entry is neither a game nor a text",
        };
        text.extend_from_slice(left_out.as_bytes());
        text.extend_from_slice(b"\n\n");
        Ok(true)
    }
}
