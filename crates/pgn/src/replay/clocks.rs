//! The clocks of both players, from which the time that was used for a move follows.
//!
//! A clock is written behind a move with the increment added. So the first move took the base time and the increment,
//! less the clock. The clocks of most games of Lichess begin to run behind the first moves: then both sides have the
//! base time behind their first move, and no increment. (The same for old games of chess.com, where a clock behind the
//! first move is never above the base time: whoever has less has used more than the increment.) Lichess adds no
//! increment for a move that ends the game by mate or stalemate, and takes half of the time and the increment from a
//! player who goes berserk.

use std::cell::OnceCell;

use crate::encoding::decode;
use crate::tags::Tags;
use crate::time_control::TimeControl;
use pgn2fen_chess::position::Position;

/// The rules by which the clocks of a game run.
#[doc(hidden)]
#[derive(Debug)]
pub struct ClockRules {
    control: Option<TimeControl>,
    is_lichess: bool,
    /// Whether clocks that cannot be read are reported where the time is computed. Otherwise somebody else reads and
    /// reports them.
    pub(super) warns_of_clocks: bool,
    /// Whether the clocks run during the first moves.
    are_running: OnceCell<bool>,
}

impl ClockRules {
    /// Reads the rules of a game from its tags.
    pub fn of(tags: &Tags<'_>, warns_of_clocks: bool) -> Self {
        let text = |name| tags.value(name).map(|value| decode(value.0)).unwrap_or_default();
        let is_lichess = text("Site").contains("lichess.org");
        let control = TimeControl::read(&text("TimeControl"));
        Self { control, is_lichess, warns_of_clocks, are_running: OnceCell::new() }
    }

    /// Whether the clocks run during the first moves of the game that is played: a player has another time behind the
    /// first move than the base time. That is one answer for both players.
    pub(super) fn are_running(&self, first_clocks: impl FnOnce() -> [Option<f64>; 2]) -> bool {
        let Some(base) = self.control.as_ref().map(TimeControl::base) else {
            return false;
        };
        *self.are_running.get_or_init(|| {
            let is_full = |clock: &f64| *clock == base || self.is_half(*clock, base);
            !first_clocks().iter().flatten().all(is_full)
        })
    }

    /// Whether this is the clock of a player who has gone berserk and has not used any time.
    fn is_half(&self, clock: f64, base: f64) -> bool {
        self.is_lichess && clock * 2.0 == base
    }
}

/// The clocks of both players behind their last moves of the current line.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Clocks([Clock; 2]);

#[derive(Clone, Copy, Debug, Default)]
struct Clock {
    /// The time that is left, in seconds.
    left: Option<f64>,
    /// The number of periods whose time has been added.
    periods: u8,
    /// Whether the player has given up half of the time and the increment.
    is_berserk: bool,
}

impl Clocks {
    /// Takes the clock of the player who has just moved. Returns the time that was used for the move, if it is known.
    /// `ply` is the number of the move. `is_running` says whether the clocks run during the first moves.
    pub(crate) fn see(
        &mut self,
        rules: &ClockRules,
        position: &Position,
        ply: u32,
        clock: Option<f64>,
        is_running: bool,
    ) -> Option<f64> {
        let player = &mut self.0[usize::from(ply.is_multiple_of(2))];
        let before = std::mem::replace(&mut player.left, clock);
        let (control, clock) = (rules.control.as_ref()?, clock?);
        let number = ply.div_ceil(2);
        let is_untimed = player.is_berserk || rules.is_lichess && !position.has_legal_move();
        let increment = if is_untimed { 0.0 } else { control.increment(number) };
        let base = control.base();
        let mut spent = match before {
            Some(before) => before + increment - clock,
            None if number > 1 => return None,
            None if rules.is_half(clock, base) => {
                player.is_berserk = true;
                0.0
            }
            None if is_running => base + increment - clock,
            None => base - clock,
        };
        if spent < 0.0
            && let Some(added) = control.period(player.periods.into())
        {
            player.periods += 1;
            spent += added;
        }
        // Without the errors of binary fractions.
        (spent >= 0.0).then(|| (spent * 1000.0).round() / 1000.0)
    }
}

#[cfg(test)]
mod tests {
    use super::ClockRules;
    use crate::games::Games;

    /// Compares the times of the moves of a game with these clocks, in seconds.
    #[track_caller]
    fn check(control: &str, site: &str, clocks: &[f64], expected: &[Option<f64>]) {
        const MOVES: [&str; 8] = ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8"];
        let mut text = format!("[TimeControl \"{control}\"]\n[Site \"{site}\"]\n\n");
        for (san, clock) in MOVES.into_iter().zip(clocks) {
            text += &format!("{san} {{[%clk 0:00:{clock}]}} ");
        }
        check_text(&text, expected);
    }

