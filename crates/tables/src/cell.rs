//! The values of small tables, such as answers and counts.

/// The value of a cell of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell<'c> {
    /// A missing value.
    Missing,
    /// A text.
    Text(&'c str),
    /// A number.
    Number(u64),
    /// A number in thousandths.
    Thousandths(u64),
    /// A number of hundredths, which a table on a terminal shows with a `%`.
    PerCent(u64),
}

impl<'c> Cell<'c> {
    /// Returns a text, which is missing if it is empty.
    pub fn text(text: &'c str) -> Self {
        if text.is_empty() { Self::Missing } else { Self::Text(text) }
    }

    /// Returns a text that may be missing.
    pub fn optional(text: Option<&'c str>) -> Self {
        text.map_or(Self::Missing, Self::Text)
    }

    /// Returns a number that may be missing.
    pub fn number(number: Option<u64>) -> Self {
        number.map_or(Self::Missing, Self::Number)
    }
}
