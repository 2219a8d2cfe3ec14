//! Finds the position in a line, or in any short text, in which other things stand around it.
//!
//! Only the text is judged here: eight ranks of eight squares each are a board, and what stands before it must be a
//! label. Whoever reads the FEN decides whether what stands behind the board is right.

use crate::lexical::{is_blank, wide_blank, without_blanks_behind};
use crate::lists::board::{BoardPlace, boards, hand_length};
use crate::lists::told::{json_variant, told_variant};
use crate::symbol::is_move_shaped;

/// A text that begins with a FEN, an EPD or the word `startpos`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub struct Record<'a> {
    /// The offset of the text, in bytes.
    #[doc(hidden)]
    pub start: usize,
    /// The text, without what stands before it, and without quotes around it.
    #[doc(hidden)]
    pub text: &'a [u8],
    /// What stands before it.
    pub(crate) label: RecordLabel,
    /// The name of the variant that the text around it tells.
    #[doc(hidden)]
    pub variant: Option<&'a [u8]>,
    /// The length of the board with the men in hand, or of the word `startpos`.
    board: usize,
}

/// The text before a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RecordLabel {
    /// Nothing.
    Nothing,
    /// The words of the UCI command `position`.
    Command,
    /// A number, a bullet, a quote, a word such as `FEN`, or several of these.
    Plain,
    /// Other words that end like a label, or an address.
    Words,
}

/// What a position begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub enum Beginning {
    /// A board.
    Board,
    /// The word `startpos`.
    Startpos,
}

impl<'a> Record<'a> {
    /// Returns the position in a text; `None` if there is none, or if it is not certain that the text before it is a
    /// label.
    #[doc(hidden)]
    pub fn find(text: &'a [u8]) -> Option<Self> {
        let blank = text.iter().take_while(|byte| is_blank(**byte)).count();
        let found = boards(text).next().or_else(|| startpos(text))?;
        let is_address = is_address(&text[..found.start]);
        let start = if is_address { found.last_ranks(text) } else { found.start };
        let label = label(&text[blank.min(start)..start])?;
        let board = found.end + hand_length(&text[found.end..]) - start;
        let open = text[..start].iter().rposition(|byte| !is_blank(*byte)).map(|last| &text[..=last]);
        let rest = &text[start..];
        let end = match open {
            // Behind the path there may be a query.
            _ if is_address => rest.iter().position(|byte| matches!(byte, b'?' | b'&' | b'#')),
            Some(before) => closing(before, &rest[board..]).map(|end| board + end),
            None => None,
        };
        let end = end.filter(|end| boards(&rest[*end..]).next().is_none());
        let variant = if is_address { told_variant(text) } else { json_variant(text).map(|(_, name)| name) };
        Some(Self { start, text: without_blanks_behind(&rest[..end.unwrap_or(rest.len())]), label, variant, board })
    }

    /// Returns what the position begins with.
    #[doc(hidden)]
    pub fn beginning(&self) -> Beginning {
        if self.text.starts_with(STARTPOS) { Beginning::Startpos } else { Beginning::Board }
    }

    /// Returns the FEN, or `startpos`, and the moves behind the word `moves`, if that word follows.
    #[doc(hidden)]
    pub fn split_moves(&self) -> (&'a [u8], Option<&'a [u8]>) {
        const MOVES: &[u8] = b"moves";
        let text = self.text;
        let behind = text[self.board..].iter().position(|byte| b";\"#|{([".contains(byte));
        let remark = behind.map_or(text.len(), |length| self.board + length);
        let is_word = |at: usize| {
            let end = at + MOVES.len();
            text[at..].starts_with(MOVES) && is_blank(text[at - 1]) && text.get(end).is_none_or(|byte| is_blank(*byte))
        };
        match (1..remark).find(|at| is_word(*at)) {
            Some(at) => (&text[..at - 1], Some(&text[at + MOVES.len()..])),
            None => (text, None),
        }
    }

