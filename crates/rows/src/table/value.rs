//! The values of columns.

use crate::columns::course::Moves;
use pgn2fen_games::pgn::date::Date;
use pgn2fen_tables::Texts;

/// The value of a column in a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Value<'t> {
    Missing,
    /// A text in UTF-8.
    Text(&'t [u8]),
    /// A position, a move or a result: ASCII letters, digits and signs that need no quotes in any format.
    Ascii(&'t [u8]),
    Number(i64),
    /// Numbers of 8 bits.
    SmallNumbers(&'t [u8]),
    /// Numbers, some of which may be missing.
    Numbers(&'t [Option<i32>]),
    /// Times in seconds, some of which may be missing.
    Times(&'t [Option<f64>]),
    Moves(Moves<'t>),
    /// Texts with names.
    Pairs(Pairs<'t>),
    Seconds(f64),
    /// A Polyglot key.
    Key(u64),
    /// A date with a known day.
    Date(Date),
}

/// Texts with names.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pairs<'t> {
    pub(crate) texts: &'t Texts,
    /// The index of the first name. Its text follows it.
    pub(crate) start: usize,
    /// The number of names.
    pub(crate) count: u32,
}

impl<'t> Pairs<'t> {
    pub(crate) fn iter(self) -> impl Iterator<Item = (&'t str, &'t str)> {
        let text = |index| self.texts.get(index).and_then(|text| str::from_utf8(text).ok()).unwrap_or_default();
        (0..self.count as usize).map(move |nth| (text(self.start + 2 * nth), text(self.start + 2 * nth + 1)))
    }
}

impl<'t> Value<'t> {
    /// Returns the value, or another one if it is missing.
    pub(crate) fn or(self, other: Self) -> Self {
        if matches!(self, Self::Missing) { other } else { self }
    }

    pub(crate) fn text(self) -> Option<&'t str> {
        str::from_utf8(self.text_bytes()?).ok()
    }

    /// Returns the bytes of a text.
    pub(crate) fn text_bytes(self) -> Option<&'t [u8]> {
        match self {
            Self::Text(text) | Self::Ascii(text) => Some(text),
            _ => None,
        }
    }

    /// Returns a number. A key is returned as the signed number with the same bits.
    pub(crate) fn number(self) -> Option<i64> {
        match self {
            Self::Number(number) => Some(number),
            Self::Key(key) => Some(key.cast_signed()),
            _ => None,
        }
    }
}
