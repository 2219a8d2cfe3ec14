//! The symbols of movetext: where they end, which of them have the shape of a move, and which are marks.
//!
//! A run of bytes between delimiters is one symbol. A move is never searched for within it.

use nom::IResult;
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_while_m_n};
use nom::character::complete::{char, one_of};
use nom::combinator::{opt, recognize};
use nom::multi::many0_count;
use nom::sequence::{pair, preceded, terminated};

use crate::lexical::is_delimiter;
use pgn2fen_chess::white_space::{may_begin_blank, wide_blank};

/// Splits the text behind its first symbol, which is a longest run of bytes that are not delimiters.
///
/// The symbol includes `e.p.` directly behind it and, behind a rank where pawns promote, a piece in parentheses:
/// `e8(Q)`.
#[inline]
pub(crate) fn symbol(input: &[u8]) -> (&[u8], &[u8]) {
    let mut end = 0;
    loop {
        while end < input.len() && !is_delimiter(input[end]) {
            end += 1;
        }
        match input.get(end) {
            Some(byte) if may_continue_symbol(*byte) && continues_symbol(input, &mut end) => {}
            _ => return input.split_at(end),
        }
    }
}

/// Whether this delimiter may be part of a symbol.
#[inline]
pub(crate) fn may_continue_symbol(delimiter: u8) -> bool {
    matches!(delimiter, b'.' | b'(') || may_begin_blank(delimiter)
}

/// Whether the delimiter at `end` is part of the symbol. If it is, moves `end` behind that part.
#[cold]
fn continues_symbol(input: &[u8], end: &mut usize) -> bool {
    let taken = match &input[*end..] {
        // White space of several bytes and the ellipsis end a symbol. Other characters with these first bytes do not.
        [0xE2, 0x80, 0xA6, ..] => return false,
        [byte, ..] if may_begin_blank(*byte) => {
            if wide_blank(&input[*end..]) > 0 {
                return false;
            }
            1
        }
        [b'.', b'p', b'.', ..] if input[..*end].ends_with(b"e") => 3,
        [b'(', b'Q' | b'R' | b'B' | b'N' | b'K' | b'q' | b'r' | b'b' | b'n' | b'k', b')', ..]
            if matches!(input[..*end], [b'a'..=b'h', .., b'1' | b'8']) =>
        {
            3
        }
        _ => return false,
    };
    *end += taken;
    true
}

/// The mark of an en passant capture, separate from its move: `e.p.` or `ep`, perhaps with the sign of a check. A
/// delimiter must follow it.
pub(crate) fn en_passant_mark(input: &[u8]) -> IResult<&[u8], &[u8]> {
    let mark = alt((tag("e.p."), tag("e.p"), tag("ep"), tag("/ep")));
    let (rest, mark) = recognize(pair(mark, opt(one_of("+#")))).parse(input)?;
    match rest {
        [byte, ..] if !is_delimiter(*byte) => {
            Err(nom::Err::Error(nom::error::Error::new(input, nom::error::ErrorKind::Tag)))
        }
        _ => Ok((rest, mark)),
    }
}

/// Whether a symbol is a move in digits, as in correspondence chess: two squares with their files as numbers, and
/// perhaps a promotion piece. `5254` is e2e4.
pub(crate) fn is_numeric_move(symbol: &[u8]) -> bool {
    let marks = symbol.iter().rev().take_while(|byte| matches!(byte, b'+' | b'#')).count();
    let squares = |digits: &[u8]| digits.len() == 4 && digits.iter().all(|digit| matches!(digit, b'1'..=b'8'));
    match &symbol[..symbol.len() - marks] {
        [digits @ .., b'1'..=b'4'] if digits.len() == 4 => squares(digits),
        digits => squares(digits),
    }
}

/// Returns the length of the sign between a number and its move, where moves are numbered in another way: `1-e4`,
/// `1: e4`, `1.- e4`. The text begins behind the number. None if no move or the end of the symbol follows.
pub(super) fn number_sign(text: &[u8]) -> Option<usize> {
    let (rest, sign) = alt((dash, tag(":"), tag("/"))).parse(text).ok()?;
    let symbol = symbol(rest).0;
    (symbol.is_empty() || is_move_shaped(symbol)).then_some(sign.len())
}

/// Annotation words that stand behind moves: a few of ChessBase and Scid, and old notations for check. `dbl.ch.` is
/// three tokens. A word comes before the words that are its end.
const WORDS: [&[u8]; 12] =
    [b"unclear", b"checkmate", b"check", b"mate", b"disch", b"dblch", b"inf", b"dis", b"dbl", b"ch", b"TN", b"RR"];

