//! The error for filters and ranges that do not parse.

use std::error::Error;
use std::fmt;
use std::ops::Range;

/// The error for a filter or a range that does not parse. It is displayed with the text, and with carets under the wrong part:
///
/// ```text
/// => is not an operator; did you mean >=?
///     WhiteElo=>2200
///             ^^
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    reason: String,
    text: String,
    /// The wrong part, as a range of bytes of the text.
    place: Range<usize>,
}

impl Mistake {
    pub(crate) fn new(text: &str, place: Range<usize>, reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), text: text.to_owned(), place }
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { reason, text, place } = self;
        if text.is_empty() {
            return f.write_str(reason);
        }
        let count = |range: Range<usize>| text.get(range).map_or(0, |text| text.chars().count());
        let (before, width) = (count(0..place.start), count(place.clone()).max(1));
        write!(f, "{reason}\n    {text}\n    {:before$}{}", "", "^".repeat(width))
    }
}

impl Error for Mistake {}
