//! Atomic chess: a capture explodes. The man that captures, the captured one, and all men but pawns on the squares
//! around disappear. Who explodes the other king has won, and nobody may explode the own one. Kings that touch each
//! other cannot be captured, so they are not in check.

use std::ops::RangeInclusive;

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::castling::CastlingRights;
use crate::moves::Move;
use crate::piece::{Color, Role};
use crate::position::Position;
use crate::position::end::{End, EndReason};
use crate::position::variants::{Played, RuleSet, captured_square};
use crate::square::Square;

pub(super) struct Atomic;

impl RuleSet for Atomic {
    fn kings(&self, _color: Color) -> RangeInclusive<u32> {
        0..=1
    }

    fn is_opposite_check(&self, position: &Position) -> bool {
        let (board, waiting) = (position.board(), !position.turn());
        // After the explosion of a king, the other may be in check.
        let Some(king) = board.king_of(waiting).filter(|_| board.king_of(!waiting).is_some()) else { return false };
        !is_safe(position, king, waiting, board.occupied(), Bitboard::EMPTY)
    }

    fn end(&self, position: &Position) -> Option<End> {
        let has_none = |color: &Color| position.board().king_of(*color).is_none();
        let loser = Color::ALL.into_iter().find(has_none)?;
        Some(End { winner: Some(!loser), reason: EndReason::Explosion })
    }

    fn checkers(&self, position: &Position) -> Bitboard {
        let board = position.board();
        match board.king_of(position.turn()) {
            Some(king) if !touches(position, king, !position.turn()) => position.attackers_of_king(),
            _ => Bitboard::EMPTY,
        }
    }

    fn permits(&self, position: &Position, m: Move) -> bool {
        let (board, turn) = (position.board(), position.turn());
        let occupied = board.occupied();
        let Some(king) = board.king_of(turn) else { return false };
        match m {
            Move::Castle { king, rook } => position
                .has_castling_path(king, rook, |sq, occupied| is_safe(position, sq, turn, occupied, Bitboard::EMPTY)),
            Move::Normal { from, to, .. } | Move::EnPassant { from, to } if m.is_capture(board) => {
                let captured = captured_square(m).unwrap_or(to);
                let gone = blast(position, to).with(from).with(to).with(captured);
                let explodes = |color: Color| board.king_of(color).is_some_and(|king| gone.contains(king));
                !explodes(turn) && (explodes(!turn) || is_safe(position, king, turn, occupied - gone, gone))
            }
            Move::Normal { role, from, to, .. } => {
                let king = if role == Role::King { to } else { king };
                is_safe(position, king, turn, occupied.without(from).with(to), Bitboard::EMPTY)
            }
            _ => is_safe(position, king, turn, occupied, Bitboard::EMPTY),
        }
    }

    fn reason(&self, position: &Position, m: Move) -> Option<&'static str> {
        let (board, to) = (position.board(), m.to()?);
        let king = board.king_of(position.turn())?;
        (m.is_capture(board) && attacks::king(to).contains(king)).then_some("the capture would explode the own king")
    }

    fn finish(&self, position: &mut Position, played: &Played) {
        let (Some(_), Some(to)) = (played.captured, played.m.to()) else { return };
        let gone = blast(position, to).with(to);
        let setup = &mut position.setup;
        for sq in gone {
            setup.board.clear(sq);
        }
        let rooks = setup.castling.rooks() - gone;
        let has_king = |color: &Color| setup.board.king_of(*color).is_some();
        let kept = Color::ALL.into_iter().filter(has_king);
        let kept = kept.fold(Bitboard::EMPTY, |kept, color| kept | (rooks & color.back_rank().into()));
        setup.castling = CastlingRights::new(kept);
    }
}

/// Returns the squares around a capture whose men disappear.
fn blast(position: &Position, to: Square) -> Bitboard {
    let board = position.board();
    (attacks::king(to) & board.occupied()) - board.by_role(Role::Pawn)
}

/// Whether a king of `color` on `sq` touches the king of the other side.
fn touches(position: &Position, sq: Square, other: Color) -> bool {
    !(attacks::king(sq) & position.board().by_piece(Role::King.of(other))).is_empty()
}

/// Whether a king of `color` on `sq` is safe, if the squares of `occupied` block sliding pieces and the pieces on
/// `gone` have disappeared.
fn is_safe(position: &Position, sq: Square, color: Color, occupied: Bitboard, gone: Bitboard) -> bool {
    touches(position, sq, !color) || !position.board().is_attacked(sq, !color, occupied, gone)
}

