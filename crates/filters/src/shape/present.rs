//! The kinds of men that are on a board.

use pgn2fen_chess::board::Board;
use pgn2fen_chess::piece::{Color, Role};

/// A set of kinds of men: color and role. Kings are not in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Present(u16);

/// The roles that are counted, in the order of their bits.
const ROLES: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

impl Present {
    /// Returns the kinds of men on a board.
    #[inline]
    pub(super) fn on(board: &Board) -> Self {
        let [white, black] = Color::ALL.map(|color| board.by_color(color));
        let mut present = 0;
        for (at, role) in ROLES.into_iter().enumerate() {
            let men = board.by_role(role);
            present |= u16::from(!(men & white).is_empty()) << at | u16::from(!(men & black).is_empty()) << (at + 8);
        }
        Self(present)
    }

    /// Adds a kind of men.
    pub(super) fn add(&mut self, color: Color, role: Role) {
        let at = ROLES.iter().position(|counted| *counted == role);
        self.0 |= at.map_or(0, |at| 1 << (at + 8 * color.index()));
    }

    /// Returns the set with the colors exchanged.
    #[inline]
    pub(super) fn swapped(self) -> Self {
        Self(self.0.swap_bytes())
    }

    /// Whether the sets have a kind in common.
    #[inline]
    pub(super) fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::Present;
    use pgn2fen_chess::piece::{Color, Role};
    use pgn2fen_chess::testing::position;

    #[test]
    fn kinds_of_men_are_present_or_absent() {
        let ending = position("4k2r/8/8/8/8/8/PN6/R3K3 w - - 0 1");
        let present = Present::on(ending.board());
        for color in Color::ALL {
            for role in Role::ALL {
                let mut kind = Present::default();
                kind.add(color, role);
                let is_there = matches!(
                    (color, role),
                    (_, Role::Rook) | (Color::White, Role::Pawn) | (Color::White, Role::Knight)
                );
                assert_eq!(present.meets(kind), is_there, "{color} {role:?}");
                let mut other = Present::default();
                other.add(!color, role);
                assert_eq!(present.swapped().meets(other), is_there, "{color} {role:?}");
            }
        }
    }
}
