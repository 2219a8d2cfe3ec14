//! Three-check: the side that gives its third check has won.

use crate::piece::Color;
use crate::position::Position;
use crate::position::end::{End, EndReason};
use crate::position::variants::{Played, RuleSet};

pub(super) struct ThreeCheck;

impl RuleSet for ThreeCheck {
    fn end(&self, position: &Position) -> Option<End> {
        let winner = Color::ALL.into_iter().find(|color| position.setup.checks[color.index()] == 0)?;
        Some(End { winner: Some(winner), reason: EndReason::LastCheck })
    }

    fn finish(&self, position: &mut Position, played: &Played) {
        if position.is_check_in_chess() {
            let left = &mut position.setup.checks[played.color.index()];
            *left = left.saturating_sub(1);
        }
    }
}
