//! Evaluations of Lichess: JSON lines with a position and the evaluations of engines each.
//!
//! A line becomes a game without moves. The evaluation is that of the greatest depth, and of the most nodes among
//! those; its first line of moves has the best move. Lichess gives evaluations from White's side, as PGN does.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use pgn2fen_chess::fen;
use pgn2fen_chess::notation::uci::Uci;
use pgn2fen_chess::san;
use serde::Deserialize;
use serde::de::{Deserializer, SeqAccess, Visitor};

use crate::game_text::{Spacing, digits, pair, unreadable};
use crate::games::GameParts;
use crate::puzzle::NO_FEN;
use crate::records::json::reason;

#[derive(Deserialize)]
struct Evaluated<'a> {
    #[serde(borrow)]
    fen: Cow<'a, str>,
    #[serde(borrow)]
    evals: Best<Evaluation<'a>>,
}

#[derive(Deserialize)]
struct Evaluation<'a> {
    #[serde(borrow)]
    pvs: Best<Variation<'a>>,
    #[serde(default)]
    knodes: u64,
    #[serde(default)]
    depth: u64,
}

#[derive(Deserialize)]
struct Variation<'a> {
    cp: Option<i64>,
    mate: Option<i64>,
    #[serde(borrow, default)]
    line: Cow<'a, str>,
}

/// The best element of a list. The others are not kept, because a line may have millions of them.
struct Best<T>(Option<T>);

/// An element of a list of which only the best is kept.
trait Ranked {
    fn is_better(&self, other: &Self) -> bool;
}

/// The deepest evaluation is the best one, and of these the one of the most nodes. Of equal ones, it is the first.
impl Ranked for Evaluation<'_> {
    fn is_better(&self, other: &Self) -> bool {
        (self.depth, self.knodes) > (other.depth, other.knodes)
    }
}

/// The first line of moves is the best one.
impl Ranked for Variation<'_> {
    fn is_better(&self, _: &Self) -> bool {
        false
    }
}

impl<'de, T: Deserialize<'de> + Ranked> Deserialize<'de> for Best<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Elements<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de> + Ranked> Visitor<'de> for Elements<T> {
            type Value = Best<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a sequence")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
                let mut best: Option<T> = None;
                while let Some(element) = list.next_element::<T>()? {
                    if best.as_ref().is_none_or(|best| element.is_better(best)) {
                        best = Some(element);
                    }
                }
                Ok(Best(best))
            }
        }
        deserializer.deserialize_seq(Elements(PhantomData))
    }
}

/// Appends a line as a game on one line.
pub(super) fn append(line: &[u8], parts: GameParts, out: &mut Vec<u8>) {
    if !line.starts_with(b"{") {
        return unreadable(out, "this is no object of JSON", line, Spacing::OneLine);
    }
    let position = match serde_json::from_slice::<Evaluated<'_>>(line) {
        Ok(position) => position,
        Err(error) => return unreadable(out, &reason(&error), line, Spacing::OneLine),
    };
    let fields = position.fen.split_ascii_whitespace().count();
    if fields == 0 {
        return unreadable(out, NO_FEN, line, Spacing::OneLine);
    }
    let clocks = if fields == 4 { " 0 1" } else { "" };
    let fen = [position.fen.as_bytes(), clocks.as_bytes()].concat();
    pair(out, b"FEN", &fen, Spacing::OneLine);
    out.extend_from_slice(b"[SetUp \"1\"] ");
    let Some(deepest) = position.evals.0.filter(|_| parts.tags || parts.comments) else {
        out.extend_from_slice(b"*\n");
        return;
    };
    pair(out, b"Knodes", deepest.knodes.to_string().as_bytes(), Spacing::OneLine);
    let Some(best) = deepest.pvs.0 else {
        out.extend_from_slice(b"*\n");
        return;
    };
    let line = best.line.as_bytes().trim_ascii();
    if let Some(first) = line.split(|byte| *byte == b' ').next().filter(|first| !first.is_empty()) {
        out.extend_from_slice(b"[bm \"");
        best_move(&fen, first, out);
        out.extend_from_slice(b"\"] ");
        pair(out, b"pv", line, Spacing::OneLine);
    }
    if best.mate.is_some() || best.cp.is_some() {
        out.extend_from_slice(b"{ [%eval ");
        match (best.mate, best.cp) {
            (Some(moves), _) => out.extend_from_slice(format!("#{moves}").as_bytes()),
            (None, centipawns) => append_pawns(centipawns.unwrap_or(0), out),
        }
        out.push(b',');
        digits(out, deepest.depth, 1);
        out.extend_from_slice(b"] } ");
    }
    out.extend_from_slice(b"*\n");
}

