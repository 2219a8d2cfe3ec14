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
