//! The commands `[%eval …]` and `[%clk …]` in comments, which programs write for other programs. They are defined in a supplement to the
//! PGN standard.
//!
//! The first command of a kind that can be read counts, as in python-chess. Evaluations are from White's point of view. The notation in
//! which engine matches are logged (`+0.31/14 0.5s`, `wv=0.31, mt=500`) is not read, because some programs write it from White's point of
//! view and others from that of the side to move, and the text does not show which.

use std::borrow::Cow;

use nom::IResult;
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::take_while_m_n;
use nom::character::complete::{char, one_of};
use nom::combinator::{all_consuming, opt, recognize};
use nom::sequence::{preceded, terminated};

use crate::pgn::encoding;
use crate::pgn::lexical::blanks;
use crate::pgn::movetext::Movetext;
use crate::pgn::movetext::nested::Nested;
use crate::pgn::token::{Token, is_stray};

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
    /// The remaining time of the player who made the move, in seconds.
    pub clock: Option<f64>,
}

impl Annotation {
    /// Reads the comments between a move and the next move of its line, or the end of the line. The reader must stand behind the move, or
    /// behind the tags.
    pub fn read(movetext: Movetext<'_>) -> Self {
        Self::read_by(movetext, &Nested::default())
    }

    /// Reads the comments behind a move as [`read`](Self::read) does, within a variation whose long inner variations are known.
    pub(crate) fn read_by(mut movetext: Movetext<'_>, nested: &Nested) -> Self {
        let mut annotation = Self::default();
        while let Some(token) = movetext.next_in_line(nested) {
            match token {
                Token::Comment(comment) => annotation.add(comment),
                Token::San(symbol) if !is_stray(symbol) => break,
                _ => {}
            }
        }
        annotation
    }

