//! Lists of positions: files with a FEN or EPD on each line instead of games.
//!
//! Each line of a list is read as a game without moves. Its first tag is FEN, and the value of the tag is the text of
//! the line. Each EPD operation behind the position is a further tag, whose name is the opcode. So all code that reads
//! games also reads lists. Blank lines and lines that begin with `#`, `;` or `%` are skipped. A line may be a FEN, an
//! EPD with operations, or a UCI command `position …`. Behind a FEN there may be a `|`, as in training data. The text
//! behind the `|` is ignored. Anything else that stands around a position is the business of `record`.
//!
//! The first 4096 bytes of a database decide its `Form`: games, or one position on each line. The form is stored with
//! the text (`games::Chunk`), so framing, tags, cuts and ranges treat a line as a game. So places, offsets,
//! diagnostics, postings and copies work as for games.

#[doc(hidden)]
pub mod board;
#[doc(hidden)]
pub mod escapes;
mod game;
pub(crate) mod passed_over;
#[doc(hidden)]
pub mod record;
#[doc(hidden)]
pub mod told;

pub use crate::form::Form;

use crate::between::{Next, next_game};
use crate::chunk::{Chunk, LexState};
use crate::lexical::{is_line_end, is_name, line_end, without_blanks_behind};
use crate::lists::board::{boards, is_board_byte, ranks};
use crate::lists::escapes::unescaped;
use crate::lists::passed_over::is_passed_over;
use crate::lists::record::{Record, RecordLabel};

/// The number of bytes at the start of a database that decide its form.
#[doc(hidden)]
pub const HEAD: usize = 4096;

impl Form {
    /// Detects the form of a database by its beginning. It is a list if its first line is a position, with nothing
    /// before it but a plain label such as a number, or if there are positions on most lines, and if no line begins
    /// with a tag pair or the first move of a game. Only the first 4096 bytes count.
    pub fn detect(text: &[u8]) -> Self {
        let head = &text[..text.len().min(HEAD)];
        let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
        let lines = head.split(|byte| is_line_end(*byte)).map(<[u8]>::trim_ascii);
        let (mut lines_seen, mut fens, mut first_is_fen) = (0, 0, false);
        for line in lines.filter(|line| !line.is_empty() && !is_passed_over(line)) {
            let label = label(line);
            let is_plain = label.is_some_and(|label| label != RecordLabel::Words);
            // A line may begin with its number in brackets.
            let is_tag = matches!(line, [b'[', next, ..] if is_name(*next) && !next.is_ascii_digit());
            if is_tag || line.starts_with(b"1.") && !is_plain {
                return Self::Games;
            }
            let is_fen = begins_fen(fen(line).1);
            first_is_fen |= (is_fen || is_plain) && lines_seen == 0;
            lines_seen += 1;
            fens += usize::from(is_fen || label.is_some());
        }
        if first_is_fen || fens * 2 > lines_seen { Self::Positions } else { Self::Games }
    }
}

/// Returns the label of the position on a line, escaped or not, if a side to move or nothing that is a word follows the
/// board.
fn label(line: &[u8]) -> Option<RecordLabel> {
    let label = |line: &[u8]| Record::find(line).filter(Record::is_followed).map(|record| record.label);
    label(line).or_else(|| label(&unescaped(line)?))
}

/// Whether a text is a list rather than a table or JSON: its first line has one position, at its beginning or behind a
/// plain label. Objects of JSON with moves or games are no positions.
#[doc(hidden)]
pub fn begins_list(text: &[u8]) -> bool {
    let mut lines = text.split(|byte| is_line_end(*byte)).map(<[u8]>::trim_ascii);
    let Some(line) = lines.find(|line| !line.is_empty() && !is_passed_over(line)) else {
        return false;
    };
    let has = |name: &[u8]| memchr::memmem::find(line, name).is_some();
    let plain = unescaped(line);
    boards(plain.as_deref().unwrap_or(line)).count() == 1
        && label(line).is_some_and(|label| label != RecordLabel::Words)
        && !(text.starts_with(b"{") && (!line.starts_with(b"{") || has(b"\"pgn\"") || has(b"\"moves\"")))
}

/// Whether a FEN begins here: a word with eight ranks, and the side to move behind it.
#[doc(hidden)]
pub fn begins_fen(text: &[u8]) -> bool {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'_');
    let board = text.iter().position(is_blank).unwrap_or(text.len());
    let (board, rest) = text.split_at(board);
    let turn = &rest[rest.iter().take_while(|byte| is_blank(byte)).count()..];
    let is_turn = match turn {
        [b'w' | b'b' | b'W' | b'B'] => true,
        [b'w' | b'b' | b'W' | b'B', next, ..] => is_blank(next) || next.is_ascii_whitespace(),
        _ => false,
    };
    is_turn
        && ranks(board).iter().filter(|byte| **byte == b'/').count() == 7
        && board.iter().all(|byte| is_board_byte(*byte))
}

