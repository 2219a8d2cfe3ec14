//! ChessBase databases: `base.cbh` is read as PGN, with the files of moves, annotations and names beside it.
//!
//! # Inside
//!
//! - `base`, `error`: the files of a database; why it cannot be read
//! - `entry`, `extra`: an entry of the index; further fields of it
//! - `entities`, `names`, `nations`: a file of names; all of them; countries
//! - `tables`, `board`, `start`, `tree`: the substitution of bytes; pieces with numbers; the start of a game; its moves
//! - `annotations`, `comment`, `quotation`, `time_control`: the annotations of a game as comments and as a tag
//! - `texts`: the encodings of texts
//! - `game`, `tags`, `movetext`, `short`: a game as PGN; a game of one line
//! - `archive`: the files of a database in an archive
//! - `reader`, `pieces`: a reader of the text of some games; the readers of all games
//!
//! As for Scid databases, each length, place and number is checked where it is used, and each move against the rules.
//! Damage of a game is told by a word in place of a move, or by a line in the tag section, and has no effect on others.
//! Memory holds the names, windows of the other files, and the moves of the games that are being decoded.
//!
//! The bytes are read here, and not by the package `cbvault-format`: that maps files, which another program may cut
//! short, reads the environment, and holds each member of an archive in memory.
//!
//! Facts about the format come from the description in Yarin78/morphy (`morphy-cbh/docs/cbh-format`); those about
//! archives, times and evaluations from `cbvault-format`.

mod annotations;
mod archive;
mod base;
mod board;
mod comment;
mod entities;
mod entry;
mod error;
mod extra;
mod game;
mod movetext;
mod names;
mod nations;
mod pieces;
mod quotation;
mod reader;
mod short;
mod start;
mod tables;
mod tags;
#[cfg(test)]
mod tests;
mod texts;
mod time_control;
mod tree;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use crate::chessbase::error::ChessBaseError;

use crate::chessbase::base::{Base, Part};
use crate::chessbase::error::ChessBaseFault;
use crate::chessbase::pieces::Pieces;
use crate::database::files::{companion, companions, name};
use crate::foreign::{Foreign, ForeignError};
use crate::games::TableGames;
use crate::input_format::{Input, InputFormat, Known, Origin};
use pgn2fen_bytes::{PositionedFile, RandomAccess};

/// The kinds of files.
pub(crate) const NAMES: &[&str] = &[DATABASE, ARCHIVE];

const DATABASE: &str = "a ChessBase database";
const ARCHIVE: &str = "an archive of ChessBase (cbv)";

/// The endings of the files beside the index, in the order in which they are opened.
const ENDINGS: &[&str] = &["cbg", "cba", "cbp", "cbt", "cbc", "cbs", "cbe", "cbj"];

/// Recognises the index of a database, or an archive. A database has further files, and an archive is read at any
/// offset, so both must be on the disk; an archive that is not is refused when it is opened.
pub(crate) fn detect(known: &Known<'_>) -> Option<Box<dyn InputFormat>> {
    let is_on_disk = known.name.is_some() && known.is_file;
    match known.head {
        [0, 0, 0x24 | 0x2C, 0, 0x2E, 1, ..] if is_on_disk => Some(Box::new(Files::Beside)),
        head if archive::is_archive(head) => Some(Box::new(Files::Packed)),
        _ => None,
    }
}

/// Where the files of a database are.
#[derive(Clone, Copy, Debug)]
enum Files {
    /// In a folder.
    Beside,
    /// In an archive.
    Packed,
}

impl InputFormat for Files {
    fn name(&self) -> &'static str {
        match self {
            Self::Beside => DATABASE,
            Self::Packed => ARCHIVE,
        }
    }

    fn companions(&self, path: &Path) -> Vec<PathBuf> {
        match self {
            Self::Beside => companions(path, ENDINGS),
            Self::Packed => Vec::new(),
        }
    }

    fn open(&self, input: Input<'_>) -> io::Result<TableGames> {
        let (Origin::File(file), Some(path)) = (input.origin, input.name) else {
            return Err(ForeignError::within(Foreign::ChessBase, input.layers).into());
        };
        input.meter.restart();
        let (base, damage) = match self {
            Self::Beside => {
                let index: Part = (name(path), Arc::new(PositionedFile::from(file)));
                Base::open(index, |ending| beside(path, ending), input.meter)?
            }
            Self::Packed => {
                let (index, mut archive) = archive::open(file, path)?;
                Base::open(index, |ending| archive.part(ending), input.meter)?
            }
        };
        Ok(TableGames::new(|parts| Pieces::new(base, damage, parts)).on_all_threads())
    }
}

/// Opens the file with an ending beside an index. None if there is none.
fn beside(index: &Path, ending: &str) -> io::Result<Option<Part>> {
    let Ok(path) = companion(index, ending) else { return Ok(None) };
    let file = PositionedFile::open(&path);
    let file = file.map_err(|error| ChessBaseFault::Unreadable(name(&path), error.to_string()))?;
    Ok(Some((name(&path), Arc::new(file) as Arc<dyn RandomAccess>)))
}