    #[track_caller]
    fn check_text(text: &str, expected: &[Option<f64>]) {
        let game = Games::new(text.as_bytes()).next().unwrap();
        let rules = ClockRules::of(game.tags(), true);
        let mut replay = game.replay().unwrap();
        let mut times = Vec::new();
        while let Some(Ok(_)) = replay.next_in_text() {
            times.push(replay.see_clock(&rules));
        }
        assert_eq!(times, expected, "{text}");
    }

    #[test]
    fn a_move_takes_the_difference_of_the_clocks_and_the_increment() {
        check("60", "", &[60.0, 58.5, 51.0, 58.0], &[Some(0.0), Some(1.5), Some(9.0), Some(0.5)]);
        check("60+2", "", &[60.0, 61.0, 58.9, 60.0], &[Some(2.0), Some(1.0), Some(3.1), Some(3.0)]);
        check("?", "", &[60.0, 61.0], &[None, None]);
        check("-", "", &[60.0, 61.0], &[None, None]);
        check("60", "", &[70.0, 61.0, 50.0, 62.0], &[None, None, Some(20.0), None]);
    }

    #[test]
    fn the_first_moves_of_both_sides_follow_one_rule() {
        check("60+1", "Chess.com", &[60.4, 57.5, 59.3], &[Some(0.6), Some(3.5), Some(2.1)]);
        check("60+1", "", &[57.5, 60.4], &[Some(3.5), Some(0.6)]);
        check("60+1", "", &[57.5, 58.5], &[Some(3.5), Some(2.5)]);
        // The clocks begin to run behind the first moves if both sides have the base time.
        for site in ["", "https://lichess.org/x"] {
            check("60+2", site, &[60.0, 60.0, 61.0, 61.5], &[Some(0.0), Some(0.0), Some(1.0), Some(0.5)]);
            check("60+2", site, &[60.0, 58.0], &[Some(2.0), Some(4.0)]);
            check("60+2", site, &[60.0], &[Some(0.0)]);
        }
        check("60+2", "https://lichess.org/x", &[30.0, 58.0, 28.0], &[Some(0.0), Some(4.0), Some(2.0)]);
        // A variation follows the rule of its game.
        check_text(
            "[TimeControl \"60+1\"]\n\n1. e4 {[%clk 0:01:00]} (1. d4 {[%clk 0:00:59]}) e5 {[%clk 0:01:00]} *",
            &[Some(0.0), Some(1.0), Some(0.0)],
        );
    }

    #[test]
    fn another_period_adds_its_time_once() {
        check("1/30:20", "", &[10.0, 25.0, 20.0, 30.0], &[Some(20.0), Some(5.0), Some(10.0), Some(15.0)]);
        check("2/30:20", "", &[20.0, 25.0, 30.0, 24.0, 40.0], &[Some(10.0), Some(5.0), Some(10.0), Some(1.0), None]);
    }

    #[test]
    fn lichess_takes_half_of_the_time_for_going_berserk() {
        let clocks = [30.0, 60.0, 28.0, 60.0];
        check("60+2", "https://lichess.org/x", &clocks, &[Some(0.0), Some(0.0), Some(2.0), Some(2.0)]);
        check("60+2", "", &clocks, &[Some(32.0), Some(2.0), Some(4.0), Some(2.0)]);
    }

    #[test]
    fn lichess_gives_no_increment_for_a_mate() {
        let moves = "f3 {[%clk 0:01:00]} e5 {[%clk 0:01:00]} g4 {[%clk 0:01:00]} Qh4# {[%clk 0:00:57]}";
        let text = |site| format!("[Site \"{site}\"]\n[TimeControl \"60+2\"]\n\n{moves} 0-1");
        check_text(&text("https://lichess.org/x"), &[Some(0.0), Some(0.0), Some(2.0), Some(3.0)]);
        check_text(&text("https://example.org/x"), &[Some(0.0), Some(0.0), Some(2.0), Some(5.0)]);
    }

    #[test]
    fn a_variation_goes_on_from_the_clocks_of_its_branch() {
        check_text(
            "[TimeControl \"60\"]\n\n1. e4 {[%clk 0:00:59]} e5 {[%clk 0:00:58]} 2. Nf3 {[%clk 0:00:50]} \
            (2. Nc3 {[%clk 0:00:40]} Nf6 {[%clk 0:00:30]}) Nc6 {[%clk 0:00:57]} {[%emt 0:00:07]} *",
            &[Some(1.0), Some(2.0), Some(9.0), Some(19.0), Some(28.0), Some(7.0)],
        );
    }
}
