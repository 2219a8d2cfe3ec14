//! The comments of programs that let engines play matches: the score from the side that moved, the depth, the time, and
//! additions.
//!
//! | program | comment |
//! |---|---|
//! | cutechess, fishtest | `+0.31/14 0.50s`, `-M5/20 0.1s`, `book`, `0.5s` without a score |
//! | | behind the last move: `…, White mates` |
//! | fastchess | the same, with options: `tl=1.000s, latency=0.001s, n=12345, sd=20, nps=9000, …` |
//! | | more options: `hashfull=3, tbhits=0, line="…"` |
//! | | in old versions: `+0.31/14, 0.5s`, or `+0.31/14/12345 500ms` with nodes |
//! | OpenBench | `+0.31 14/20 500 12345`: depth and selective depth, milliseconds, nodes |
//! | XBoard, Arena | `+0.31/14 5`, `+0.31/14 2.5`, `+0.31/14 1:03`: the time in seconds, or as a clock |
//! | Arena for CCRL | `(Nf3) +0.31/14 5s`: the expected answer or the line before the score |
//!
//! If the depth stands behind the score and the text behind it is something else, the score and the depth are read. A
//! score without a sign needs a time or two decimals: `2.5/4 for White` is prose.
//!
//! These programs count a mate in plies: `+M5` behind a move is a mate in three moves. (Facts from the sources of
//! cutechess `moveevaluation.cpp` and `uciengine.cpp`, its fork for OpenBench, and fastchess `match.cpp` and
//! `pgn_builder.cpp`.)

use nom::IResult;
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, tag_no_case, take_while1};
use nom::character::complete::{char, one_of};
use nom::combinator::{all_consuming, eof, opt, peek, recognize, value, verify};
use nom::sequence::{preceded, terminated};

use crate::annotation::clock_time::ClockTime;
use crate::annotation::numbers::{count, digits, long, mate_in_plies, pawns};
use crate::annotation::{CommentReading, EngineReport, Eval};
use crate::decimal::decimal;
use crate::lexical::{is_blank, trimmed};

/// Reads a comment without its braces.
pub(super) fn read(comment: &[u8]) -> CommentReading {
    let comment = without_beginning(comment);
    // Most comments of other kinds begin with other bytes.
    if !matches!(comment, [b'+' | b'-' | b'.' | b'0'..=b'9' | b'M' | b'm' | b'b' | b'B' | b'E', ..]) {
        return CommentReading::Other;
    }
    let report = match search(comment) {
        Ok((additions, search)) => Some(EngineReport {
            nodes: search.nodes.or_else(|| nodes(additions)),
            time: search.time.or_else(|| time_behind_comma(additions)),
            ..search
        }),
        Err(_) => with_other_text(comment).ok().map(|(_, search)| search),
    };
    let is_report = |report: &EngineReport| report.eval.is_none() || report.time.is_some() || is_of_engine(comment);
    match report.filter(is_report) {
        Some(report) => CommentReading::Read(report),
        None if looks_scored(comment).is_ok() => CommentReading::Unread,
        None => CommentReading::Other,
    }
}

/// Returns a comment without the commands, and without the moves in parentheses, at its beginning.
fn without_beginning(comment: &[u8]) -> &[u8] {
    let mut rest = trimmed(comment);
    let mut has_moves = false;
    loop {
        let end = match rest {
            [b'[', b'%', ..] => b']',
            [b'(', ..] if !has_moves => b')',
            _ => return rest,
        };
        has_moves |= end == b')';
        let Some(at) = memchr::memchr(end, rest) else { return rest };
        rest = trimmed(&rest[at + 1..]);
    }
}

/// Whether a score is one of a mate, or has a sign or two decimals.
fn is_of_engine(score: &[u8]) -> bool {
    let decimals = |score: &[u8]| (digits(0, 10), one_of(".,"), digits(2, 2)).parse(score).is_ok();
    matches!(score, [b'+' | b'-' | b'M' | b'm', ..]) || decimals(score)
}

/// Reads everything before the additions, which stand behind a comma.
fn search(input: &[u8]) -> IResult<&[u8], EngineReport> {
    let book = value(EngineReport::default(), tag_no_case("book"));
    terminated(alt((scored, unscored, book)), peek(alt((eof, tag(","))))).parse(input)
}