/// Returns the FEN or EPD on a line, and the number of bytes before it.
pub(crate) fn fen(line: &[u8]) -> (usize, &[u8]) {
    let start = if line.starts_with(b"position fen ") { b"position fen ".len() } else { 0 };
    let rest = &line[start..];
    // No field of a FEN contains `|`. In an EPD operation, a `|` within quotes stands behind a semicolon or a quote.
    // There may also be a `|` before a board.
    let end = memchr::memchr3(b'|', b';', b'"', rest);
    let end = end.filter(|at| rest[*at] == b'|' && rest[..*at].contains(&b'/'));
    (start, without_blanks_behind(&rest[..end.unwrap_or(rest.len())]))
}

/// Returns the part of a [`fen`] in which EPD operations may stand behind the fields: from the board on.
pub(crate) fn record_with_operations(fen: &[u8]) -> Option<&[u8]> {
    match fen {
        // Nearly all lines begin with a board.
        [first, second, ..] if is_board_byte(*first) && is_board_byte(*second) => Some(fen),
        _ if memchr::memchr(b';', fen).is_some() => Record::find(fen).map(|record| record.text),
        _ => None,
    }
}

/// Whether the bytes can be a line with a position.
#[doc(hidden)]
pub fn is_position(line: &[u8]) -> bool {
    (begins_fen(fen(line).1) || label(line).is_some()) && !line.iter().any(|byte| is_line_end(*byte))
}

/// Converts a line of a list to a game in PGN, with a tag for the position and one for each EPD operation. Text before
/// the position is left out. If there is no position on the line, the FEN tag of the game is wrong.
pub(crate) fn as_game(line: &[u8]) -> Vec<u8> {
    let (_, fen) = fen(line);
    let plain;
    let fen = match Record::find(fen) {
        _ if begins_fen(fen) => fen,
        Some(record) => record.text,
        None => {
            plain = unescaped(fen);
            plain.as_deref().and_then(Record::find).map_or(fen, |record| record.text)
        }
    };
    game::of_record(fen)
}

/// Returns a place where a list may be cut: the first position behind the line that contains `from`, and before
/// `limit`.
#[doc(hidden)]
pub fn likely_start(text: &[u8], from: usize, limit: usize) -> Option<usize> {
    let bytes = &text[..limit.min(text.len())];
    let line_end = line_end(bytes, from.min(bytes.len()));
    match next_game(
        Chunk { bytes, offset: 0, is_last: false, within: LexState::Line, form: Form::Positions },
        line_end,
        |_| (),
    ) {
        Next::Game(start) => Some(start),
        Next::Nothing(_) => None,
    }
}

/// Returns the start of the line that contains `from`.
pub(crate) fn line_start(text: &[u8], from: usize) -> usize {
    let is_torn = text[..from].ends_with(b"\r") && text[from..].starts_with(b"\n");
    memchr::memrchr2(b'\n', b'\r', &text[..from - usize::from(is_torn)]).map_or(0, |end| end + 1)
}

#[cfg(test)]
mod tests {
    use super::{
        Form, as_game, begins_fen, begins_list, fen, is_position, likely_start, line_start, record_with_operations,
    };

    const FEN: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";

    #[track_caller]
    fn check(text: &str, is_list: bool) {
        let expected = if is_list { Form::Positions } else { Form::Games };
        assert_eq!(Form::detect(text.as_bytes()), expected, "{text}");
    }

    #[test]
    fn lines_of_fen_are_a_list() {
        check(FEN, true);
        check(&format!("\u{feff}\n# openings\r\n; more\r\n  {FEN}\r\n{FEN}\r\n"), true);
        check(&format!("{FEN} ;D1 20 ;D2 400\n"), true);
        check("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"1. e4\";", true);
        check("4k3/8/8/8/8/8/4P3/4K3_w_-_-_0_1", true);
        check(&format!("position fen {FEN}\n"), true);
        check(&format!("{FEN} | 31 | 1.0\n"), true);
        check(&format!("{FEN}\nsomething else\nand more\n"), true);
        check(&format!("8/8 w - - 0 1\n{FEN}\n{FEN}\n"), true);
        check(&"# comment\n".repeat(1000), false);
    }

    #[test]
    fn games_are_no_list_whatever_stands_before_them() {
        check("", false);
        check(&format!("{FEN}\n[Event \"x\"]\n\n1. e4 *"), false);
        check(&format!("{FEN}\n\n1. e4 e5 *"), false);
        check(&format!("[FEN \"{FEN}\"]\n*"), false);
        check(&format!("The position is {FEN}\n"), false);
        check("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1\n", false);
        check("4k3/8/8/8/8/8/4P3/4K3 who is to move?", false);
        check("e4 e5 *", false);
    }

    #[test]
    fn what_stands_around_a_fen_is_left_out() {
        assert_eq!(fen(b"8/8 w - - 0 1 | 31 | 1.0"), (0, &b"8/8 w - - 0 1"[..]));
        assert_eq!(fen(b"position fen 8/8 w - - 0 1 "), (13, &b"8/8 w - - 0 1"[..]));
        assert_eq!(fen(b"8/8 w - - id \"a|b\"; c0 x;"), (0, &b"8/8 w - - id \"a|b\"; c0 x;"[..]));
    }

