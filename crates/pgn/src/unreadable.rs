//! Records of other formats that cannot be read as games: the mark that stands for them in PGN text.
//!
//! What reads tables of puzzles or JSON makes PGN text of it. A record that cannot be read becomes a game whose first
//! tag is a FEN tag with a value that says why, and whose second tag may show the record.

use crate::diagnostic::{Diagnostic, Kind};
use crate::tags::Tags;

/// The beginning of the value of a FEN tag that stands for a record that cannot be read. The reason follows.
#[doc(hidden)]
pub const UNREADABLE: &str = "unreadable record: ";

/// Returns the error for a game that stands for a record that cannot be read. `base` is the offset of the text of the
/// tags in the file.
pub(crate) fn unreadable(tags: &Tags<'_>, base: u64) -> Option<Diagnostic> {
    let mut all = tags.iter();
    let fen = all.next().filter(|tag| tag.name == b"FEN")?;
    fen.value.0.strip_prefix(UNREADABLE.as_bytes())?;
    let reason = fen.value.decode()[UNREADABLE.len()..].to_owned();
    let error = Diagnostic::new(Kind::BadRecord, base + fen.offset as u64, reason);
    Some(match all.next().filter(|tag| tag.name == b"Record") {
        Some(record) => error.about(&record.value.unescape()),
        None => error,
    })
}
