//! A position in words, for people who do not see the picture.

use std::fmt::Write as _;

use crate::diagram::Board;
use pgn2fen_chess::board::Board as Diagram;
use pgn2fen_chess::piece::{Color, Role};

impl Board {
    /// Returns the position in words: the pieces of each side with their squares, the men in hand and checks of
    /// variants, the side to move, and the last move if it is shown.
    ///
    /// A screen reader can read it aloud: `White: king e1, rooks a1 and h1. Black: king e8, pawn e7. White to move.`
    pub fn description(&self) -> String {
        let mut words = String::with_capacity(300);
        pieces(&self.setup.board, Color::White, &mut words);
        pieces(&self.setup.board, Color::Black, &mut words);
        self.words_beside(&mut words);
        words.push_str(self.turn());
        if let Some((from, to)) = self.last_move {
            let _ = write!(words, " Last move: {from} to {to}.");
        }
        words
    }

    /// Returns the side to move as a sentence.
    pub(super) fn turn(&self) -> &'static str {
        match (self.setup.turn, self.checked_king().is_some()) {
            (Color::White, false) => "White to move.",
            (Color::White, true) => "White to move, in check.",
            (Color::Black, false) => "Black to move.",
            (Color::Black, true) => "Black to move, in check.",
        }
    }
}

/// Appends the pieces of a side as a sentence with a space behind it.
fn pieces(board: &Diagram, color: Color, words: &mut String) {
    words.push_str(color.pick("White:", "Black:"));
    for role in Role::ALL.iter().rev() {
        let squares = board.by_piece(role.of(color));
        let count = squares.count();
        if count == 0 {
            continue;
        }
        let comma = if words.ends_with(':') { "" } else { "," };
        let _ = write!(words, "{comma} {role}{}", if count > 1 { "s" } else { "" });
        for (at, square) in (1..).zip(squares) {
            let before = match at {
                1 => " ",
                _ if at == count => " and ",
                _ => ", ",
            };
            let _ = write!(words, "{before}{square}");
        }
    }
    words.push_str(". ");
}

#[cfg(test)]
mod tests {
    use crate::Board;
    use pgn2fen_chess::square::Square;
    use pgn2fen_chess::testing::position;

    #[track_caller]
    fn check(fen: &str, expected: &str) {
        assert_eq!(Board::of(&position(fen)).description(), expected);
    }

    #[test]
    fn a_position_is_described_side_by_side() {
        check(
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "White: king e1, queen d1, rooks a1 and h1, bishops c1 and f1, knights b1 and g1, pawns a2, b2, c2, d2, \
             e2, f2, g2 and h2. Black: king e8, queen d8, rooks a8 and h8, bishops c8 and f8, knights b8 and g8, pawns \
             a7, b7, c7, d7, e7, f7, g7 and h7. White to move.",
        );
        check("4k3/4P3/8/8/8/8/8/4K2R w K - 0 1", "White: king e1, rook h1, pawn e7. Black: king e8. White to move.");
        check("4k3/8/8/8/8/8/4R3/4K3 b - - 0 1", "White: king e1, rook e2. Black: king e8. Black to move, in check.");
    }

    #[test]
    fn the_last_move_is_named_if_it_is_shown() {
        let board = Board::of(&position("4k3/8/8/8/8/8/8/4K3 b - - 0 1")).last_move(Square::D1, Square::E1);
        assert!(board.description().ends_with(" Black to move. Last move: d1 to e1."));
    }
}
