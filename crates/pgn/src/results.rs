//! The number of games by result.

use std::iter::Sum;

use crate::token::Outcome;

/// The number of games by result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Results {
    /// Games won by White.
    pub white: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games won by Black.
    pub black: u64,
    /// Games without a known result (`*`).
    pub unknown: u64,
}

impl Results {
    /// Returns the number of all games.
    pub fn games(&self) -> u64 {
        self.white + self.draws + self.black + self.unknown
    }

    /// Returns the games that White won, that were drawn, and that Black won, in per cent of those with a known result.
    /// The numbers add up to 100: of the shares that are not whole, those with the greatest fractions are rounded up.
    /// None without a known result.
    ///
    /// ```
    /// use pgn2fen_pgn::results::Results;
    ///
    /// let results = Results { white: 1, draws: 1, black: 1, unknown: 5 };
    /// assert_eq!(results.per_cent(), Some([34, 33, 33]));
    /// ```
    pub fn per_cent(&self) -> Option<[u64; 3]> {
        let games = [self.white, self.draws, self.black].map(u128::from);
        let known: u128 = games.iter().sum();
        let fraction = |at: usize| games[at] * 100 % known;
        if known == 0 {
            return None;
        }
        let mut shares = games.map(|games| u64::try_from(games * 100 / known).unwrap_or(100));
        let mut order = [0, 1, 2];
        order.sort_by_key(|at| std::cmp::Reverse(fraction(*at)));
        let rest = 100 - shares.iter().sum::<u64>();
        order.into_iter().zip(0..rest).for_each(|(at, _)| shares[at] += 1);
        Some(shares)
    }

    /// Returns White's mean score in thousandths: 1000 for a win, 500 for a draw. Games without a known result do not
    /// count. None if there are no others.
    pub fn score(&self) -> Option<u64> {
        let known = self.white + self.draws + self.black;
        (2000 * self.white + 1000 * self.draws + known).checked_div(2 * known)
    }

    /// Counts a game with this result.
    pub fn add(&mut self, result: Outcome) {
        *match result {
            Outcome::WhiteWins => &mut self.white,
            Outcome::Draw => &mut self.draws,
            Outcome::BlackWins => &mut self.black,
            Outcome::Unknown => &mut self.unknown,
        } += 1;
    }

    #[doc(hidden)]
    pub fn add_all(&mut self, other: &Self) {
        *self = self.with(other, |games, others| games + others);
    }

    /// Subtracts a part of the games.
    #[doc(hidden)]
    #[must_use]
    pub fn without(&self, other: &Self) -> Self {
        self.with(other, u64::saturating_sub)
    }

    fn with(&self, other: &Self, combine: impl Fn(u64, u64) -> u64) -> Self {
        Self {
            white: combine(self.white, other.white),
            draws: combine(self.draws, other.draws),
            black: combine(self.black, other.black),
            unknown: combine(self.unknown, other.unknown),
        }
    }
}

impl Sum for Results {
    fn sum<I: Iterator<Item = Self>>(results: I) -> Self {
        results.fold(Self::default(), |sum, results| sum.with(&results, |games, others| games + others))
    }
}

#[cfg(test)]
mod tests {
    use super::Results;
    use crate::token::Outcome;

    fn results([white, draws, black, unknown]: [u64; 4]) -> Results {
        Results { white, draws, black, unknown }
    }

    #[test]
    fn games_are_counted_by_their_results() {
        let mut counted = Results::default();
        for (outcome, times) in
            [(Outcome::WhiteWins, 1), (Outcome::Draw, 2), (Outcome::BlackWins, 3), (Outcome::Unknown, 4)]
        {
            (0..times).for_each(|_| counted.add(outcome));
        }
        assert_eq!((counted, counted.games()), (results([1, 2, 3, 4]), 10));
    }

    #[test]
    fn results_are_added_and_subtracted() {
        let mut sum = results([10, 20, 30, 40]);
        sum.add_all(&results([1, 2, 3, 4]));
        assert_eq!(sum, results([11, 22, 33, 44]));
        assert_eq!(sum.without(&results([1, 2, 33, 50])), results([10, 20, 0, 0]));
        assert_eq!([sum, sum].into_iter().sum::<Results>(), results([22, 44, 66, 88]));
    }

    #[test]
    fn shares_add_up_to_a_hundred() {
        assert_eq!(results([1, 1, 1, 5]).per_cent(), Some([34, 33, 33]));
        assert_eq!(results([1, 3, 3, 0]).per_cent(), Some([14, 43, 43]));
        assert_eq!(results([5, 0, 0, 0]).per_cent(), Some([100, 0, 0]));
        assert_eq!(results([1, 2, 5, 0]).per_cent(), Some([13, 25, 62]));
        assert_eq!(results([0, 0, 0, 5]).per_cent(), None);
    }

    #[test]
    fn a_score_is_rounded_to_thousandths() {
        assert_eq!(results([1, 1, 0, 9]).score(), Some(750));
        assert_eq!(results([2, 0, 1, 0]).score(), Some(667));
        assert_eq!(results([1, 0, 2, 0]).score(), Some(333));
        assert_eq!(results([0, 0, 7, 0]).score(), Some(0));
        assert_eq!(results([0, 0, 0, 7]).score(), None);
    }
}
