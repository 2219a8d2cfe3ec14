//! Reads a record that the grammar of [`read`](crate::fen::read) refuses, but whose position is certain: fields are
//! missing, or something else stands behind the fields.
//!
//! Nothing is guessed. A word in the place of a field must be that field, or something that is certainly none: a clock,
//! an EPD operation, a decimal number, a result, a bracket. Behind the en passant square, other words may follow. A
//! clock that seems to be misspelled is still an error.

use nom::Parser;

use crate::board::Board;
use crate::castling::CastlingRights;
use crate::fen::castling::castling;
use crate::fen::clocks::is_known_opcode;
use crate::fen::error::{FenError, Reason};
use crate::fen::fields::is_blank;
use crate::fen::first_char::first_char;
use crate::fen::piece_placement::{is_placement, piece_placement};
use crate::fen::repair::{Oddities, Oddity};
use crate::piece::Color;
use crate::setup::Setup;
use crate::square::{Rank, Square};

/// Reads the record in a text without blanks around it. `turn` is the side to move if the text does not tell it;
/// without it, such a text is not read. Returns `None` if the position is not certain, so that the fault that the
/// grammar found is reported.
pub(super) fn loose_record(text: &[u8], turn: Option<Color>) -> Option<Result<(Setup, Oddities), FenError>> {
    let end = text.iter().position(|byte| !is_placement(*byte)).unwrap_or(text.len());
    let (_, (board, placing)) = piece_placement(&text[..end]).ok()?;
    let mut words = Words { rest: &text[end..], separator: None, oddities: placing };
    if !words.rest.first().is_none_or(|byte| is_blank(*byte) || is_separator(*byte)) {
        return None;
    }
    words.pass_blanks();
    let turn = words.side_to_move().or_else(|| words.without_side(turn))?;
    let castling = words.castling(&board)?;
    let ep = words.en_passant()?;
    let (halfmoves, fullmoves) = words.clocks()?;

    let Words { rest, mut oddities, .. } = words;
    if let Some(second) = second_board(rest) {
        return Some(Err(FenError::new(text.len() - rest.len() + second, Reason::SecondBoard)));
    }
    if word(rest) == b"moves" {
        return None;
    }
    oddities |= what_follows(rest);
    let halfmoves = halfmoves.or_else(|| operand(rest, b"hmvc"));
    let fullmoves = fullmoves.or_else(|| operand(rest, b"fmvn"));
    oddities |= Oddity::MissingFields.when(castling.is_none() || ep.is_none());
    oddities |= Oddity::MissingClocks.when(halfmoves.is_none() || fullmoves.is_none());
    oddities |= Oddity::FullmoveZero.when(fullmoves == Some(0));
    let setup = Setup {
        board,
        turn,
        castling: castling.unwrap_or(CastlingRights::NONE),
        ep: ep.flatten(),
        halfmoves: halfmoves.unwrap_or(0),
        fullmoves: fullmoves.unwrap_or(1).max(1),
        ..Setup::initial()
    };
    Some(Ok((setup, oddities)))
}

/// The words behind the board, and the deviations in those that were read.
struct Words<'a> {
    rest: &'a [u8],
    /// The mark that separates the fields, if it is not a blank.
    separator: Option<u8>,
    oddities: Oddities,
}

impl<'a> Words<'a> {
    /// Whether the text tells the side to move.
    fn has_turn(&self) -> bool {
        self.oddities | Oddity::MissingTurn.into() != self.oddities
    }

