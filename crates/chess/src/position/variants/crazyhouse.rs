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
