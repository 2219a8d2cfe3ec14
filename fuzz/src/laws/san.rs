//! Law: a symbol of movetext is refused, or read as a legal move that has the squares, the piece and the promotion in
//! the symbol.

use pgn2fen_chess::fen;
use pgn2fen_chess::moves::Move;
use pgn2fen_chess::piece::Role;
use pgn2fen_chess::position::Position;
use pgn2fen_chess::san::{self, Letters, languages};
use pgn2fen_chess::square::Square;

use crate::choices::Choices;

/// Checks the law. The first byte chooses the language. Then comes a line with a FEN. The rest is the symbol.
///
/// # Panics
///
/// The law is broken.
pub fn check(data: &[u8]) {
    let mut choices = Choices::new(data);
    let language = usize::from(choices.byte());
    let line = choices.line();
    let Ok(reading) = fen::read_by(fen::rules_of_form(line).unwrap_or_default(), line) else { return };
    let position = reading.position;
    let symbol = choices.bytes();
    let letters = languages().nth(language).unwrap_or(Letters::ENGLISH);
    match san::resolve(symbol, &position, &letters) {
        Ok(resolved) => {
            assert!(position.is_legal(resolved.mv), "{resolved:?}");
            agrees(symbol, resolved.mv, letters, &position);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Returns the squares in a symbol, from the left.
fn squares(symbol: &[u8]) -> Vec<Square> {
    let mut found = Vec::new();
    let mut rest = symbol.to_ascii_lowercase();
    while rest.len() >= 2 {
        let square = Square::from_ascii(&rest[..2]);
        rest.drain(..if square.is_some() { 2 } else { 1 });
        found.extend(square);
    }
    found
}

/// Checks that the move has the squares, the piece and the promotion in the symbol.
fn agrees(symbol: &[u8], m: Move, letters: Letters, position: &Position) {
    let told = || format!("{:?} is read as {m:?} in {position:?}", String::from_utf8_lossy(symbol));
    match (squares(symbol)[..].as_ref(), m) {
        (_, Move::Null) | ([], _) => {}
        ([king, other], Move::Castle { king: from, rook }) => {
            assert!(*king == from && (*other == rook || Some(*other) == m.to()), "{}", told());
        }
        (_, Move::Castle { .. }) => panic!("{}", told()),
        ([to], _) => assert_eq!(Some(*to), m.to(), "{}", told()),
        ([from, to], _) => assert_eq!((Some(*from), Some(*to)), (m.from(), m.to()), "{}", told()),
        _ => panic!("{}", told()),
    }
    if letters == Letters::ENGLISH {
        let named = symbol.first().and_then(|letter| match letter {
            b'K' => Some(Role::King),
            b'Q' => Some(Role::Queen),
            b'R' => Some(Role::Rook),
            b'B' => Some(Role::Bishop),
            b'N' => Some(Role::Knight),
            _ => None,
        });
        // In a word of only capital letters, B may be a file.
        let is_of_capitals = !symbol.iter().any(u8::is_ascii_lowercase);
        if let Some(named) = named
            && !is_of_capitals
        {
            assert_eq!(m.role(), Some(named), "{}", told());
        }
    }
}