    fn word(&self) -> &'a [u8] {
        word(self.rest)
    }

    /// Returns the word behind the next one.
    fn second(&self) -> &'a [u8] {
        let behind = &self.rest[self.word().len()..];
        word(&behind[blanks(behind)..])
    }

    /// Whether nothing follows behind this many words.
    fn ends_behind(&self, words: usize) -> bool {
        let mut rest = self.rest;
        for _ in 0..words {
            rest = &rest[word(rest).len()..];
            rest = &rest[blanks(rest)..];
        }
        rest.is_empty()
    }

    fn pass_blanks(&mut self) {
        let mut length = blanks(self.rest);
        if self.separator.is_some_and(|separator| self.rest.get(length) == Some(&separator)) {
            length += 1;
            length += blanks(&self.rest[length..]);
        }
        let (before, rest) = self.rest.split_at(length);
        self.rest = rest;
        if rest.is_empty() || before.is_empty() {
            return;
        }
        self.oddities |= Oddity::Underscores.when(before.contains(&b'_'));
        self.oddities |= Oddity::Blanks.when(before != b" " && before != b"_");
    }

    fn pass_word(&mut self) {
        self.rest = &self.rest[self.word().len()..];
        self.pass_blanks();
    }

    /// Reads the side to move, as a letter or in words: `w`, `Black`, `wtm`, `(White to move)`.
    fn side_to_move(&mut self) -> Option<Color> {
        if let [separator @ (b',' | b';' | b'|' | b':'), rest @ ..] = self.rest
            && matches!(word(&rest[blanks(rest)..]), b"w" | b"b" | b"W" | b"B")
        {
            self.separator = Some(*separator);
            self.pass_blanks();
        }
        let color = match self.word() {
            b"w" => Color::White,
            b"b" => Color::Black,
            b"W" | b"B" => {
                self.oddities |= Oddity::LetterCase.into();
                if self.word() == b"W" { Color::White } else { Color::Black }
            }
            _ => return self.side_in_words(),
        };
        self.pass_word();
        Some(color)
    }

    fn side_in_words(&mut self) -> Option<Color> {
        let is_mark = |byte: &u8| is_blank(*byte) || b",;:.-([|".contains(byte);
        let marks = self.rest.iter().take_while(|byte| is_mark(byte)).count();
        let mut said = Words { rest: &self.rest[marks..], ..*self };
        let is = |text: &[u8], name: &str| text.eq_ignore_ascii_case(name.as_bytes());
        let (color, is_whole) = match said.word() {
            text if is(text, "wtm") => (Color::White, true),
            text if is(text, "btm") => (Color::Black, true),
            text if is(text, "white") => (Color::White, false),
            text if is(text, "black") => (Color::Black, false),
            _ => return None,
        };
        said.pass_word();
        let moves = |text: &[u8]| ["move", "play", "go"].iter().any(|name| is(text, name));
        if !is_whole && is(said.word(), "to") && moves(said.second()) {
            said.pass_word();
            said.pass_word();
        } else if !(is_whole || said.rest.is_empty() || is_castling(said.word())) {
            // This may be `white wins`.
            return None;
        }
        *self = said;
        self.oddities |= Oddity::TurnInWords.into();
        Some(color)
    }

    /// Returns the side to move of a text that certainly does not tell it: other fields follow the board, or a remark
    /// without a word for a side.
    fn without_side(&mut self, turn: Option<Color>) -> Option<Color> {
        const SIDES: [&str; 6] = ["w", "b", "white", "black", "wtm", "btm"];
        let is_side = |word: &[u8]| SIDES.iter().any(|side| word.eq_ignore_ascii_case(side.as_bytes()));
        let mut words = self.rest.split(|byte| !byte.is_ascii_alphanumeric());
        if !(self.begins_remark() || is_castling(self.word())) || words.any(is_side) {
            return None;
        }
        self.oddities |= Oddity::MissingTurn.into();
        turn
    }

    /// Whether what follows is certainly none of the fields before the clocks: the end, or a remark in whose place no
    /// field can stand.
    fn begins_remark(&self) -> bool {
        let marks = self.rest.iter().take_while(|byte| is_blank(**byte) || b",;:|='".contains(byte)).count();
        let word = self.word();
        match self.rest {
            []
            | [b'#' | b'[' | b'(' | b'{' | b'<' | b'"' | b')' | b']' | b'}' | b'>' | b'.', ..]
            | [b'/', b'/', ..] => true,
            [b',' | b';' | b':' | b'|' | b'=' | b'\'', ..] => {
                let field = self::word(&self.rest[marks..]);
                !(is_castling(field) || is_passed_square(field) || field.starts_with(b"-"))
            }
            [byte, ..] if !byte.is_ascii() => begins_with_letter(self.rest),
            _ => is_decimal(word) || is_result(word) || is_known_opcode(word),
        }
    }

    /// Reads castling rights. They may be in several words, such as `KQ kq`. The inner value is `None` if the field is
    /// missing.
    #[expect(clippy::option_option, reason = "a missing field and a text that is not certain are different")]
    fn castling(&mut self, board: &Board) -> Option<Option<CastlingRights>> {
        let word = self.word();
        if is_number(word) || is_passed_square(word) || self.begins_remark() {
            return Some(None);
        }
        let mut letters = word.to_vec();
        // A letter again is no right: `w K K` and `K KQkq` have a field that is misspelled.
        let continues = |letters: &[u8], next: &[u8]| {
            is_castling(next) && next != b"-" && !next.iter().any(|letter| letters.contains(letter))
        };
        while is_castling(word) && word != b"-" && self.has_turn() && continues(&letters, self.second()) {
            self.pass_word();
            letters.extend_from_slice(self.word());
            self.oddities |= Oddity::Blanks.into();
        }
        let (_, (rights, order)) = castling(board).parse(&letters).ok()?;
        self.oddities |= order;
        self.pass_word();
        Some(Some(rights))
    }

    /// Reads the en passant square. The outer value is `None` if the text is not certain, the middle one if the field
    /// is missing.
    #[expect(
        clippy::option_option,
        reason = "a missing field, no square, and a text that is not certain are different"
    )]
    fn en_passant(&mut self) -> Option<Option<Option<Square>>> {
        let word = self.word();
        let ep = match word {
            b"-" => None,
            // `c3` and `c6` are also opcodes, of comments.
            _ if is_passed_square(word) && !begins_string(&self.rest[word.len()..]) => {
                Some(Square::from_ascii(&word.to_ascii_lowercase())?)
            }
            _ if is_number(word) || self.begins_remark() => return Some(None),
            _ => Some(Square::from_ascii(&word.to_ascii_lowercase())?),
        };
        self.oddities |= Oddity::LetterCase.when(word.iter().any(u8::is_ascii_uppercase));
        self.pass_word();
        Some(Some(ep))
    }

    /// Reads the clocks that are there. `-` and `?` stand for unknown ones. Returns `None` if a clock seems to be
    /// misspelled.
    fn clocks(&mut self) -> Option<(Option<u32>, Option<u32>)> {
        // A blank or a dash that is not ASCII may stand between the clocks.
        let is_unclear = |rest: &[u8]| rest.first().is_some_and(|byte| !byte.is_ascii()) && !begins_with_letter(rest);
        if is_unclear(self.rest) {
            return None;
        }
        let halfmoves = match self.word() {
            word if is_number(word) => Some(number(word)?),
            b"-" | b"?" => None,
            word => {
                let has_both_clocks = is_number(self.second()) && self.ends_behind(2);
                let is_misspelled = has_both_clocks || word[..word.len().min(1)].iter().any(u8::is_ascii_digit);
                return if !is_no_clock(word) && is_misspelled { None } else { Some((None, None)) };
            }
        };
        self.pass_word();
        // Not misspelled: a word behind five fields that something else follows. A number with a period may be the
        // number of the next move, or the clock.
        let is_misspelled = |word: &[u8]| {
            is_unclear(self.rest)
                || word.strip_suffix(b".").is_some_and(is_number)
                || !is_no_clock(word) && (self.ends_behind(1) || is_like_a_number(word))
        };
        let fullmoves = match self.word() {
            word if is_number(word) => Some(number(word)?),
            b"-" | b"?" => None,
            word if halfmoves.is_some() && is_misspelled(word) => return None,
            _ => return Some((halfmoves, None)),
        };
        self.pass_word();
        Some((halfmoves, fullmoves))
    }
}