/// A score with a depth, a time, or both.
fn scored(input: &[u8]) -> IResult<&[u8], EngineReport> {
    let (rest, eval) = score(input)?;
    let (rest, search) = alt((with_nodes, with_depth, with_time)).parse(rest)?;
    // fastchess writes 0.00/0 for an engine that said nothing about its search, and Arena 0.00/1 0s for a move of the
    // opening book.
    let is_empty = search.depth == Some(0) || search.depth == Some(1) && search.time == Some(0.0);
    let is_unknown = is_empty && eval == Some(Eval::Centipawns(0));
    Ok((rest, EngineReport { eval: eval.filter(|_| !is_unknown), ..search }))
}

/// `+0.31/14 two hours`: a score in pawns with a fraction, or a mate, with a depth, before text that cannot be read.
fn with_other_text(input: &[u8]) -> IResult<&[u8], EngineReport> {
    let has_form =
        recognize((opt(one_of("+-")), alt((recognize((digits(0, 10), one_of(".,"))), recognize(one_of("Mm"))))));
    let (rest, eval) = preceded(peek(has_form), score).parse(input)?;
    let selective = opt(preceded(char('/'), digits(1, usize::MAX)));
    let depth = preceded(char('/'), digits(1, usize::MAX).map(count));
    let time = opt(preceded(gap, terminated(time, peek(gap))));
    let (rest, (depth, _, time)) = terminated((depth, selective, time), gap).parse(rest)?;
    Ok((rest, EngineReport { eval, depth: Some(depth), time, ..EngineReport::default() }))
}

/// ` 14/20 500 12345`
fn with_nodes(input: &[u8]) -> IResult<&[u8], EngineReport> {
    let whole = || digits(1, 20);
    let depths = (preceded(gap, whole()), preceded(char('/'), whole()));
    let (rest, ((depth, _), millis, nodes)) = (depths, preceded(gap, whole()), preceded(gap, whole())).parse(input)?;
    let time = Some(seconds(millis, b"", true));
    Ok((rest, EngineReport { depth: Some(count(depth)), time, nodes: Some(long(nodes)), ..EngineReport::default() }))
}

/// `/14 0.5s`, `/14`
fn with_depth(input: &[u8]) -> IResult<&[u8], EngineReport> {
    let depth = preceded(char('/'), digits(1, usize::MAX).map(count));
    let selective = opt(preceded(char('/'), digits(1, usize::MAX)));
    let time = opt(preceded(gap, alt((time, seconds_or_clock))));
    let (rest, (depth, _, time)) = (depth, selective, time).parse(input)?;
    Ok((rest, EngineReport { depth: Some(depth), time, ..EngineReport::default() }))
}

/// ` 0.5s`
fn with_time(input: &[u8]) -> IResult<&[u8], EngineReport> {
    preceded(gap, time).map(|time| EngineReport { time: Some(time), ..EngineReport::default() }).parse(input)
}

/// `0.5s`, as cutechess writes for an engine without a score, and `0/0 500 12345`, as OpenBench does.
fn unscored(input: &[u8]) -> IResult<&[u8], EngineReport> {
    let timed = time.map(|time| EngineReport { time: Some(time), ..EngineReport::default() });
    let counted = |input| {
        let whole = || digits(1, 20);
        let (rest, (_, _, _, millis, nodes)) =
            (char('0'), char('/'), whole(), preceded(gap, whole()), preceded(gap, whole())).parse(input)?;
        Ok((
            rest,
            EngineReport {
                time: Some(seconds(millis, b"", true)),
                nodes: Some(long(nodes)),
                ..EngineReport::default()
            },
        ))
    };
    alt((timed, counted)).parse(input)
}

