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

#[cfg(test)]
mod tests {
    use super::HitOrder;
    use crate::tests::Desk;
    use pgn2fen_chess::position::Position;

    /// Compares the order of games with these tags: the date and both ratings.
    #[track_caller]
    fn check(games: &[[&str; 3]], order: HitOrder, expected: &[u64]) {
        let game = |[date, white, black]: &[&str; 3]| {
            format!("[Date \"{date}\"]\n[WhiteElo \"{white}\"]\n[BlackElo \"{black}\"]\n\n1. e4 *\n\n")
        };
        let desk = Desk::of(&[("a.pgn", &games.iter().map(game).collect::<String>())]);
        let hits = desk.index.query(|_| ()).sorted_hits(&Position::initial(), order).unwrap();
        assert_eq!(hits.iter().map(|hit| hit.game).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn one_known_rating_is_the_mean() {
        let games = [
            ["2001.01.01", "2500", "2300"],
            ["2002.01.01", "2450", "?"],
            ["2003.01.01", "", "2420"],
            ["2004.01.01", "?", "?"],
            ["2005.01.01", "2300", "2560"],
        ];
        check(&games, HitOrder::Rating, &[2, 5, 3, 1, 4]);
        check(&games, HitOrder::Date, &[5, 4, 3, 2, 1]);
    }

    #[test]
    fn equal_ones_are_in_the_other_order_and_then_in_that_of_games() {
        let games = [
            ["2001.01.01", "2400", "2400"],
            ["????.??.??", "2500", "2300"],
            ["2001.01.01", "2410", "2400"],
            ["2001.01.??", "2400", "2400"],
            ["2001.01.01", "2400", "2400"],
        ];
        check(&games, HitOrder::Rating, &[3, 1, 5, 4, 2]);
        check(&games, HitOrder::Date, &[3, 1, 5, 4, 2]);
    }
}
