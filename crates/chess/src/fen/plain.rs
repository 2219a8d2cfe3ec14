//! Reads a FEN in which nothing is to be reported, as programs write it, in half of the time of the grammar.

use nom::Parser;

use crate::castling::CastlingRights;
use crate::fen::castling::castling;
use crate::fen::piece_placement::plain_board;
use crate::fen::repair::Oddities;
use crate::piece::Color;
use crate::setup::Setup;
use crate::square::Square;

/// Reads a FEN of six fields with one space between them. Returns `None` for a text that the grammar has to read.
pub(super) fn plain_setup(text: &[u8]) -> Option<Setup> {
    let (rest, board) = plain_board(text)?;
    let (turn, rest) = match rest {
        [b' ', b'w', b' ', rest @ ..] => (Color::White, rest),
        [b' ', b'b', b' ', rest @ ..] => (Color::Black, rest),
        _ => return None,
    };
    let (castling, rest) = match rest {
        [b'-', b' ', rest @ ..] => (CastlingRights::NONE, rest),
        _ => match castling(&board).parse(rest) {
            Ok(([b' ', rest @ ..], (castling, Oddities::NONE))) if !castling.is_empty() => (castling, rest),
            _ => return None,
        },
    };
    let (ep, rest) = match rest {
        [b'-', b' ', rest @ ..] => (None, rest),
        [file @ b'a'..=b'h', rank @ b'1'..=b'8', b' ', rest @ ..] => (Square::from_ascii(&[*file, *rank]), rest),
        _ => return None,
    };
    let (halfmoves, rest) = number(rest)?;
    let (fullmoves, rest) = number(rest.strip_prefix(b" ")?)?;
    (rest.is_empty() && fullmoves > 0).then_some(Setup {
        board,
        turn,
        castling,
        ep,
        halfmoves,
        fullmoves,
        ..Setup::initial()
    })
}

/// Reads a number of at most nine digits, which is less than 2³².
fn number(text: &[u8]) -> Option<(u32, &[u8])> {
    let length = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, rest) = text.split_at(length);
    let value = || digits.iter().fold(0, |n, digit| n * 10 + u32::from(digit - b'0'));
    (1..=9).contains(&length).then(|| (value(), rest))
}

#[cfg(test)]
mod tests {
    use super::plain_setup;
    use crate::fen::read::by_grammar;
    use crate::fen::repair::Repairs;

    const FENS: [&str; 5] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2",
        "1rk2r2/8/8/3p4/8/8/P7/1RK2R2 b BFbf d3 12 34",
        "8/8/8/3k4/8/8/4P3/4K3 w - - 99 123456789",
        "r3k2r/8/8/8/8/8/8/R3K2R b Qk - 0 60",
    ];

    #[test]
    fn what_programs_write_is_plain() {
        for fen in FENS {
            assert!(plain_setup(fen.as_bytes()).is_some(), "{fen}");
        }
    }

    #[test]
    fn a_board_without_all_of_its_ranks_or_with_a_rank_too_long_is_not_plain() {
        let long = format!("{}/8/8/8/8/8/8/8", "k".repeat(300));
        for board in ["4k3/8/8/8/8/4K3/", "4k3/8/8/8/8/8/4K3", "4k3/8/8/8/8/8/8/4K2", &*long] {
            assert_eq!(plain_setup(format!("{board} w - - 0 1").as_bytes()), None, "{board}");
        }
    }

    #[test]
    fn the_grammar_reads_the_same_without_a_repair() {
        let bytes = b" /wbWBKQkqAHah-_0139e6;\t\0x~[\x80";
        let mut plain = 0;
        let mut check = |text: &[u8]| {
            if let Some(setup) = plain_setup(text) {
                plain += 1;
                let (expected, repairs) = by_grammar(text).expect("what is plain can be read");
                assert_eq!(setup, expected);
                assert_eq!(repairs, Repairs::default(), "{}", String::from_utf8_lossy(text));
            }
        };
        for fen in FENS.map(str::as_bytes) {
            for at in 0..=fen.len() {
                check(&fen[..at]);
                for byte in *bytes {
                    let (before, behind) = fen.split_at(at);
                    check(&[before, &[byte], behind].concat());
                    check(&[before, &[byte], behind.get(1..).unwrap_or_default()].concat());
                }
                check(&[&fen[..at], fen.get(at + 1..).unwrap_or_default()].concat());
            }
        }
        assert!(plain > 500, "{plain}");
    }
}
