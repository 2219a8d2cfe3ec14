//! The end of a game by its rules.

use std::fmt;

use crate::piece::Color;
use crate::position::Position;

/// The end of a game that a position shows: checkmate, stalemate, or the end that the rules of a variant have.
///
/// `Display` writes the reason in words, as in `white has given the last check`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// The side that has won; `None` after a draw.
    pub winner: Option<Color>,
    /// The reason of the end.
    pub reason: EndReason,
}

/// The reason why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EndReason {
    /// Checkmate.
    Checkmate,
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// The last check that was needed was given (three-check).
    LastCheck,
    /// A king stands in the centre (king of the hill).
    Hill,
    /// A king has exploded (atomic).
    Explosion,
    /// A side has no men left (antichess and horde).
    NoMen(Color),
    /// A king has reached the eighth rank, and the other cannot follow (racing kings).
    Goal,
    /// Both kings have reached the eighth rank (racing kings).
    BothGoals,
}

impl Position {
    /// Returns the end of the game if this position is its end by the rules. Draws by repetition, by number of moves or
    /// by material are not told.
    ///
    /// ```
    /// use pgn2fen_chess::Position;
    /// use pgn2fen_chess::piece::Color;
    ///
    /// let mate: Position = "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1".parse()?;
    /// assert_eq!(mate.end().and_then(|end| end.winner), Some(Color::White));
    /// # Ok::<(), pgn2fen_chess::fen::FenError>(())
    /// ```
    pub fn end(&self) -> Option<End> {
        if let Some(end) = self.variant().and_then(|rules| rules.end(self)) {
            return Some(end);
        }
        if self.has_legal_move() {
            return None;
        }
        if self.is_check() {
            return Some(End { winner: Some(!self.turn()), reason: EndReason::Checkmate });
        }
        let winner = self.variant().and_then(|rules| rules.winner_of_stalemate(self));
        Some(End { winner, reason: EndReason::Stalemate })
    }

    /// Returns the end that the rules of a variant have besides checkmate and stalemate.
    pub(crate) fn end_of_variant(&self) -> Option<End> {
        self.variant().and_then(|rules| rules.end(self))
    }
}

