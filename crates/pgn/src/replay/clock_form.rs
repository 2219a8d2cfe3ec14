//! The meaning of two numbers of a clock in a game: `1:30` is an hour and a half, or a minute and a half.
//!
//! A game is written by one program, so one answer holds for all its clocks. The time control and the clocks decide:
//!
//! 1. A player does not use more than half of the time for the first moves. One reading is sixty times the other, so at
//!    most one of them is between half of the time that the player had before and all of it. What the player had before
//!    is the base time, or a clock with hours, minutes and seconds.
//! 2. Otherwise, a reading is wrong if a player has more time than can be left.
//! 3. Otherwise, nobody plays with less than ten minutes and a clock without seconds.
//!
//! If none of that decides, such a clock is not read. The same holds for the times of moves, of which the sum is
//! limited. If the clocks have two numbers, the times of moves are read in the same way.

use crate::annotation::clock_time::{ClockTime, TimeForm};
use crate::time_control::TimeControl;

/// How times with two readings are read in a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ClockForms {
    /// The clocks, `[%clk …]`.
    pub(super) clocks: ClockForm,
    /// The times of moves, `[%emt …]`.
    pub(super) moves: ClockForm,
}

/// How a time with two readings is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ClockForm {
    /// As minutes and seconds.
    Minutes,
    /// As hours and minutes.
    Hours,
    /// Not read, because neither the time control nor the clocks decide.
    #[default]
    Unknown,
}

impl ClockForm {
    /// Returns the time in seconds, if it is known.
    pub(super) fn of(self, time: ClockTime) -> Option<f64> {
        match (self, time.hours) {
            (Self::Hours, Some(hours)) => Some(hours),
            // Seconds with a fraction are usual, and hours and minutes are never written so without a reason.
            (Self::Unknown, Some(_)) if time.form == TimeForm::Colon => None,
            _ => Some(time.usual),
        }
    }
}

/// The greatest time in seconds that is read as hours and minutes in games without a time control.
const LONGEST: f64 = 35_999.0;

/// The base time in seconds below which clocks have seconds.
const SHORT: f64 = 600.0;

/// The number of moves in which a player does not use half of the time.
const FIRST_MOVES: u32 = 10;

/// The difference of two times, in seconds, that may come from rounding to minutes and to seconds.
const ROUNDING: [f64; 2] = [60.0, 1.0];

/// The clocks of a game, in both readings.
#[derive(Default)]
pub(super) struct ClockSurvey<'c> {
    control: Option<&'c TimeControl>,
    /// The last clock of each player: the number of the move, and both readings.
    last: [Option<(u32, [f64; 2])>; 2],
    /// Whether the last clock of each player has one reading.
    is_sure: [bool; 2],
    /// Whether a clock is what a player may have behind the first moves, in either reading.
    fits: [bool; 2],
    /// Whether a clock is more than can be left, in either reading.
    is_wrong: [bool; 2],
    /// Whether a clock cannot be read as hours and minutes, by its numbers or by the time control.
    has_no_hours: bool,
    has_two_numbers: bool,
}

impl<'c> ClockSurvey<'c> {
    /// Begins a survey of a game with this time control, if it is known.
    pub(super) fn new(control: Option<&'c TimeControl>) -> Self {
        Self { control, ..Self::default() }
    }

    /// Whether there was a clock of two numbers.
    pub(super) fn has_two_numbers(&self) -> bool {
        self.has_two_numbers
    }

    /// Adds the clock behind a ply.
    pub(super) fn add(&mut self, ply: u32, time: ClockTime) {
        let (player, number) = (usize::from(ply.is_multiple_of(2)), ply.div_ceil(2));
        let increment = self.control.map_or(0.0, |control| control.increment(number));
        let start = self.control.map(|control| (0, [control.base(); 2]));
        let is_first = self.last[player].is_none();
        let before = self.last[player].or(start);
        let values = [time.hours.unwrap_or(time.usual), time.usual];
        if time.form != TimeForm::Sure {
            self.has_two_numbers |= time.form == TimeForm::Colon;
            self.has_no_hours |= time.hours.is_none() && time.usual != 0.0;
            if time.hours.is_some() {
                self.compare(before, number, values, increment, is_first || self.is_sure[player]);
            }
        }
        self.last[player] = Some((number, values));
        self.is_sure[player] = time.form == TimeForm::Sure;
    }