    fn add(&mut self, comment: &[u8]) {
        self.eval = self.eval.or_else(|| eval(comment));
        self.clock = self.clock.or_else(|| clock(comment));
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

/// Returns the first `[%eval …]` of a comment: pawns (`0.31`, `-12`, `.5`) or moves to mate (`#3`, `#-3`, `-#3`). A depth may follow
/// behind a comma. An integer with a depth (`31,24`) is in centipawns, because ChessBase writes centipawns so, and programs that write
/// pawns write a period. (python-chess reads such an integer as pawns.)
///
/// ```
/// use pgn2fen::pgn::annotation::{Eval, eval};
///
/// assert_eq!(eval(b"[%clk 0:03:00] [%eval -0.31,20]"), Some(Eval::Centipawns(-31)));
/// assert_eq!(eval(b"[%eval #-3]"), Some(Eval::Mate(-3)));
/// ```
pub fn eval(comment: &[u8]) -> Option<Eval> {
    commands(comment, b"[%eval").find_map(eval_operand)
}

/// Returns the first `[%clk H:MM:SS]` of a comment, in seconds. The seconds may have a fraction.
///
/// ```
/// assert_eq!(pgn2fen::pgn::annotation::clock(b"[%clk 0:01:02.5]"), Some(62.5));
/// ```
pub fn clock(comment: &[u8]) -> Option<f64> {
    commands(comment, b"[%clk").find_map(clock_operand)
}

/// Returns the first `[%emt H:MM:SS]` of a comment, in seconds: the time that was used for the move.
///
/// ```
/// assert_eq!(pgn2fen::pgn::annotation::elapsed(b"[%emt 0:01:02.5]"), Some(62.5));
/// ```
pub fn elapsed(comment: &[u8]) -> Option<f64> {
    commands(comment, b"[%emt").find_map(clock_operand)
}

/// Returns the text between the name of a command, with the white space behind it, and the closing bracket. White space includes line
/// breaks.
fn commands<'a>(comment: &'a [u8], name: &'static [u8]) -> impl Iterator<Item = &'a [u8]> {
    memchr::memchr_iter(b'[', comment).filter_map(move |at| {
        let rest = comment[at..].strip_prefix(name)?;
        let operand = rest.trim_ascii_start();
        let end = memchr::memchr(b']', operand)?;
        (operand.len() < rest.len()).then_some(&operand[..end])
    })
}

fn eval_operand(operand: &[u8]) -> Option<Eval> {
    let depth = || preceded((blanks, char(','), blanks), digits(1, usize::MAX));
    let in_pawns = terminated(alt((mate, pawns)), opt(depth()));
    let in_centipawns = terminated(centipawns, depth());
    let operand = operand.trim_ascii_end();
    let (_, eval) = alt((all_consuming(in_centipawns), all_consuming(in_pawns))).parse(operand).ok()?;
    Some(eval)
}

/// `31`, before a depth.
fn centipawns(input: &[u8]) -> IResult<&[u8], Eval> {
    let (rest, (is_negative, centipawns)) = (sign, digits(1, 10)).parse(input)?;
    Ok((rest, Eval::Centipawns(number(is_negative, centipawns))))
}

/// `#3`, `#-3`, or with the sign first: `-#3`, as ChessBase writes it. Two signs are refused.
fn mate(input: &[u8]) -> IResult<&[u8], Eval> {
    let sign_behind = preceded(char('#'), sign);
    let sign_before = terminated(one_of("+-").map(|sign| sign == '-'), char('#'));
    let (rest, (is_negative, moves)) = (alt((sign_behind, sign_before)), digits(1, usize::MAX)).parse(input)?;
    Ok((rest, Eval::Mate(number(is_negative, moves))))
}

/// `0.31`, `-12`, `.5`, `3.`
fn pawns(input: &[u8]) -> IResult<&[u8], Eval> {
    let fraction = opt(preceded(char('.'), digits(0, 2)));
    let (rest, (is_negative, whole, fraction)) = (sign, digits(0, 10), fraction).parse(input)?;
    let fraction = fraction.unwrap_or_default();
    if whole.is_empty() && fraction.is_empty() {
        return Err(nom::Err::Error(nom::error::Error::new(input, nom::error::ErrorKind::Digit)));
    }
    let hundredths = [whole, fraction, &b"00"[fraction.len()..]].concat();
    Ok((rest, Eval::Centipawns(number(is_negative, &hundredths))))
}

/// `H:MM:SS`, `H:MM:SS.s`
fn clock_operand(operand: &[u8]) -> Option<f64> {
    let some = || digits(1, usize::MAX);
    let seconds = recognize((some(), opt((char('.'), digits(0, usize::MAX)))));
    let (_, (hours, _, minutes, _, seconds)) =
        all_consuming((some(), char(':'), some(), char(':'), seconds)).parse(operand).ok()?;
    let value = |text| str::from_utf8(text).ok()?.parse::<f64>().ok();
    Some(value(hours)? * 3600.0 + value(minutes)? * 60.0 + value(seconds)?)
}

/// Reads a sign. Returns whether it is a minus.
fn sign(input: &[u8]) -> IResult<&[u8], bool> {
    opt(one_of("+-")).map(|sign| sign == Some('-')).parse(input)
}

fn digits<'a>(
    least: usize,
    most: usize,
) -> impl Parser<&'a [u8], Output = &'a [u8], Error = nom::error::Error<&'a [u8]>> {
    take_while_m_n(least, most, |byte: u8| byte.is_ascii_digit())
}

/// Returns the number, cut to the range of the type.
fn number(is_negative: bool, digits: &[u8]) -> i32 {
    let number =
        digits.iter().fold(0i32, |number, digit| number.saturating_mul(10).saturating_add(i32::from(digit - b'0')));
    if is_negative { -number } else { number }
}

#[cfg(test)]
mod tests {
    use super::{Annotation, Eval, clock, eval};
    use crate::pgn::movetext::Movetext;

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
        check_eval("[%eval 0.31, 20 ]", cp(31));
        check_eval("[%eval -31 , 20]", cp(-31));
        check_eval("[%eval -#26, 30\n]", mate(-26));
    }

    #[test]
    fn the_first_command_that_can_be_read_counts() {
        check_eval("best [%eval x] [%eval 0.1][%eval 0.2]", Some(Eval::Centipawns(10)));
        check_eval("[%clk 0:03:00] [%eval 0.17] [%csl Ge4]", Some(Eval::Centipawns(17)));
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
        for comment in
            ["[%clk 1:30]", "[%clk -0:01:00]", "[%clk 0:01:00,5]", "[%clk 0:01:]", "[%clock 0:00:01]", "[%clk"]
        {
            check_clock(comment, None);
        }
    }

    /// Compares the annotation behind the move that ends at `|`.
    #[track_caller]
    fn check_behind(text: &str, eval: Option<i32>, clock: Option<f64>) {
        let at = text.find('|').expect("the place is marked");
        let text = text.replace('|', "");
        let expected = Annotation { eval: eval.map(Eval::Centipawns), clock };
        assert_eq!(Annotation::read(Movetext::new(text.as_bytes(), at)), expected, "{text}");
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
}
