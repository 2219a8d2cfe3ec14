//! Mistakes in typed positions.

use std::ops::Range;

use crate::selection::ParseError;

/// The message for a text that names no position.
pub(super) const NO_POSITION: &str = "not a position; give a FEN, startpos, or moves such as 1. e4 c5";

/// Returns a [`ParseError`] at a place of the text.
pub(super) fn mistake(text: &str, place: Range<usize>, reason: impl Into<String>) -> ParseError {
    ParseError::new(text, place, reason)
}
