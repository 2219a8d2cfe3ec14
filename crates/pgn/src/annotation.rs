//! Evaluations, clocks and other data that programs write into comments for other programs.
//!
//! Lichess, ChessBase and others write commands, such as `[%eval …]` and `[%clk …]`, which are defined in a supplement
//! to the PGN standard. The first command of a kind that can be read counts, as in python-chess. Programs that let
//! engines play matches write what the engine found: cutechess and fastchess `+0.31/14 0.5s`, and TCEC
//! `d=32, mt=12345, wv=0.31`. The text does not always show which program wrote it, nor from whose side it is, so the
//! caller chooses an [`EvalSource`], or leaves the choice to the comments of each game: see [`EvalChoice`].

mod changed;
pub(crate) mod clock_time;
mod commands;
mod engine;
mod numbers;
mod parts;
mod report;
mod shapes;
mod source;
mod tcec;

use std::borrow::Cow;

pub use crate::annotation::changed::{with_shapes, with_words};
use crate::annotation::commands::Command;
pub use crate::annotation::commands::{clock, elapsed, eval};
pub(crate) use crate::annotation::commands::{read_clock, read_elapsed};
#[doc(hidden)]
pub use crate::annotation::parts::sections;
pub use crate::annotation::parts::{CommentParts, append_comment};
pub use crate::annotation::report::{CommentReading, EngineReport};
pub use crate::annotation::shapes::{CommentShape, ShapeColor, shapes};
pub use crate::annotation::source::{EvalChoice, EvalSource};
use crate::encoding;
use crate::movetext::Movetext;
use crate::movetext::nested::Nested;
use crate::token::Token;

/// An evaluation, from White's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eval {
    /// The evaluation in centipawns. A number that is too large is cut to the range of the type.
    Centipawns(i32),
    /// White mates in this number of moves, or is mated if the number is negative. 0: the side to move is mated.
    Mate(i32),
}

/// The commands in the comments behind a move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Annotation {
    /// The evaluation of the position.
    pub eval: Option<Eval>,
    /// The remaining time of the player who made the move, in seconds. Two numbers are minutes and seconds: see
    /// [`clock`].
    pub clock: Option<f64>,
    #[doc(hidden)]
    pub comments: Comments,
    /// Whether there is a command `[%clk …]` that cannot be read, or that has two readings, before the clock.
    #[doc(hidden)]
    pub has_doubtful_clock: bool,
}

/// The comments that were searched for an evaluation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[doc(hidden)]
pub enum Comments {
    /// There is no comment.
    #[default]
    None,
    /// There are comments.
    Some,
    /// There is a command `[%eval …]`, and none of them can be read.
    UnreadEval,
}

impl Annotation {
    /// Reads the comments between a move and the next move of its line, or the end of the line. The reader must stand
    /// behind the move, or behind the tags.
    pub fn read(movetext: Movetext<'_>) -> Self {
        Self::read_by(movetext, &Nested::default(), |movetext, _| movetext.begins_move())
    }

    /// Reads the comments behind a move as [`read`](Self::read) does, within a variation whose long inner variations
    /// are known. `begins_move` tells whether a mark is the first part of a move.
    #[inline]
    pub(crate) fn read_by<'a>(
        mut movetext: Movetext<'a>,
        nested: &Nested,
        begins_move: impl Fn(&Movetext<'a>, &'a [u8]) -> bool,
    ) -> Self {
        let mut annotation = Self::default();
        while let Some(token) = movetext.next_note(nested, &begins_move) {
            if let Token::Comment(comment) = token {
                annotation.add(comment);
            }
        }
        annotation
    }

    fn add(&mut self, comment: &[u8]) {
        if self.comments == Comments::None {
            self.comments = Comments::Some;
        }
        commands::for_each(comment, |command| {
            match command {
                Command::Eval(eval) if self.eval.is_none() => {
                    self.eval = eval.map(|(eval, _)| eval);
                    self.comments = if eval.is_some() { Comments::Some } else { Comments::UnreadEval };
                }
                Command::Clock(clock) if self.clock.is_none() => {
                    self.clock = clock.map(|clock| clock.usual);
                    self.has_doubtful_clock |= clock.is_none_or(|clock| clock.hours.is_some());
                }
                _ => {}
            }
            self.eval.is_none() || self.clock.is_none()
        });
    }
}