#[cfg(test)]
mod tests {
    use crate::fen;
    use crate::rules::Rules;

    /// Plays a move, and compares the FEN after it, or the reason that it is not legal.
    #[track_caller]
    fn check(fen: &str, san: &str, expected: &str) {
        let position = fen::read_by(Rules::Atomic, fen.as_bytes()).expect(fen).position;
        let after = position.play_san(san).map_or_else(|error| error.to_string(), |next| next.to_string());
        assert_eq!(after, expected, "{fen} {san}");
    }

    #[test]
    fn a_capture_removes_the_men_around_but_no_pawns() {
        check("4k3/8/2nbp3/3p4/4P3/8/8/4K3 w - - 5 9", "exd5", "4k3/8/4p3/8/8/8/8/4K3 b - - 0 9");
        check("4k3/8/8/3pP3/2N1N3/8/8/4K3 w - d6 0 9", "exd6", "4k3/8/8/8/2N1N3/8/8/4K3 b - - 0 9");
        check("4k3/8/8/1n1pP3/2N5/8/8/4K3 w - d6 0 9", "exd6", "4k3/8/8/1n6/2N5/8/8/4K3 b - - 0 9");
    }

    #[test]
    fn a_rook_that_explodes_loses_its_right() {
        check("r3k2r/8/8/8/8/8/6b1/R3K2R b KQkq - 0 1", "Bxh1", "r3k2r/8/8/8/8/8/8/R3K3 w Qkq - 0 2");
        check("r3k2r/8/8/8/8/8/1p6/RN2K2R b KQkq - 0 1", "bxa1=Q", "r3k2r/8/8/8/8/8/8/4K2R w Kkq - 0 2");
        check("r3k2r/5p2/8/8/8/8/8/4KQ2 w kq - 0 1", "Qxf7#", "r6r/8/8/8/8/8/8/4K3 b - - 0 1");
    }

    #[test]
    fn nobody_explodes_his_own_king() {
        const OWN: &str = "the capture would explode the own king";
        check("4k3/8/8/8/8/8/3p4/4K2R w - - 0 1", "Kxd2", OWN);
        check("4k3/8/8/8/8/3p4/3Q4/4K3 w - - 0 1", "Qxd3", "4k3/8/8/8/8/8/8/4K3 b - - 0 1");
        check("4k3/8/8/8/8/8/3p3Q/4K3 w - - 0 1", "Qxd2", OWN);
        check("4k3/8/8/8/8/2p5/3K4/2Q5 w - - 0 1", "Qxc3", OWN);
        check("k3r3/8/8/2p5/4N3/8/8/4K3 w - - 0 1", "Nxc5", "the white knight on e4 is pinned by the black rook on e8");
    }

    #[test]
    fn a_side_that_moved_into_check_is_refused_unless_it_exploded_the_other_king() {
        let is_read = |fen: &str| fen::read_by(Rules::Atomic, fen.as_bytes()).is_ok();
        assert!(!is_read("4k3/8/8/8/8/8/8/4RK2 w - - 0 1"));
        assert!(is_read("4k3/8/8/8/8/8/8/4RK2 b - - 0 1"));
        assert!(is_read("4k3/8/8/8/8/8/8/4R3 w - - 0 1"));
    }

    #[test]
    fn a_king_is_in_check_unless_it_touches_the_other() {
        for (fen, is_check) in [("4k3/8/8/8/8/8/8/4RK2 b - - 0 1", true), ("8/8/8/8/8/2k5/2RK4/8 b - - 0 1", false)] {
            assert_eq!(fen::read_by(Rules::Atomic, fen.as_bytes()).expect(fen).position.is_check(), is_check, "{fen}");
        }
    }

    #[test]
    fn kings_that_touch_are_not_in_check() {
        check("8/8/8/8/8/2k5/3K4/r7 w - - 0 1", "Ke1", "e1 is attacked by the black rook on a1");
        check("8/8/8/8/8/2k5/r2K4/8 w - - 0 1", "Kc2", "8/8/8/8/8/2k5/r1K5/8 b - - 1 1");
        check("8/8/8/8/r7/2k5/3K4/8 w - - 0 1", "Kd3", "8/8/8/8/r7/2kK4/8/8 b - - 1 1");
    }
}
