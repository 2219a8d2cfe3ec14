//! Chess and Chess960.

use crate::position::Position;
use crate::position::variants::RuleSet;

pub(super) struct Chess;

impl RuleSet for Chess {
    fn limit_material(&self) -> bool {
        true
    }

    fn explains_check(&self, position: &Position) -> bool {
        position.has_possible_check()
    }
}
