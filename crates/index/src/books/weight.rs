//! Weights of moves in a Polyglot book.

use crate::Results;
use crate::books::percent::half_points;
use pgn2fen_chess::piece::Color;

/// The weight of a move, from which engines choose: a move with twice the weight is played twice as often.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Weight {
    /// Two for each game that the player of the move won, and one for each draw. Moves without a win or a draw are left
    /// out.
    #[default]
    Score,
    /// The number of games.
    Games,
    /// One for every move.
    Uniform,
}

/// The greatest weight that an entry can have.
const GREATEST: u64 = u16::MAX as u64;

impl Weight {
    /// Returns the weight of a move, before it is scaled. `side` is the side to move.
    pub fn of(self, results: &Results, side: Color) -> u64 {
        match self {
            Self::Score => half_points(results, side).0,
            Self::Games => results.games(),
            Self::Uniform => 1,
        }
    }
}

/// Returns the weight of an entry, if `greatest` is the greatest weight of the position. If that does not fit into 16
/// bits, all weights of the position are multiplied by 65535 / `greatest` and rounded up, so that none becomes 0.
pub(super) fn scaled(weight: u64, greatest: u64) -> u16 {
    let scaled = if greatest <= GREATEST {
        weight
    } else {
        let scaled = (u128::from(weight) * u128::from(GREATEST)).div_ceil(u128::from(greatest));
        u64::try_from(scaled).unwrap_or(GREATEST)
    };
    u16::try_from(scaled).unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests {
    use super::{Weight, scaled};
    use crate::Results;
    use pgn2fen_chess::piece::Color;

    #[test]
    fn weights_are_those_of_the_side_to_move() {
        let results = Results { white: 10, draws: 3, black: 1, unknown: 7 };
        let weights = [Weight::Score, Weight::Games, Weight::Uniform];
        assert_eq!(weights.map(|weight| weight.of(&results, Color::White)), [23, 21, 1]);
        assert_eq!(weights.map(|weight| weight.of(&results, Color::Black)), [5, 21, 1]);
    }

    #[test]
    fn great_weights_are_scaled_and_never_become_zero() {
        assert_eq!([scaled(7, 65_535), scaled(65_535, 65_535), scaled(0, 9)], [7, 65_535, 0]);
        assert_eq!([1, 65_536, 65_537, 131_070].map(|weight| scaled(weight, 131_070)), [1, 32_768, 32_769, 65_535]);
        assert_eq!([scaled(1, u64::MAX), scaled(u64::MAX, u64::MAX)], [1, 65_535]);
    }
}
