//! Files of trainers of neural networks, read as PGN: binpack, viriformat and bulletformat. The crate
//! `pgn2fen-trainers` has their bytes.
//!
//! Such a file is a stream for the rest of the crate. A chain of binpack and a game of viriformat become a game with
//! its evaluations in comments, and a record of bulletformat a game without moves. The last move of a chain or game
//! leads to a position of which nothing is known.
//!
//! # Inside
//!
//! - `layout`: the formats, recognised by their first bytes, or by the ending of the name
//! - `piece`, `blocks`: a file in blocks of whole chains, games or records, which are decoded independently
//! - `binpack`, `viri`, `bulletformat`: the text of one of them
//! - `text`: the text of a game
//!
//! What cannot be read becomes a game whose FEN tag says so, as in records, and the file is read on where the next
//! chain, game or record begins for certain: in binpack, that is the next chunk. A file that ends too early is
//! [`Damage`](pgn2fen_bytes::Damage). No size in a file is trusted: memory grows as bytes come, up to the largest
//! chunk that other readers take.

mod binpack;
mod blocks;
mod bulletformat;
mod layout;
mod piece;
mod text;
mod viri;

use std::io::{self, Read};

use crate::games::TableGames;
use crate::input_format::{Input, InputFormat, Known};
use crate::training::blocks::Blocks;
use crate::training::layout::Layout;

/// The kinds of files.
pub(crate) const NAMES: &[&str] = &[Layout::Binpack.name(), Layout::Viri.name(), Layout::Bulletformat.name()];

/// Recognises training data.
pub(crate) fn detect(known: &Known<'_>) -> Option<Box<dyn InputFormat>> {
    // The name of a compressed file may be that of what is in it.
    let layout = Layout::detect(known.head, known.name).filter(|_| !known.is_compressed())?;
    Some(Box::new(layout))
}

impl InputFormat for Layout {
    fn name(&self) -> &'static str {
        Self::name(*self)
    }

    fn open(&self, input: Input<'_>) -> io::Result<TableGames> {
        let is_nested = input.origin.is_member() || !input.layers.is_empty();
        Ok(games(input.reader, *self, is_nested))
    }
}

/// Returns the games of a file of this layout. `is_nested` says that its bytes come out of another file.
fn games(bytes: Box<dyn Read + Send>, layout: Layout, is_nested: bool) -> TableGames {
    TableGames::new(move |_| Blocks::new(bytes, layout, is_nested)).on_all_threads()
}
