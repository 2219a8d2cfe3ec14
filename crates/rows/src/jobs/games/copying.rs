//! Copies of games, and the output that writes them one after another.

use std::path::Path;

use crate::jobs::games::chapters::Chapters;
use crate::jobs::games::contest::Claim;
use crate::jobs::games::labels::Labels;
use crate::{Close, SharedWriter, Sink, WriteError};
use pgn2fen_games::diagnostic::Diagnostic;
use pgn2fen_games::export::Exporter;
use pgn2fen_games::pgn::copies::{Binder, Copies};
use pgn2fen_games::pgn::edit::GameEdit;
use pgn2fen_games::walk::{BlockResult, LeftOut, OpenGame, Output, OutputStages};

/// The copies of the games of one block.
#[derive(Debug, Default)]
pub(crate) struct Copied {
    copies: Copies,
    bytes: Vec<u8>,
    /// The labels of the copies, if they have labels.
    labels: Labels,
    /// The copies that are duplicates, once these are known.
    duplicates: Option<Box<Self>>,
}

impl Copied {
    /// Copies a game byte for byte. Its moves may have been played or not.
    pub(crate) fn push(&mut self, game: &mut OpenGame<'_, '_>) {
        self.copies.push(game.text, game.start, game.movetext(), &mut self.bytes);
    }

    /// Copies a game byte for byte, with changes of its tags and its result.
    pub(super) fn push_edited(&mut self, game: &mut OpenGame<'_, '_>, edit: &GameEdit) {
        if edit.is_empty() {
            return self.push(game);
        }
        self.copies.push_edited(game.text, game.start, game.movetext(), edit, &mut self.bytes);
    }

    /// Writes a game anew. Returns the errors in its moves, or nothing if it has no usable starting position; then it
    /// is not written.
    pub(crate) fn push_written(
        &mut self,
        game: &mut OpenGame<'_, '_>,
        exporter: &Exporter,
        edit: &GameEdit,
        chapters: Option<&Chapters>,
    ) -> Option<Vec<Diagnostic>> {
        let (text, start, tags, encoding) = (game.text, game.start, game.tags, game.encoding);
        let replay = game.replay()?;
        self.copies.push_written(text, start, self.bytes.len());
        let Some(chapters) = chapters else {
            return Some(exporter.append_edited(start, tags, encoding, replay, edit, &mut self.bytes));
        };
        let name = chapters.name(&edit.tags(tags), encoding, replay);
        let mut written = Vec::new();
        let errors = exporter.append_edited(start, tags, encoding, replay, edit, &mut written);
        let offset = text.offset + start as u64;
        let warning = chapters.append(&written, &name, offset, exporter.options().width, &mut self.bytes);
        replay.add_warnings(warning.into_iter().collect());
        Some(errors)
    }
}

impl Copied {
    /// Labels the last copy, so that it can be written anywhere. The closures append the key and the name of the file.
    pub(super) fn label(&mut self, key: impl FnOnce(&mut Vec<u8>), place: impl FnOnce(&mut Vec<u8>)) {
        self.copies.end_last(&mut self.bytes);
        self.labels.push_with(key, place);
    }

    /// Adds the claim of the last copy.
    pub(super) fn claim(&mut self, claim: &Claim) {
        self.labels.claim(claim);
    }

    /// Returns the claims of the copies, of which there are none without a contest.
    pub(super) fn claims(&self) -> impl Iterator<Item = &[u8]> {
        self.labels.claims()
    }

    /// Returns the text of each copy with its key and the name of its file.
    pub(super) fn labelled(&self) -> impl Iterator<Item = (&[u8], (&[u8], &[u8]))> {
        let texts = self.copies.ranges(self.bytes.len()).map(|range| &self.bytes[range]);
        texts.zip(self.labels.iter())
    }

    /// Returns the duplicates among the copies.
    pub(super) fn duplicates_mut(&mut self) -> Option<&mut Self> {
        self.duplicates.as_deref_mut()
    }
}

impl BlockResult for Copied {
    type Mark = (usize, usize);

    fn mark(&self) -> (usize, usize) {
        (self.copies.len(), self.bytes.len())
    }

    fn go_back_to(&mut self, (copies, bytes): (usize, usize)) {
        self.copies.truncate(copies);
        self.bytes.truncate(bytes);
        self.labels.truncate(copies);
        self.duplicates = None;
    }

    fn weight(&self) -> usize {
        let duplicates = self.duplicates.as_ref().map_or(0, |duplicates| duplicates.weight());
        self.bytes.len() + self.labels.weight() + duplicates
    }

    fn retain(&mut self, is_wanted: &[bool]) {
        let (copies, bytes) = self.copies.take_unwanted(is_wanted, &mut self.bytes);
        self.labels.retain(is_wanted);
        self.duplicates = Some(Box::new(Self { copies, bytes, ..Self::default() }));
    }
}

/// Writes copies one after another.
#[derive(Debug)]
pub(crate) struct Bind<'w> {
    binder: Binder,
    sink: Sink<'w>,
}

impl<'w> Bind<'w> {
    pub(crate) fn new(writer: SharedWriter<'w>) -> Self {
        Self { binder: Binder::default(), sink: Sink::new(writer) }
    }
}

impl Close<Copied> for Bind<'_> {
    fn close(self: Box<Self>, _: &[u64]) -> Result<LeftOut, WriteError> {
        let Self { binder, mut sink } = *self;
        // The last game may lack its line break. The sink keeps an error for later.
        let _ = sink.write(binder.end());
        sink.end()?;
        Ok(LeftOut::default())
    }
}

impl Output<Copied> for Bind<'_> {
    fn begin_file(&mut self, _: &Path) {
        self.binder.begin_database();
    }

    fn stages(&mut self) -> OutputStages<'_, Copied> {
        let Self { binder, sink } = self;
        OutputStages::deliver(|made: &mut Copied| sink.write(&made.bytes))
            .order(|made, _| binder.bind(&mut made.copies, &mut made.bytes))
    }

    fn is_full(&self) -> bool {
        self.sink.is_full()
    }
}

#[cfg(test)]
mod tests {
    use super::Copied;
    use pgn2fen_games::walk::BlockResult;

    #[test]
    fn the_weight_of_copies_is_that_of_their_text_and_of_their_duplicates() {
        let copies = |text: usize| Copied { bytes: vec![b'x'; text], ..Copied::default() };
        let both = Copied { duplicates: Some(Box::new(copies(200))), ..copies(100) };
        assert!(both.weight() >= 300 && copies(100).weight() < 300);
    }
}
