//! The last ply of games that are written.

use std::str::FromStr;

use crate::jobs::games::edits::EditError;
use pgn2fen_games::selection::PlyRanges;

/// The last ply of games that are written, as a range of plies from the start: `..24`.
///
/// ```
/// use pgn2fen_rows::games::Cut;
///
/// assert_eq!("..24".parse::<Cut>().map(|cut| cut.last_ply), Ok(24));
/// assert!("8..24".parse::<Cut>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The last ply.
    pub last_ply: u32,
}

impl FromStr for Cut {
    type Err = EditError;

    fn from_str(text: &str) -> Result<Self, EditError> {
        let ranges: PlyRanges = text.parse().map_err(|error| EditError::of(&error))?;
        let last = ranges.last_from_start().ok_or_else(|| {
            EditError::of(&format!(
                "games are written from their start, up to a ply such as ..24; '{text}' is not such a range"
            ))
        })?;
        Ok(Self { last_ply: last })
    }
}
