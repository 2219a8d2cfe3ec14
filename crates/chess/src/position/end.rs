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