    #[test]
    fn a_line_becomes_a_game() {
        let game = as_game(b"4k3/8/8/8/8/8/4P3/4K3 w - - id \"x\";");
        assert_eq!(
            String::from_utf8(game).unwrap(),
            "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n[id \"x\"]\n\n*"
        );
        assert!(is_position(FEN.as_bytes()) && !is_position(b"1. e4 *"));
    }

    #[test]
    fn a_list_is_cut_before_a_position() {
        let text = format!("{FEN}\n# {FEN}\n\n {FEN}\n").into_bytes();
        let second = 2 * FEN.len() + 6;
        assert_eq!(likely_start(&text, 3, text.len()), Some(second));
        assert_eq!(likely_start(&text, second, text.len()), None);
    }

    #[test]
    fn a_fen_is_eight_ranks_and_a_side_to_move() {
        let board = "4k3/8/8/8/8/8/4P3/4K3";
        for rest in [" w", " b - -", "\tW -", "_w_-_-_0_1", "  B\r", " w\n"] {
            assert!(begins_fen(format!("{board}{rest}").as_bytes()), "{rest:?}");
        }
        for rest in ["", " ", " x", " white", "w", "/8 w", "/8", "! w"] {
            assert!(!begins_fen(format!("{board}{rest}").as_bytes()), "{rest:?}");
        }
        assert!(!begins_fen(b"4k3/8/8/8/8/8/4K3 w - -") && !begins_fen(b"a/b/c/d/e/f/g/h w"));
    }

    #[test]
    fn a_list_is_told_from_a_table_and_from_json() {
        for text in [
            FEN.to_owned(),
            format!("\n# comment\n{FEN}\nmore\n"),
            format!("1. {FEN}"),
            format!("{{\"fen\": \"{FEN}\"}}"),
            FEN.replace('/', r"\/"),
        ] {
            assert!(begins_list(text.as_bytes()), "{text}");
        }
        for text in [
            String::new(),
            "# comment\n".to_owned(),
            format!("words\n{FEN}"),
            format!("some other words: {FEN}"),
            format!("{FEN},{FEN}"),
            format!("{{\"fen\": \"{FEN}\", \"pgn\": \"\"}}"),
            format!("{{\"fen\": \"{FEN}\", \"moves\": \"\"}}"),
            format!("{{\n\"fen\": \"{FEN}\"}}"),
        ] {
            assert!(!begins_list(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn a_line_with_a_position_is_one_line() {
        assert!(is_position(format!("1. {FEN}").as_bytes()) && is_position(b"position startpos"));
        assert!(!is_position(format!("{FEN}\n").as_bytes()) && !is_position(format!("{FEN}\rx").as_bytes()));
        assert!(!is_position(b"") && !is_position(b"8/8 w - -"));
    }

    #[test]
    fn operations_stand_behind_a_board() {
        let found = |text| record_with_operations(text).map(|record| str::from_utf8(record).unwrap());
        assert_eq!(found(b"4k3/8/8/8/8/8/8/4K3 w - - bm e4;"), Some("4k3/8/8/8/8/8/8/4K3 w - - bm e4;"));
        assert_eq!(found(b"4k3/8/8/8/8/8/8/4K3 w - - bm e4"), Some("4k3/8/8/8/8/8/8/4K3 w - - bm e4"));
        assert_eq!(found(b"1. 4k3/8/8/8/8/8/8/4K3 w - - bm e4;"), Some("4k3/8/8/8/8/8/8/4K3 w - - bm e4;"));
        assert_eq!(found(b"# 4k3/8/8/8/8/8/8/4K3 w - -"), None);
        assert_eq!(found(b"words; and more"), None);
        assert_eq!(found(b""), None);
    }

    #[test]
    fn a_line_starts_behind_the_last_line_break() {
        for (text, from, expected) in
            [("ab", 1, 0), ("a\nb", 3, 2), ("a\nb", 2, 2), ("a\nb\r\nc", 4, 2), ("a\nb\rc", 4, 4), ("a\n\nb", 2, 2)]
        {
            assert_eq!(line_start(text.as_bytes(), from), expected, "{text:?} at {from}");
        }
    }

    #[test]
    fn positions_behind_labels_are_a_list() {
        check(&format!("1. {FEN}\n2. {FEN}\n"), true);
        check(&format!("Diagram 1: {FEN}\nwords\nwords\nwords\n"), true);
        check(&format!("a word: {FEN}\na word: {FEN}\n"), true);
        check(&format!("words\nwords\nwords\n{FEN}\n"), false);
        assert_eq!(as_game(format!("1. {FEN}").as_bytes()), as_game(FEN.as_bytes()));
        assert_eq!(as_game(FEN.replace('/', r"\/").as_bytes()), as_game(FEN.as_bytes()));
    }
}
