//! The output formats.

use pgn2fen_games::replay::VariantPolicy;

/// An output format for positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// One FEN on each line.
    #[default]
    Fen,
    /// One EPD on each line: four fields and operations (PGN standard §16.2).
    Epd,
    /// Values separated by tabs.
    Tsv,
    /// Values separated by commas (RFC 4180, with LF as the line break).
    Csv,
    /// One JSON object on each line.
    Jsonl,
    /// One command `position fen …` on each line, for UCI engines.
    Uci,
    /// `FEN | centipawns | result` on each line: the text format of the bullet trainer. Evaluation and result are from
    /// White's point of view.
    Bullet,
    /// Viriformat: the starting position, the moves and the evaluations of games, in binary form. Positions that follow
    /// one another by a move and have an evaluation, a result and a next move are a game. Evaluation and result are
    /// from White's point of view.
    Viri,
    /// A record of 32 bytes for each position, which the bullet trainer calls bulletformat. Evaluation and result are
    /// from the point of view of the side to move.
    Bulletformat,
    /// Stockfish's binpack: chains of positions with their next moves. Positions that follow one another by a move are
    /// a chain. Evaluation and result are from the point of view of the side to move.
    Binpack,
    /// Six lines of text for each position, with its next move, which the tools of Stockfish convert to their binary
    /// formats. Evaluation and result are from the point of view of the side to move.
    Plain,
    /// A page of boards: one HTML document.
    Html,
    /// Cards for Anki: a text file that Anki imports, with a note for each position that has a solution. The front is a
    /// board, and the back the best moves of an EPD, or else the moves that follow in the game.
    Anki,
    /// An Arrow IPC stream.
    #[cfg(feature = "arrow")]
    Arrow,
    /// A Parquet file.
    #[cfg(feature = "parquet")]
    Parquet,
}

impl Format {
    /// All formats that are enabled by the features of this build.
    pub const ALL: &[Self] = &[
        Self::Fen,
        Self::Epd,
        Self::Tsv,
        Self::Csv,
        Self::Jsonl,
        Self::Uci,
        Self::Bullet,
        Self::Bulletformat,
        Self::Viri,
        Self::Binpack,
        Self::Plain,
        Self::Html,
        Self::Anki,
        #[cfg(feature = "arrow")]
        Self::Arrow,
        #[cfg(feature = "parquet")]
        Self::Parquet,
    ];

