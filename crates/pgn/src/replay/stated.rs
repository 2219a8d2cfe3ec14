//! What the EPD operations on a line of a list of positions state about the position: an evaluation and a result (PGN
//! standard §16.2.5).

use std::str::FromStr;

use crate::annotation::{EngineReport, Eval};
use crate::decimal::decimal;
use crate::tags::Tags;
use crate::token::Outcome;
use pgn2fen_chess::piece::Color;

/// Returns the search that the operations tell: the evaluation `ce` in centipawns, which is turned from the side to
/// move to White, the depth `acd`, the nodes `acn` and the seconds `acs`. Returns `None` if there are no such
/// operations, or if the tags are not those of a line of a list. A value that is not a number is left out.
pub(super) fn search(tags: &Tags<'_>, turn: Color) -> Option<Box<EngineReport>> {
    if !has_operations(tags) {
        return None;
    }
    let report = EngineReport {
        eval: number::<i32>(tags, "ce").map(|centipawns| {
            Eval::Centipawns(if turn == Color::White { centipawns } else { centipawns.saturating_neg() })
        }),
        depth: number(tags, "acd"),
        time: seconds(tags).filter(|seconds| seconds.is_finite()),
        nodes: number(tags, "acn"),
    };
    (report != EngineReport::default()).then(|| Box::new(report))
}

/// Returns the result in the comment `c9`, where many sets of training positions have it.
pub(super) fn result(tags: &Tags<'_>) -> Option<Outcome> {
    if has_operations(tags) { Outcome::of_standard(tags.value("c9")?.0.trim_ascii()) } else { None }
}

fn has_operations(tags: &Tags<'_>) -> bool {
    tags.is_position() && tags.iter().nth(1).is_some()
}

fn seconds(tags: &Tags<'_>) -> Option<f64> {
    let text = tags.value("acs")?.0.trim_ascii();
    let point = text.iter().position(|byte| *byte == b'.').unwrap_or(text.len());
    decimal(&text[..point], text.get(point + 1..).unwrap_or_default())
}

fn number<T: FromStr>(tags: &Tags<'_>, opcode: &str) -> Option<T> {
    str::from_utf8(tags.value(opcode)?.0).ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{result, search};
    use crate::annotation::{EngineReport, Eval};
    use crate::tags::Tags;
    use crate::token::Outcome;
    use pgn2fen_chess::piece::Color;

    fn tags(operations: &str) -> Tags<'static> {
        let line = format!("4k3/8/8/8/8/8/4P3/4K3 b - - {operations}").leak();
        let mut tags = Tags::default();
        tags.read_position(line.as_bytes(), 0);
        tags
    }

    #[test]
    fn a_search_is_told_from_whites_side() {
        let read = tags("acd 20; acn 5000000000; acs 1.5; ce +35;");
        let expected = EngineReport {
            eval: Some(Eval::Centipawns(-35)),
            depth: Some(20),
            time: Some(1.5),
            nodes: Some(5_000_000_000),
        };
        assert_eq!(search(&read, Color::Black).as_deref(), Some(&expected));
        let white = search(&tags("ce -2147483648;"), Color::White).and_then(|report| report.eval);
        assert_eq!(white, Some(Eval::Centipawns(i32::MIN)));
        let black = search(&tags("ce -2147483648;"), Color::Black).and_then(|report| report.eval);
        assert_eq!(black, Some(Eval::Centipawns(i32::MAX)));
    }

    #[test]
    fn what_is_no_number_tells_nothing() {
        for operations in ["", "bm e4;", "ce M5;", "acd -1;", "acs inf;", "ce;"] {
            assert_eq!(search(&tags(operations), Color::White), None, "{operations}");
        }
        let text = b"[ce \"35\"] [c9 \"1-0\"] *";
        assert_eq!(search(&Tags::read(text, 0), Color::White), None);
        assert_eq!(result(&Tags::read(text, 0)), None);
    }

    #[test]
    fn a_result_stands_in_a_comment() {
        assert_eq!(result(&tags("c9 \"1/2-1/2\";")), Some(Outcome::Draw));
        assert_eq!(result(&tags("c9 \"a note\";")), None);
    }
}
