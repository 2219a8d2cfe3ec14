//! The commands `[%eval …]`, `[%clk …]` and `[%emt …]` in comments, which programs write for other programs.

use nom::IResult;
use nom::Parser;
use nom::branch::alt;
use nom::character::complete::{char, one_of};
use nom::combinator::{all_consuming, opt};
use nom::sequence::{preceded, terminated};

use crate::annotation::clock_time::{ClockTime, full_time};
use crate::annotation::numbers::{count, digits, number, pawns, sign};
use crate::annotation::{CommentReading, EngineReport, Eval};
use crate::eight_bytes;
use crate::lexical::{blanks, trimmed, without_blanks_before};

/// Returns the first `[%eval …]` of a comment: pawns (`0.31`, `-12`, `.5`) or moves to mate (`#3`, `#-3`, `-#3`, and
/// `-M3` of En Croissant). A depth may follow behind a comma, or behind a slash as PyChess writes it. An integer with a
/// depth behind a comma (`31,24`) is in centipawns, because ChessBase writes centipawns so, and programs that write
/// pawns write a period. (python-chess reads such an integer as pawns.)
///
/// ```
/// use pgn2fen_pgn::annotation::{Eval, eval};
///
/// assert_eq!(eval(b"[%clk 0:03:00] [%eval -0.31,20]"), Some(Eval::Centipawns(-31)));
/// assert_eq!(eval(b"[%eval #-3]"), Some(Eval::Mate(-3)));
/// ```
pub fn eval(comment: &[u8]) -> Option<Eval> {
    read_eval(comment).value()?.eval
}

/// Reads the first `[%eval …]` that can be read.
#[inline]
pub(super) fn read_eval(comment: &[u8]) -> CommentReading {
    first_read(comment, b"[%eval", |operand| {
        let (eval, depth) = eval_operand(operand)?;
        Some(EngineReport { eval: Some(eval), depth, ..EngineReport::default() })
    })
}

/// Returns the first `[%clk …]` of a comment that can be read, in seconds: `H:MM:SS`, `MM:SS`, or seconds alone. The
/// seconds may have a fraction.
///
/// A comment does not show whether `1:30` is an hour and a half, or a minute and a half. This function reads minutes
/// and seconds. Where a whole game is read, its time control and its other clocks decide.
///
/// ```
/// use pgn2fen_pgn::annotation::clock;
///
/// assert_eq!(clock(b"[%clk 0:01:02.5]"), Some(62.5));
/// assert_eq!(clock(b"[%clk 3:00]"), Some(180.0));
/// ```
pub fn clock(comment: &[u8]) -> Option<f64> {
    read_clock(comment, usual).value()
}

/// Returns the first `[%emt …]` of a comment that can be read, in seconds: the time that was used for the move. It is
/// written like a [`clock`].
///
/// ```
/// assert_eq!(pgn2fen_pgn::annotation::elapsed(b"[%emt 1.748]"), Some(1.748));
/// ```
pub fn elapsed(comment: &[u8]) -> Option<f64> {
    read_elapsed(comment, usual).value()
}

/// Reads the first `[%clk …]` that can be read. `read` says how a time is read that has two readings.
pub(crate) fn read_clock<T>(comment: &[u8], read: impl Fn(ClockTime) -> Option<T>) -> CommentReading<T> {
    first_read(comment, b"[%clk", |operand| read(ClockTime::read(operand)?))
}

/// Reads the first `[%emt …]` that can be read, as [`read_clock`] does.
pub(crate) fn read_elapsed<T>(comment: &[u8], read: impl Fn(ClockTime) -> Option<T>) -> CommentReading<T> {
    first_read(comment, b"[%emt", |operand| read(ClockTime::read(operand)?))
}

/// Returns the usual reading of a time.
#[expect(clippy::unnecessary_wraps, reason = "it is a way to read a time, and others may refuse one")]
fn usual(time: ClockTime) -> Option<f64> {
    Some(time.usual)
}

/// Reads the first command with this name whose operand can be read.
fn first_read<T>(comment: &[u8], name: &'static [u8], read: impl Fn(&[u8]) -> Option<T>) -> CommentReading<T> {
    let mut reading = CommentReading::Other;
    for operand in commands(comment, name) {
        match read(operand) {
            Some(value) => return CommentReading::Read(value),
            None => reading = CommentReading::Unread,
        }
    }
    reading
}

/// A command with what was read of it.
pub(super) enum Command {
    /// `[%eval …]`: the evaluation and the depth.
    Eval(Option<(Eval, Option<u32>)>),
    /// `[%clk …]`.
    Clock(Option<ClockTime>),
}

/// Calls a function with the evaluations and clocks of a comment, in one pass, until it returns false.
#[inline]
pub(super) fn for_each(comment: &[u8], mut take: impl FnMut(Command) -> bool) {
    for text in brackets(comment) {
        let command = if let Some(operand) = operand(text, b"[%eval") {
            Command::Eval(eval_operand(operand))
        } else if let Some(operand) = operand(text, b"[%clk") {
            Command::Clock(full_time(operand).map(ClockTime::sure).or_else(|| ClockTime::read(operand)))
        } else {
            continue;
        };
        if !take(command) {
            break;
        }
    }
}