    /// Whether a side to move follows the board, or another field, or nothing that is a word.
    pub(crate) fn is_followed(&self) -> bool {
        let rest = &self.text[self.board..];
        let blanks = rest.iter().take_while(|byte| is_blank(**byte) || **byte == b'_').count();
        let word = &rest[blanks..];
        let word = &word[..word.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count()];
        let is = |names: &[&str]| names.iter().any(|name| word.eq_ignore_ascii_case(name.as_bytes()));
        match word {
            [] => true,
            _ if blanks == 0 => false,
            _ if self.beginning() == Beginning::Startpos => word == b"moves",
            _ => is(&["w", "b", "white", "black", "wtm", "btm"]) || word.iter().all(|byte| b"KQkq".contains(byte)),
        }
    }
}

pub(crate) const STARTPOS: &[u8] = b"startpos";

/// Returns the place of the word `startpos`.
fn startpos(text: &[u8]) -> Option<BoardPlace> {
    let start = memchr::memmem::find(text, STARTPOS)?;
    let end = start + STARTPOS.len();
    let is_word = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let is_within = is_word(text.get(end)) || start > 0 && is_word(text.get(start - 1));
    (!is_within).then_some(BoardPlace { start, end })
}

/// Whether the text before a board is the beginning of a web address, or of a path.
fn is_address(text: &[u8]) -> bool {
    [&b"://"[..], b"www.", b".org/", b".com/"].iter().any(|part| memchr::memmem::find(text, part).is_some())
}

/// Returns what stands before a position; `None` if it is not a label. The name of a variant is part of a plain one.
fn label(before: &[u8]) -> Option<RecordLabel> {
    match json_variant(before) {
        Some((member, _)) => label_without_variant(&[&before[..member.start], &before[member.end..]].concat()),
        None => label_without_variant(before),
    }
}

fn label_without_variant(before: &[u8]) -> Option<RecordLabel> {
    match before.trim_ascii() {
        b"" => return Some(RecordLabel::Nothing),
        b"position" | b"position fen" | b"fen" => return Some(RecordLabel::Command),
        _ => {}
    }
    // Nobody labels a position with more.
    const LONGEST: usize = 400;
    let shown = before.trim_ascii_end();
    if shown.len() > LONGEST {
        return None;
    }
    if is_address(before) || before.ends_with(b"/") {
        return is_address(before).then_some(RecordLabel::Words);
    }
    // A tag pair belongs to a game.
    let begins_name = |at: usize| before[at + 1..].trim_ascii_start().first().is_some_and(u8::is_ascii_alphabetic);
    if memchr::memchr_iter(b'[', before).any(begins_name) {
        return None;
    }
    let (mut is_plain, mut ends_in_name) = (true, false);
    let mut rest = before;
    while let Some(&byte) = rest.first() {
        let word = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte >= 0xC0).count();
        let length = match byte {
            b'<' => rest.iter().position(|byte| *byte == b'>').map_or(1, |end| end + 1),
            _ if is_mark(rest) > 0 => is_mark(rest),
            _ if word > 0 => {
                let name = &rest[..word];
                ends_in_name = is_name(name);
                // Moves before a board are a game, not a label.
                if is_move_shaped(name) {
                    return None;
                }
                is_plain &= ends_in_name || is_number(name) || is_letter(name, &rest[word..]);
                word
            }
            _ => {
                is_plain = false;
                1
            }
        };
        rest = &rest[length.min(rest.len())..];
    }
    let ends_like_a_label = ends_in_name
        || matches!(shown.last(), Some(b':' | b'=' | b'"' | b'\'' | b'|' | b'>'))
        || before.ends_with(b"\t");
    match (is_plain, ends_like_a_label) {
        (true, _) => Some(RecordLabel::Plain),
        (false, true) => Some(RecordLabel::Words),
        (false, false) => None,
    }
}

