//! Racing kings: the side whose king reaches the eighth rank first has won. If it is White, Black has one more move to
//! draw. No move may give check.

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::castling::CastlingRights;
use crate::moves::Move;
use crate::piece::{Color, Role};
use crate::position::Position;
use crate::position::end::{End, EndReason};
use crate::position::variants::RuleSet;
use crate::rules::Rules;
use crate::setup::Setup;
use crate::square::{File, Rank, Square};

pub(super) struct RacingKings;

impl RuleSet for RacingKings {
    fn start(&self, rules: Rules) -> Setup {
        use Role::{Bishop, King, Knight, Queen, Rook};
        let mut board = Board::EMPTY;
        let files = [[King, Rook, Bishop, Knight], [Queen, Rook, Bishop, Knight]];
        for (rank, roles) in [Rank::Second, Rank::First].into_iter().zip(files) {
            for (at, role) in roles.into_iter().enumerate() {
                board.set(Square::new(File::ALL[at], rank), role.of(Color::Black));
                board.set(Square::new(File::ALL[7 - at], rank), role.of(Color::White));
            }
        }
        Setup { rules, board, castling: CastlingRights::NONE, ..Setup::initial() }
    }

    fn castle(&self) -> bool {
        false
    }

    fn explains_check(&self, position: &Position) -> bool {
        position.attackers_of_king().is_empty()
    }

    fn end(&self, position: &Position) -> Option<End> {
        let board = position.board();
        let arrived = board.by_role(Role::King) & Rank::Eighth.into();
        if arrived.is_empty() {
            return None;
        }
        let [white, black] = Color::ALL.map(|color| !(arrived & board.by_color(color)).is_empty());
        if white && black {
            return Some(End { winner: None, reason: EndReason::BothGoals });
        }
        let can_follow = white && position.turn() == Color::Black && black_can_arrive(position);
        let winner = if white { Color::White } else { Color::Black };
        (!can_follow).then_some(End { winner: Some(winner), reason: EndReason::Goal })
    }

    fn permits(&self, position: &Position, m: Move) -> bool {
        position.keeps_king_safe_in_chess(m) && !gives_check(position, m)
    }

    fn reason(&self, position: &Position, m: Move) -> Option<&'static str> {
        gives_check(position, m).then_some("no move may give check")
    }
}

/// Whether the black king can go to the eighth rank.
fn black_can_arrive(position: &Position) -> bool {
    let board = position.board();
    let Some(from) = board.king_of(Color::Black) else { return false };
    let targets = (attacks::king(from) & Rank::Eighth.into()) - board.by_color(Color::Black);
    let arrives = |to| RacingKings.permits(position, Move::Normal { role: Role::King, from, to, promotion: None });
    targets.into_iter().any(arrives)
}

/// Whether a move attacks the king of the other side.
fn gives_check(position: &Position, m: Move) -> bool {
    let (board, turn) = (position.board(), position.turn());
    let Some(king) = board.king_of(!turn) else { return false };
    let Move::Normal { role, from, to, promotion } = m else {
        // Only from positions with pawns, which no game reaches.
        let mut next = position.clone();
        next.play_unchecked_in_chess(m);
        return next.board().is_attacked(king, turn, next.board().occupied(), Bitboard::EMPTY);
    };
    let occupied = board.occupied().without(from).with(to);
    let arrived = promotion.unwrap_or(role).of(turn);
    attacks::of(arrived, to, occupied).contains(king) || board.is_attacked(king, turn, occupied, from.into())
}

#[cfg(test)]
mod tests {
    use crate::fen;
    use crate::position::Position;
    use crate::rules::Rules;

    #[test]
    fn nobody_castles() {
        let start = Position::start(Rules::RacingKings);
        assert_eq!(start.to_string(), "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1");
        assert!(start.castling().is_empty());
        let given = fen::read_by(Rules::RacingKings, b"8/8/8/8/8/8/k7/4K2R w K - 0 1").expect("a position");
        assert!(given.position.castling().is_empty());
        assert_eq!(given.repairs.to_string(), "castling rights dropped: this game has no castling");
    }

    #[test]
    fn a_position_with_a_check_is_one_that_no_game_reaches() {
        for (fen, is_reachable) in [("8/8/8/8/8/k7/8/1K5R b - - 0 1", true), ("8/8/8/8/8/k6R/8/1K6 b - - 0 1", false)] {
            let reading = fen::read_by(Rules::RacingKings, fen.as_bytes()).expect(fen);
            assert_eq!(reading.repairs.is_empty(), is_reachable, "{fen}");
        }
    }

    #[test]
    fn no_move_gives_check() {
        let refusal = |fen: &str, san: &str| {
            let position = fen::read_by(Rules::RacingKings, fen.as_bytes()).expect(fen).position;
            position.play_san(san).err().map(|error| error.to_string())
        };
        const CHECK: &str = "no move may give check";
        let rook = "8/8/8/8/8/k7/8/1K5R w - - 0 1";
        assert_eq!(refusal(rook, "Rh3").as_deref(), Some(CHECK));
        assert_eq!(refusal(rook, "Rh4"), None);
        // The rook opens the line of the bishop.
        let discovered = "8/8/8/8/8/k6K/1R6/2B5 w - - 0 1";
        assert_eq!(refusal(discovered, "Re2").as_deref(), Some(CHECK));
        // Only a position that no game reaches has pawns.
        let passing = "8/8/8/k2pP3/8/8/8/6BK w - d6 0 1";
        assert_eq!(refusal(passing, "exd6"), None);
        assert!(refusal("8/8/8/k2pP2R/8/8/8/7K w - d6 0 1", "exd6").is_some());
        let promoting = "8/4P3/8/8/k7/8/8/7K w - - 0 1";
        assert_eq!(refusal(promoting, "e8=Q").as_deref(), Some(CHECK));
        assert_eq!(refusal(promoting, "e8=R"), None);
    }
}