/// Whether a symbol that is not a move is an annotation mark that some programs write without a `$` or braces: a single
/// character (`D` for a diagram, `N` for a novelty), signs such as `+=` and `=/∞`, and a few words.
#[doc(hidden)]
pub fn is_stray(symbol: &[u8]) -> bool {
    // Null moves are not marks. No mark of several characters ends with a digit, as most moves do.
    if matches!(symbol, b"--" | b"@@@@" | [_, .., b'0'..=b'9']) {
        return false;
    }
    let text = str::from_utf8(symbol);
    let single = symbol.len() == 1 || text.is_ok_and(|text| text.chars().count() == 1);
    let signs = !symbol.iter().any(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii());
    single || signs || text.is_ok_and(is_judgement) || WORDS.contains(&symbol)
}

/// Returns the start of the last annotation mark attached to the end of a symbol: `Nf3+-`, `e4=`, `Bxf7ch`, `Nf3N`.
/// None if there is no mark, or if it may be part of a move: a dash, a colon, a capture without its target. The caller
/// must check whether the text before the mark is a move, and whether the move needs the mark itself, as in `e8N`.
pub(crate) fn glued_mark(symbol: &[u8]) -> Option<usize> {
    let signs_at = symbol.iter().rposition(|byte| byte.is_ascii_alphanumeric() || *byte == b')')? + 1;
    let (head, signs) = symbol.split_at(signs_at);
    let is_check = signs.iter().all(|byte| matches!(byte, b'+' | b'#'));
    if !is_check {
        let is_mark = match (str::from_utf8(signs), signs) {
            (Ok(text), _) => is_judgement(text),
            // ± in Latin-1 and the Windows code pages.
            (Err(_), [before @ .., 0xB1]) => before.is_ascii(),
            (Err(_), _) => false,
        };
        return is_mark.then_some(signs_at);
    }
    let letter = [&b"N"[..], b"D"];
    let word = WORDS.into_iter().chain(letter).find(|word| head.ends_with(word))?;
    let before = &head[..head.len() - word.len()];
    matches!(before, [.., b'1'..=b'8' | b'+' | b'#' | b')' | b'O' | b'o' | b'0' | b'Q' | b'R' | b'B' | b'N'])
        .then_some(before.len())
}

/// Whether the signs judge a move or a position. Dashes, colons, slashes and the like alone do not.
fn is_judgement(signs: &str) -> bool {
    let is_sign = |char: char| !char.is_alphanumeric() && !char.is_control() && !matches!(char, '♔'..='♟');
    let joins = |char| "-/:@\u{2010}\u{2011}\u{2012}\u{2013}\u{2014}\u{2015}\u{2212}\u{fe0e}\u{fe0f}×".contains(char);
    !signs.is_empty() && signs.chars().all(is_sign) && !signs.chars().all(joins)
}

/// Whether a symbol has the shape of a move in some spelling and some language. Such a symbol may begin a game without
/// tags.
#[doc(hidden)]
pub fn is_move_shaped(symbol: &[u8]) -> bool {
    nom::combinator::all_consuming(alt((castling, placement))).parse(symbol).is_ok()
}

/// `O-O` or `O-O-O` with upper-case letters, lower-case letters or zeros, and check marks.
fn castling(input: &[u8]) -> IResult<&[u8], &[u8]> {
    let o = || one_of("Oo0");
    recognize((o(), dash, o(), opt((dash, o())), check_marks)).parse(input)
}

/// A hyphen, or one of the dashes used instead.
pub(super) fn dash(input: &[u8]) -> IResult<&[u8], &[u8]> {
    alt((tag("-"), tag("–"), tag("—"), tag("‐"), tag("‑"), tag("−"))).parse(input)
}

/// A piece letter, the place of origin, the target square, and suffixes: `e4 exd5 Nf3 Кf3 ♘f3 Ng1-f3 e2e4 e8=Q+`.
fn placement(input: &[u8]) -> IResult<&[u8], &[u8]> {
    let file = || one_of("abcdefgh");
    let rank = || one_of("12345678");
    let square = || pair(file(), rank());
    let sign = || opt(one_of("x:-"));
    let promotion = preceded(opt(one_of("=/(")), terminated(piece_letter, opt(char(')'))));
    let going = alt((
        recognize((square(), sign(), square())),
        recognize((rank(), sign(), square())),
        recognize((file(), sign(), square())),
        recognize((sign(), square())),
    ));
    recognize((opt(foreign_letters), going, opt(promotion), check_marks))
        .or(recognize((piece_letter, square(), check_marks)))
        .parse(input)
}

