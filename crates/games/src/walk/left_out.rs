//! Counts of the rows that a format cannot represent, by reason.

use std::ops::AddAssign;

/// The numbers of rows that were left out: by a format for trainers, where a row counts once, for the first reason that
/// applies, or by the limit on the number of boards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Rows without an evaluation.
    pub without_evaluation: u64,
    /// Rows with an evaluation that is a mate and not a number of centipawns.
    pub mates: u64,
    /// Rows of games with an unknown result.
    pub without_result: u64,
    /// Rows without a next move, or whose next move is a null move.
    pub without_move: u64,
    /// Rows of positions with more than 32 pieces and pawns.
    pub too_many_men: u64,
    /// Rows of positions with a right to castle that only Chess960 has.
    pub chess960_castling: u64,
    /// Rows of positions without a solution, of which cards are made.
    pub without_solution: u64,
    /// Rows beyond the maximum number of boards, an option of the formats that draw them.
    pub boards: u64,
    /// Games that are the same as others, if it was known only at the end which of them to write.
    pub duplicates: u64,
}

impl LeftOut {
    /// Returns the number of rows that a format could not represent, or that were beyond a limit.
    pub fn total(self) -> u64 {
        let labels = self.without_evaluation + self.mates + self.without_result;
        let positions = self.without_move + self.too_many_men + self.chess960_castling;
        labels + positions + self.without_solution + self.boards
    }
}

impl AddAssign for LeftOut {
    fn add_assign(&mut self, more: Self) {
        self.without_evaluation += more.without_evaluation;
        self.mates += more.mates;
        self.without_result += more.without_result;
        self.without_move += more.without_move;
        self.too_many_men += more.too_many_men;
        self.chess960_castling += more.chess960_castling;
        self.without_solution += more.without_solution;
        self.boards += more.boards;
        self.duplicates += more.duplicates;
    }
}