/// Returns the word at the start of a text. It ends at a blank or a separator, and periods at the end of the text do
/// not belong to it.
fn word(text: &[u8]) -> &[u8] {
    let end = text.iter().position(|byte| is_blank(*byte) || is_separator(*byte)).unwrap_or(text.len());
    let periods = text[..end].iter().rev().take_while(|byte| **byte == b'.').count();
    if end == text.len() { &text[..end - periods] } else { &text[..end] }
}

fn blanks(text: &[u8]) -> usize {
    text.iter().take_while(|byte| is_blank(**byte)).count()
}

/// Whether a string follows, as behind the opcode of a comment.
fn begins_string(text: &[u8]) -> bool {
    text[blanks(text)..].starts_with(b"\"")
}

/// Whether a byte ends a field, although it is not a blank. A byte that is not ASCII does.
pub(super) fn is_separator(byte: u8) -> bool {
    b",;:|\"'`()[]{}<>#=".contains(&byte) || !byte.is_ascii()
}

/// Whether a word is certainly no misspelled clock.
fn is_no_clock(word: &[u8]) -> bool {
    word.is_empty() || is_decimal(word) || is_result(word) || is_known_opcode(word) || word.starts_with(b"//")
}

/// Whether a text begins with a letter that is not ASCII.
fn begins_with_letter(text: &[u8]) -> bool {
    first_char(text).is_some_and(char::is_alphabetic)
}

