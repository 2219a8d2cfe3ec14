//! The games of a position or of a move, by result.

use pgn2fen_chess::piece::Color;
use pgn2fen_games::Results;
use pgn2fen_games::pgn::token::Outcome;

/// The number of games by result: White won, drawn, Black won, unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts([u32; 4]);

impl Counts {
    /// Counts a game.
    #[inline]
    pub(crate) fn add(&mut self, result: Outcome) {
        let at = match result {
            Outcome::WhiteWins => 0,
            Outcome::Draw => 1,
            Outcome::BlackWins => 2,
            Outcome::Unknown => 3,
        };
        self.0[at] = self.0[at].saturating_add(1);
    }

    pub(crate) fn games(&self) -> u64 {
        self.0.iter().copied().map(u64::from).sum()
    }

    pub(crate) fn results(&self) -> Results {
        let [white, draws, black, unknown] = self.0.map(u64::from);
        Results { white, draws, black, unknown }
    }
}

/// Returns the score of a side in thousandths: 1000 for a win, 500 for a draw, rounded to the nearest. Games without a
/// known result do not count; None if there are no others.
pub(crate) fn score(results: &Results, side: Color) -> Option<u64> {
    let wins = side.pick(results.white, results.black);
    let known = results.white + results.draws + results.black;
    (2000 * wins + 1000 * results.draws + known).checked_div(2 * known)
}

#[cfg(test)]
mod tests {
    use super::{Counts, score};
    use pgn2fen_chess::piece::Color;
    use pgn2fen_games::pgn::token::Outcome::{BlackWins, Draw, Unknown, WhiteWins};

    #[test]
    fn a_score_is_that_of_the_known_results() {
        let mut counts = Counts::default();
        [WhiteWins, WhiteWins, Draw, BlackWins, Unknown].into_iter().for_each(|result| counts.add(result));
        assert_eq!(counts.games(), 5);
        assert_eq!(Color::ALL.map(|side| score(&counts.results(), side)), [Some(625), Some(375)]);
        let mut unknown = Counts::default();
        unknown.add(Unknown);
        assert_eq!(score(&unknown.results(), Color::White), None);
    }
}
