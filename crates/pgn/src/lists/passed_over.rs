//! The lines of a list that have no position: comments, the names of columns, and lines of brackets or dashes.

use crate::lexical::is_line_end;
use crate::lists::board::is_board_byte;

/// A line of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ListLine {
    /// A position should be on the line.
    Position,
    /// The line has no position.
    PassedOver,
    /// The text ends too early to tell.
    Unclear,
}

/// The number of bytes of a line that decide what it is.
const DECISIVE: usize = 256;

/// Judges the line at the start of a text, which may end within the line unless it is the last one.
#[inline]
pub(crate) fn line(text: &[u8], is_last: bool) -> ListLine {
    match text {
        // Nearly all lines begin with a board.
        [first, second, ..] if is_board_byte(*first) && is_board_byte(*second) => ListLine::Position,
        [b';' | b'%', ..] => ListLine::PassedOver,
        _ => odd_line(text, is_last),
    }
}

/// Whether a whole line has no position. Blanks around the line are left out.
pub(crate) fn is_passed_over(text: &[u8]) -> bool {
    line(text, true) == ListLine::PassedOver
}

#[cold]
#[inline(never)]
fn odd_line(text: &[u8], is_last: bool) -> ListLine {
    let near = &text[..text.len().min(DECISIVE)];
    let end = near.iter().position(|byte| is_line_end(*byte));
    if end.is_none() && near.len() < DECISIVE && !is_last {
        return ListLine::Unclear;
    }
    let is_whole = end.is_some() || near.len() == text.len();
    let line = near[..end.unwrap_or(near.len())].trim_ascii_end();
    let is_passed_over = match line {
        [b'#', rest @ ..] => !begins_numbered(rest),
        _ => begins_with_column_name(line) || is_whole && (is_rule(line) || is_of_record(line)),
    };
    if is_passed_over { ListLine::PassedOver } else { ListLine::Position }
}

/// Whether a number and a board stand behind the `#` at the start of a line: `#3: FEN`. In other lines it begins a
/// comment.
fn begins_numbered(text: &[u8]) -> bool {
    let text = text.trim_ascii_start();
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let marks = |byte: &u8| byte.is_ascii_whitespace() || b".:)],|-=\"'".contains(byte);
    let behind = &text[digits..];
    let board = &behind[behind.iter().take_while(|byte| marks(byte)).count()..];
    let rank = board.iter().take_while(|byte| is_board_byte(**byte)).take(9).position(|byte| *byte == b'/');
    digits > 0 && board.len() < behind.len() && rank.is_some_and(|squares| squares > 0)
}

/// Whether the line has the names of columns, of which the first is that of the positions: `FEN,Evaluation`. In a table
/// of Markdown, it may be any of them.
fn begins_with_column_name(line: &[u8]) -> bool {
    const NAMES: [&[u8]; 5] = [b"fen", b"fens", b"epd", b"position", b"positions"];
    let columns = if line.first() == Some(&b'|') { usize::MAX } else { 1 };
    let mut cells = line.split(|byte| b",;\t|".contains(byte)).map(<[u8]>::trim_ascii);
    let is_name = |cell: &[u8]| {
        let name = cell.strip_prefix(b"\"").and_then(|cell| cell.strip_suffix(b"\"")).unwrap_or(cell);
        NAMES.iter().any(|known| name.eq_ignore_ascii_case(known))
    };
    !line.contains(&b'/') && cells.by_ref().take(columns).any(is_name)
}

/// Whether the line has only brackets and commas, as the first and the last line of an array have, or is a rule of a
/// table or of Markdown.
fn is_rule(line: &[u8]) -> bool {
    line.iter().all(|byte| b"[]{}(), \t".contains(byte))
        || line.len() >= 3 && line.iter().all(|byte| b"-=_~*`|:+ \t".contains(byte))
        || line.starts_with(b"```")
}

/// Whether the line belongs to the position of another line, in the text format of trainers of which each position has
/// the lines `fen`, `move`, `score`, `ply`, `result` and `e`.
fn is_of_record(line: &[u8]) -> bool {
    let mut words = line.split(u8::is_ascii_whitespace);
    let name = words.next().unwrap_or_default();
    let values = words.count();
    line == b"e" || values == 1 && [&b"move"[..], b"score", b"ply", b"result"].contains(&name)
}

#[cfg(test)]
mod tests {
    use super::{ListLine, line};

    const FEN: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";

    #[track_caller]
    fn check(text: &str, expected: ListLine) {
        assert_eq!(line(text.as_bytes(), true), expected, "{text}");
        assert_eq!(line(format!("{text}\nmore").as_bytes(), false), expected, "{text}");
        let cut = line(text.as_bytes(), false);
        assert!(cut == expected || cut == ListLine::Unclear, "{text}");
    }

    #[test]
    fn comments_columns_and_rules_have_no_position() {
        for text in ["# a", "#", &format!("# {FEN}"), &format!("#{FEN}"), "#1 of 20", "; a", "% a", "#5-0"] {
            check(text, ListLine::PassedOver);
        }
        for text in
            ["FEN,Evaluation", "fen", "\"FEN\";\"cp\"", "| FEN | Eval |", "| # | FEN |", "Position\tMove", "epd"]
        {
            check(text, ListLine::PassedOver);
        }
        for text in ["[", "]", "],", "{", "---", "|---|:--|", "```", "```fen", "====", "***"] {
            check(text, ListLine::PassedOver);
        }
    }

    #[test]
    fn the_other_lines_of_a_record_have_no_position() {
        for text in ["move e2e4", "score -20", "ply 3", "result 0", "e"] {
            check(text, ListLine::PassedOver);
        }
        for text in ["move", "ply two three", "results 0", "e4", "score -20 -"] {
            check(text, ListLine::Position);
        }
    }

    #[test]
    fn other_lines_should_have_one() {
        for text in [FEN, "?", "*", "-", "x", "fen x", "position fen x", "positional play", "startpos", "b"] {
            check(text, ListLine::Position);
        }
        for before in ["#3: ", "#3 ", "# 12) ", "#3: \"", "- ", "1. ", "\"", "fen: ", "FEN=", "FEN "] {
            check(&format!("{before}{FEN}"), ListLine::Position);
        }
        check(&"long ".repeat(100), ListLine::Position);
    }

    #[test]
    fn the_beginning_of_a_line_may_be_enough() {
        assert_eq!(line(b"4k3/8", false), ListLine::Position);
        assert_eq!(line(b"some text", false), ListLine::Unclear);
        assert_eq!(line("long ".repeat(60).as_bytes(), false), ListLine::Position);
        check(&format!("#: {FEN}"), ListLine::PassedOver);
        check("#3: /8", ListLine::PassedOver);
    }
}
