//! Moves as engines exchange them (UCI).

use crate::chess::moves::Move;
use crate::chess::position::Position;
use crate::chess::square::Square;

impl Move {
    /// The move in UCI notation: `e2e4`, `e7e8q`, `0000` for passing.
    ///
    /// Castling is the king's step, `e1g1`, where all the rights of the position are ones that orthodox chess can
    /// have. Where some are not, the game is Chess960, and castling is the king taking his rook: `e1h1`.
    pub fn to_uci(self, position: &Position) -> String {
        let mut text = Vec::with_capacity(5);
        self.append_uci(position, &mut text);
        text.into_iter().map(char::from).collect()
    }

    /// Appends the move in UCI notation, as [`to_uci`](Self::to_uci) does.
    pub fn append_uci(self, position: &Position, out: &mut Vec<u8>) {
        let (Some(from), Some(to)) = (self.from(), self.uci_target(position)) else {
            out.extend_from_slice(b"0000");
            return;
        };
        for sq in [from, to] {
            out.extend_from_slice(&[sq.file().char() as u8, sq.rank().char() as u8]);
        }
        if let Some(role) = self.promotion() {
            out.push(role.char().to_ascii_lowercase() as u8);
        }
    }

    fn uci_target(self, position: &Position) -> Option<Square> {
        match self {
            Self::Castle { rook, .. } if !position.castling().are_orthodox(position.board()) => Some(rook),
            _ => self.to(),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::chess::moves::Move;
    use crate::chess::testing::position;

    #[track_caller]
    fn check(fen: &str, among: &str) {
        let position = position(fen);
        let moves = position.legal_moves();
        assert!(moves.iter().any(|m| m.to_uci(&position) == among), "{moves:?}");
    }

    #[test]
    fn a_move_is_where_it_leaves_and_where_it_arrives() {
        check("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4");
        check("8/P6k/8/8/8/8/8/4K3 w - - 0 1", "a7a8n");
        check("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6");
    }

    #[test]
    fn an_orthodox_king_goes_two_squares_to_castle() {
        check("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1");
        check("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8");
    }

    #[test]
    fn a_king_of_chess960_takes_his_rook_to_castle() {
        check("4k3/8/8/8/8/8/8/RK6 w A - 0 1", "b1a1");
        check("1k5r/8/8/8/8/8/8/R3K2R w KQh - 0 1", "e1h1");
    }

    #[test]
    fn passing_is_four_zeros() {
        assert_eq!(Move::Null.to_uci(&position("4k3/8/8/8/8/8/8/4K3 w - - 0 1")), "0000");
    }
}
