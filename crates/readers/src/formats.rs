//! The formats whose rows and records are read as games, in one list.

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

/// Returns the kinds of files of all formats.
pub fn kinds() -> impl Iterator<Item = &'static str> {
    FORMATS.iter().flat_map(|(names, _)| names.iter().copied())
}
