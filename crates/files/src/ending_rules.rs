//! The facts about formats that decide which file name endings go with them.

use pgn2fen_rows::starts::StartsFormat;
use pgn2fen_rows::{Format, PictureFormat};

/// The facts about a format that decide which endings a file of the format may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndingRules {
    /// The name of the format.
    pub name: &'static str,
    /// Whether the format is not text.
    pub is_binary: bool,
    /// Whether files of the format contain compressed data, so that they are not compressed again.
    pub is_compressed: bool,
    /// Whether files of the format often have the ending `.bin`, which many formats share.
    pub may_be_bin: bool,
}

impl From<Format> for EndingRules {
    fn from(format: Format) -> Self {
        Self {
            name: format.name(),
            is_binary: format.is_binary(),
            is_compressed: format.is_compressed(),
            may_be_bin: format.is_binary() && format.is_for_training(),
        }
    }
}

impl From<PictureFormat> for EndingRules {
    /// Returns the rules for a file with one board. No other format is written under its endings, so it counts as not
    /// text.
    fn from(format: PictureFormat) -> Self {
        Self { name: format.name(), is_binary: true, is_compressed: false, may_be_bin: false }
    }
}

impl From<StartsFormat> for EndingRules {
    fn from(format: StartsFormat) -> Self {
        match format {
            StartsFormat::Starts(format) => format.into(),
            StartsFormat::Games => Self { name: "pgn", is_binary: false, is_compressed: false, may_be_bin: false },
        }
    }
}
