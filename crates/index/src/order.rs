//! The order of hits, if it is not that of the games.

use crate::error::IndexError;
use crate::games_table::GameColumn;
use crate::lookup::IndexedGames;
use crate::record::PackedDate;

/// An order of hits. The greatest rating or the latest date comes first, and games without it come last. Hits that are
/// equal stay in the order of games and plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HitOrder {
    /// The mean of both ratings, or the one that is known; of equal ones, the later date first.
    Rating,
    /// The date; of equal ones, the greater rating first.
    Date,
}

impl HitOrder {
    /// Returns the rank of a game: the greatest comes first.
    pub(super) fn rank(self, games: &mut IndexedGames<'_>, game: u64) -> Result<(u64, u64), IndexError> {
        const COLUMNS: [GameColumn; 3] = [GameColumn::DateText, GameColumn::WhiteElo, GameColumn::BlackElo];
        let row = games.row(game, &COLUMNS)?;
        let date = row.as_ref().and_then(|row| row.text(GameColumn::DateText));
        let date = date.map_or(PackedDate::UNKNOWN, PackedDate::read).bits();
        let elo = |column| row.as_ref().and_then(|row| row.number(column)).map_or(0, i64::cast_unsigned);
        let [white, black] = [elo(GameColumn::WhiteElo), elo(GameColumn::BlackElo)];
        let double_mean = if white == 0 || black == 0 { 2 * white.max(black) } else { white + black };
        Ok(match self {
            Self::Rating => (double_mean, date.into()),
            Self::Date => (date.into(), double_mean),
        })
    }
}
