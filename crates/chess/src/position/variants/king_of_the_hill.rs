//! King of the hill: the side whose king reaches d4, d5, e4 or e5 has won.

use crate::bitboard::Bitboard;
use crate::piece::{Color, Role};
use crate::position::Position;
use crate::position::end::{End, EndReason};
use crate::position::variants::RuleSet;
use crate::square::Square;

pub(super) struct KingOfTheHill;

const HILL: Bitboard = Bitboard::EMPTY.with(Square::D4).with(Square::E4).with(Square::D5).with(Square::E5);

impl RuleSet for KingOfTheHill {
    fn end(&self, position: &Position) -> Option<End> {
        let kings = position.board().by_role(Role::King) & HILL;
        let is_there = |color: &Color| !(kings & position.board().by_color(*color)).is_empty();
        let winner = Color::ALL.into_iter().find(is_there)?;
        Some(End { winner: Some(winner), reason: EndReason::Hill })
    }
}