/// A comment as it is written, without its braces or semicolon, in an unknown encoding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RawComment<'a>(pub &'a [u8]);

impl<'a> RawComment<'a> {
    /// Returns the comment as text. It is read as UTF-8, or as Windows-1252 if it is not UTF-8.
    pub fn decode(self) -> Cow<'a, str> {
        encoding::decode(self.0)
    }

    /// Returns the evaluation in the comment, if it has one: see [`eval`].
    pub fn eval(self) -> Option<Eval> {
        eval(self.0)
    }

    /// Returns the clock in the comment, in seconds, if it has one: see [`clock`].
    pub fn clock(self) -> Option<f64> {
        clock(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::{Annotation, Comments, Eval};
    use crate::movetext::Movetext;

    /// Compares the annotation behind the move that ends at `|`.
    #[track_caller]
    fn check_behind(text: &str, eval: Option<i32>, clock: Option<f64>) {
        let at = text.find('|').expect("the place is marked");
        let text = text.replace('|', "");
        let Annotation { eval: read, clock: read_clock, .. } = Annotation::read(Movetext::new(text.as_bytes(), at));
        assert_eq!((read, read_clock), (eval.map(Eval::Centipawns), clock), "{text}");
    }

    #[test]
    fn comments_belong_to_the_move_before_them() {
        check_behind("1. e4| {[%eval 0.3]} {[%clk 0:00:05]} e5 {[%eval 0.1]}", Some(30), Some(5.0));
        check_behind("1. e4 {[%eval 0.3]} e5| {no} 2. Nf3 {[%eval 0.1]}", None, None);
        check_behind("1. e4| $1 (1. d4 {[%eval 0.9]}) {[%eval 0.3]} 1... e5", Some(30), None);
        check_behind("1. e4| ; [%eval 0.3]\n1... e5", Some(30), None);
        check_behind("1. e4| D += {[%eval 0.3]} e5", Some(30), None);
        check_behind("1. e4| 1-0 {[%eval 0.3]}", Some(30), None);
        check_behind("|{[%eval 0.2]} 1. e4", Some(20), None);
        check_behind("1. e4| {[%eval 0.3]", None, None);
    }

    #[test]
    fn a_comment_may_hold_an_evaluation_and_a_clock_in_any_order() {
        check_behind("1. e4| {[%eval 0.3] [%clk 0:00:05]} e5", Some(30), Some(5.0));
        check_behind("1. e4| {[%clk 0:00:05] [%eval 0.3]} e5", Some(30), Some(5.0));
        // Of several that can be read, the first counts.
        check_behind("1. e4| {[%eval 0.3] [%eval 0.9] [%clk 0:00:05] [%clk 0:00:09]} e5", Some(30), Some(5.0));
        check_behind("1. e4| {[%eval x] [%clk x]} {[%eval 0.9] [%clk 0:00:09]} e5", Some(90), Some(9.0));
    }

    #[test]
    fn comments_tell_whether_an_evaluation_or_a_clock_is_doubtful() {
        for (text, comments, has_doubtful_clock) in [
            ("", Comments::None, false),
            ("$1", Comments::None, false),
            ("{a}", Comments::Some, false),
            ("{[%eval 0.3]} {a}", Comments::Some, false),
            ("{[%eval x]}", Comments::UnreadEval, false),
            ("{[%eval x]} {a}", Comments::UnreadEval, false),
            ("{[%eval x] [%eval 0.3]}", Comments::Some, false),
            ("{[%eval 0.3] [%eval x]}", Comments::Some, false),
            ("{[%clk 0:01:30]}", Comments::Some, false),
            ("{[%clk 1:30]}", Comments::Some, true),
            ("{[%clk x]}", Comments::Some, true),
            ("{[%clk x] [%clk 0:01:30]}", Comments::Some, true),
            ("{[%clk 0:01:30] [%clk x]}", Comments::Some, false),
        ] {
            let read = Annotation::read(Movetext::new(text.as_bytes(), 0));
            assert_eq!((read.comments, read.has_doubtful_clock), (comments, has_doubtful_clock), "{text}");
        }
    }
}
