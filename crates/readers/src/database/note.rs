//! Notes about damage, which stand in a comment of the game.

use std::fmt;
use std::io::Write;

/// Appends a line that says what is damaged.
pub(crate) fn note(notes: &mut Vec<u8>, what: fmt::Arguments<'_>) {
    // Writing to memory cannot fail.
    let _ = writeln!(notes, "damaged: {what}");
}
