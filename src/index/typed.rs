//! Positions as people type them.

use std::ops::Range;

use crate::chess::moves::Move;
use crate::chess::position::Position;
use crate::chess::uci::Uci;
use crate::fen::{self, Repair};
use crate::pgn::movetext::Movetext;
use crate::pgn::token::Token;
use crate::san::{self, Letters};
use crate::selection::Mistake;

/// A position that was typed, and what had to be put right in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Typed {
    /// The position.
    pub position: Position,
    /// What it is not as it was typed: a castling right or an en passant square that cannot be. None where it is.
    pub repair: Option<String>,
}

/// Reads a position: a FEN of four or six fields, an EPD, `startpos`, moves from the initial position, or moves from one of
/// these, up to a result if there is one: `1. e4 c5 2. Nf3`, `e2e4 c7c5`, `startpos moves e2e4`, `8/8/8/3k4/8/8/4P3/4K3 w - - moves e2e4`.
///
/// # Errors
///
/// It is none of these, or a move cannot be played.
pub fn read_position(text: &str, letters: &Letters) -> Result<Typed, Mistake> {
    let all = trimmed(text, 0..text.len());
    if all.is_empty() {
        let reason = "a position is wanted: a FEN, startpos, or moves such as 1. e4 c5";
        return Err(Mistake::new("", 0..0, reason));
    }
    // As it is said to engines.
    let place = without_word(text, all, "position");
    let place = without_word(text, place, "fen");
    let start = without_word(text, place.clone(), "startpos");
    if start != place {
        let moves = without_word(text, start, "moves");
        return play(text, moves, Position::initial(), None, letters);
    }
    if !is_board(first_word(&text[place.clone()])) {
        let moves = without_word(text, place, "moves");
        return play(text, moves, Position::initial(), None, letters);
    }
    let (fen, moves) = match text[place.clone()].find(" moves ") {
        Some(at) => (place.start..place.start + at, place.start + at + " moves ".len()..place.end),
        None => (place.clone(), place.end..place.end),
    };
    let reading = fen::read(text[fen.clone()].as_bytes()).map_err(|error| {
        let at = error.offset().map_or(fen.clone(), |offset| fen.start + offset..fen.start + offset + 1);
        Mistake::new(text, at.start.min(text.len())..at.end.min(text.len()), error.to_string())
    })?;
    let repairs: Vec<String> = reading
        .repairs
        .iter()
        .filter(|repair| matches!(repair, Repair::Position(_)))
        .map(|repair| repair.to_string())
        .collect();
    let repair = (!repairs.is_empty()).then(|| repairs.join("; "));
    play(text, moves, reading.position, repair, letters)
}

/// Plays the moves that stand in a place of the text.
fn play(
    text: &str,
    place: Range<usize>,
    mut position: Position,
    repair: Option<String>,
    letters: &Letters,
) -> Result<Typed, Mistake> {
    let mut movetext = Movetext::new(&text.as_bytes()[..place.end], place.start);
    while let Some(token) = movetext.next_mainline() {
        if let Token::San(word) = token {
            let m =
                find_move(word, &position, letters).map_err(|reason| Mistake::new(text, movetext.span(), reason))?;
            position.play_unchecked(m);
        }
    }
    Ok(Typed { position, repair })
}

/// What a word means: as engines write moves, where castling in Chess960 is the king taking his rook, or in any spelling of
/// SAN.
fn find_move(word: &[u8], position: &Position, letters: &Letters) -> Result<Move, String> {
    if let Some(m) = Uci::from_ascii(word).and_then(|uci| uci.find(position)) {
        return Ok(m);
    }
    match san::resolve(word, position, letters) {
        Ok(resolved) => Ok(resolved.mv),
        Err(error) => Err(error.to_string()),
    }
}

/// Whether a word may be the board of a FEN, if a faulty one.
fn is_board(word: &str) -> bool {
    word.matches('/').count() >= 2
}

fn first_word(text: &str) -> &str {
    text.split([' ', '\t', '_']).next().unwrap_or_default()
}

