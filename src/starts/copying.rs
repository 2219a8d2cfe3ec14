//! Copies games byte for byte.

use std::io::Write;
use std::path::Path;

use crate::pgn::copies::{Binder, Copies};
use crate::rows::{Close, LeftOut, Sink, WriteError};
use crate::starts::make::{Sought, UNWANTED};
use crate::walk::{Deliver, Made, Make, OpenGame, Out, Output, Played, Stretch};

/// Copies the games that pass the filter.
#[derive(Debug)]
pub(super) struct GameCopies(pub(super) Sought);

/// The copies of the games of one block.
#[derive(Debug, Default)]
pub(super) struct Copied {
    copies: Copies,
    bytes: Vec<u8>,
}

impl Made for Copied {
    type Mark = (usize, usize);

    fn mark(&self) -> (usize, usize) {
        (self.copies.len(), self.bytes.len())
    }

    fn go_back_to(&mut self, (copies, bytes): (usize, usize)) {
        self.copies.truncate(copies);
        self.bytes.truncate(bytes);
    }

    fn weight(&self) -> usize {
        self.bytes.len()
    }

    fn retain(&mut self, _: &[bool]) {}
}

impl Make for GameCopies {
    type Made = Copied;
    const PLAYS: bool = false;

    fn needs_offsets(&self) -> bool {
        false
    }

    fn game(&self, game: &mut OpenGame<'_, '_>, out: &mut Out<'_, Copied>) -> Played {
        if !self.0.holds(game) {
            return UNWANTED;
        }
        let Copied { copies, bytes } = &mut *out.made;
        copies.push(game.text, game.start, game.movetext(), bytes);
        Played { positions: 1, ..Played::default() }
    }
}

/// Writes copies one after another.
#[derive(Debug)]
pub(super) struct Bind<W> {
    binder: Binder,
    sink: Sink<W>,
}

impl<W: Write> Bind<W> {
    pub(super) fn new(writer: W) -> Self {
        Self { binder: Binder::default(), sink: Sink::new(writer) }
    }
}

impl<W: Write + Send> Close for Bind<W> {
    type Writer = W;

    fn close(self, _: &[u64]) -> Result<(W, LeftOut), WriteError> {
        let Self { binder, mut sink } = self;
        // The last game may lack its line break. The sink keeps an error for later.
        let _ = sink.write(binder.end());
        Ok((sink.end()?, LeftOut::default()))
    }
}

impl<W: Write + Send> Output<Copied> for Bind<W> {
    fn begin_file(&mut self, _: &Path) {
        self.binder.begin_database();
    }

    fn stages(
        &mut self,
    ) -> (impl FnMut(&mut Copied, &Stretch<'_>) + Send, impl Fn(&mut Copied) + Sync, impl Deliver<Copied>) {
        let Self { binder, sink } = self;
        let bind = |made: &mut Copied, _: &Stretch<'_>| binder.bind(&mut made.copies, &mut made.bytes);
        (bind, |_: &mut Copied| {}, |made: &mut Copied| sink.write(&made.bytes))
    }

    fn is_full(&self) -> bool {
        self.sink.is_full()
    }
}