fn is_castling(word: &[u8]) -> bool {
    word == b"-" || !word.is_empty() && word.iter().all(|byte| b"KQkq".contains(byte))
}

/// Whether a word is a square that a pawn may have passed over.
fn is_passed_square(word: &[u8]) -> bool {
    Square::from_ascii(&word.to_ascii_lowercase()).is_some_and(|sq| matches!(sq.rank(), Rank::Third | Rank::Sixth))
}

fn is_number(word: &[u8]) -> bool {
    !word.is_empty() && word.iter().all(u8::is_ascii_digit)
}

fn number(word: &[u8]) -> Option<u32> {
    str::from_utf8(word).ok()?.parse().ok()
}

fn is_like_a_number(word: &[u8]) -> bool {
    matches!(word, [b'0'..=b'9', ..] | [b'+' | b'-', b'0'..=b'9', ..])
}

/// Whether a word is a number with a decimal point, such as an evaluation, or a percentage.
fn is_decimal(word: &[u8]) -> bool {
    let digits = word.strip_prefix(b"-").or_else(|| word.strip_prefix(b"+")).unwrap_or(word);
    let is_of_digits = digits.iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'%'));
    let points = digits.iter().filter(|byte| !byte.is_ascii_digit()).count();
    is_of_digits && points == 1 && digits.len() > 1
}

fn is_result(word: &[u8]) -> bool {
    matches!(word, b"1-0" | b"0-1" | b"1/2-1/2" | b"1/2" | b"*")
}

/// Returns the deviation that the text behind the fields is.
fn what_follows(rest: &[u8]) -> Oddities {
    let opcode = word(rest);
    let is_name = opcode.first().is_some_and(u8::is_ascii_alphabetic);
    match rest {
        [] => Oddities::NONE,
        _ if is_known_opcode(opcode) || is_name && rest.contains(&b';') => {
            Oddities::from(Oddity::Operations) | Oddity::OddOperations.into()
        }
        _ => Oddity::Remark.into(),
    }
}

/// Returns the number that an EPD operation gives a clock. Other operations may be malformed.
fn operand(mut rest: &[u8], opcode: &[u8]) -> Option<u32> {
    while !rest.is_empty() {
        rest = &rest[rest.iter().take_while(|byte| is_blank(**byte) || **byte == b';').count()..];
        let end = operation_end(rest);
        if let Some(operand) = rest[..end].strip_prefix(opcode).filter(|operand| blanks(operand) > 0) {
            let operand = operand[blanks(operand)..].trim_ascii_end();
            if is_number(operand) {
                return number(operand);
            }
        }
        rest = &rest[end..];
    }
    None
}

