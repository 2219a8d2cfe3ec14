//! The elements of movetext (PGN standard §8.2) and the productions that read them.
//!
//! Symbols and results have files of their own: `symbol` and `result`.

use nom::IResult;
use nom::Parser;
use nom::bytes::complete::{take_while, take_while1};
use nom::character::complete::char;
use nom::combinator::recognize;
use nom::sequence::preceded;
use pgn2fen_chess::position::Position;

/// One element of movetext.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token<'a> {
    /// A move number indication with its periods (§8.2.2). It does not number the plies, because many move numbers are
    /// wrong.
    MoveNumber {
        /// The number. Numbers above the maximum of `u32` are cut to it.
        number: u32,
        /// Whether several periods follow the number, as before a move of Black.
        black: bool,
    },
    /// A symbol where a move is expected (§8.2.3): a move in any spelling, or a word that is not a move.
    San(&'a [u8]),
    /// A numeric annotation glyph, `$n` (§8.2.4), or a suffix such as `!?` as its number 1–6 (§8.2.3.8).
    Nag(u8),
    /// A comment, without its braces or semicolon (§5).
    Comment(&'a [u8]),
    /// `(`, the start of a variation (§8.2.5).
    VariationStart,
    /// `)`, the end of a variation.
    VariationEnd,
    /// `e.p.`, the mark of an en passant capture, separate from its move.
    EnPassantMark,
    /// The result that ends the game (§8.2.6).
    Termination(Termination),
    /// Text without a meaning: stray marks, glyphs out of range, control characters.
    Skipped(&'a [u8]),
}

/// A game termination marker (§8.2.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Termination {
    /// The outcome of the game.
    pub outcome: Outcome,
    /// Whether the spelling is one of the four in the standard.
    pub is_standard: bool,
}

/// The outcome of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: in progress, abandoned, or unknown.
    Unknown,
}

impl Outcome {
    /// Returns the spelling of the standard.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unknown => "*",
        }
    }

    /// Returns the outcome that a position shows: a win by mate, a draw by stalemate, or the end of a variant. None for
    /// other positions.
    pub fn on_board(position: &Position) -> Option<Self> {
        let end = position.end()?;
        Some(end.winner.map_or(Self::Draw, |winner| winner.pick(Self::WhiteWins, Self::BlackWins)))
    }
}

/// `<move-number-indication>`: digits and the periods directly behind them (§8.2.2.1).
#[inline]
pub(crate) fn move_number(input: &[u8]) -> IResult<&[u8], Token<'_>> {
    let mut number = 0u32;
    let mut digits = 0;
    while let Some(digit @ b'0'..=b'9') = input.get(digits) {
        number = number.saturating_mul(10).saturating_add(u32::from(digit - b'0'));
        digits += 1;
    }
    if digits == 0 {
        return Err(nom::Err::Error(nom::error::Error::new(input, nom::error::ErrorKind::Digit)));
    }
    let mut end = digits;
    while input.get(end) == Some(&b'.') {
        end += 1;
    }
    Ok((&input[end..], Token::MoveNumber { number, black: end > digits + 1 }))
}

/// `<numeric-annotation-glyph> ::= $ <digit-sequence>`, 0 to 255 (§8.2.4).
pub(crate) fn nag(input: &[u8]) -> IResult<&[u8], Token<'_>> {
    let (rest, text) = recognize(preceded(char('$'), take_while(|byte: u8| byte.is_ascii_digit()))).parse(input)?;
    let number = str::from_utf8(&text[1..]).ok().and_then(|digits| digits.parse().ok());
    Ok((rest, number.map_or(Token::Skipped(text), Token::Nag)))
}

/// The signs that stand for glyphs, beside the suffixes of §8.2.3.8, and their numbers (§10). Programs print them in
/// place of `$` and a number.
const GLYPHS: [(&str, u8); 32] = [
    ("\u{203c}", 3),
    ("\u{2047}", 4),
    ("\u{2049}", 5),
    ("\u{2048}", 6),
    ("□", 7),
    ("=", 10),
    ("∞", 13),
    ("⩲", 14),
    ("+=", 14),
    ("+/=", 14),
    ("⩱", 15),
    ("=+", 15),
    ("=/+", 15),
    ("±", 16),
    ("+/-", 16),
    ("∓", 17),
    ("-/+", 17),
    ("+-", 18),
    ("+−", 18),
    ("+–", 18),
    ("-+", 19),
    ("−+", 19),
    ("–+", 19),
    ("⨀", 22),
    ("⊙", 22),
    ("⟳", 32),
    ("→", 40),
    ("↑", 36),
    ("=/∞", 44),
    ("=∞", 44),
    ("⇆", 132),
    ("⊕", 138),
];

