//! The types of columns.

use pgn2fen_pgn::tag_kind::TagKind;

/// The type of the values of a column. Integers are signed, because some readers do not support unsigned integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnType {
    /// A text in UTF-8.
    Text,
    /// An integer of 32 bits.
    Int,
    /// An integer of 64 bits.
    Long,
    /// A floating-point number of 64 bits.
    Double,
    /// Days since 1970-01-01, in 32 bits.
    Date,
    /// A list of integers of 32 bits.
    Ints,
    /// A list of floating-point numbers of 64 bits.
    Doubles,
    /// A list of texts in UTF-8.
    Texts,
    /// Texts with a name for each, which is unique.
    TextMap,
}

impl ColumnType {
    /// Returns the type of a column for a tag of this kind. Times of day and time controls are texts.
    pub fn of_tag(kind: TagKind) -> Self {
        match kind {
            TagKind::Date => Self::Date,
            TagKind::Rating | TagKind::Number | TagKind::Round => Self::Int,
            TagKind::Time | TagKind::TimeControl | TagKind::Result | TagKind::Text => Self::Text,
        }
    }
}
