//! Items for the tests, benches and fuzz targets of this crate. They are not part of the public interface and may change in any release.

#[cfg(all(feature = "index", feature = "tables"))]
mod postings;

#[cfg(all(feature = "index", feature = "tables"))]
pub use crate::internals::postings::list_postings;
pub use crate::parallel::blocks::Cuts;
pub use crate::parallel::trace::{BlockTimes, Trace};
pub use crate::pgn::between::{Next, next_game};
pub use crate::pgn::ranges::first_place;
pub use crate::pgn::reader::{Reader, read_games};
pub use crate::pgn::text::Left;

use crate::pgn::encoding::Label;
use crate::pgn::lists::Form;

/// Returns the number of line breaks in a text. LF, CRLF and CR each count as one.
pub fn count_lines(text: &[u8]) -> u64 {
    crate::diagnostic::count_lines(text)
}

/// Returns the length of the certain part of a text that may end anywhere: its whole games.
pub fn end_of_whole_games(text: &[u8], form: Form) -> usize {
    crate::pgn::games::end_of_whole_games(text, form)
}

/// Returns the kind of UTF-16 in which a text with these first bytes is encoded.
pub fn detect_utf16(head: &[u8]) -> Option<Label> {
    crate::pgn::encoding::detect_utf16(head)
}
