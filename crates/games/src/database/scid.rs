//! Scid databases: `base.si4` or `base.si5` is read as PGN, with the files of names and games beside it.
//!
//! # Inside
//!
//! - `base`, `error`: the three files of a database; why it cannot be read
//! - `entry`, `names`, `record`: an entry of the index; the names of players, events, sites and rounds; the parts of
//!   the record of a game
//! - `line`: a position whose pieces have numbers, by which moves are stored
//! - `game`, `movetext`, `comments`, `words`: a game as PGN; its moves; its comments, which are stored behind the
//!   moves; lines of text
//! - `window`, `text`: pieces of a file that mostly follow each other; a reader of the text of some games
//!
//! As for tables, everything behind `database` treats the games as a stream of PGN text. Some games at a time are a
//! piece that `Ahead` decodes on its own threads. Memory holds the names of the database and a few windows of the other
//! files.
//!
//! Each length, place and number of a file is checked where it is used, and each move against the rules. So damage in a
//! game has no effect on others. It is told by the text itself: a line in the tag section, or a word in place of a move,
//! which `walk` reports with the number of the game. What is wrong with the index or the names as a whole is an error
//! behind the last game.
//!
//! Facts about si4 come from asdfjkl/si4spec and from databases that Scid has written, those about si5 from the
//! description in the source of Scid.

mod base;
mod comments;
mod entry;
mod error;
mod game;
mod line;
mod movetext;
mod names;
mod record;
mod text;
mod window;
mod words;

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

pub use crate::database::scid::error::ScidError;

use crate::database::ahead::DecodedPiece;
use crate::database::meter::Meter;
use crate::database::scid::base::Base;
use crate::database::scid::text::GamesText;
use crate::database::tabular::TableGames;

/// The number of games that are decoded by one thread at a time.
const PIECE: u64 = 1024;

/// A version of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    Four,
    Five,
}

impl Version {
    /// Returns the version of an index with these first bytes and this name. The index of si5 has no magic number.
    pub(super) fn detect(head: &[u8], path: &Path) -> Option<Self> {
        if head.starts_with(b"Scid.si\0") {
            return Some(Self::Four);
        }
        path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("si5")).then_some(Self::Five)
    }

    /// Returns the name of the format, as in "a Scid database".
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Four => "a Scid database (si4)",
            Self::Five => "a Scid database (si5)",
        }
    }

    /// Returns the ending of the file of names.
    fn names(self) -> &'static str {
        match self {
            Self::Four => "sn4",
            Self::Five => "sn5",
        }
    }

    /// Returns the ending of the file of games.
    fn games(self) -> &'static str {
        match self {
            Self::Four => "sg4",
            Self::Five => "sg5",
        }
    }

    /// Returns the number of bytes of an entry of the index.
    fn entry_size(self) -> usize {
        match self {
            Self::Four => 47,
            Self::Five => 56,
        }
    }

    /// Returns the offset of the entry of a game in the index. The first game has the number 0.
    fn entry_offset(self, game: u64) -> u64 {
        let header = match self {
            Self::Four => 182,
            Self::Five => 0,
        };
        header + game * self.entry_size() as u64
    }
}

/// Opens the database with this index.
pub(super) fn open(index: File, path: &Path, version: Version, meter: Meter) -> io::Result<TableGames> {
    let (base, damage) = Base::open(index.into(), path, version, meter)?;
    let base = Arc::new(base);
    let pieces = (0..base.count.div_ceil(PIECE)).map(move |piece| {
        let games = piece * PIECE..((piece + 1) * PIECE).min(base.count);
        Ok(Box::new(GamesText::new(Arc::clone(&base), games)) as DecodedPiece)
    });
    Ok(TableGames::new(pieces.chain(damage.map(|damage| Err(damage.into())))))
}