/// Returns the glyph with which a symbol begins, and the length of its sign in bytes. None if the symbol does not
/// consist of such signs alone.
#[cold]
pub(crate) fn glyph(symbol: &[u8]) -> Option<(u8, usize)> {
    // ± in Latin-1 and the Windows code pages.
    if symbol == [0xB1] {
        return Some((16, 1));
    }
    let found =
        GLYPHS.iter().filter(|(sign, _)| symbol.starts_with(sign.as_bytes())).max_by_key(|(sign, _)| sign.len());
    let (sign, glyph) = found.filter(|_| symbol.len() <= LONGEST_SIGNS)?;
    // A selector of the picture may stand behind a sign.
    let selector = if symbol[sign.len()..].starts_with(&[0xEF, 0xB8]) { 3 } else { 0 };
    let length = symbol.len().min(sign.len() + selector);
    (length == symbol.len() || self::glyph(&symbol[length..]).is_some()).then_some((*glyph, length))
}

/// Returns the place from which on the marks behind a move are signs for glyphs.
pub(crate) fn glyphs_at_end(marks: &[u8]) -> usize {
    let begins_char = |at: &usize| str::from_utf8(marks).is_err() || str::from_utf8(&marks[*at..]).is_ok();
    (0..marks.len()).filter(begins_char).find(|at| glyph(&marks[*at..]).is_some()).unwrap_or(marks.len())
}

/// The longest symbol that is read as several glyphs, in bytes.
const LONGEST_SIGNS: usize = 24;

/// Whether a byte belongs to a suffix.
pub(super) fn is_suffix_mark(byte: u8) -> bool {
    matches!(byte, b'!' | b'?')
}

/// The six suffixes `! ? !! !? ?! ??` (§8.2.3.8), as their glyphs. Other runs of the two marks have no meaning.
pub(crate) fn suffix(input: &[u8]) -> IResult<&[u8], Token<'_>> {
    let (rest, text) = take_while1(is_suffix_mark).parse(input)?;
    let token = match text {
        b"!" => Token::Nag(1),
        b"?" => Token::Nag(2),
        b"!!" => Token::Nag(3),
        b"??" => Token::Nag(4),
        b"!?" => Token::Nag(5),
        b"?!" => Token::Nag(6),
        _ => Token::Skipped(text),
    };
    Ok((rest, token))
}

#[cfg(test)]
mod tests {
    use super::{Token, glyph, glyphs_at_end, move_number, nag, suffix};

    #[test]
    fn signs_stand_for_glyphs() {
        let glyphs = |symbol: &str| {
            let (mut rest, mut glyphs) = (symbol.as_bytes(), Vec::new());
            while let Some((number, length)) = glyph(rest) {
                glyphs.push(number);
                rest = &rest[length..];
            }
            glyphs
        };
        assert_eq!(glyphs("±"), [16]);
        assert_eq!(glyphs("+/="), [14]);
        assert_eq!(glyphs("=/∞"), [44]);
        assert_eq!(glyphs("\u{2049}\u{fe0f}±"), [5, 16]);
        assert_eq!(glyphs("∓□"), [17, 7]);
        assert_eq!(glyphs("⨀⊙"), [22, 22]);
        for symbol in ["", "+", "#", "--", "++-", "±x", "½", "-", "∞\u{2009}", &"±".repeat(100)] {
            assert_eq!(glyphs(symbol), [], "{symbol}");
        }
        assert_eq!(glyph(b"\xB1"), Some((16, 1)));
        for (marks, at) in [("N+-", 1), ("+±", 1), ("ch", 2), ("⩱", 0), ("∱", 3), ("=", 0)] {
            assert_eq!(glyphs_at_end(marks.as_bytes()), at, "{marks}");
        }
    }

    #[track_caller]
    fn number(text: &str, number: u32, black: bool, rest: &str) {
        assert_eq!(move_number(text.as_bytes()), Ok((rest.as_bytes(), Token::MoveNumber { number, black })), "{text}");
    }

    #[test]
    fn a_move_number_takes_the_periods_glued_to_it() {
        number("1.e4", 1, false, "e4");
        number("1. e4", 1, false, " e4");
        number("2 .Nf3", 2, false, " .Nf3");
        number("3 Bc4", 3, false, " Bc4");
        number("2...Nc6", 2, true, "Nc6");
        number("99999999999", u32::MAX, false, "");
    }

    #[test]
    fn glyphs_are_numbers_up_to_255() {
        assert_eq!(nag(b"$14 "), Ok((&b" "[..], Token::Nag(14))));
        assert_eq!(nag(b"$999"), Ok((&b""[..], Token::Skipped(b"$999"))));
        assert_eq!(nag(b"$ 2"), Ok((&b" 2"[..], Token::Skipped(b"$"))));
        assert_eq!(suffix(b"!?x"), Ok((&b"x"[..], Token::Nag(5))));
        assert_eq!(suffix(b"!!!"), Ok((&b""[..], Token::Skipped(b"!!!"))));
    }
}
