//! Scores in per cent.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use crate::Results;
use pgn2fen_chess::piece::Color;

/// A score in per cent, from 0 to 100: 100 if all games are won, 50 for draws or as many wins as losses.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Percent(f64);

impl Percent {
    /// Whether the score of a side in these games is at least this number. False if no result is known.
    pub fn is_reached(self, results: &Results, side: Color) -> bool {
        let (points, games) = half_points(results, side);
        games > 0 && 50.0 * points as f64 >= self.0 * games as f64
    }

    /// Whether the score of a side in these games is at most this number. False if no result is known.
    pub fn is_not_passed(self, results: &Results, side: Color) -> bool {
        let (points, games) = half_points(results, side);
        games > 0 && 50.0 * points as f64 <= self.0 * games as f64
    }
}

/// A range of scores in per cent: `45..55`, `40..`, `..60`, `50`. Both ends are included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Balance {
    least: Percent,
    greatest: Percent,
}

impl Balance {
    /// Whether the score of a side in these games is in the range. False if no result is known.
    pub fn contains(&self, results: &Results, side: Color) -> bool {
        self.least.is_reached(results, side) && self.greatest.is_not_passed(results, side)
    }
}

impl FromStr for Balance {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let Some((least, greatest)) = text.split_once("..") else {
            let only = text.parse()?;
            return Ok(Self { least: only, greatest: only });
        };
        let or = |text: &str, open: f64| if text.is_empty() { Ok(Percent(open)) } else { text.parse() };
        let (least, greatest) = (or(least, 0.0)?, or(greatest, 100.0)?);
        if least > greatest { Err("the first number is greater than the second") } else { Ok(Self { least, greatest }) }
    }
}

/// Returns the points of a side, two for a win and one for a draw, and the number of games with a known result.
pub(super) fn half_points(results: &Results, side: Color) -> (u64, u64) {
    let Results { white, draws, black, .. } = *results;
    (2 * side.pick(white, black) + draws, white + draws + black)
}

impl Display for Percent {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Percent {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        let number = text.parse::<f64>().ok().filter(|number| is_plain && *number <= 100.0);
        number.map(Self).ok_or("a score is a number from 0 to 100, in per cent")
    }
}

#[cfg(test)]
mod tests {
    use super::{Balance, Percent};
    use crate::Results;
    use pgn2fen_chess::piece::Color;

    #[track_caller]
    fn check(text: &str, [white, draws, black, unknown]: [u64; 4], expected: [bool; 2]) {
        let percent: Percent = text.parse().unwrap();
        let results = Results { white, draws, black, unknown };
        assert_eq!(Color::ALL.map(|side| percent.is_reached(&results, side)), expected, "{text} {results:?}");
    }

    #[test]
    fn a_score_counts_games_with_a_known_result() {
        check("50", [1, 0, 1, 0], [true, true]);
        check("50", [1, 1, 0, 0], [true, false]);
        check("75", [1, 1, 0, 9], [true, false]);
        check("75.1", [1, 1, 0, 9], [false, false]);
        check("33.3", [1, 0, 2, 0], [true, true]);
        check("0", [0, 0, 1, 0], [true, true]);
        check("0", [0, 0, 0, 1], [false, false]);
    }

    #[test]
    fn a_score_is_a_number_up_to_100() {
        for text in ["", "101", "-1", "+1", "x", "nan", "inf", "1e1", "50%"] {
            assert!(text.parse::<Percent>().is_err(), "{text}");
        }
    }

    #[track_caller]
    fn check_balance(text: &str, expected: [bool; 4]) {
        let balance: Balance = text.parse().unwrap();
        let scores = [[0, 0, 1], [45, 0, 55], [1, 1, 1], [1, 0, 0]];
        let results = scores.map(|[white, draws, black]| Results { white, draws, black, unknown: 1 });
        assert_eq!(results.map(|results| balance.contains(&results, Color::White)), expected, "{text}");
    }

    #[test]
    fn both_ends_belong_to_a_balance() {
        check_balance("45..55", [false, true, true, false]);
        check_balance("45.1..", [false, false, true, true]);
        check_balance("..45", [true, true, false, false]);
        check_balance("50", [false, false, true, false]);
        check_balance("..", [true; 4]);
        for text in ["", "55..45", "x..", "..101", "45-55", "1..2..3"] {
            assert!(text.parse::<Balance>().is_err(), "{text}");
        }
    }
}
