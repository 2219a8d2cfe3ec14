//! The shapes that rows may take.

/// How positions are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
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
    #[cfg(feature = "arrow")]
    Arrow,
    /// A Parquet file.
    #[cfg(feature = "parquet")]
    Parquet,
}

impl Format {
    /// All formats that the features of this build have.
    pub const ALL: &[Self] = &[
        Self::Fen,
        Self::Epd,
        Self::Tsv,
        Self::Csv,
        Self::Jsonl,
        Self::Uci,
        Self::Bullet,
        #[cfg(feature = "arrow")]
        Self::Arrow,
        #[cfg(feature = "parquet")]
        Self::Parquet,
    ];

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
            #[cfg(feature = "arrow")]
            Self::Arrow => "arrow",
            #[cfg(feature = "parquet")]
            Self::Parquet => "parquet",
        }
    }

    /// The format that files with this ending are in; the ending has no period.
    pub fn of_ending(ending: &str) -> Option<Self> {
        match ending.to_ascii_lowercase().as_str() {
            "ndjson" => Some(Self::Jsonl),
            #[cfg(feature = "arrow")]
            "arrows" => Some(Self::Arrow),
            ending => Self::ALL.iter().copied().find(|format| format.name() == ending),
        }
    }

    /// Whether it is no text.
    pub fn is_binary(self) -> bool {
        match self {
            #[cfg(feature = "arrow")]
            Self::Arrow => true,
            #[cfg(feature = "parquet")]
            Self::Parquet => true,
            _ => false,
        }
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