/// Returns the end of the operation at the start of a text: its semicolon, which does not stand in quotes. A quote that
/// is never closed has no meaning.
fn operation_end(text: &[u8]) -> usize {
    let (mut end, mut at) = (None, 0);
    while let Some(step) = text[at..].iter().position(|byte| matches!(byte, b';' | b'"')) {
        at += step;
        if text[at] == b';' {
            return at;
        }
        match text[at + 1..].iter().position(|byte| *byte == b'"') {
            Some(length) => at += length + 2,
            None => {
                end = text[at..].iter().position(|byte| *byte == b';').map(|length| at + length);
                break;
            }
        }
    }
    end.unwrap_or(text.len())
}

/// Returns the place of another board in the text behind a record, unless it stands in quotes. Then it is not certain
/// which one is meant.
fn second_board(rest: &[u8]) -> Option<usize> {
    let mut at = 0;
    let mut is_quoted = false;
    while at < rest.len() {
        let end = rest[at..].iter().position(|byte| !is_placement(*byte)).map_or(rest.len(), |length| at + length);
        if !is_quoted && rest[at..end].iter().filter(|byte| **byte == b'/').count() == 7 {
            return Some(at);
        }
        is_quoted ^= rest.get(end) == Some(&b'"');
        at = end + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::fen::read::{read, read_without_turn};
    use crate::rules::Rules;

    const BOARD: &str = "r3k2r/8/8/8/4P3/8/8/R3K2R";

    /// Checks how a text behind the board is read: the fields, and the repairs.
    #[track_caller]
    fn check(rest: &str, fields: &str, repairs: &str) {
        let reading = read_without_turn(Rules::Chess, format!("{BOARD}{rest}").as_bytes(), None)
            .unwrap_or_else(|e| panic!("{rest}: {e}"));
        assert_eq!(reading.position.to_string(), format!("{BOARD} {fields}"), "{rest}");
        assert_eq!(reading.repairs.to_string(), repairs, "{rest}");
    }

    const REMARK: &str = "text behind the FEN is ignored";
    const MISSING: &str = "missing fields are taken as - - 0 1";
    const CLOCKS: &str = "a missing halfmove clock is taken as 0, a missing move number as 1";
    const ODD: &str = "EPD operations follow; EPD operations that are unknown or malformed are ignored";

    #[test]
    fn a_remark_behind_all_fields_is_ignored() {
        for remark in [
            " # note",
            ";20",
            " ;20",
            " [0.5] 20",
            " [0.5]",
            " 20",
            " -35",
            " | 0.5 | 20",
            "|0.5|20",
            ",0.35",
            ", 0.35",
            " 0.5",
            " 1-0",
            " e2e4",
            " Bb5+",
            " - note",
            " => e4",
            " (white wins)",
            " // note",
            " {note}",
            " \"note\"",
            " 8",
            ".",
            ",",
            " and more",
            " – ход",
            " bestmove e2e4",
            " +0.35",
            ": 0.35",
            "=0.35",
            " <b>",
            " 50%",
            " 12 34 56",
        ] {
            check(&format!(" w KQkq - 5 39{remark}"), "w KQkq - 5 39", REMARK);
        }
    }

    #[test]
    fn a_remark_behind_four_fields_is_ignored() {
        let remark = format!("{CLOCKS}; {REMARK}");
        for text in [
            "# note",
            ";20",
            "[0.5] 20",
            "| 0.5 | 20",
            ",0.35",
            "0.5",
            "-35",
            "-0.35",
            "1-0",
            "e2e4",
            "Bb5",
            "1. e4",
            "best is e4",
            "ход",
        ] {
            check(&format!(" w KQkq - {text}"), "w KQkq - 0 1", &remark);
        }
        check(" w KQkq - 5 # note", "w KQkq - 5 1", &remark);
        check(" w KQkq - 5 0.5", "w KQkq - 5 1", &remark);
        check(" w KQkq - depth 20 score 35", "w KQkq - 0 1", &remark);
        check(" w KQkq - 5 best is e4", "w KQkq - 5 1", &remark);
    }

    #[test]
    fn odd_operations_are_ignored_and_clocks_are_kept() {
        let odd = format!("{CLOCKS}; {ODD}");
        for text in [
            "bm #2; PV: e2e4 e7e5;",
            "bm #-3; PV:;",
            "bm Bb5",
            "bm Bb5, e4",
            "id \"x; bm e4;",
            "hmvc x;",
            "fmvn;",
            "id x; 5 x;",
            "am",
            "ce 20",
            "bm e4; id \"Müller\"; 7",
            "PV: e2e4;",
        ] {
            check(&format!(" w KQkq - {text}"), "w KQkq - 0 1", &odd);
        }
        check(" w KQkq - PV: e2e4; hmvc 5; fmvn 39;", "w KQkq - 5 39", ODD);
        check(" w KQkq - hmvc 5; fmvn 39; id \"x", "w KQkq - 5 39", ODD);
        check(" w KQkq - id \"x; hmvc 5; fmvn 39;", "w KQkq - 5 39", ODD);
        check(" w KQkq - id \"a note; hmvc 5; fmvn 39;", "w KQkq - 5 39", ODD);
        check(" w KQkq - id \"a; hmvc 5; b\"; 5; fmvn 39", "w KQkq - 0 39", &odd);
        check(" w KQkq - id \"; hmvc 5;\"; 5; fmvn 39", "w KQkq - 0 39", &odd);
        check(" w KQkq - 5 39 bm e4", "w KQkq - 5 39", ODD);
        check(" w KQkq - hmvc 5 fmvn 39", "w KQkq - 0 1", &odd);
        check(" w KQkq - foo 5; hmvc 5; fmvn 39;", "w KQkq - 5 39", ODD);
    }

    #[test]
    fn fields_may_be_missing() {
        check(" w KQkq 5 39", "w KQkq - 5 39", MISSING);
        check(" b 5 39", "b - - 5 39", MISSING);
        check(" w KQkq ce 20;", "w KQkq - 0 1", &format!("{MISSING}; {ODD}"));
        check(" b KQkq e3 id \"ü\";", "b KQkq e3 0 1", &format!("{CLOCKS}; {ODD}"));
        let passed = read("4k3/8/8/8/1pP5/8/8/4K3 b - c3 id \"ü\";".as_bytes()).unwrap();
        assert_eq!(passed.position.to_string(), "4k3/8/8/8/1pP5/8/8/4K3 b - c3 0 1");
        check(" w KQkq c6 \"a note ü\";", "w KQkq - 0 1", &format!("{MISSING}; {ODD}"));
        check(" w KQkq - - 39", "w KQkq - 0 39", CLOCKS);
        check(" w KQkq - ? ?", "w KQkq - 0 1", CLOCKS);
        check(" w KQ kq - 5 39", "w KQkq - 5 39", "unusual blanks");
        check(" b e3 5 39", "b - e3 5 39", MISSING);
        check(",b,KQkq,e3,5,39", "b KQkq e3 5 39", "unusual blanks");
        check(", w, KQkq, -, 5, 39, 0.35", "w KQkq - 5 39", &format!("unusual blanks; {REMARK}"));
    }

    #[test]
    fn the_side_to_move_may_be_in_words_or_missing() {
        const WORDS: &str = "the side to move is given in words";
        const TURN: &str =
            "the side to move is missing; it is White, unless the moves or a check show that it is Black";
        check(" white KQkq - 5 39", "w KQkq - 5 39", WORDS);
        check(" Black - - 5 39", "b - - 5 39", WORDS);
        for text in [" wtm", ", White to move", " (white to play)", " - White to move."] {
            check(
                text,
                "w - - 0 1",
                &if text.ends_with(['.', ')']) {
                    format!("{MISSING}; {REMARK}; {WORDS}")
                } else {
                    format!("{MISSING}; {WORDS}")
                },
            );
        }
        check(" black to move", "b - - 0 1", &format!("{MISSING}; {WORDS}"));
        check("", "w - - 0 1", &format!("{MISSING}; {TURN}"));
        check(" KQkq - 5 39", "w KQkq - 5 39", TURN);
        check(" - - 5 39", "w - - 5 39", TURN);
        check(" # note", "w - - 0 1", &format!("{MISSING}; {REMARK}; {TURN}"));
    }

    #[test]
    fn blanks_may_be_of_every_kind() {
        for rest in
            ["\u{a0}w KQkq - 5 39", " w KQkq\u{3000}-\u{2009}5 39", " w KQkq - 5 39\0", " w KQkq - 5 39\u{200b}"]
        {
            check(rest, "w KQkq - 5 39", "unusual blanks");
        }
        check(" w KQkq 5 39 ", "w KQkq - 5 39", &format!("{MISSING}; unusual blanks"));
    }

    #[test]
    fn what_is_not_certain_is_an_error() {
        for rest in [
            " x KQkq - 5 39",
            " w KQkx - 5 39",
            " w KQkq e9 5 39",
            " w KQkq - -5 39",
            " w KQkq - x 39",
            " w KQkq - 5 x",
            " w KQkq - 5x 39",
            " w KQkq - 5 39x",
            " w KQkq - 5 39x more",
            " w KQkq - 5 %",
            " w KQkq - 5 39. e4",
            " w KQkq - 5 39 moves e2e4",
            " w KQkq - 5 4294967296",
            " w KQkx -",
            " w – - 5 39",
            " w KQkq – 5 39",
            " K KQkq - 5 39",
            " K Qkq - 5 39",
            " w K K 5 39",
            " w KQ Qkq - 5 39",
            " w; KQkq",
            " w KQkq; e3",
            " white wins",
            "; White wins",
            "/8 w - - 0 1",
            "x w - - 0 1",
            " w KQkq - 5 39 8/8/8/8/8/8/8/8 w - - 0 1",
        ] {
            let text = format!("{BOARD}{rest}");
            assert!(read_without_turn(Rules::Chess, text.as_bytes(), None).is_err(), "{rest}");
        }
        for rest in ["", " KQkq - 5 39", " # note"] {
            assert!(read(format!("{BOARD}{rest}").as_bytes()).is_err(), "{rest}");
        }
    }

    #[test]
    fn a_side_in_words_is_the_end_or_stands_before_other_fields() {
        const WORDS: &str = "the side to move is given in words";
        let both = format!("{MISSING}; {WORDS}");
        let remark = format!("{MISSING}; {REMARK}; {WORDS}");
        for (rest, fields, repairs) in [
            (" btm", "b - - 0 1", &both),
            (" BTM", "b - - 0 1", &both),
            (" wtm # note", "w - - 0 1", &remark),
            (" white", "w - - 0 1", &both),
            (" black", "b - - 0 1", &both),
            (", black to go", "b - - 0 1", &both),
            (" white to move # note", "w - - 0 1", &remark),
        ] {
            check(rest, fields, repairs);
        }
        check(" wtm KQkq - 5 39", "w KQkq - 5 39", WORDS);
        check(" btm - - 5 39", "b - - 5 39", WORDS);
        check(" white to play KQkq - 5 39", "w KQkq - 5 39", WORDS);
        check_refused(&[
            " btm and more",
            " white wins",
            " black # note",
            " white to win",
            " wtb",
            " to move",
            " white to",
            " white can move",
            " wtm to move",
        ]);
    }

    #[test]
    fn an_upper_case_side_to_move_is_read_although_fields_are_missing() {
        const CASE: &str = "a letter in the wrong case";
        check(" W KQkq 5 39", "w KQkq - 5 39", &format!("{MISSING}; {CASE}"));
        check(" B KQkq 5 39", "b KQkq - 5 39", &format!("{MISSING}; {CASE}"));
    }

    #[test]
    fn a_number_a_result_or_a_letter_of_another_script_begins_a_remark_in_the_place_of_a_field() {
        for word in ["0.5", "1-0", "1/2-1/2", "ход"] {
            check(&format!(" w KQkq {word}"), "w KQkq - 0 1", &format!("{MISSING}; {REMARK}"));
        }
    }

    #[test]
    fn a_mark_in_the_place_of_a_field_begins_a_remark_unless_a_field_follows() {
        let remark = format!("{MISSING}; {REMARK}");
        for mark in [",", ";", ":", "|", "=", "'"] {
            check(&format!(" w KQkq {mark} note"), "w KQkq - 0 1", &remark);
            check(&format!(" w {mark} 0.5"), "w - - 0 1", &remark);
            let fields = ["e3", "- 5 39", "KQkq", "-1"].map(|field| format!(" w KQkq = {field}").replace('=', mark));
            check_refused(&fields.each_ref().map(|rest| &**rest));
        }
        for mark in ["#", "[", "(", "{", "<", "\"", ")", "]", "}", ">", ".", "//"] {
            check(&format!(" w KQkq {mark}x"), "w KQkq - 0 1", &remark);
        }
    }

    #[test]
    fn castling_rights_in_two_words_are_letters_of_both() {
        check(" w K Q - 5 39", "w KQ - 5 39", "unusual blanks");
        check(" w K Q k q - 5 39", "w KQkq - 5 39", "unusual blanks");
        check(" w KQ kq e6 5 39", "w KQkq - 5 39", "unusual blanks; impossible en passant square e6");
        check_refused(&[" w HA kq - 5 39", " w - KQ 5 39", " w KQ ha - 5 39", " w KQ x - 5 39"]);
    }

    #[test]
    fn only_operations_of_clocks_tell_the_clocks() {
        let odd = format!("{CLOCKS}; {ODD}");
        for (operations, clocks, repairs) in [
            ("hmvc 5; fmvn 39;", "5 39", ODD),
            ("hmvc  5 ;; fmvn\t39 ;", "5 39", ODD),
            ("hmvc5; fmvn 39;", "0 39", &odd),
            ("hmvc 5; fmvn39;", "5 1", &odd),
            ("hmvcx 5; fmvn 39;", "0 39", &odd),
            ("hmvc 5 6; fmvn 39;", "0 39", &odd),
            ("hmvc x; hmvc 5; fmvn 39;", "5 39", ODD),
        ] {
            check(&format!(" w KQkq - PV: e4; {operations}"), &format!("w KQkq - {clocks}"), repairs);
        }
    }

    #[test]
    fn a_board_in_quotes_is_no_second_board() {
        let board = "8/8/8/8/8/8/8/8 w - - 0 1";
        for remark in [format!("\"{board}\""), format!("\"a\" \"b {board}\" c"), "8/8/8/8/8/8/8".to_owned()] {
            check(&format!(" w KQkq - 5 39 # {remark}"), "w KQkq - 5 39", REMARK);
        }
        for remark in [board.to_owned(), format!("a {board}"), format!("\"a\" {board}"), format!("\"a\"\"b\"{board}")] {
            check_refused(&[&format!(" w KQkq - 5 39 # {remark}")]);
        }
    }

    /// Checks that the texts behind the board are errors.
    #[track_caller]
    fn check_refused(texts: &[&str]) {
        for rest in texts {
            let text = format!("{BOARD}{rest}");
            assert!(read_without_turn(Rules::Chess, text.as_bytes(), None).is_err(), "{rest}");
        }
    }
}
