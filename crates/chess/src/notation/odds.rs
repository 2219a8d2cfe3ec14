//! Odds in words, as players have named them since the eighteenth century. The side that gives the odds comes first:
//! `White: queen's knight`, `Black: pawn and move`, `White: queen; Black: both rooks`.
//!
//! "And move" means that only one side gives odds and that the other side moves first. A single pawn given together
//! with the move is the pawn on file f, so its file is not named.

use std::fmt;

use crate::bitboard::Bitboard;
use crate::piece::{Color, Role};
use crate::square::{File, Square};
use crate::start::Odds;

impl fmt::Display for Odds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut before = "";
        for (color, name) in [(Color::White, "White"), (Color::Black, "Black")] {
            let given = self.given_by(color);
            if let Some((last, others)) = given.split_last() {
                let and = if others.is_empty() { "" } else { " and " };
                write!(f, "{before}{name}: {}{and}{last}", others.join(", "))?;
                before = "; ";
            }
        }
        Ok(())
    }
}

impl Odds {
    /// Returns the words for the odds that one side gives: the most valuable piece first, the move last.
    fn given_by(self, color: Color) -> Vec<String> {
        let missing = |file: File, rank| self.missing().contains(Square::new(file, rank));
        let piece = |file| missing(file, color.back_rank());
        let mut given = Vec::new();
        if piece(File::D) {
            given.push("queen".to_owned());
        }
        for (role, queens, kings) in
            [(Role::Rook, File::A, File::H), (Role::Bishop, File::C, File::F), (Role::Knight, File::B, File::G)]
        {
            match (piece(queens), piece(kings)) {
                (true, true) => given.push(format!("both {role}s")),
                (true, false) => given.push(format!("queen's {role}")),
                (false, true) => given.push(format!("king's {role}")),
                (false, false) => {}
            }
        }
        let pawns: Vec<File> = File::ALL.into_iter().filter(|file| missing(*file, color.pawn_rank())).collect();
        let others_give = !(self.missing() & ranks(!color)).is_empty();
        let gives_move = self.turn() != color && !others_give;
        match pawns.as_slice() {
            [File::F] if given.is_empty() && gives_move => given.push("pawn".to_owned()),
            pawns if pawns.len() == File::ALL.len() => given.push("all pawns".to_owned()),
            pawns => given.extend(pawns.iter().map(|file| format!("{file}-pawn"))),
        }
        if gives_move && !given.is_empty() {
            given.push("move".to_owned());
        }
        given
    }
}

/// Returns the two ranks on which the pieces and pawns of a side start.
fn ranks(color: Color) -> Bitboard {
    Bitboard::from(color.back_rank()) | Bitboard::from(color.pawn_rank())
}

#[cfg(test)]
mod tests {
    use crate::position::Position;
    use crate::start::StartKind;
    use crate::testing::position;

    fn odds_of(position: &Position) -> Option<String> {
        match StartKind::of(position) {
            StartKind::Odds(odds) => Some(odds.to_string()),
            _ => None,
        }
    }

    /// Checks the odds of a position: the first two ranks of each side (the eighth rank first), the side to move and
    /// the castling rights.
    #[track_caller]
    fn check(black: &str, white: &str, rest: &str, expected: Option<&str>) {
        let start = position(&format!("{black}/8/8/8/8/{white} {rest} - 0 1"));
        assert_eq!(odds_of(&start).as_deref(), expected);
    }

    const BLACK: &str = "rnbqkbnr/pppppppp";
    const WHITE: &str = "PPPPPPPP/RNBQKBNR";

    #[test]
    fn a_giver_with_white_begins() {
        check(BLACK, "PPPPPPPP/R1BQKBNR", "w KQkq", Some("White: queen's knight"));
        check(BLACK, "PPPPPPPP/RNBQKB1R", "w KQkq", Some("White: king's knight"));
        check(BLACK, "PPPPPPPP/1NBQKBNR", "w Kkq", Some("White: queen's rook"));
        check(BLACK, "PPPPPPPP/RNB1KBNR", "w KQkq", Some("White: queen"));
        check(BLACK, "PPPPP1PP/RNBQKBNR", "w KQkq", Some("White: f-pawn"));
        check(BLACK, "8/RNBQKBNR", "w KQkq", Some("White: all pawns"));
        check(BLACK, "3PPPPP/RN2K1NR", "w KQkq", Some("White: queen, both bishops, a-pawn, b-pawn and c-pawn"));
        check(BLACK, "1PPPPPPP/1NBQKB2", "w kq", Some("White: both rooks, king's knight and a-pawn"));
    }

    #[test]
    fn the_move_is_given_where_the_other_side_begins() {
        check("rnbqkbnr/ppppp1pp", WHITE, "w KQkq", Some("Black: pawn and move"));
        check("rnbqkbnr/p1pppppp", WHITE, "w KQkq", Some("Black: b-pawn and move"));
        check("r1bqkbnr/ppppp1pp", WHITE, "w KQkq", Some("Black: queen's knight, f-pawn and move"));
        check(BLACK, "PPPPP1PP/RNBQKBNR", "b KQkq", Some("White: pawn and move"));
        check("rnbqkbnr/ppppp1pp", WHITE, "b KQkq", Some("Black: f-pawn"));
    }

    #[test]
    fn both_sides_may_give() {
        check("1nbqkbn1/pppppppp", "PPPPPPPP/RNB1KBNR", "w KQ", Some("White: queen; Black: both rooks"));
        check(
            "4k3/pppppppp",
            "PPPPPPPP/4K3",
            "w -",
            Some(
                "White: queen, both rooks, both bishops and both knights; Black: queen, both rooks, both bishops and \
                 both knights",
            ),
        );
    }

    #[test]
    fn anything_else_is_at_no_odds() {
        check(BLACK, WHITE, "w KQkq", None);
        // An endgame.
        check("4k3/8", "4P3/4K3", "w -", None);
        check(
            BLACK,
            "7P/RNBQK1NR",
            "w KQkq",
            Some("White: king's bishop, a-pawn, b-pawn, c-pawn, d-pawn, e-pawn, f-pawn and g-pawn"),
        );
        check(BLACK, "8/RNBQK1NR", "w KQkq", None);
        // A side that has a rook at home without its castling right has already moved, so the position is no start of a
        // game.
        check(BLACK, "PPPPPPPP/R1BQKBNR", "w Kkq", None);
        check(BLACK, "PPPPPPPP/1NBQKR2", "w kq", None);
        check("rnbqkbnr/1ppppppp", "PPPPPPPP/RNBKQBNR", "w kq", None);
    }
}
