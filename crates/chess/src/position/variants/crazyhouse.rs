//! Crazyhouse: a captured man goes to the hand of the side that captured it, and a promoted one becomes a pawn again.
//!
//! The halfmove clock counts on after a drop, and begins anew after the drop of a pawn, as in scalachess of Lichess;
//! python-chess counts on after every drop.

use crate::moves::Move;
use crate::piece::Role;
use crate::position::Position;
use crate::position::variants::{Played, RuleSet};

pub(super) struct Crazyhouse;

impl RuleSet for Crazyhouse {
    fn finish(&self, position: &mut Position, played: &Played) {
        let setup = &mut position.setup;
        if let Some((sq, captured)) = played.captured {
            let role = if setup.promoted.contains(sq) { Role::Pawn } else { captured.role };
            setup.hands.add(played.color, role);
            setup.promoted = setup.promoted.without(sq);
        }
        if let Move::Normal { from, to, promotion, .. } = played.m {
            let is_promoted = promotion.is_some() || setup.promoted.contains(from);
            setup.promoted = setup.promoted.without(from);
            if is_promoted {
                setup.promoted = setup.promoted.with(to);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::fen;
    use crate::rules::Rules;

    #[test]
    fn a_promoted_man_stays_one_until_it_is_captured_and_becomes_a_pawn() {
        let fen = "4k3/P7/8/8/8/8/8/4K2r[] w - - 0 1";
        let mut position = fen::read_by(Rules::Crazyhouse, fen.as_bytes()).expect(fen).position;
        for (san, expected) in [
            ("Ke2", "4k3/P7/8/8/8/8/4K3/7r[] b - - 1 1"),
            ("Rh8", "4k2r/P7/8/8/8/8/4K3/8[] w - - 2 2"),
            ("a8=Q+", "Q~3k2r/8/8/8/8/8/4K3/8[] b - - 0 2"),
            ("Kf7", "Q~6r/5k2/8/8/8/8/4K3/8[] w - - 1 3"),
            ("Qg8+", "6Q~r/5k2/8/8/8/8/4K3/8[] b - - 2 3"),
            ("Rxg8", "6r1/5k2/8/8/8/8/4K3/8[p] w - - 0 4"),
        ] {
            position = position.play_san(san).expect(san);
            assert_eq!(position.to_string(), expected);
        }
    }
}