impl End {
    /// Returns the result of the game: `1-0`, `0-1` or `1/2-1/2`.
    pub fn result(&self) -> &'static str {
        self.winner.map_or("1/2-1/2", |winner| winner.pick("1-0", "0-1"))
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let winner = self.winner.map_or_else(String::new, |color| color.to_string());
        match self.reason {
            EndReason::Checkmate => f.write_str("checkmate"),
            EndReason::Stalemate => f.write_str("stalemate"),
            EndReason::LastCheck => write!(f, "{winner} has given the last check"),
            EndReason::Hill => write!(f, "the {winner} king is in the centre"),
            EndReason::Explosion => f.write_str("a king has exploded"),
            EndReason::NoMen(color) => write!(f, "{color} has no men left"),
            EndReason::Goal => write!(f, "the {winner} king has reached the eighth rank"),
            EndReason::BothGoals => f.write_str("both kings have reached the eighth rank"),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::fen;
    use crate::rules::Rules;

    /// Compares the result and the reason of the end of a game, or nothing if it goes on.
    #[track_caller]
    fn check(rules: Rules, fen: &str, expected: &str) {
        let position = fen::read_by(rules, fen.as_bytes()).expect(fen).position;
        let end = position.end().map(|end| format!("{} {end}", end.result())).unwrap_or_default();
        assert_eq!(end, expected, "{fen}");
        let has_own_end = !matches!(expected, "" | "1-0 checkmate" | "0-1 checkmate" | "1/2-1/2 stalemate");
        assert_eq!(position.end_of_variant().is_some(), has_own_end, "{fen}");
        assert_eq!(position.legal_moves().is_empty(), !end.is_empty(), "{fen}");
        assert_eq!(position.is_stalemate(), end.ends_with("stalemate"), "{fen}");
    }

    #[test]
    fn a_game_of_chess_ends_by_mate_or_stalemate() {
        check(Rules::Chess, "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", "1-0 checkmate");
        check(Rules::Chess, "4k3/8/8/8/8/8/PP6/1K5r w - - 0 1", "");
        check(Rules::Chess, "4k3/8/8/8/8/8/PPP5/1K1r4 w - - 0 1", "0-1 checkmate");
        check(Rules::Chess, "7k/8/6Q1/8/8/8/8/4K3 b - - 0 1", "1/2-1/2 stalemate");
        check(Rules::Chess, "4k3/8/8/3K4/8/8/8/8 w - - 0 1", "");
    }

    #[test]
    fn the_last_check_wins() {
        check(Rules::ThreeCheck, "4k3/8/8/8/8/8/8/4K3 w - - 1+1 0 1", "");
        check(Rules::ThreeCheck, "4k3/8/8/8/8/8/8/4K3 w - - 0+1 0 1", "1-0 white has given the last check");
        check(Rules::ThreeCheck, "4k3/8/8/8/8/8/8/4K3 w - - 1+0 0 1", "0-1 black has given the last check");
    }

    #[test]
    fn a_king_in_the_centre_wins() {
        for square in ["3K4/8", "4K3/8", "8/3K4", "8/4K3"] {
            let fen = format!("k7/8/8/{square}/8/8/8 b - - 0 1");
            check(Rules::KingOfTheHill, &fen, "1-0 the white king is in the centre");
        }
        check(Rules::KingOfTheHill, "8/8/8/4k3/8/8/8/K7 w - - 0 1", "0-1 the black king is in the centre");
        check(Rules::KingOfTheHill, "k7/8/4K3/8/8/8/8/8 b - - 0 1", "");
        check(Rules::KingOfTheHill, "k7/8/8/3NN3/3NN3/8/8/K7 b - - 0 1", "");
    }

    #[test]
    fn the_side_that_explodes_the_other_king_wins() {
        check(Rules::Atomic, "4k3/8/8/8/8/8/8/R7 w - - 0 1", "0-1 a king has exploded");
        check(Rules::Atomic, "r7/8/8/8/8/8/8/4K3 w - - 0 1", "1-0 a king has exploded");
        check(Rules::Atomic, "k7/8/8/8/8/8/8/K7 w - - 0 1", "");
    }

    #[test]
    fn the_horde_loses_with_its_last_man() {
        check(Rules::Horde, "4k3/8/8/8/8/8/8/8 w - - 0 1", "0-1 white has no men left");
        check(Rules::Horde, "4k3/8/8/8/8/8/8/P7 w - - 0 1", "");
    }

    #[test]
    fn the_first_king_on_the_eighth_rank_wins_unless_black_follows() {
        let check = |fen, expected| check(Rules::RacingKings, fen, expected);
        let (white, black) =
            ("1-0 the white king has reached the eighth rank", "0-1 the black king has reached the eighth rank");
        check("8/K6k/8/8/8/8/8/8 w - - 0 1", "");
        check("1K6/7k/8/8/8/8/8/8 b - - 0 1", "");
        check("1K6/8/7k/8/8/8/8/8 b - - 0 1", white);
        check("1K6/7k/8/8/8/8/8/8 w - - 0 1", white);
        check("1K4R1/7k/8/8/8/8/8/8 w - - 0 1", white);
        // Black is next to the eighth rank, but White attacks its squares.
        check("1K6/7k/8/8/8/8/8/B5R1 b - - 0 1", white);
        check("8/K7/8/8/8/8/8/k7 w - - 0 1", "");
        check("7k/K7/8/8/8/8/8/8 w - - 0 1", black);
        check("7k/K7/8/8/8/8/8/8 b - - 0 1", black);
        check("K6k/8/8/8/8/8/8/8 w - - 0 1", "1/2-1/2 both kings have reached the eighth rank");
    }
}