/// Returns the text between the name of each such command, with the white space behind it, and the closing bracket.
/// White space includes line breaks.
fn commands<'a>(comment: &'a [u8], name: &'static [u8]) -> impl Iterator<Item = &'a [u8]> {
    brackets(comment).filter_map(move |text| operand(text, name))
}

/// Returns the text from each opening bracket up to the next closing bracket.
#[inline(always)]
fn brackets(comment: &[u8]) -> impl Iterator<Item = &[u8]> {
    let find = |byte, from| eight_bytes::find(comment, from, |at| at == byte, |at| at == byte);
    let (mut from, mut close) = (0, 0);
    std::iter::from_fn(move || {
        let open = find(b'[', from)?;
        from = open + 1;
        // Many opening brackets may have the same closing bracket. It is searched for once, so that the time stays
        // linear.
        if close <= open {
            close = find(b']', open)?;
        }
        Some(&comment[open..close])
    })
}

/// Returns the operand of a command with this name, given without its closing bracket.
#[inline]
fn operand<'a>(text: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    let rest = text.strip_prefix(name)?;
    let operand = without_blanks_before(rest);
    (operand.len() < rest.len()).then_some(operand)
}

fn eval_operand(operand: &[u8]) -> Option<(Eval, Option<u32>)> {
    let depth = |sign| preceded((blanks, char(sign), blanks), digits(1, usize::MAX)).map(count);
    let in_pawns = (alt((mate, pawns('.'))), opt(alt((depth(','), depth('/')))));
    let in_centipawns = (centipawns, depth(',').map(Some));
    let operand = trimmed(operand);
    let (_, eval) = alt((all_consuming(in_centipawns), all_consuming(in_pawns))).parse(operand).ok()?;
    Some(eval)
}

/// `31`, before a depth.
fn centipawns(input: &[u8]) -> IResult<&[u8], Eval> {
    let (rest, (is_negative, centipawns)) = (sign, digits(1, 10)).parse(input)?;
    Ok((rest, Eval::Centipawns(number(is_negative, centipawns))))
}

/// `#3`, `#-3`, or with the sign first: `-#3`, as ChessBase writes it, and `M3`, `-M3`, as En Croissant does. Two signs
/// are refused.
fn mate(input: &[u8]) -> IResult<&[u8], Eval> {
    let sign_behind = preceded(char('#'), sign);
    let sign_before = terminated(one_of("+-").map(|sign| sign == '-'), char('#'));
    let letter = terminated(sign, char('M'));
    let (rest, (is_negative, moves)) = (alt((sign_behind, sign_before, letter)), digits(1, usize::MAX)).parse(input)?;
    Ok((rest, Eval::Mate(number(is_negative, moves))))
}

#[cfg(test)]
mod tests {
    use super::{clock, eval};
    use crate::annotation::Eval;

    #[track_caller]
    fn check_eval(comment: &str, expected: Option<Eval>) {
        assert_eq!(eval(comment.as_bytes()), expected, "{comment}");
    }

    #[test]
    fn evaluations_are_pawns_or_moves_to_mate() {
        let cp = |cp| Some(Eval::Centipawns(cp));
        let mate = |moves| Some(Eval::Mate(moves));
        check_eval("[%eval 0.31]", cp(31));
        check_eval("[%eval -0.3]", cp(-30));
        check_eval("[%eval +12.05]", cp(1205));
        check_eval("[%eval 7]", cp(700));
        check_eval("[%eval 7.]", cp(700));
        check_eval("[%eval .5]", cp(50));
        check_eval("[%eval -0.00]", cp(0));
        check_eval("[%eval 9999999999]", cp(i32::MAX));
        check_eval("[%eval 1.23,18]", cp(123));
        check_eval("[%eval -123,18]", cp(-123));
        check_eval("[%eval 0,1]", cp(0));
        check_eval("[%eval 5.,18]", cp(500));
        check_eval("[%eval #3]", mate(3));
        check_eval("[%eval #-3,20]", mate(-3));
        check_eval("[%eval #+1]", mate(1));
        check_eval("[%eval #0]", mate(0));
        check_eval("[%eval -#26,30]", mate(-26));
        check_eval("[%eval #-26,30]", mate(-26));
        check_eval("[%eval #26,30]", mate(26));
        check_eval("[%eval +#26,30]", mate(26));
        check_eval("[%eval -#4]", mate(-4));
        check_eval("[%eval #34,22]", mate(34));
        check_eval("[%eval 0.16/16]", cp(16));
        check_eval("[%eval -0.47 / 16]", cp(-47));
        check_eval("[%eval 3/16]", cp(300));
        check_eval("[%eval #-3/16]", mate(-3));
        check_eval("[%eval -M1]", mate(-1));
        check_eval("[%eval M3]", mate(3));
        check_eval("[%eval +M12,20]", mate(12));
        check_eval("[%eval 0.31, 20 ]", cp(31));
        check_eval("[%eval -31 , 20]", cp(-31));
        check_eval("[%eval -#26, 30\n]", mate(-26));
        // Every white space of PGN counts.
        check_eval("[%eval\u{b}0.31\0,\u{1a}20 \u{b}]", cp(31));
    }

