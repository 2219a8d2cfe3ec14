//! Builds the [`Mistake`] of a typed position: the reason and the place in the text.

use std::ops::Range;

use crate::selection::Mistake;

/// The message for a text that names no position.
pub(super) const NO_POSITION: &str = "not a position; give a FEN, startpos, or moves such as 1. e4 c5";

/// Returns a [`Mistake`] that shows the line of the text with the fault. A long line is cut to the part around the fault.
pub(super) fn mistake(text: &str, place: Range<usize>, reason: impl Into<String>) -> Mistake {
    /// The number of bytes that are shown before the start of the fault, and the number from its start on.
    const NEAR: usize = 60;
    let boundary = |mut at: usize| {
        at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let start = boundary(place.start);
    let line_start = text[..start].rfind(['\n', '\r']).map_or(0, |end| end + 1);
    let line_end = text[start..].find(['\n', '\r']).map_or(text.len(), |length| start + length);
    let from = line_start.max(boundary(start.saturating_sub(NEAR)));
    let until = line_end.min(boundary(start + NEAR).max(start));
    let end = boundary(place.end).clamp(start, until);
    // An ellipsis (three bytes) marks each end where the line is cut.
    let before = if from > line_start { "…" } else { "" };
    let behind = if until < line_end { "…" } else { "" };
    let shown: String = text[from..until].chars().map(|char| if char.is_control() { ' ' } else { char }).collect();
    let moved = |at: usize| {
        before.len()
            + text[from..at].chars().map(|char| if char.is_control() { 1 } else { char.len_utf8() }).sum::<usize>()
    };
    Mistake::new(&format!("{before}{shown}{behind}"), moved(start)..moved(end), reason)
}