/// Returns the length of the mark that a text begins with: a blank, a bullet, a quote, a bracket or another separator.
fn is_mark(text: &[u8]) -> usize {
    const WIDE: [&str; 20] =
        ["•", "·", "◦", "▪", "●", "–", "—", "→", "№", "“", "”", "„", "‘", "’", "«", "»", "‹", "›", "…", "−"];
    match text.first() {
        Some(byte) if is_blank(*byte) || b"-*+>#.:=,;|()[]{}<\"'`~!_\\".contains(byte) => 1,
        _ if wide_blank(text) > 0 => wide_blank(text),
        _ => WIDE.iter().find(|mark| text.starts_with(mark.as_bytes())).map_or(0, |mark| mark.len()),
    }
}

/// Whether a word names a position or its number, with or without a number behind it.
fn is_name(word: &[u8]) -> bool {
    const NAMES: [&str; 28] = [
        "fen", "fens", "xfen", "epd", "position", "pos", "board", "setboard", "setup", "diagram", "diag", "puzzle",
        "problem", "study", "game", "test", "start", "starting", "initial", "final", "id", "no", "nr", "num", "number",
        "line", "mate", "in",
    ];
    let name = &word[..word.iter().take_while(|byte| !byte.is_ascii_digit()).count()];
    word[name.len()..].iter().all(u8::is_ascii_digit)
        && NAMES.iter().any(|known| name.eq_ignore_ascii_case(known.as_bytes()))
}

fn is_number(word: &[u8]) -> bool {
    word.iter().all(u8::is_ascii_digit)
}

/// Whether a word is a letter that numbers a line: `a)`, `B.`
fn is_letter(word: &[u8], behind: &[u8]) -> bool {
    word.len() == 1 && matches!(behind.first(), Some(b')' | b'.' | b':' | b']'))
}

/// Returns the place of the quote or bracket that closes the last one of a text.
fn closing(open: &[u8], rest: &[u8]) -> Option<usize> {
    const PAIRS: &str = "\"\" '' `` () [] {} <> “” ““ „“ „” ‘’ «» »« ””";
    let pairs = PAIRS.split(' ').map(|pair| pair.split_at(pair.chars().next().map_or(0, char::len_utf8)));
    let ends = pairs.filter(|(begin, _)| open.ends_with(begin.as_bytes()));
    let is_escaped = |at: usize| at > 0 && rest[at - 1] == b'\\';
    let place = |end: &str| memchr::memmem::find_iter(rest, end.as_bytes()).find(|at| !is_escaped(*at));
    ends.filter_map(|(_, end)| place(end)).min()
}

#[cfg(test)]
mod tests {
    use super::{Beginning, Record, RecordLabel};

    const FEN: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";

    /// Compares the position that is found in a text: `FEN` stands for one in both.
    #[track_caller]
    fn check(text: &str, expected: Option<(&str, RecordLabel)>) {
        let text = text.replace("FEN", FEN);
        let found = Record::find(text.as_bytes());
        let shown = found.map(|record| (String::from_utf8_lossy(record.text).replace(FEN, "FEN"), record.label));
        assert_eq!(shown, expected.map(|(record, label)| (record.to_owned(), label)), "{text}");
        if let Some(record) = found {
            assert!(text.as_bytes()[record.start..].starts_with(record.text), "{text}");
        }
    }

    #[test]
    fn a_position_stands_behind_a_label() {
        use RecordLabel::{Command, Nothing, Plain, Words};
        check("FEN", Some(("FEN", Nothing)));
        check(" \t FEN ", Some(("FEN", Nothing)));
        for label in ["position ", "position fen ", "fen "] {
            check(&format!("{label}FEN"), Some(("FEN", Command)));
        }
        for label in
            ["1. ", "#3: ", "Diagram 12 ", "a) ", "B: ", "• ", "№ 7 ", "\u{a0}", "<b>", "<li class=\"x\">", "epd1\t"]
        {
            check(&format!("{label}FEN"), Some(("FEN", Plain)));
        }
        for label in ["a word: ", "a word\t", "solve this position ", "White to move = ", "x|"] {
            check(&format!("{label}FEN"), Some(("FEN", Words)));
        }
        for label in ["a word ", "1. e4 e5 ", "[Fen \"", "a/", "[x] y "] {
            check(&format!("{label}FEN"), None);
        }
        let words = |length: usize| format!("{}: ", "x".repeat(length - 1));
        check(&format!("{}FEN", words(400)), Some(("FEN", Words)));
        check(&format!("{}FEN", words(401)), None);
    }

