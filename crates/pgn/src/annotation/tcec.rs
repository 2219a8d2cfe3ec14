//! The comments of TCEC: items with a name, such as `d=32, sd=46, mt=39059, tl=1644425, n=4926092644, pv=…, wv=0.24`.
//!
//! `wv` is the evaluation from White's side, `d` the depth, `mt` the time of the move in milliseconds (`H:MM:SS` in old
//! seasons), and `n` the number of nodes. Mates are counted in plies, as in cutechess: `wv=-M3` is a mate by Black in
//! two moves. Moves of the opening book have the item `book`.

use nom::Parser;
use nom::branch::alt;
use nom::combinator::all_consuming;

use crate::annotation::clock_time::ClockTime;
use crate::annotation::numbers::{count, long, mate_in_plies, pawns};
use crate::annotation::{CommentReading, EngineReport, Eval};
use crate::lexical::trimmed;

/// Reads a comment without its braces.
pub(super) fn read(comment: &[u8]) -> CommentReading {
    let mut value = None;
    let mut search = EngineReport::default();
    let mut is_book = false;
    for (nth, item) in comment.split(|byte| *byte == b',').enumerate() {
        let item = trimmed(item);
        let Some(at) = item.iter().take(LONGEST_NAME + 1).position(|byte| *byte == b'=') else {
            is_book |= nth == 0 && item.eq_ignore_ascii_case(b"book");
            continue;
        };
        let (name, operand) = (&item[..at], &item[at + 1..]);
        match name {
            b"wv" => value = value.or(Some(operand)),
            b"d" => search.depth = search.depth.or_else(|| whole(operand).map(count)),
            b"mt" => search.time = search.time.or_else(|| time(operand)),
            b"n" => search.nodes = search.nodes.or_else(|| whole(operand).map(long)),
            _ => {}
        }
    }
    let is_search = search.depth.is_some() && search.time.is_some();
    match value {
        Some(operand) => match eval(operand) {
            Some(eval) => CommentReading::Read(EngineReport { eval: Some(eval), ..search }),
            None => CommentReading::Unread,
        },
        None if is_book || is_search => CommentReading::Read(search),
        None => CommentReading::Other,
    }
}

/// The length of the longest name of an item that is read, in bytes.
const LONGEST_NAME: usize = 2;

/// `0.24`, `-M3`
fn eval(operand: &[u8]) -> Option<Eval> {
    all_consuming(alt((mate_in_plies, pawns('.')))).parse(operand).ok().map(|(_, eval)| eval)
}

/// `39059`, `0:01:59`; in seconds.
#[expect(clippy::cast_precision_loss, reason = "a time in milliseconds is a small number")]
fn time(operand: &[u8]) -> Option<f64> {
    whole(operand).map(|millis| long(millis) as f64 / 1000.0).or_else(|| Some(ClockTime::read(operand)?.usual))
}

/// Returns the operand if it is a number.
fn whole(operand: &[u8]) -> Option<&[u8]> {
    (!operand.is_empty() && operand.iter().all(u8::is_ascii_digit)).then_some(operand)
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
    fn the_comments_of_tcec_are_read() {
        let cp = |centipawns| Some(Eval::Centipawns(centipawns));
        check(
            "d=26, sd=46, pd=Nd3, mt=39059, tl=1644425, s=126138000, n=4926092644, pv=c6 Bf4 g6, tb=0, h=54.0, \
             ph=50.0, wv=0.24, R50=50, Rd=-11, Rr=-11, mb=+0+0+0+0+0,",
            cp(24),
            Some(26),
            Some(39.059),
            Some(4_926_092_644),
        );
        check("d=1, sd=1, mt=0, n=1, wv=-7.82, R50=48", cp(-782), Some(1), Some(0.0), Some(1));
        check("wv=M26", Some(Eval::Mate(13)), None, None, None);
        check("d=8, wv=-M25, mb=+0, Black mates", Some(Eval::Mate(-13)), Some(8), None, None);
        check("wv=987.30, White wins by adjudication: SyzygyTB", cp(98_730), None, None, None);
        check("book, mb=+0+0+0+0+0,", None, None, None, None);
        check("book", None, None, None, None);
        check(
            "d=22, mt=00:03:13, tl=01:10:00, s=4810 kN/s, n=2345, wv=0.31",
            cp(31),
            Some(22),
            Some(193.0),
            Some(2345),
        );
        check("d=22, mt=7", None, Some(22), Some(0.007), None);
        check("wv=0.1, wv=0.2", cp(10), None, None, None);
    }

    #[test]
    fn what_cannot_be_read_is_told_from_other_comments() {
        for comment in ["wv=", "wv=x", "wv=0.311", "wv=#3", "d=3, mt=5, wv=-", "wv=0.1/3"] {
            assert_eq!(read(comment.as_bytes()), CommentReading::Unread, "{comment}");
        }
        for comment in [
            "",
            ",",
            "=",
            "d=3",
            "mt=5",
            "the book, by Black",
            "+0.31/14 0.5s, n=3",
            "[%eval 0.3]",
            "see wv=0.3",
            "\u{e4}=1",
            "WhiteEngineOptions: Protocol=uci; Threads=1",
        ] {
            assert_eq!(read(comment.as_bytes()), CommentReading::Other, "{comment}");
        }
    }
}