    /// Compares both readings of a clock with the time that the player had before. `is_known` says whether that time
    /// has one reading.
    fn compare(
        &mut self,
        before: Option<(u32, [f64; 2])>,
        number: u32,
        values: [f64; 2],
        increment: f64,
        is_known: bool,
    ) {
        for ((value, nth), rounding) in values.into_iter().zip(0..).zip(ROUNDING) {
            let most = self.control.map_or(LONGEST, |control| control.most(number) + rounding);
            let mut is_wrong = value > most;
            self.has_no_hours |= nth == 0 && is_wrong;
            if let Some((since, left)) = before {
                let added = increment * f64::from(number.saturating_sub(since)) + rounding;
                let can_be = value <= left[nth] + added;
                let is_early = is_known && number.saturating_sub(since) <= FIRST_MOVES;
                self.fits[nth] |= is_early && can_be && value * 2.0 >= left[nth];
                is_wrong |= self.control.is_some_and(|control| !control.has_periods()) && !can_be;
            }
            self.is_wrong[nth] |= is_wrong;
        }
    }

    pub(super) fn form(&self) -> ClockForm {
        match (self.fits, self.is_wrong) {
            // The clocks contradict each other.
            ([true, true], _) => ClockForm::Unknown,
            ([true, false], _) if self.has_no_hours => ClockForm::Unknown,
            ([true, false], _) => ClockForm::Hours,
            ([false, true], _) => ClockForm::Minutes,
            _ if self.has_no_hours => ClockForm::Minutes,
            (_, [false, true]) => ClockForm::Hours,
            (_, [true, false]) => ClockForm::Minutes,
            (_, [true, true]) => ClockForm::Unknown,
            (_, [false, false]) => of_short_game(self.control),
        }
    }
}

/// The times of the moves of a game.
#[derive(Default)]
pub(super) struct MoveTimes {
    /// The sum of the times of each player as hours and minutes, and the number of the last move.
    sums: [(f64, u32); 2],
    /// Whether a time cannot be read as hours and minutes.
    has_no_hours: bool,
}

impl MoveTimes {
    pub(super) fn add(&mut self, ply: u32, time: ClockTime) {
        if time.form == TimeForm::Sure {
            return;
        }
        let (sum, number) = &mut self.sums[usize::from(ply.is_multiple_of(2))];
        *sum += time.hours.unwrap_or(time.usual);
        *number = ply.div_ceil(2);
        self.has_no_hours |= time.hours.is_none() && time.usual != 0.0;
    }

    pub(super) fn form(&self, control: Option<&TimeControl>) -> ClockForm {
        let is_too_long = self.sums.iter().any(|(sum, number)| match control {
            // Each time is rounded to minutes.
            Some(control) => *sum > control.most(*number) + ROUNDING[0] * f64::from(*number),
            None => *sum > LONGEST,
        });
        if self.has_no_hours || is_too_long { ClockForm::Minutes } else { of_short_game(control) }
    }
}

