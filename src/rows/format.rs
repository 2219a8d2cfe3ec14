//! The shapes that rows may take.

/// How positions are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Format {
    /// A FEN a line.
    #[default]
    Fen,
    /// An EPD a line: four fields and operations (PGN standard §16.2).
    Epd,
    /// Values with tabs between them.
    Tsv,
    /// Values with commas between them (RFC 4180, with LF for line ends).
    Csv,
    /// A JSON object a line.
    Jsonl,
    /// `position fen …` a line, for engines.
    Uci,
    /// `FEN | centipawns | result` a line, the text format of the bullet trainer. Both are from White's point of view.
    Bullet,
    /// An Arrow IPC stream.
    Arrow,
    /// A Parquet file.
    Parquet,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 9] =
        [Self::Fen, Self::Epd, Self::Tsv, Self::Csv, Self::Jsonl, Self::Uci, Self::Bullet, Self::Arrow, Self::Parquet];

    /// The name that is typed.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fen => "fen",
            Self::Epd => "epd",
            Self::Tsv => "tsv",
            Self::Csv => "csv",
            Self::Jsonl => "jsonl",
            Self::Uci => "uci",
            Self::Bullet => "bullet",
            Self::Arrow => "arrow",
            Self::Parquet => "parquet",
        }
    }

    /// The format that files with this ending are in; the ending has no period.
    pub fn of_ending(ending: &str) -> Option<Self> {
        match ending.to_ascii_lowercase().as_str() {
            "ndjson" => Some(Self::Jsonl),
            "arrows" => Some(Self::Arrow),
            ending => Self::ALL.into_iter().find(|format| format.name() == ending),
        }
    }

    /// Whether it is no text.
    pub fn is_binary(self) -> bool {
        matches!(self, Self::Arrow | Self::Parquet)
    }

    /// Whether the columns may be chosen.
    pub fn has_columns(self) -> bool {
        !matches!(self, Self::Fen | Self::Uci | Self::Bullet)
    }

    /// Whether the names of the columns stand above them.
    pub fn has_header(self) -> bool {
        matches!(self, Self::Tsv | Self::Csv)
    }
}
