//! The formats in which starting positions are written.

use crate::Format;

/// A format for starting positions: a format of positions, or copies of the games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartsFormat {
    /// A line or a row for each starting position.
    Starts(Format),
    /// The games themselves, byte for byte.
    Games,
}

impl StartsFormat {
    /// Returns the format with a name or a file name ending, in lower case. Formats for trainers are left out: they
    /// need evaluations, and starting positions have none.
    ///
    /// ```
    /// use pgn2fen_rows::Format;
    /// use pgn2fen_rows::starts::StartsFormat;
    ///
    /// assert_eq!(StartsFormat::named("csv"), Some(StartsFormat::Starts(Format::Csv)));
    /// assert_eq!(StartsFormat::named("pgn"), Some(StartsFormat::Games));
    /// assert_eq!(StartsFormat::named("bullet"), None);
    /// ```
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "pgn" => Some(Self::Games),
            name => Format::of_ending(name)
                .filter(|format| !format.is_for_training() && *format != Format::Anki)
                .map(Self::Starts),
        }
    }

    /// Returns the names of all formats.
    pub fn names() -> impl Iterator<Item = &'static str> {
        let of_positions = Format::ALL.iter().map(|format| format.name()).filter(|name| Self::named(name).is_some());
        of_positions.chain(["pgn"])
    }

    /// Whether games without a usable starting position can be written: the format has rows, or copies the games. A
    /// line of FEN and a board need a position.
    pub fn has_invalid(self) -> bool {
        match self {
            Self::Starts(format) => format.has_columns() && format != Format::Epd && !format.has_boards(),
            Self::Games => true,
        }
    }
}
