//! Time controls: the tag TimeControl (PGN standard §9.6.1).

use crate::decimal::decimal;

/// A time control of one or more periods, in seconds.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TimeControl(Vec<Period>);

/// A period of a time control.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Period {
    /// The number of moves of the period. `None` for the rest of the game.
    moves: Option<u32>,
    seconds: f64,
    increment: f64,
}

/// The greatest number of periods that are read.
const MOST_PERIODS: usize = 16;

impl TimeControl {
    /// Reads a time control such as `180`, `180+2` or `40/7200:3600+30`. None if it is unknown, if a period is an
    /// hourglass (`*180`), or if it is the time for each move of correspondence games (`1/259200`).
    pub(crate) fn read(text: &str) -> Option<Self> {
        let periods = text.trim().split(':').take(MOST_PERIODS).map(Period::read).collect::<Option<Vec<_>>>()?;
        let is_of_each_move = matches!(periods.as_slice(), [Period { moves: Some(1), .. }]);
        (!is_of_each_move).then_some(Self(periods))
    }

    /// Returns the time in seconds that a player has for 40 moves. None if the time control is unknown. That of an
    /// hourglass is the time on it.
    pub(crate) fn of_40_moves(text: &str) -> Option<f64> {
        let period = |text: &str| Period::read(text.strip_prefix('*').unwrap_or(text));
        let periods = text.trim().split(':').take(MOST_PERIODS).map(period).collect::<Option<Vec<_>>>()?;
        let (mut left, mut seconds) = (40, 0.0);
        for (nth, period) in periods.iter().enumerate() {
            let moves = period.moves.unwrap_or(left);
            // The last period is repeated.
            let times = if nth + 1 < periods.len() { left.min(1) } else { left.div_ceil(moves.max(1)) };
            let played = moves.saturating_mul(times).min(left);
            seconds += period.seconds * f64::from(times) + period.increment * f64::from(played);
            left -= played;
        }
        Some(seconds)
    }

    /// Returns the time of the first period.
    pub(crate) fn base(&self) -> f64 {
        self.0.first().map_or(0.0, |period| period.seconds)
    }

    /// Returns the time of the period behind the first `added + 1` ones. Behind the last period, it is repeated if it
    /// has a number of moves.
    pub(crate) fn period(&self, added: usize) -> Option<f64> {
        let last = self.0.last().filter(|last| last.moves.is_some());
        self.0.get(added + 1).or(last).map(|period| period.seconds)
    }

    /// Whether time is added behind a number of moves.
    pub(crate) fn has_periods(&self) -> bool {
        self.period(0).is_some()
    }

    /// Returns the most time that a player can have behind this number of moves, counted from 1.
    pub(crate) fn most(&self, number: u32) -> f64 {
        let periods: f64 = self.0.iter().map(|period| period.seconds).sum();
        let increment = self.0.iter().map(|period| period.increment).fold(0.0, f64::max);
        // The last period is repeated.
        let repeated = self.0.last().and_then(|last| Some(f64::from(number / last.moves?) * last.seconds));
        periods + repeated.unwrap_or(0.0) + increment * f64::from(number)
    }

    /// Returns the increment for a move of a player, counted from 1.
    pub(crate) fn increment(&self, number: u32) -> f64 {
        let mut end = 0u32;
        let holds = |period: &&Period| {
            end = period.moves.map_or(u32::MAX, |moves| end.saturating_add(moves));
            number <= end
        };
        self.0.iter().find(holds).or(self.0.last()).map_or(0.0, |period| period.increment)
    }
}

impl Period {
    fn read(text: &str) -> Option<Self> {
        let (moves, time) = match text.split_once('/') {
            Some((moves, time)) => (Some(moves.parse().ok().filter(|moves| *moves > 0)?), time),
            None => (None, text),
        };
        let (seconds, increment) = time.split_once('+').unwrap_or((time, "0"));
        Some(Self { moves, seconds: number(seconds)?, increment: number(increment)? })
    }
}

/// Reads digits with a decimal point.
fn number(text: &str) -> Option<f64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    decimal(whole.as_bytes(), fraction.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::TimeControl;

    #[track_caller]
    fn check(text: &str, expected: Option<&[f64]>) {
        let control = TimeControl::read(text);
        let values = control.map(|control| {
            vec![control.base(), control.increment(1), control.increment(41), control.period(0).unwrap_or(-1.0)]
        });
        assert_eq!(values.as_deref(), expected, "{text}");
    }

    #[test]
    fn a_player_has_this_time_for_40_moves() {
        for (text, seconds) in [
            ("180+2", Some(260.0)),
            ("40/7200:3600", Some(7200.0)),
            ("20/600:300", Some(900.0)),
            ("20/600+1:300+2", Some(960.0)),
            ("15/60", Some(180.0)),
            ("1/60", Some(2400.0)),
            ("*180", Some(180.0)),
            ("60/900:300", Some(900.0)),
            ("?", None),
            ("", None),
        ] {
            assert_eq!(TimeControl::of_40_moves(text), seconds, "{text}");
        }
    }

    #[test]
    fn the_most_time_grows_with_increments_and_repeated_periods() {
        let most = |text, number| TimeControl::read(text).expect(text).most(number);
        assert_eq!([most("180", 0), most("180", 50)], [180.0, 180.0]);
        assert_eq!([most("180+2", 1), most("180+2", 50)], [182.0, 280.0]);
        assert_eq!([most("40/7200", 39), most("40/7200", 40), most("40/7200", 100)], [7200.0, 14_400.0, 21_600.0]);
        assert_eq!(most("40/7200:20/3600+30", 65), 7200.0 + 3600.0 + 3.0 * 3600.0 + 65.0 * 30.0);
    }

    #[test]
    fn a_time_control_has_periods_and_increments() {
        check("180", Some(&[180.0, 0.0, 0.0, -1.0]));
        check("180+2", Some(&[180.0, 2.0, 2.0, -1.0]));
        check("60+0.6", Some(&[60.0, 0.6, 0.6, -1.0]));
        check("40/7200:3600+30", Some(&[7200.0, 0.0, 30.0, 3600.0]));
        check("40/1980:40/1980", Some(&[1980.0, 0.0, 0.0, 1980.0]));
        check("40/9000", Some(&[9000.0, 0.0, 0.0, 9000.0]));
        for text in ["?", "-", "", "*180", "1/259200", "0/60", "180+", "inf", "1e3", "-5", "90'+30''", "180:?"] {
            check(text, None);
        }
    }
}
