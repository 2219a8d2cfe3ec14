//! The evaluation and the result of a row, which every format for trainers needs.

use crate::table::group::GroupPiece;
use pgn2fen_chess::piece::Color;
use pgn2fen_games::pgn::token::Outcome;
use pgn2fen_games::walk::LeftOut;

/// The evaluation and the result of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Label {
    /// In centipawns, from White's point of view unless a function says otherwise.
    pub(super) score: i16,
    /// 0 for a loss, 1 for a draw, 2 for a win, from the same point of view.
    pub(super) result: u8,
}

/// The treatment of evaluations that are mates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mates {
    /// The row is left out, because a mate is not a number of centipawns.
    LeaveOut,
    /// The value of the column `eval` is kept, from -32000 to 32000.
    Keep,
}

/// The value of a mate that is on the board.
const MATE: i32 = 32_000;

impl Label {
    /// Returns the label of a row from White's point of view. `None` if it has none, which is then counted.
    pub(super) fn of(piece: &GroupPiece, index: usize, mates: Mates, left_out: &mut LeftOut) -> Option<Self> {
        let Some(eval) = piece.table.eval(index) else {
            left_out.without_evaluation += 1;
            return None;
        };
        if eval.is_mate && mates == Mates::LeaveOut {
            left_out.mates += 1;
            return None;
        }
        let result = match piece.table.result(index) {
            Outcome::WhiteWins => 2,
            Outcome::Draw => 1,
            Outcome::BlackWins => 0,
            Outcome::Unknown => {
                left_out.without_result += 1;
                return None;
            }
        };
        // All evaluations but mates are below 30000.
        let score = i16::try_from(eval.centipawns.clamp(-MATE, MATE)).unwrap_or_default();
        Some(Self { score, result })
    }

    /// Returns the label from the point of view of a color.
    pub(super) fn seen_by(self, color: Color) -> Self {
        let Self { score, result } = self;
        color.pick(self, Self { score: -score, result: 2 - result })
    }
}