    /// Returns the name of the format, as users give it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fen => "fen",
            Self::Epd => "epd",
            Self::Tsv => "tsv",
            Self::Csv => "csv",
            Self::Jsonl => "jsonl",
            Self::Uci => "uci",
            Self::Bullet => "bullet",
            Self::Bulletformat => "bulletformat",
            Self::Viri => "viri",
            Self::Binpack => "binpack",
            Self::Plain => "plain",
            Self::Html => "html",
            Self::Anki => "anki",
            #[cfg(feature = "arrow")]
            Self::Arrow => "arrow",
            #[cfg(feature = "parquet")]
            Self::Parquet => "parquet",
        }
    }

    /// Returns the format for this file name extension, which is given without its period.
    pub fn of_ending(ending: &str) -> Option<Self> {
        match ending.to_ascii_lowercase().as_str() {
            "ndjson" => Some(Self::Jsonl),
            "htm" => Some(Self::Html),
            "viriformat" | "vf" => Some(Self::Viri),
            #[cfg(feature = "arrow")]
            "arrows" => Some(Self::Arrow),
            ending => Self::ALL.iter().copied().find(|format| format.name() == ending),
        }
    }

    /// Whether the format is not text.
    pub fn is_binary(self) -> bool {
        match self {
            Self::Viri | Self::Bulletformat | Self::Binpack => true,
            #[cfg(feature = "arrow")]
            Self::Arrow => true,
            #[cfg(feature = "parquet")]
            Self::Parquet => true,
            _ => false,
        }
    }

    /// Returns whether the format can hold positions of variants. Formats of trainers cannot: their boards have no men
    /// in hand, and their networks play chess.
    pub(crate) fn variants(self) -> VariantPolicy {
        if self.is_for_training() { VariantPolicy::Refuse } else { VariantPolicy::Play }
    }

    /// Whether files of the format contain compressed data.
    pub fn is_compressed(self) -> bool {
        match self {
            #[cfg(feature = "parquet")]
            Self::Parquet => true,
            _ => false,
        }
    }

    /// Whether the columns of the format can be chosen.
    pub fn has_columns(self) -> bool {
        !matches!(self, Self::Fen | Self::Uci) && !self.is_for_training()
    }

    /// Whether the format is made for trainers of neural networks: it has only positions with an evaluation and a known
    /// result, and [`LeftOut`](pgn2fen_games::walk::LeftOut) counts the others.
    pub fn is_for_training(self) -> bool {
        matches!(self, Self::Bullet | Self::Viri | Self::Bulletformat | Self::Binpack | Self::Plain)
    }

    /// Whether the format stores games and not positions: each position but the first is stored as the move that leads
    /// to it. So positions that are left out divide a game in two. In binpack they do so, too, but there a position of
    /// its own is nothing unusual.
    pub fn stores_games(self) -> bool {
        self == Self::Viri
    }

    /// Whether positions are written as FEN, so that a [`FenStyle`](pgn2fen_chess::fen::FenStyle) has an effect.
    pub fn has_fens(self) -> bool {
        !matches!(self, Self::Viri | Self::Bulletformat | Self::Binpack)
    }

    /// Whether the format draws boards, so that [`BoardOptions`](crate::BoardOptions) have an effect.
    pub fn has_boards(self) -> bool {
        matches!(self, Self::Html | Self::Anki)
    }

    /// Returns the first word of the usual title: of a page, and of the deck of cards.
    pub fn title_word(self) -> &'static str {
        if self == Self::Anki { "Cards" } else { "Positions" }
    }

    /// Whether a value may be a list, so that a row can have a whole game.
    pub fn has_lists(self) -> bool {
        match self {
            Self::Jsonl => true,
            #[cfg(feature = "arrow")]
            Self::Arrow => true,
            #[cfg(feature = "parquet")]
            Self::Parquet => true,
            _ => false,
        }
    }

    /// Whether the format has a header row with the names of the columns.
    pub fn has_header(self) -> bool {
        matches!(self, Self::Tsv | Self::Csv)
    }
}

#[cfg(test)]
mod tests {
    use super::Format;
    use pgn2fen_games::replay::VariantPolicy;

    #[test]
    fn each_format_has_its_properties() {
        let properties = |format: &Format| {
            let properties = [
                (format.is_binary(), "binary"),
                (format.is_compressed(), "compressed"),
                (format.has_columns(), "columns"),
                (format.is_for_training(), "training"),
                (format.stores_games(), "games"),
                (format.has_fens(), "fens"),
                (format.has_boards(), "boards"),
                (format.has_lists(), "lists"),
                (format.has_header(), "header"),
                (format.variants() == VariantPolicy::Play, "variants"),
            ];
            let named = properties.into_iter().filter_map(|(is, name)| is.then_some(name));
            [format.name()].into_iter().chain(named).collect::<Vec<_>>().join(" ")
        };
        let expected = [
            "fen fens variants",
            "epd columns fens variants",
            "tsv columns fens header variants",
            "csv columns fens header variants",
            "jsonl columns fens lists variants",
            "uci fens variants",
            "bullet training fens",
            "bulletformat binary training",
            "viri binary training games",
            "binpack binary training",
            "plain training fens",
            "html columns fens boards variants",
            "anki columns fens boards variants",
            #[cfg(feature = "arrow")]
            "arrow binary columns fens lists variants",
            #[cfg(feature = "parquet")]
            "parquet binary compressed columns fens lists variants",
        ];
        assert_eq!(Format::ALL.iter().map(properties).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_format_is_found_by_the_ending_of_a_file() {
        for format in Format::ALL {
            assert_eq!(Format::of_ending(&format.name().to_ascii_uppercase()), Some(*format));
        }
        for (ending, expected) in [
            ("ndjson", Some(Format::Jsonl)),
            ("HTM", Some(Format::Html)),
            ("viriformat", Some(Format::Viri)),
            ("vf", Some(Format::Viri)),
            #[cfg(feature = "arrow")]
            ("arrows", Some(Format::Arrow)),
            ("pgn", None),
            ("", None),
        ] {
            assert_eq!(Format::of_ending(ending), expected, "{ending}");
        }
    }

    #[test]
    fn only_cards_have_a_title_of_their_own() {
        assert_eq!([Format::Anki, Format::Html].map(Format::title_word), ["Cards", "Positions"]);
    }
}