/// `+0.31`, `0.00`, `-0,31`, `+M5`, or `ERR`, which fastchess writes for an engine without a score. An integer needs a
/// sign.
fn score(input: &[u8]) -> IResult<&[u8], Option<Eval>> {
    let has_sign_or_point = |score: &&[u8]| score.iter().any(|byte| !byte.is_ascii_digit());
    let number = |point| verify(recognize(pawns(point)), has_sign_or_point).and_then(pawns(point));
    // A decimal comma stands between digits. Any other comma is before an addition.
    let with_comma = (peek((opt(one_of("+-")), digits(1, 10), char(','), digits(1, 2))), number(','));
    let score = alt((mate_in_plies, with_comma.map(|(_, eval)| eval), number('.')));
    alt((score.map(Some), value(None, tag("ERR")))).parse(input)
}

/// `0.5s`, `12s`, `0,5s`, `500ms`; in seconds.
fn time(input: &[u8]) -> IResult<&[u8], f64> {
    let fraction = opt(preceded(one_of(".,"), digits(1, 9)));
    let unit = alt((value(true, tag_no_case("ms")), value(false, tag_no_case("s"))));
    let (rest, (whole, fraction, is_millis)) = (digits(1, 12), fraction, unit).parse(input)?;
    Ok((rest, seconds(whole, fraction.unwrap_or_default(), is_millis)))
}

/// `5`, `2.5`, `1:03`, `1:02:03`; in seconds.
fn seconds_or_clock(input: &[u8]) -> IResult<&[u8], f64> {
    let text = take_while1(|byte: u8| byte.is_ascii_digit() || matches!(byte, b':' | b'.'));
    text.map_opt(|text| ClockTime::read(text).map(|time| time.usual)).parse(input)
}

/// Returns the time that stands behind the comma behind the depth.
fn time_behind_comma(additions: &[u8]) -> Option<f64> {
    let addition = additions.strip_prefix(b",")?.split(|byte| *byte == b',').next()?;
    all_consuming(time).parse(trimmed(addition)).ok().map(|(_, time)| time)
}

/// Returns the time in seconds.
fn seconds(whole: &[u8], fraction: &[u8], is_millis: bool) -> f64 {
    let time = decimal(whole, fraction).unwrap_or_default();
    if is_millis { time / 1000.0 } else { time }
}

/// Returns the number of nodes in the additions: `, tl=1.5s, n=12345`.
fn nodes(additions: &[u8]) -> Option<u64> {
    additions.split(|byte| *byte == b',').find_map(|addition| {
        let number = trimmed(addition).strip_prefix(b"n=")?;
        all_consuming(digits(1, usize::MAX).map(long)).parse(number).ok().map(|(_, nodes)| nodes)
    })
}

/// White space.
fn gap(input: &[u8]) -> IResult<&[u8], &[u8]> {
    take_while1(is_blank).parse(input)
}

/// The beginning of a score: a sign and a digit or a mate, or a number with a depth.
fn looks_scored(input: &[u8]) -> IResult<&[u8], &[u8]> {
    let digit = || digits(1, usize::MAX);
    let mate = || (one_of("Mm"), digit());
    let signed = recognize((one_of("+-"), alt((digit(), recognize(mate()), recognize((char('.'), digit()))))));
    let with_depth = recognize((alt((recognize((digit(), one_of(".,"), digit())), recognize(mate()))), char('/')));
    alt((signed, with_depth)).parse(input)
}

#[cfg(test)]
mod tests {
    use super::read;
    use crate::annotation::{CommentReading, EngineReport, Eval};

    #[track_caller]
    fn check(comment: &str, eval: Option<Eval>, depth: Option<u32>, time: Option<f64>, nodes: Option<u64>) {
        let search = EngineReport { eval, depth, time, nodes };
        assert_eq!(read(comment.as_bytes()), CommentReading::Read(search), "{comment}");
    }

