//! Options for opening the source of a database.

use pgn2fen_pgn::encoding::Label;

/// Options for opening the source of a database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceOptions {
    /// Whether plain files are mapped into memory, which is the default. Otherwise they are read.
    pub map: bool,
    /// The encoding of text that is not UTF-8; None to guess it.
    pub encoding: Option<Label>,
    /// The name of the column with the moves of the games, for tables; None to find it by its name.
    pub movetext: Option<String>,
}

impl Default for SourceOptions {
    fn default() -> Self {
        Self { map: true, encoding: None, movetext: None }
    }
}
