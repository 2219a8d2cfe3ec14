//! Horde: White has 36 pawns and no king, and loses with the last of its men. A white pawn on the first rank may go two
//! squares, which leaves no en passant square.

use std::ops::RangeInclusive;

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::castling::CastlingRights;
use crate::moves::Move;
use crate::piece::{Color, Role};
use crate::position::Position;
use crate::position::end::{End, EndReason};
use crate::position::variants::{Played, RuleSet};
use crate::rules::Rules;
use crate::setup::Setup;
use crate::square::{Rank, Square};

pub(super) struct Horde;

/// The squares of the white pawns at the start: the first four ranks, and b5, c5, f5 and g5.
const PAWNS: Bitboard = Bitboard(0x0000_0066_ffff_ffff);

impl RuleSet for Horde {
    fn start(&self, rules: Rules) -> Setup {
        let mut setup = Setup { rules, ..Setup::initial() };
        setup.castling = CastlingRights::new(setup.castling.of(Color::Black).rooks());
        for sq in PAWNS {
            setup.board.set(sq, Role::Pawn.of(Color::White));
        }
        setup
    }

    fn kings(&self, color: Color) -> RangeInclusive<u32> {
        let kings = color.pick(0, 1);
        kings..=kings
    }

    fn pawn_squares(&self, color: Color) -> Bitboard {
        let ranks = [Rank::First, Rank::Eighth].map(Bitboard::from);
        color.pick(!ranks[1], !(ranks[0] | ranks[1]))
    }

    fn end(&self, position: &Position) -> Option<End> {
        let is_over = position.board().by_color(Color::White).is_empty();
        is_over.then_some(End { winner: Some(Color::Black), reason: EndReason::NoMen(Color::White) })
    }

    fn checkers(&self, position: &Position) -> Bitboard {
        position.turn().pick(Bitboard::EMPTY, position.attackers_of_king())
    }

    fn permits(&self, position: &Position, m: Move) -> bool {
        position.turn() == Color::White || position.keeps_king_safe_in_chess(m)
    }

    fn pawn_steps(&self, position: &Position, from: Square) -> Bitboard {
        let occupied = position.board().occupied();
        let steps = attacks::pawn_steps(position.turn(), from, occupied);
        let second = from.offset(0, 2).filter(|to| from.rank() == Rank::First && !occupied.contains(*to));
        match second {
            Some(second) if !steps.is_empty() => steps.with(second),
            _ => steps,
        }
    }

    fn finish(&self, position: &mut Position, played: &Played) {
        if played.m.from().is_some_and(|from| from.rank() == Rank::First) {
            position.setup.ep = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::fen;
    use crate::position::Position;
    use crate::rules::Rules;

    fn read(fen: &str) -> Option<Position> {
        fen::read_by(Rules::Horde, fen.as_bytes()).ok().map(|reading| reading.position)
    }

    #[test]
    fn white_pawns_may_stand_on_the_first_rank_and_no_pawn_on_the_last_of_its_side() {
        assert!(read("4k3/8/8/8/8/8/8/P7 w - - 0 1").is_some());
        for fen in ["P3k3/8/8/8/8/8/8/8 w - - 0 1", "4k3/8/8/8/8/8/8/pP6 w - - 0 1", "p3k3/8/8/8/8/8/8/P7 w - - 0 1"] {
            assert!(read(fen).is_none(), "{fen}");
        }
    }

    #[test]
    fn a_pawn_on_the_first_rank_goes_two_squares_but_jumps_over_nothing() {
        let moves = |fen: &str| read(fen).expect(fen).legal_moves().iter().count();
        assert_eq!(moves("4k3/8/8/8/8/8/8/P7 w - - 0 1"), 2);
        assert_eq!(moves("4k3/8/8/8/8/n7/8/P7 w - - 0 1"), 1);
        assert_eq!(moves("4k3/8/8/8/8/8/n7/P7 w - - 0 1"), 0);
    }

    #[test]
    fn only_black_can_be_in_check() {
        assert!(read("4k3/8/8/8/8/8/8/4R3 b - - 0 1").expect("a position").is_check());
        assert!(!read("4k3/8/8/8/8/8/8/4r2P w - - 0 1").expect("a position").is_check());
    }
}