    #[test]
    fn the_comments_of_cutechess_and_fastchess_are_read() {
        let cp = |centipawns| Some(Eval::Centipawns(centipawns));
        let mate = |moves| Some(Eval::Mate(moves));
        check("+0.31/14 0.5s", cp(31), Some(14), Some(0.5), None);
        check("-1.20/23 6.157s", cp(-120), Some(23), Some(6.157), None);
        check("0.00/31 48s", cp(0), Some(31), Some(48.0), None);
        check("-0.00/9 0s", cp(0), Some(9), Some(0.0), None);
        check(" +0.31/14\r\n0.50s ", cp(31), Some(14), Some(0.5), None);
        check("+120.04/60 125s", cp(12004), Some(60), Some(125.0), None);
        check("0.00/82 3.799s, Draw by 3-fold repetition", cp(0), Some(82), Some(3.799), None);
        check("+M1/127 0.003s, White mates", mate(1), Some(127), Some(0.003), None);
        check("+M5/20 0.1s", mate(3), Some(20), Some(0.1), None);
        check("-M2/2 0s", mate(-1), Some(2), Some(0.0), None);
        check("-M18/13 0.14s", mate(-9), Some(13), Some(0.14), None);
        check("-M0/1 0s", mate(0), Some(1), Some(0.0), None);
        check("book", None, None, None, None);
        check("Book", None, None, None, None);
        check("0.62s", None, None, Some(0.62), None);
        check(
            "+0.31/14 0.5s, tl=10.200s, latency=0.001s, n=12345, sd=20, nps=24690, hashfull=3, tbhits=0",
            cp(31),
            Some(14),
            Some(0.5),
            Some(12345),
        );
        check("+0.31/14 0.5s, sd=20, line=\"info n=3\", White wins", cp(31), Some(14), Some(0.5), None);
        check("0.00/0 0.1s", None, Some(0), Some(0.1), None);
        check("ERR/14 0.5s", None, Some(14), Some(0.5), None);
    }

    #[test]
    fn the_comments_of_openbench_are_read() {
        let cp = |centipawns| Some(Eval::Centipawns(centipawns));
        check("+1.37 14/0 267 458718", cp(137), Some(14), Some(0.267), Some(458_718));
        check("-M6 20/31 5 99, Black mates", Some(Eval::Mate(-3)), Some(20), Some(0.005), Some(99));
        check(" 0/0 12 0", None, None, Some(0.012), Some(0));
    }

    #[test]
    fn the_comments_of_xboard_and_arena_are_read() {
        let cp = |centipawns| Some(Eval::Centipawns(centipawns));
        check("+0.25/12 5", cp(25), Some(12), Some(5.0), None);
        check("0.25/12 5", cp(25), Some(12), Some(5.0), None);
        check("-0.25/12 1:03", cp(-25), Some(12), Some(63.0), None);
        check("+0.25/12 2.5", cp(25), Some(12), Some(2.5), None);
        check("+0.25/12 1:02:03", cp(25), Some(12), Some(3723.0), None);
        check("+0.25/12", cp(25), Some(12), None, None);
        check("+1000.05/12 1:03, White mates", cp(100_005), Some(12), Some(63.0), None);
    }

    #[test]
    fn a_score_survives_a_time_that_cannot_be_read() {
        let cp = |centipawns| Some(Eval::Centipawns(centipawns));
        for comment in ["+0.31/14 ?", "+0.31/14/20 1:", "+0.31/14 White wins", "0.31/14 0.5sec", "+0,31/14 5 plies"] {
            check(comment, cp(31), Some(14), None, None);
        }
        check("+0.31/14 0.5s White wins", cp(31), Some(14), Some(0.5), None);
        check("+0.31/14 0.5s (e2e4 d7d5)", cp(31), Some(14), Some(0.5), None);
        check("-M4/14 1:0x", Some(Eval::Mate(-2)), Some(14), None, None);
        check("+0.31/14 1:2:3:4", cp(31), Some(14), None, None);
    }

