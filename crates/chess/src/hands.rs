//! The men in hand, which can be dropped on the board.

use crate::piece::{Color, Role};

/// The men that each side has in hand: pawns, knights, bishops, rooks and queens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Hands([[u8; 5]; 2]);

impl Hands {
    /// Empty hands.
    pub const EMPTY: Self = Self([[0; 5]; 2]);

    /// The roles of men that may be in hand, the pawn first.
    pub const ROLES: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

    /// Whether neither side has a man in hand.
    #[inline]
    pub fn are_empty(&self) -> bool {
        *self == Self::EMPTY
    }

    /// Returns the number of men of a role that a side has in hand. A king is never in hand.
    #[inline]
    pub fn count(&self, color: Color, role: Role) -> u8 {
        self.0[color.index()].get(role as usize - 1).copied().unwrap_or(0)
    }

    /// Returns the number of men that a side has in hand.
    pub fn total(&self, color: Color) -> u32 {
        self.0[color.index()].iter().map(|count| u32::from(*count)).sum()
    }

    /// Appends the letters of the men in hand as a FEN has them: White's before Black's, the queens first: `QNPp`.
    pub fn append(&self, out: &mut Vec<u8>) {
        for color in Color::ALL {
            for role in Self::ROLES.into_iter().rev() {
                self.append_role(color, role, out);
            }
        }
    }

    /// Appends the letters of the men of one role that a side has in hand.
    #[inline]
    pub(crate) fn append_role(&self, color: Color, role: Role, out: &mut Vec<u8>) {
        let letter = role.of(color).letter();
        // Nearly always there are none or few.
        for _ in 0..self.count(color, role) {
            out.push(letter);
        }
    }

    /// Adds a man to the hand of a side. A king is not added, and neither is a man if the side has 255 of its role.
    pub fn add(&mut self, color: Color, role: Role) {
        if let Some(count) = self.0[color.index()].get_mut(role as usize - 1) {
            *count = count.saturating_add(1);
        }
    }

    /// Removes a man from the hand of a side, if it has one of this role.
    pub fn remove(&mut self, color: Color, role: Role) {
        if let Some(count) = self.0[color.index()].get_mut(role as usize - 1) {
            *count = count.saturating_sub(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Hands;
    use crate::piece::{Color, Role};

    #[test]
    fn men_are_counted_by_side_and_role_and_a_king_is_never_in_hand() {
        let mut hands = Hands::EMPTY;
        for role in [Role::Pawn, Role::Pawn, Role::Queen, Role::King] {
            hands.add(Color::Black, role);
        }
        hands.remove(Color::White, Role::Pawn);
        assert!(!hands.are_empty());
        let counts = Role::ALL.map(|role| hands.count(Color::Black, role));
        assert_eq!(counts, [2, 0, 0, 0, 1, 0]);
        assert_eq!([hands.total(Color::White), hands.total(Color::Black)], [0, 3]);
        hands.remove(Color::Black, Role::Queen);
        hands.remove(Color::Black, Role::Pawn);
        hands.remove(Color::Black, Role::Pawn);
        assert!(hands.are_empty());
    }
}
