//! The clocks and the times of moves in the comments of a game.

use crate::annotation::clock_time::ClockTime;
use crate::annotation::{CommentReading, read_clock, read_elapsed};
use crate::encoding::decode;
use crate::movetext::Movetext;
use crate::replay::clock_form::{ClockForm, ClockForms, ClockSurvey, MoveTimes};
use crate::replay::main_line::Replay;
use crate::time_control::TimeControl;
use crate::token::Token;

impl<'a> Replay<'a> {
    /// Reads the clock in a comment, in seconds.
    #[inline]
    pub(super) fn read_clock(&self, comment: &[u8]) -> CommentReading<f64> {
        read_clock(comment, |time| self.seconds(time, |forms| forms.clocks))
    }

    /// Reads the time of the move in a comment, in seconds.
    #[inline]
    pub(super) fn read_elapsed(&self, comment: &[u8]) -> CommentReading<f64> {
        read_elapsed(comment, |time| self.seconds(time, |forms| forms.moves))
    }

    #[inline]
    fn seconds(&self, time: ClockTime, form: impl Fn(&ClockForms) -> ClockForm) -> Option<f64> {
        match time.hours {
            None => Some(time.usual),
            Some(_) => form(self.clock_forms.get_or_init(|| self.find_clock_forms())).of(time),
        }
    }

    /// Returns the clocks of both players behind their first moves of the main line, in seconds.
    pub(super) fn first_clocks(&self) -> [Option<f64>; 2] {
        let mut clocks = [None; 2];
        self.main_comments(|ply, comment| {
            if let (Some(clock @ None), CommentReading::Read(time)) =
                (clocks.get_mut(ply.wrapping_sub(1) as usize), self.read_clock(comment))
            {
                *clock = Some(time);
            }
            ply <= 2
        });
        clocks
    }

    /// Returns the time control of the game. None if it is unknown.
    pub(super) fn time_control(&self) -> Option<TimeControl> {
        TimeControl::read(&decode(self.time_control?.0))
    }

    /// Reads the clocks of the whole main line. The answer must not depend on the positions that a job wants.
    #[cold]
    #[inline(never)]
    fn find_clock_forms(&self) -> ClockForms {
        let control = self.time_control();
        let mut clocks = ClockSurvey::new(control.as_ref());
        let mut moves = MoveTimes::default();
        let mut seen = (0, false, false);
        self.main_comments(|ply, comment| {
            if seen.0 != ply {
                seen = (ply, false, false);
            }
            // Of several, the first counts.
            if let (false, CommentReading::Read(time)) = (seen.1, read_clock(comment, Some)) {
                seen.1 = true;
                clocks.add(ply, time);
            }
            if let (false, CommentReading::Read(time)) = (seen.2, read_elapsed(comment, Some)) {
                seen.2 = true;
                moves.add(ply, time);
            }
            true
        });
        let form = clocks.form();
        let same = Some(form).filter(|form| clocks.has_two_numbers() && *form != ClockForm::Unknown);
        ClockForms { clocks: form, moves: same.unwrap_or_else(|| moves.form(control.as_ref())) }
    }

    /// Calls a function with the comments of the main line, and the number of the ply that each stands behind, until it
    /// returns false. The moves are not played.
    fn main_comments(&self, mut see: impl FnMut(u32, &[u8]) -> bool) {
        let main = self.branches.as_ref().and_then(|branches| branches.main.as_ref()).unwrap_or(&self.movetext);
        let mut movetext = Movetext::new(main.text(), self.start);
        let mut ply = 0;
        while let Some(token) = movetext.next_mainline() {
            match token {
                Token::San(symbol) if movetext.is_move(symbol) => ply += 1,
                Token::Comment(comment) if ply > 0 && !see(ply, comment) => return,
                _ => {}
            }
        }
    }
}
