//! How well a player did: the ratings of the opponents, and the results against them.

use pgn2fen_chess::piece::Color;
use pgn2fen_index::Ratings;

/// The opponents of a player in some games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Opponents {
    /// The sum of the known ratings, in games with a result.
    sum: u64,
    games: u64,
    wins: u64,
    losses: u64,
}

impl Opponents {
    /// Returns the opponents of the player with this colour. `ratings` are those of White and Black.
    pub(super) fn of(color: Color, ratings: &[Ratings; 2]) -> Self {
        let Ratings { sum, results } = ratings[(!color).index()];
        let (wins, losses) = color.pick((results.white, results.black), (results.black, results.white));
        Self { sum, games: results.games(), wins, losses }
    }

    /// Returns the rounded mean of the ratings of the opponents; None if none is known.
    pub(super) fn average_rating(&self) -> Option<u64> {
        (self.sum + self.games / 2).checked_div(self.games)
    }

    /// Returns the performance rating: the mean of the ratings of the opponents, plus 400 times the difference of wins
    /// and losses divided by the number of games. At least 0; None if no rating of an opponent is known.
    pub(super) fn performance(&self) -> Option<u64> {
        let gained = self.sum + 400 * self.wins + self.games / 2;
        gained.saturating_sub(400 * self.losses).checked_div(self.games)
    }
}

impl std::iter::Sum for Opponents {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, other| Self {
            sum: sum.sum + other.sum,
            games: sum.games + other.games,
            wins: sum.wins + other.wins,
            losses: sum.losses + other.losses,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Opponents;
    use pgn2fen_chess::piece::Color;
    use pgn2fen_index::{Ratings, Results};

    #[track_caller]
    fn check(color: Color, [white, black]: [(u64, [u64; 3]); 2], average: Option<u64>, performance: Option<u64>) {
        let ratings = [white, black].map(|(sum, [white, draws, black])| {
            let results = Results { white, draws, black, unknown: 0 };
            Ratings { sum, results }
        });
        let opponents = Opponents::of(color, &ratings);
        assert_eq!((opponents.average_rating(), opponents.performance()), (average, performance));
    }

    #[test]
    fn a_performance_is_the_mean_of_the_opponents_and_400_points_for_all_wins() {
        let none = (0, [0; 3]);
        check(Color::White, [none, (2000, [1, 0, 0])], Some(2000), Some(2400));
        check(Color::Black, [(2000, [1, 0, 0]), none], Some(2000), Some(1600));
        check(Color::White, [none, (8000, [2, 1, 1])], Some(2000), Some(2100));
        check(Color::Black, [(4001, [0, 2, 0]), none], Some(2001), Some(2001));
        check(Color::White, [(2500, [1, 0, 0]), none], None, None);
        check(Color::White, [none, (100, [0, 0, 1])], Some(100), Some(0));
        let both = [Opponents { sum: 2000, games: 1, wins: 1, losses: 0 }; 2];
        assert_eq!(both.into_iter().sum::<Opponents>().performance(), Some(2400));
    }
}