/// Appends a move in UCI notation as SAN, or as it is written if it cannot be played.
fn best_move(fen: &[u8], uci: &[u8], out: &mut Vec<u8>) {
    let position = fen::read(fen).ok().map(|reading| reading.position);
    let found = position.and_then(|position| Some((Uci::from_ascii(uci)?.find(&position)?, position)));
    match found {
        Some((best, position)) => san::append(&position, best, out),
        None => out.extend(uci.iter().filter(|byte| byte.is_ascii_alphanumeric())),
    }
}

/// Appends centipawns as pawns: `-0.31`.
pub(crate) fn append_pawns(centipawns: i64, out: &mut Vec<u8>) {
    if centipawns < 0 {
        out.push(b'-');
    }
    let centipawns = centipawns.unsigned_abs();
    digits(out, centipawns / 100, 1);
    out.push(b'.');
    digits(out, centipawns % 100, 2);
}

#[cfg(test)]
mod tests {
    use super::{GameParts, append, append_pawns};

    #[track_caller]
    fn check(line: &str, expected: &str) {
        let mut out = Vec::new();
        append(line.as_bytes(), GameParts::ALL, &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), format!("{expected} *\n"));
    }

    #[test]
    fn the_deepest_evaluation_counts() {
        check(
            r#"{"fen":"r3k2r/8/8/8/8/8/8/R3K2R w KQkq -","evals":[
                {"pvs":[{"cp":9,"line":"e1d2"}],"knodes":9,"depth":20},
                {"pvs":[{"cp":-31,"line":"e1h1 a8a1"},{"cp":-90,"line":"e1d1"}],"knodes":7,"depth":36},
                {"pvs":[{"cp":5,"line":"e1d1"}],"knodes":6,"depth":36}]}"#,
            "[FEN \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\"] [SetUp \"1\"] [Knodes \"7\"] [bm \"O-O\"] \
             [pv \"e1h1 a8a1\"] { [%eval -0.31,36] }",
        );
        check(
            r#"{"fen":"7k/8/8/8/8/8/8/K6R b - - 3 9","evals":[
                {"pvs":[{"mate":-4,"cp":null,"line":"h8h7 a1a2"}],"knodes":1,"depth":2}]}"#,
            "[FEN \"7k/8/8/8/8/8/8/K6R b - - 3 9\"] [SetUp \"1\"] [Knodes \"1\"] [bm \"h8h7\"] [pv \"h8h7 a1a2\"] \
             { [%eval #-4,2] }",
        );
    }

    #[test]
    fn a_position_may_have_no_evaluation() {
        check(r#"{"fen":"x","evals":[]}"#, "[FEN \"x\"] [SetUp \"1\"]");
        check(
            r#"{"fen":"7k/8/8/8/8/8/8/K7 w - -","evals":[{"pvs":[]}]}"#,
            "[FEN \"7k/8/8/8/8/8/8/K7 w - - 0 1\"] [SetUp \"1\"] [Knodes \"0\"]",
        );
    }

    #[test]
    fn a_line_that_is_no_json_is_told() {
        check(
            r#"{"fen":"7k","evals":[}"#,
            "[FEN \"unreadable record: not JSON: expected value at byte 22 of the record\"] \
             [Record \"{\\\"fen\\\":\\\"7k\\\",\\\"evals\\\":[}\"]",
        );
        check(
            r#"{"cp":1}"#,
            "[FEN \"unreadable record: missing field \\\"fen\\\" at byte 8 of the record\"] \
             [Record \"{\\\"cp\\\":1}\"]",
        );
        check(
            r#"{"fen":" ","evals":[]}"#,
            "[FEN \"unreadable record: the FEN is empty\"] [Record \"{\\\"fen\\\":\\\" \\\",\\\"evals\\\":[]}\"]",
        );
    }

    #[test]
    fn centipawns_are_hundredths() {
        let mut out = Vec::new();
        for centipawns in [0, 5, -5, 311, -1000] {
            append_pawns(centipawns, &mut out);
            out.push(b' ');
        }
        assert_eq!(out, b"0.00 0.05 -0.05 3.11 -10.00 ");
    }
}