    #[test]
    fn the_first_command_that_can_be_read_counts() {
        check_eval("best [%eval x] [%eval 0.1][%eval 0.2]", Some(Eval::Centipawns(10)));
        check_eval("[%clk 0:03:00] [%eval 0.17] [%csl Ge4]", Some(Eval::Centipawns(17)));
        check_eval("] [%clk [x [%eval 0.17] 0.3]", Some(Eval::Centipawns(17)));
    }

    /// This takes minutes if the closing bracket is searched for from each opening bracket on.
    #[test]
    fn brackets_without_end_take_linear_time() {
        let open = "[%clk [%eval ".repeat(200_000);
        check_eval(&open, None);
        check_eval(&(open + "0.17]"), Some(Eval::Centipawns(17)));
    }

    #[test]
    fn what_is_no_evaluation_gives_none() {
        for comment in [
            "",
            "[%eval",
            "[%eval]",
            "[%eval ]",
            "[%eval 0.31",
            "[%eval0.31]",
            "[%eval 0.123]",
            "[%eval .]",
            "[%eval #]",
            "[%eval -#]",
            "[%eval -#-3]",
            "[%eval +#-3,20]",
            "[%eval - #3]",
            "[%eval 3#]",
            "[%eval 12345678901]",
            "[%eval 0.3,]",
            "[%eval 0,3.1]",
            "[%eval 0.3/]",
            "[%eval 0.3/16/2]",
            "[%eval 0.3/16,2]",
            "[%eval M]",
            "[%eval --M3]",
            "[%eval #M3]",
            "[%evaluation 1]",
            "+0.31/14 0.5s",
            "wv=0.31, mt=500",
        ] {
            check_eval(comment, None);
        }
    }

    #[track_caller]
    fn check_clock(comment: &str, expected: Option<f64>) {
        assert_eq!(clock(comment.as_bytes()), expected, "{comment}");
    }

    #[test]
    fn clocks_are_hours_minutes_and_seconds() {
        check_clock("[%clk 0:01:02.5]", Some(62.5));
        check_clock("[%clk\r\n1:59:58]", Some(7198.0));
        check_clock("[%clk 0:0:7.]", Some(7.0));
        check_clock("[%clk 100:00:00.25]", Some(360_000.25));
        check_clock("[%emt 0:00:03] [%clk 0:00:09]", Some(9.0));
        check_clock("[%clk 9:59:08]", Some(35_948.0));
        check_clock("[%clk 12:00:00]", Some(43_200.0));
        check_clock("[%clk 1:99:99]", Some(9639.0));
        check_clock("[%clk 0:01:00 ]", Some(60.0));
        check_clock("[%clk 0:00:45,6]", Some(45.6));
    }

    #[test]
    fn hours_and_minutes_may_be_missing() {
        check_clock("[%clk 3:00]", Some(180.0));
        check_clock("[%clk 0:03]", Some(3.0));
        check_clock("[%clk 90:00]", Some(5400.0));
        check_clock("[%clk 0:59.25]", Some(59.25));
        check_clock("[%clk 180]", Some(180.0));
        check_clock("[%clk 1.748]", Some(1.748));
        check_clock("[%clk .5]", Some(0.5));
    }

    #[test]
    fn what_is_no_clock_gives_none() {
        for comment in [
            "[%clk -0:01:00]",
            "[%clk 0:0a:00]",
            "[%clk 0:00:0:]",
            "[%clk 0:01:00,]",
            "[%clk 0:01:00,5,5]",
            "[%clk 0:01:]",
            "[%clk :30]",
            "[%clk 1:02:03:04]",
            "[%clk 1.5:00]",
            "[%clk .]",
            "[%clk 5s]",
            "[%clock 0:00:01]",
            "[%clk ]",
            "[%clk",
        ] {
            check_clock(comment, None);
        }
    }

    #[test]
    fn the_depth_of_an_evaluation_and_the_time_of_a_move_are_read() {
        let report = |comment: &[u8]| super::read_eval(comment).value().map(|report| (report.eval, report.depth));
        assert_eq!(report(b"[%eval 0.3,20]"), Some((Some(crate::annotation::Eval::Centipawns(30)), Some(20))));
        assert_eq!(report(b"[%eval 0.3]"), Some((Some(crate::annotation::Eval::Centipawns(30)), None)));
        assert_eq!(super::elapsed(b"a [%emt 0:00:05]"), Some(5.0));
        assert_eq!(super::elapsed(b"[%clk 0:00:05]"), None);
    }
}