/// Returns how the clocks of a game are read that may mean both.
fn of_short_game(control: Option<&TimeControl>) -> ClockForm {
    match control {
        Some(control) if control.base() < SHORT => ClockForm::Minutes,
        _ => ClockForm::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use crate::diagnostic::Kind;
    use crate::games::Games;
    use crate::replay::clocks::ClockRules;

    /// Compares the clocks and the times of the moves of a game, `-` for those that are not known. `notes` are the
    /// clocks behind its moves, or commands with `_` for a blank. What is written and not known must be a warning.
    #[track_caller]
    fn check(control: &str, notes: &str, clocks: &str, spent: &str) {
        const MOVES: [&str; 4] = ["Nf3", "Nf6", "Ng1", "Ng8"];
        let mut text = format!("[TimeControl \"{control}\"]\n\n");
        let notes: Vec<String> =
            notes.split(' ').map(|note| format!("[%clk {note}]").replace("[%clk [", "[").replace("]]", "]")).collect();
        let notes: Vec<String> = notes.iter().map(|note| note.replace('&', "] [").replace('_', " ")).collect();
        for (note, san) in notes.iter().zip(MOVES.into_iter().cycle()) {
            text += &format!("{san} {{{note}}} ");
        }
        let game = Games::new(text.as_bytes()).next().unwrap();
        let rules = ClockRules::of(game.tags(), true);
        let mut replay = game.replay().unwrap();
        let show = |time: Option<f64>| time.map_or("-".to_owned(), |time| time.to_string());
        let (mut read, mut used, mut unread) = (Vec::new(), Vec::new(), 0);
        for note in &notes {
            replay.next_ply().unwrap().unwrap();
            let clock = replay.clock(|_| {});
            let time = replay.see_clock(&rules);
            unread += usize::from(clock.is_none() && note.contains("clk"));
            unread += usize::from(time.is_none() && note.contains("emt"));
            read.push(show(clock));
            used.push(show(time));
        }
        assert_eq!((read.join(" ").as_str(), used.join(" ").as_str()), (clocks, spent), "{text}");
        let warnings = replay.take_warnings().filter(|warning| warning.kind == Kind::UnreadClock).count();
        assert_eq!(warnings, unread, "{text}");
    }

    #[test]
    fn the_first_clocks_of_a_game_show_its_form() {
        check("40/5400+30:1800+30", "1:30 1:29 1:28 1:20 0:58", "5400 5340 5280 4800 3480", "30 90 150 570 1830");
        check("5400+30", "90:21 1:29:50 89:50 88:00 1:29 1:10", "5421 5390 5390 5280 89 70", "9 40 61 140 5331 5240");
        check("300", "4:58 4:57 0:31 0:02", "298 297 31 2", "2 3 267 295");
        check("300", "0:05 0:05 0:04", "300 300 240", "0 0 60");
        check("5400+30", "1:29.45 1:30.02 1:29.50", "5385 5402 5390", "45 28 25");
        check("300", "4:52.91 4:57.37 0:31.5", "292.91 297.37 31.5", "7.09 2.63 261.41");
        check("5400+30", "90.00 89.45 88.30", "5400 5385 5310", "30 45 120");
        check("60", "59.25 58.75", "59.25 58.75", "0.75 1.25");
        // A clock with hours is as good as the base time.
        check("?", "1:30:00 1:30:00 1:29 1:28 0:40", "5400 5400 5340 5280 2400", "- - - - -");
        check("?", "1:00:00 1:00:05 59:40 59:38 1:02", "3600 3605 3580 3578 62", "- - - - -");
    }

    #[test]
    fn a_reading_with_more_time_than_is_left_is_wrong() {
        check("7200+30", "0:40 0:45 0:42 19:50", "40 45 42 1190", "7190 7185 28 -");
        check("?", "15:00 14:58 0:30", "900 898 30", "- - -");
        // ClockSurvey of the last moves only.
        let late = |control, clocks| {
            let (notes, none) = ("[x] ".repeat(30), "- ".repeat(30));
            check(control, &format!("{notes}0:02 0:03"), &format!("{none}{clocks}"), &format!("{none}- -"));
        };
        late("180+2", "2 3");
        late("5400+30", "- -");
        check("?", "1:30 1:29.5 0:40", "90 89.5 40", "- - -");
    }

    #[test]
    fn clocks_that_nothing_decides_are_not_read() {
        check("?", "3:00 2:58 2:59", "- - -", "- - -");
        check("5400+30", "0:40 0:44 0:40:00 0:38", "- - 2400 -", "- - - -");
        check("-", "1:30 1:30", "- -", "- -");
        // The first clocks say hours, and another clock has more time than the game.
        check("5400", "1:30 1:29 1:28 19:58", "- - - -", "- - - -");
        check("?", "0:00 0:00", "0 0", "- -");
    }

    #[test]
    fn times_of_moves_have_the_form_of_the_clocks() {
        check("5400+30", "1:30&%emt_0:03] 1:29&%emt_0:01:00]", "5400 5340", "180 60");
        check("300", "4:57&%emt_0:03] 4:55&%emt_0:05]", "297 295", "3 5");
        check("300", "[%emt_0:03] [%emt_0:07]", "- -", "3 7");
        check("5400", "[%emt_0:59] [%emt_0:40] [%emt_0:50]", "- - -", "59 40 50");
        check("5400", "[%emt_0:03] [%emt_0:07]", "- -", "- -");
        check("5400", "[%emt_0:03] [%emt_0:07.5]", "- -", "3 7.5");
        check("?", "[%emt_0:03] [%emt_12:07]", "- -", "3 727");
        check("?", "[%emt_0:03] [%emt_1:07]", "- -", "- -");
        check("?", "[%emt_0.45] [%emt_1.748]", "- -", "0.45 1.748");
    }

    #[test]
    fn times_of_moves_have_a_form_of_their_own_if_the_clocks_have_none() {
        // The clocks are read, but have no two numbers.
        check("?", "90.00&%emt_0:03] 89.45&%emt_0:07]", "90 89.45", "- -");
        check("?", "1:30:00&%emt_0:03] 1:29:50&%emt_0:07]", "5400 5390", "- -");
        // The clocks have two numbers, and are not read.
        check("?", "3:00&%emt_0:03] 2:58&%emt_12:07]", "- -", "3 727");
        check("?", "3:00&%emt_0:03] 2:58&%emt_0:07]", "- -", "- -");
    }

    #[test]
    fn each_time_of_a_move_may_be_rounded_to_minutes() {
        // Three moves of White take 90 minutes and one more each.
        check("5400", "[%emt_0:31] [%emt_0:00] [%emt_0:31] [%emt_0:00] [%emt_0:31]", "- - - - -", "- 0 - 0 -");
        check("5400", "[%emt_0:31] [%emt_0:00] [%emt_0:31] [%emt_0:00] [%emt_0:32]", "- - - - -", "31 0 31 0 32");
        check("?", "[%emt_4:59] [%emt_0:00] [%emt_4:59]", "- - -", "- 0 -");
        check("?", "[%emt_4:59] [%emt_0:00] [%emt_5:01]", "- - -", "299 0 301");
    }

    #[test]
    fn a_clock_that_rises_by_more_than_the_increment_is_wrong() {
        let late = |control, notes: &str, clocks: &str, spent: &str| {
            let (before, none) = ("[x] ".repeat(30), "- ".repeat(30));
            check(control, &format!("{before}{notes}"), &format!("{none}{clocks}"), &format!("{none}{spent}"));
        };
        late("5400+30", "0:50 0:50 1:20 1:20", "50 50 80 80", "- - 0 0");
        // Not even the seconds may rise so much.
        late("5400+30", "0:50 0:50 1:22 1:20", "- - - -", "- - - -");
        // Behind a new period there may be more time.
        late("40/5400+30:1800+30", "0:50 0:50 1:20 1:20", "- - - -", "- - - -");
    }

    #[test]
    fn a_game_of_less_than_ten_minutes_has_clocks_with_seconds() {
        let late = |control, clocks: &str| {
            let (notes, none) = ("[x] ".repeat(30), "- ".repeat(30));
            check(control, &format!("{notes}0:02 0:03"), &format!("{none}{clocks}"), &format!("{none}- -"));
        };
        late("599", "2 3");
        late("600", "- -");
    }
}
