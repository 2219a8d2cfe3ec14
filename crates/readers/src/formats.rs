//! The formats whose rows and records are read as games, in one list.

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

/// The formats. The first one that recognises a file reads it.
const FORMATS: &[Detect] = &[
    #[cfg(all(feature = "scid", not(target_family = "wasm")))]
    scid::detect,
    tabular::detect,
    #[cfg(feature = "training")]
    training::detect,
    #[cfg(feature = "records")]
    records::detect,
];

/// Returns the format of an input. None if its text is PGN or a list of positions, if it is [another
/// file](crate::Foreign), or if it has to be decompressed before.
pub fn detect(known: &Known<'_>) -> Option<Box<dyn InputFormat>> {
    FORMATS.iter().find_map(|detect| detect(known))
}