    #[test]
    fn quotes_around_a_position_are_no_part_of_it() {
        use RecordLabel::{Plain, Words};
        for (text, rest) in [
            ("\"FEN\", 31", "FEN"),
            ("'FEN'", "FEN"),
            ("(FEN) x", "FEN"),
            ("“FEN” x", "FEN"),
            ("„FEN“", "FEN"),
            ("<FEN>", "FEN"),
            // Quotes that are not closed, and escaped ones.
            ("\"FEN", "FEN"),
            ("\"FEN id \\\"x\\\";\" y", "FEN id \\\"x\\\";"),
            // Another position stands behind the quote.
            ("\"FEN\", \"FEN\"", "FEN\", \"FEN\""),
        ] {
            check(text, Some((rest, Plain)));
        }
        let board = "4k3/8/8/8/8/8/4P3/4K3";
        check(&format!("https://lichess.org/editor/{board}_w_-_-?x=y"), Some((&format!("{board}_w_-_-"), Words)));
        check(&format!("https://a.b/{board}_w_-_-#x"), Some((&format!("{board}_w_-_-"), Words)));
        check(&format!("\"{board}\""), Some((board, Plain)));
    }

    #[test]
    fn a_position_may_be_the_start() {
        check("startpos", Some(("startpos", RecordLabel::Nothing)));
        check("position startpos moves e2e4", Some(("startpos moves e2e4", RecordLabel::Command)));
        for text in ["startposition", "my_startpos", "fen_startpos", "xstartpos", "startpos1"] {
            check(text, None);
        }
        let beginning = |text: &str| Record::find(text.as_bytes()).unwrap().beginning();
        assert_eq!((beginning("startpos"), beginning(FEN)), (Beginning::Startpos, Beginning::Board));
    }

    #[test]
    fn a_side_to_move_or_no_word_follows_a_board() {
        let is_followed = |rest: &str| {
            let text = format!("4k3/8/8/8/8/8/4P3/4K3{rest}");
            Record::find(text.as_bytes()).unwrap().is_followed()
        };
        for rest in ["", " ", " w - -", "_b_-_-", " White", " WTM", " - -", " KQkq -", ", 31", " | x", "\tblack"] {
            assert!(is_followed(rest), "{rest:?}");
        }
        for rest in [" who", "white", " moves", " x", "x", " 0 1", " wx"] {
            assert!(!is_followed(rest), "{rest:?}");
        }
        let of_start = |text: &str| Record::find(text.as_bytes()).unwrap().is_followed();
        assert!(of_start("startpos") && of_start("startpos moves e2e4") && of_start("startpos;"));
        assert!(!of_start("startpos w") && !of_start("startpos is here"));
    }

    #[test]
    fn moves_may_stand_behind_a_position() {
        let split = |text: &str| {
            let (fen, moves) = Record::find(text.as_bytes()).unwrap().split_moves();
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace(FEN, "FEN");
            (text(fen), moves.map(text))
        };
        for (behind, fen, moves) in [
            ("", "FEN", None),
            (" moves e2e4 e8d7", "FEN", Some(" e2e4 e8d7")),
            (" moves", "FEN", Some("")),
            // No words of their own, and remarks.
            (" movese2e4", "FEN movese2e4", None),
            (" xmoves e2e4", "FEN xmoves e2e4", None),
            (" ; moves e2e4", "FEN ; moves e2e4", None),
            (" (moves e2e4", "FEN (moves e2e4", None),
        ] {
            assert_eq!(split(&format!("{FEN}{behind}")), (fen.to_owned(), moves.map(str::to_owned)), "{behind}");
        }
    }
}
