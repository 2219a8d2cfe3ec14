//! Reads a symbol of movetext as a move, even in another encoding or with annotation marks attached.

use crate::encoding::{Fallback, Label};
use crate::symbol::glued_mark;
use pgn2fen_chess::position::Position;
use pgn2fen_chess::san::{self, Letters, Resolved, SanError, SanErrorKind};

/// The longest symbol whose marks are looked for, in bytes. No move with its marks is longer, and the time must not
/// grow with the square of the length.
const LONGEST: usize = 64;

/// A symbol that is a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub struct Symbol<'a> {
    #[doc(hidden)]
    pub resolved: Resolved,
    /// The move in the spelling of the text.
    pub(crate) san: &'a [u8],
    /// The marks attached to the move: `+-`, `ch`. Usually empty.
    pub(crate) marks: &'a [u8],
}

/// Reads a symbol. Bytes that are not UTF-8 are decoded by `encoding`, if there is one.
///
/// # Errors
///
/// The symbol is not a move with marks, no legal move fits it, or several do.
#[doc(hidden)]
pub fn read<'a>(
    symbol: &'a [u8],
    position: &Position,
    letters: &Letters,
    encoding: Option<Label>,
) -> Result<Symbol<'a>, SanError> {
    let resolve = |text: &[u8]| match encoding {
        Some(label) => san::resolve(Fallback::new(Some(label)).decode(text).as_bytes(), position, letters),
        None => san::resolve(text, position, letters),
    };
    let mut error = match resolve(symbol) {
        Ok(resolved) => return Ok(Symbol { resolved, san: symbol, marks: b"" }),
        Err(error) => error,
    };
    let mut san = symbol;
    while error.kind() != SanErrorKind::AmbiguousMove
        && symbol.len() <= LONGEST
        && let Some(at) = glued_mark(san)
    {
        san = &symbol[..at];
        match resolve(san) {
            Ok(resolved) => return Ok(Symbol { resolved, san, marks: &symbol[at..] }),
            // The text without its marks is a move. Its own fault is reported.
            Err(without) if error.kind() == SanErrorKind::BadSan => error = without,
            Err(_) => {}
        }
    }
    Err(error)
}

#[cfg(test)]
mod tests {
    use super::read;
    use pgn2fen_chess::fen;
    use pgn2fen_chess::position::Position;
    use pgn2fen_chess::san::{Letters, SanErrorKind};

    const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const MIDDLE: &str = "2kr4/4P1pp/8/3p4/1P2P3/8/4B3/R3K2R w KQ - 0 1";

    fn position(fen: &str) -> Position {
        fen::read(fen.as_bytes()).expect(fen).position
    }

    #[track_caller]
    fn check(fen: &str, symbols: &str, uci: &str) {
        let position = position(fen);
        for symbol in symbols.split(' ') {
            // The move stands before a bar, and its marks behind it.
            let (san, marks) = symbol.split_once('|').expect("a bar");
            let text = symbol.replace('|', "");
            let symbol = read(text.as_bytes(), &position, &Letters::ENGLISH, None).expect(&text);
            assert_eq!(symbol.resolved.mv.to_uci(&position), uci, "{text}");
            assert_eq!((symbol.san, symbol.marks), (san.as_bytes(), marks.as_bytes()), "{text}");
        }
    }

    #[track_caller]
    fn check_error(fen: &str, symbol: &str, kind: SanErrorKind, message: &str) {
        let error = read(symbol.as_bytes(), &position(fen), &Letters::ENGLISH, None).expect_err(symbol);
        assert_eq!((error.kind(), error.to_string().as_str()), (kind, message), "{symbol}");
    }

    #[test]
    fn marks_are_taken_from_the_end_of_a_move() {
        check(INITIAL, "Nf3| Nf3+| Nf3#|", "g1f3");
        check(INITIAL, "Nf3|+- Nf3|-+ Nf3|+/- Nf3|-/+ Nf3|+= Nf3|=+ Nf3|+/= Nf3|=/∞ Nf3|∞ Nf3|± Nf3|⩲ Nf3|++-", "g1f3");
        check(INITIAL, "Nf3|ch Nf3|dbl Nf3|disch Nf3|mate Nf3|N Nf3|TN Nf3|D Nf3|N+- Nf3+|N Ng1-f3|= nf3|=", "g1f3");
        check(INITIAL, "e4|= e4|N e4|+/- e2e4|=", "e2e4");
        check(MIDDLE, "e8Q|= e8=Q|+- e8(Q)|N", "e7e8q");
        check(MIDDLE, "O-O|= O-O|-+ 0-0|ch 00|=", "e1g1");
        check(MIDDLE, "exd|= exd5|N", "e4d5");
    }

    #[test]
    fn what_could_be_part_of_a_move_is_no_mark() {
        let promotion = "a pawn that reaches e8 must become a piece, as in e8=Q";
        for symbol in ["e8", "e8=", "e8=+", "e8+-", "e8ch", "e8D", "e8/="] {
            check_error(MIDDLE, symbol, SanErrorKind::BadSan, promotion);
        }
        for symbol in ["e5-", "e5:", "e5x", "e5d", "e5\u{2013}", "O-O-", "b5c", "b5ch7", "e5½", "e5@", "exdch"] {
            check_error(MIDDLE, symbol, SanErrorKind::BadSan, "not a move");
        }
        check_error(INITIAL, "Nd4+-", SanErrorKind::IllegalMove, "no white knight can reach d4");
        let long = format!("Nf3{}", "=".repeat(100));
        check_error(INITIAL, &long, SanErrorKind::BadSan, "not a move");
    }

    #[cfg(feature = "encodings")]
    #[test]
    fn letters_are_read_in_the_encoding_that_is_named() {
        use crate::encoding::Label;
        let russian = Letters::of("ru").unwrap();
        let position = position(INITIAL);
        for (name, knight) in [
            ("windows-1251", b'\xCA'),
            ("koi8-r", b'\xEB'),
            ("cp866", b'\x8A'),
            ("iso-8859-5", b'\xBA'),
            ("x-mac-cyrillic", b'\x8A'),
        ] {
            let label = Label::find(name);
            assert!(label.is_some(), "{name}");
            for text in [&[knight, b'f', b'3'][..], &[knight, b'g', b'f', b'3', b'+'], &[knight, b'f', b'3', b'=']] {
                let symbol = read(text, &position, &russian, label).expect(name);
                assert_eq!(symbol.resolved.mv.to_uci(&position), "g1f3", "{name}");
                assert!(read(text, &position, &russian, None).is_err(), "nothing is guessed");
            }
        }
        let in_utf8 = read("Кf3".as_bytes(), &position, &russian, Label::find("windows-1251"));
        assert!(in_utf8.is_ok(), "UTF-8 is read as such, whatever is named for the rest");
    }
}
