//! Records: puzzles, evaluations, tables and games in CSV and JSON are read as PGN. Each record becomes the text of a
//! game.
//!
//! A file of records is a stream for the rest of the crate. Where each record is one line, its game is one line of the
//! text, so the lines in messages are those of the file.
//!
//! # Inside
//!
//! - `format`: the kinds of records, recognised by the first bytes of a file
//! - `blocks`, `document`: a file of lines in blocks of whole lines; a JSON document, one object after another
//! - `puzzle`, `table`, `evaluation`, `game`, `game_tags`: a row of puzzles or of another table, an evaluated position,
//!   a game in JSON, each as a game; the tags of the last
//! - `cells`: the rows of text with separators, and their cells
//! - `object`: a game in JSON that no site has made, as a row of a table
//! - `json`, `players`: values of JSON whose types may differ from what is expected; the players of a game
//!
//! A record that cannot be read becomes a game whose FEN tag says so (`game_text::unreadable`). Readers report it as
//! the error `bad-record` with its reason, so nothing is lost in silence, and the records around it are read.
//!
//! Blocks of lines are independent of one another, so `Ahead` converts several at the same time. Memory holds a few
//! blocks, whatever the size of the file. A record of more than 16 MiB is refused.

mod blocks;
mod cells;
mod document;
mod evaluation;
mod format;
mod game;
mod game_tags;
mod json;
mod moves;
mod object;
mod players;
mod puzzle;
mod table;

use std::io::{self, Read};

use crate::games::TableGames;
use crate::input_format::{Input, InputFormat, Known};
use crate::records::blocks::Blocks;
use crate::records::document::Document;
#[cfg(feature = "training")]
pub(crate) use crate::records::evaluation::append_pawns;
use crate::records::format::Layout;
pub(crate) use crate::records::format::NAMES;
use pgn2fen_pgn::lists::Form;

/// The most bytes of a record.
const LONGEST: usize = 16 * 1024 * 1024;

/// Recognises records. Text that is compressed begins with none.
pub(crate) fn detect(known: &Known<'_>) -> Option<Box<dyn InputFormat>> {
    Some(Box::new(Layout::detect(known.head, known.movetext)?))
}

impl InputFormat for Layout {
    fn name(&self) -> &'static str {
        Self::name(self)
    }

    fn form(&self) -> Form {
        if self.is_lines() { Form::Records } else { Form::Games }
    }

    fn is_text(&self) -> bool {
        true
    }

    fn is_of_site(&self) -> bool {
        Self::is_of_site(self)
    }

    fn open(&self, input: Input<'_>) -> io::Result<TableGames> {
        Ok(games(input.reader, self.with_movetext(input.movetext)?))
    }
}

/// Returns the games of a text of this layout.
fn games(text: Box<dyn Read + Send>, layout: Layout) -> TableGames {
    match layout {
        Layout::Lines(rows) => TableGames::new(|parts| Blocks::new(text, rows, parts)),
        Layout::Document(_) => TableGames::new(|parts| {
            let document: Box<dyn Read + Send> = Box::new(Document::reader(text, parts));
            std::iter::once(Ok(document))
        }),
    }
}
