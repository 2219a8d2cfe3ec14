//! The formats whose rows and records are read as games, in one list.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

#[cfg(all(feature = "chessbase", not(target_family = "wasm")))]
use crate::chessbase;
use crate::input_format::{InputFormat, Known};
#[cfg(feature = "records")]
use crate::records;
#[cfg(all(feature = "scid", not(target_family = "wasm")))]
use crate::scid;
use crate::tabular;
#[cfg(feature = "training")]
use crate::training;

/// Recognises the files of one format.
type Detect = fn(&Known<'_>) -> Option<Box<dyn InputFormat>>;

/// A format: the kinds of its files, as [`InputFormat::name`] has them, and how they are recognised.
type Format = (&'static [&'static str], Detect);

/// The formats. The first one that recognises a file reads it.
const FORMATS: &[Format] = &[
    #[cfg(all(feature = "scid", not(target_family = "wasm")))]
    (scid::NAMES, scid::detect),
    #[cfg(all(feature = "chessbase", not(target_family = "wasm")))]
    (chessbase::NAMES, chessbase::detect),
    (tabular::NAMES, tabular::detect),
    #[cfg(feature = "training")]
    (training::NAMES, training::detect),
    #[cfg(feature = "records")]
    (records::NAMES, records::detect),
];

/// Returns the format of an input. None if its text is PGN or a list of positions, if it is [another
/// file](crate::Foreign), or if it has to be decompressed before.
pub fn detect(known: &Known<'_>) -> Option<Box<dyn InputFormat>> {
    FORMATS.iter().find_map(|(_, detect)| detect(known))
}

/// The number of bytes by which a format with further files is recognised.
const HEAD: u64 = 64;

/// Returns the further files that are read with the file at this path: those of the Scid or ChessBase database of which
/// it is the index. They are in a fixed order, and files that are missing are left out.
///
/// ```
/// let folder = tempfile::tempdir()?;
/// let [index, names] = ["games.si4", "games.sn4"].map(|name| folder.path().join(name));
/// std::fs::write(&index, b"Scid.si\0")?;
/// std::fs::write(&names, b"Scid.sn\0")?;
/// # #[cfg(feature = "scid")]
/// assert_eq!(pgn2fen_readers::companions(&index), [names]);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn companions(path: &Path) -> Vec<PathBuf> {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut head));
    let known = Known { head: &head, name: Some(path), is_file: read.is_ok(), movetext: None };
    detect(&known).map(|format| format.companions(path)).unwrap_or_default()
}

/// Returns the kinds of files of all formats.
pub fn kinds() -> impl Iterator<Item = &'static str> {
    FORMATS.iter().flat_map(|(names, _)| names.iter().copied())
}