/// An upper-case letter, or up to two characters that are not ASCII, such as Cyrillic piece letters and figurines.
fn foreign_letters(input: &[u8]) -> IResult<&[u8], &[u8]> {
    alt((take_while_m_n(1, 2, |byte: u8| byte.is_ascii_uppercase()), take_while_m_n(2, 6, |byte: u8| !byte.is_ascii())))
        .parse(input)
}

fn piece_letter(input: &[u8]) -> IResult<&[u8], &[u8]> {
    take_while_m_n(1, 1, |byte: u8| byte.is_ascii_uppercase() || b"qrbnk".contains(&byte)).parse(input)
}

fn check_marks(input: &[u8]) -> IResult<&[u8], &[u8]> {
    recognize(many0_count(one_of("+#"))).parse(input)
}

#[cfg(test)]
mod tests {
    use super::{glued_mark, is_move_shaped, is_stray, symbol};

    #[track_caller]
    fn cut(text: &str, expected: &str) {
        let (symbol, _) = symbol(text.as_bytes());
        assert_eq!(str::from_utf8(symbol), Ok(expected));
    }

    #[test]
    fn a_symbol_ends_at_a_delimiter() {
        cut("Nf3 ", "Nf3");
        cut("Nf3!?", "Nf3");
        cut("Nf3$1", "Nf3");
        cut("Nf3{x}", "Nf3");
        cut("Nf3*", "Nf3");
        cut("e4\u{a0}e5", "e4");
        cut("e4…", "e4");
        cut("♘f3 x", "♘f3");
        cut("O–O x", "O–O");
    }

    #[test]
    fn some_delimiters_belong_to_the_move() {
        cut("e8(Q)+", "e8(Q)+");
        cut("exf8(q) x", "exf8(q)");
        cut("e4(Q)", "e4");
        cut("Nf8(N)", "Nf8");
        cut("dxe6e.p.+", "dxe6e.p.+");
        cut("e4. e5", "e4");
    }

    #[test]
    fn moves_have_a_shape_in_every_language() {
        for text in [
            "e4", "Nf3", "exd5", "Sf3", "Кf3", "♘f3", "Ng1-f3", "e2e4", "e8=Q+", "e8Q", "O-O", "0-0-0+", "nf3", "Крf1",
            "R1a3", "e8(Q)",
        ] {
            assert!(is_move_shaped(text.as_bytes()), "{text}");
        }
        for text in ["Subject:", "From:", "games", "e", "e9", "white", "Nf3x", "a.b", "O"] {
            assert!(!is_move_shaped(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn annotation_marks_are_no_moves() {
        for text in ["D", "N", "+=", "#", "+-", "RR", "c", "∞", "=/∞", "⩲∓", "0", "dbl", "ch", "mate"] {
            assert!(is_stray(text.as_bytes()), "{text}");
        }
        for text in ["e8", "Sf3", "whatever", "ed", "––", "--", "♘♘", "½-½", "00"] {
            assert!(!is_stray(text.as_bytes()), "{text}");
        }
    }

    #[track_caller]
    fn glued(marked: &str) {
        let at = marked.find('|');
        assert_eq!(glued_mark(marked.replace('|', "").as_bytes()), at, "{marked}");
    }

    #[test]
    fn marks_are_glued_to_what_may_be_a_move() {
        for text in
            ["Nf3|+-", "e4|=", "e8|=", "Bxf7|ch", "Nf3|N", "Nf3+|N", "Nf3N|=", "Qh5|mate", "e4|⩲", "O-O|-+", "Nf3|ch+"]
        {
            glued(text);
        }
        for text in ["Nf3", "Nf3+", "Nf3-", "Nf3:", "Nf3/", "Nf3x", "each", "N", "ch", "Nf3a", "+-", "", "exdch", "е4"]
        {
            glued(text);
        }
        assert_eq!(glued_mark(b"Nf3\xB1"), Some(3));
        assert_eq!(glued_mark(b"\xCAf3+-"), Some(3));
        assert_eq!(glued_mark(b"Nf3\xCA"), None);
    }

    #[test]
    fn an_en_passant_mark_belongs_to_a_capture() {
        cut("Nf3.p. x", "Nf3");
        cut("dxe6e.p.x ", "dxe6e.p.x");
    }
}
