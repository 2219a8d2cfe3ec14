//! A folder for any host of static files with the explorer of indexes, without a server.
//!
//! [The guide](https://github.com/pgn2fen/pgn2fen/blob/main/docs/publish.md) describes its use. A folder is built
//! beside the old one and takes its place when it is complete.
//!
//! # The data
//!
//! `data/NAME-ID` has the data of a database:
//!
//! - `positions-000.bin` …: blocks of positions
//! - `games-000.bin` …: blocks of games
//! - `positions-directory-000.bin`, `games-directory-000.bin` …: the lengths of the blocks, 16,384 blocks on a page
//!
//! A block is JSON that is compressed with gzip. It names its build (`site`), its kind (`block`) and its number.
//! Without ranges, block 1234 is the file `positions/001/1234.bin`.
//!
//! **Positions.** The number of a block is made of the first `bits` bits of the keys in it (`manifest.json`). A key
//! is the Polyglot key as 16 hexadecimal digits. An entry is
//! `{"moves": […], "games": […], "top": […], "recent": […]}`:
//!
//! - `moves`: `[uci, white, draws, black, unknown, rating, year]`. A game counts for the move that it played first in
//!   the position. If games played the move later, after another one, four more numbers count these. An empty move
//!   counts games that ended here. Castling is the step of the king; in Chess960, the king takes its rook. 0 is an
//!   unknown rating or year.
//! - `games`: `[number, white, rating, black, rating, result, date, event, eco, uci]`. Texts have at most 80
//!   characters.
//! - `top`, `recent`: places in `games`, best rated first, and latest first.
//!
//! A position that can be reached with and without an en passant square that means nothing (FIDE Laws, 9.2) has an
//! entry under both keys.
//!
//! **Games.** Entries are the PGN by the number of the game; null if the text was not available. The directory has
//! the first game of each block (`games`).
//!
//! **Directories.** `first` is the number of the first block on the page, `offset` its place in its file, and
//! `lengths` are the lengths from there on. The files in `manifest.json` say with which block they begin.

mod block;
mod block_files;
mod check;
mod compressed;
mod data;
mod database;
mod entry;
mod error;
mod file_list;
mod folder;
mod game_set;
mod games;
mod heads;
mod manifest;
mod options;
mod page;
mod positions;

use std::fs;
use std::path::Path;

use crate::publish::database::Database;
use crate::publish::file_list::FileList;
use crate::publish::folder::Staging;
use pgn2fen_games::parallel::Workers;
use pgn2fen_index::{Index, Progress};

pub use crate::publish::check::{Damage, check_site};
pub use crate::publish::error::{PublishError, PublishWarning};
pub use crate::publish::options::PublishOptions;

/// The version of the format of the data. A page reads only data of its own version.
const FORMAT: u32 = 1;

/// The size of a folder that was published.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Published {
    /// The number of positions in the folder.
    pub positions: u64,
    /// The number of games whose text is in the folder.
    pub games: u64,
    /// The number of games that are listed but whose text could not be read.
    pub unread: u64,
    /// The number of files.
    pub files: u64,
    /// The size of all files in bytes.
    pub bytes: u64,
}

/// Writes the explorer of indexes to a folder, for a host of static files. Several indexes are several databases to
/// choose from.
///
/// The folder is replaced when everything has been written; until then, an older site in it stays as it is. The bytes
/// do not depend on the number of workers. Memory has eight bytes a game and eight bytes a published position, besides
/// a bounded part.
///
/// # Errors
///
/// Fails if `folder` exists and contains anything but such a site, for options that make no sense, if an index or the
/// page cannot be read, if a file cannot be written, or if `progress` stopped the work.
pub fn publish(
    indexes: &[impl AsRef<Path>],
    folder: &Path,
    options: &PublishOptions,
    workers: &Workers,
    tell: &mut dyn FnMut(PublishWarning),
    progress: &Progress<'_>,
) -> Result<Published, PublishError> {
    options.check()?;
    let indexes = indexes.iter().map(Index::open).collect::<Result<Vec<_>, _>>()?;
    if indexes.is_empty() {
        return Err(PublishError::Refused("no index is given".to_owned()));
    }
    let staging = Staging::begin(folder)?;
    let mut files = FileList::default();
    page::copy(&options.page, staging.path(), &mut files)?;
    let mut published = Published::default();
    let mut databases = Vec::new();
    for (nth, index) in indexes.iter().enumerate() {
        let names: Vec<&str> = databases.iter().map(|database: &manifest::DatabaseEntry| &*database.folder).collect();
        let database = Database::new(index, nth, &names, options)?;
        databases.push(database.write(staging.path(), &mut files, workers, &mut published, tell, progress)?);
    }
    let has_own = files.has("own/index.html");
    let text = manifest::write(&databases, options, has_own);
    files.write(staging.path(), "manifest.json", text.as_bytes())?;
    published.files = files.count() + 1;
    published.bytes = files.bytes() + files.finish(staging.path())?;
    // GitHub Pages leaves files as they are then.
    fs::write(staging.path().join(folder::NO_JEKYLL), "").map_err(PublishError::file(staging.path()))?;
    staging.finish()?;
    Ok(published)
}