/// The place behind a word, if the text begins with it.
fn without_word(text: &str, place: Range<usize>, word: &str) -> Range<usize> {
    match text[place.clone()].strip_prefix(word) {
        Some(rest) if rest.is_empty() || rest.starts_with([' ', '\t']) => {
            trimmed(text, place.end - rest.len()..place.end)
        }
        _ => place,
    }
}

/// The place without the blanks around it.
fn trimmed(text: &str, place: Range<usize>) -> Range<usize> {
    let within = &text[place.clone()];
    let start = place.start + (within.len() - within.trim_start().len());
    start..start + within.trim().len()
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::read_position;
    use crate::fen::{self, EpStyle, FenStyle};
    use crate::san::Letters;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let typed = read_position(text, &Letters::ENGLISH).unwrap_or_else(|mistake| panic!("{text}: {mistake}"));
        let style = FenStyle { ep: EpStyle::Legal, ..FenStyle::default() };
        assert_eq!(fen::to_string(&typed.position, style), expected, "{text}");
        assert_eq!(typed.repair, None, "{text}");
    }

    #[test]
    fn a_position_is_typed_as_it_is_at_hand() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        for text in ["startpos", " startpos ", "position startpos", start, &format!("fen {start}"), "moves"] {
            check(text, start);
        }
        let sicilian = "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";
        for text in [
            "1. e4 c5 2. Nf3",
            "1.e4 c5 2.Nf3",
            "e4 c5 Nf3",
            "e2e4 c7c5 g1f3",
            "startpos moves e2e4 c7c5 g1f3",
            "position startpos moves e2e4 c7c5 g1f3",
            "1. e4! {best} c5 (1... e5) 2. Nf3 *",
            &format!("position fen {start} moves e2e4 c7c5 g1f3"),
            "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2",
        ] {
            check(text, sicilian);
        }
        check("8/8/8/3k4/8/8/4P3/4K3 w - -", "8/8/8/3k4/8/8/4P3/4K3 w - - 0 1");
        check("8/8/8/3k4/8/8/4P3/4K3 w - - bm e4; id \"x\";", "8/8/8/3k4/8/8/4P3/4K3 w - - 0 1");
        check(
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w KQkq - 2 9",
        );
        check("4k3/8/8/8/8/8/8/5KR1 w G - moves f1g1", "4k3/8/8/8/8/8/8/5RK1 b - - 1 1");
    }

    #[test]
    fn what_was_put_right_is_told() {
        let typed = read_position("4k3/8/8/8/8/8/8/4K3 w KQ - 0 1", &Letters::ENGLISH).unwrap();
        assert!(typed.repair.is_some_and(|repair| repair.contains("castl")));
    }

    #[track_caller]
    fn check_mistake(text: &str, expected: &Expect) {
        expected.assert_eq(&read_position(text, &Letters::ENGLISH).expect_err(text).to_string());
    }

    #[test]
    fn a_caret_stands_under_what_is_wrong() {
        check_mistake(
            "1. e4 Ke6",
            &expect![[r#"
            the black king on e8 cannot reach e6
                1. e4 Ke6
                      ^^^"#]],
        );
        check_mistake(
            "startpos moves e2e5",
            &expect![[r#"
            the white pawn on e2 cannot reach e5
                startpos moves e2e5
                               ^^^^"#]],
        );
        check_mistake(
            "hello",
            &expect![[r#"
            not a move
                hello
                ^^^^^"#]],
        );
        check_mistake(
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w - - 0 1",
            &expect![[r#"
            there are 7 ranks, not 8 (column 1)
                rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w - - 0 1
                ^"#]],
        );
        check_mistake(
            "8/8/8/8/8/8/8/4K3 w - - 0 1",
            &expect![[r#"
            black has no king
                8/8/8/8/8/8/8/4K3 w - - 0 1
                ^^^^^^^^^^^^^^^^^^^^^^^^^^^"#]],
        );
        check_mistake("  ", &expect!["a position is wanted: a FEN, startpos, or moves such as 1. e4 c5"]);
    }
}
