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

#[cfg(test)]
mod tests {
    use super::StartsFormat;
    use crate::Format;

    #[test]
    fn a_starting_position_has_every_format_but_those_that_need_more() {
        let names: Vec<&str> = StartsFormat::names().collect();
        let typed = ["arrow", "parquet"].into_iter().filter(|name| Format::of_ending(name).is_some());
        let text = ["fen", "epd", "tsv", "csv", "jsonl", "uci", "html"];
        assert_eq!(names, text.into_iter().chain(typed).chain(["pgn"]).collect::<Vec<_>>());
        assert_eq!(StartsFormat::named("htm"), Some(StartsFormat::Starts(Format::Html)));
        for name in ["anki", "viri", "plain", "x"] {
            assert_eq!(StartsFormat::named(name), None, "{name}");
        }
    }

    #[test]
    fn a_game_without_a_position_has_a_row_but_no_fen_and_no_board() {
        let has_invalid = |name: &&str| StartsFormat::named(name).is_some_and(StartsFormat::has_invalid);
        let named: Vec<&str> = ["fen", "epd", "tsv", "csv", "jsonl", "uci", "html", "pgn"].to_vec();
        let having: Vec<&str> = named.into_iter().filter(has_invalid).collect();
        assert_eq!(having, ["tsv", "csv", "jsonl", "pgn"]);
    }
}