    #[test]
    fn variants_of_the_spelling_are_read() {
        let cp = |centipawns| Some(Eval::Centipawns(centipawns));
        check("+1.16/8, 0.004s", cp(116), Some(8), Some(0.004), None);
        check("+0.16/17/932682 338ms", cp(16), Some(17), Some(0.338), None);
        check("+1.16/8, White wins, 0.004s", cp(116), Some(8), None, None);
        check("+0,31/14 0,5s", cp(31), Some(14), Some(0.5), None);
        check("+0.31/14", cp(31), Some(14), None, None);
        check("+0.31/14/22 0.5s", cp(31), Some(14), Some(0.5), None);
        check("+0.31 0.5s", cp(31), None, Some(0.5), None);
        check("+0.31/14 500ms", cp(31), Some(14), Some(0.5), None);
        check("+m3/5 0.1S", Some(Eval::Mate(2)), Some(5), Some(0.1), None);
        check("M3/5 0.1s", Some(Eval::Mate(2)), Some(5), Some(0.1), None);
        check("+3/5 1s", cp(300), Some(5), Some(1.0), None);
        check("+.5/5 1s", cp(50), Some(5), Some(1.0), None);
        check("0.3/5 1s", cp(30), Some(5), Some(1.0), None);
        check("+0.31/14, White wins", cp(31), Some(14), None, None);
        let nodes = "+0.31/14 0.5s, n=99999999999999999999999999";
        check(nodes, cp(31), Some(14), Some(0.5), Some(u64::MAX));
        check("+9999999999.99/9999999999999 1s", cp(i32::MAX), Some(i32::MAX.unsigned_abs()), Some(1.0), None);
    }

    #[test]
    fn moves_and_commands_may_stand_before_the_score() {
        let cp = |centipawns| Some(Eval::Centipawns(centipawns));
        check("(Nf3) +0.35/17 26s", cp(35), Some(17), Some(26.0), None);
        check("(Qa4+) -2.67/12 77s", cp(-267), Some(12), Some(77.0), None);
        check("(d2d4 d7d5) 0.18/24 26", cp(18), Some(24), Some(26.0), None);
        check("() 0.53/23 21", cp(53), Some(23), Some(21.0), None);
        check("[%clk 0:01:00] [%emt 0:00:05] +0.31/12 1s", cp(31), Some(12), Some(1.0), None);
        check("[%clk 0:01:00](e5) +0.31/12 1s", cp(31), Some(12), Some(1.0), None);
        for comment in ["(Nf3)", "(Nf3", "(Nf3) (Nc3) +0.35/17 26s", "[%clk 0:01:00", "(better) was 1. c4"] {
            assert_eq!(read(comment.as_bytes()), CommentReading::Other, "{comment}");
        }
    }

    #[test]
    fn a_move_of_the_opening_book_has_no_evaluation() {
        check("+0.00/1 0s", None, Some(1), Some(0.0), None);
        check("0.00/0 0s", None, Some(0), Some(0.0), None);
        check("+0.00/1 1s", Some(Eval::Centipawns(0)), Some(1), Some(1.0), None);
        check("+0.10/1 0s", Some(Eval::Centipawns(10)), Some(1), Some(0.0), None);
    }

    #[test]
    fn prose_that_begins_with_a_fraction_is_no_report() {
        for comment in ["2.5/4 for White so far.", "1.0/2, leads", "0.5/1", "1.5/2 points"] {
            assert_eq!(read(comment.as_bytes()), CommentReading::Unread, "{comment}");
        }
        check("0.25/12, White wins", Some(Eval::Centipawns(25)), Some(12), None, None);
        check("2.5/4 1s", Some(Eval::Centipawns(250)), Some(4), Some(1.0), None);
    }

    #[test]
    fn what_looks_like_a_score_and_cannot_be_read_is_told_from_other_comments() {
        for comment in [
            "+0.31",
            "-5",
            "+0.31/",
            "+0.31/x 1s",
            "+0.311/14 1s",
            "0.31/",
            "+M5",
            "+#5/3 1s x",
            "M5/x",
            "+1/2 point",
            "+0.31/14x",
            "-.5 pawns",
        ] {
            let expected = if comment.starts_with("+#") { CommentReading::Other } else { CommentReading::Unread };
            assert_eq!(read(comment.as_bytes()), expected, "{comment}");
        }
        for comment in [
            "",
            "+",
            "-",
            "+-",
            "+- winning",
            "-- e5",
            "1/2",
            "1/2-1/2 agreed",
            "12 minutes",
            "bookish",
            "1-0",
            "3",
            "[%eval 0.31]",
            "[%clk 0:00:01]",
            "wv=0.31, mt=500",
            "d=32, wv=0.31",
            "best by test",
            "M",
            "Mate in 3",
            "0.5 pawns",
            "\u{e4}",
        ] {
            assert_eq!(read(comment.as_bytes()), CommentReading::Other, "{comment}");
        }
    }
}
