//! Sets of what may stand on a square: pieces, or nothing.

use pgn2fen_chess::bitboard::Bitboard;
use pgn2fen_chess::board::Board;
use pgn2fen_chess::piece::{Color, Piece, Role};
use pgn2fen_chess::square::Rank;

/// A set of the pieces that may stand on a square. The empty square may be in the set, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Contents {
    /// The roles of White and of Black. Each role has the bit of its discriminant.
    roles: [u8; 2],
    has_empty: bool,
}

const ALL_ROLES: u8 = 0b0111_1110;

const fn bit(role: Role) -> u8 {
    1 << role as u8
}

impl Contents {
    pub(super) const NOTHING: Self = Self { roles: [0; 2], has_empty: false };
    pub(super) const ANYTHING: Self = Self { roles: [ALL_ROLES; 2], has_empty: true };
    /// The empty square.
    pub(super) const EMPTY: Self = Self { has_empty: true, ..Self::NOTHING };
    /// Any piece of either color.
    pub(super) const OCCUPIED: Self = Self { has_empty: false, ..Self::ANYTHING };
    /// Everything but pawns.
    pub(super) const NO_PAWN: Self = Self { roles: [ALL_ROLES & !bit(Role::Pawn); 2], has_empty: true };

    pub(super) fn of_piece(piece: Piece) -> Self {
        let mut contents = Self::NOTHING;
        contents.roles[piece.color.index()] = bit(piece.role);
        contents
    }

    /// Returns the set of all pieces of a color.
    pub(super) fn of_color(color: Color) -> Self {
        let mut contents = Self::NOTHING;
        contents.roles[color.index()] = ALL_ROLES;
        contents
    }

    /// Returns the set of the pieces of a role, of both colors.
    pub(super) fn of_role(role: Role) -> Self {
        Self { roles: [bit(role); 2], has_empty: false }
    }

    /// Returns the sets of one piece each, and that of the empty square.
    pub(super) fn singles() -> impl Iterator<Item = Self> {
        let pieces = Color::ALL.into_iter().flat_map(|color| Role::ALL.map(|role| Self::of_piece(role.of(color))));
        pieces.chain([Self::EMPTY])
    }

    /// Whether everything in the set is also in the other set.
    pub(super) fn is_within(self, other: Self) -> bool {
        self.or(other) == other
    }

    pub(super) fn or(self, other: Self) -> Self {
        let roles = [self.roles[0] | other.roles[0], self.roles[1] | other.roles[1]];
        Self { roles, has_empty: self.has_empty || other.has_empty }
    }

    pub(super) fn inverted(self) -> Self {
        Self { roles: self.roles.map(|roles| ALL_ROLES & !roles), has_empty: !self.has_empty }
    }

    /// Returns the set with the colors of the pieces exchanged.
    pub(super) fn swapped(self) -> Self {
        let [white, black] = self.roles;
        Self { roles: [black, white], ..self }
    }

    /// Returns the number of pieces in the set. The empty square counts as one.
    pub(super) fn count(self) -> u32 {
        self.roles[0].count_ones() + self.roles[1].count_ones() + u32::from(self.has_empty)
    }

    /// Returns a number that is the greater, the more often something from the set stands on a rank in real games.
    /// Pieces are rare far from where they start.
    pub(super) fn commonness(self, rank: Rank) -> usize {
        let far = |color: Color| rank.index().abs_diff(color.back_rank().index());
        let near = |color: Color| if self.roles[color.index()] == 0 { 0 } else { 8 - far(color) };
        self.count() as usize * 8 + near(Color::White).max(near(Color::Black))
    }

    /// Returns the squares of a board with something that is in the set.
    fn squares(self, board: &Board) -> Bitboard {
        let of_color = |color: Color, role: Role| {
            if self.roles[color.index()] & bit(role) != 0 { board.by_color(color) } else { Bitboard::EMPTY }
        };
        let mut squares = if self.has_empty { !board.occupied() } else { Bitboard::EMPTY };
        for role in Role::ALL {
            if (self.roles[0] | self.roles[1]) & bit(role) != 0 {
                squares |= board.by_role(role) & (of_color(Color::White, role) | of_color(Color::Black, role));
            }
        }
        squares
    }
}

/// A condition on some squares: only something from a set may stand on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Condition {
    squares: Bitboard,
    allowed: Allowed,
}

impl Condition {
    pub(super) fn new(squares: Bitboard, contents: Contents) -> Self {
        Self { squares, allowed: Allowed::new(contents) }
    }

    #[inline]
    pub(super) fn holds(&self, board: &Board) -> bool {
        (self.squares - self.allowed.squares(board)).is_empty()
    }
}

/// The forms of a set of contents, by what it takes to find its squares. Most sets in patterns have one of the first
/// forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Allowed {
    Piece(Piece),
    Color(Color),
    Empty,
    Occupied,
    /// Everything but pawns.
    NoPawn,
    Anything,
    Among(Contents),
    /// Everything but these contents.
    Except(Contents),
}

impl Allowed {
    pub(super) fn new(contents: Contents) -> Self {
        let pieces = || Color::ALL.into_iter().flat_map(|color| Role::ALL.map(|role| role.of(color)));
        let piece = || pieces().find(|piece| contents == Contents::of_piece(*piece)).map(Self::Piece);
        let color = || Color::ALL.into_iter().find(|color| contents == Contents::of_color(*color)).map(Self::Color);
        let others = contents.inverted();
        match contents {
            Contents::EMPTY => Self::Empty,
            Contents::OCCUPIED => Self::Occupied,
            Contents::NO_PAWN => Self::NoPawn,
            Contents::ANYTHING => Self::Anything,
            _ => piece().or_else(color).unwrap_or_else(|| {
                if contents.count() <= others.count() { Self::Among(contents) } else { Self::Except(others) }
            }),
        }
    }

    /// Returns the squares of a board with something that is in the set.
    #[inline]
    pub(super) fn squares(self, board: &Board) -> Bitboard {
        match self {
            Self::Piece(piece) => board.by_piece(piece),
            Self::Color(color) => board.by_color(color),
            Self::Empty => !board.occupied(),
            Self::Occupied => board.occupied(),
            Self::NoPawn => !board.by_role(Role::Pawn),
            Self::Anything => Bitboard::FULL,
            Self::Among(contents) => contents.squares(board),
            Self::Except(contents) => !contents.squares(board),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Condition, Contents};
    use pgn2fen_chess::bitboard::Bitboard;
    use pgn2fen_chess::board::Board;
    use pgn2fen_chess::piece::Piece;
    use pgn2fen_chess::square::Square;

    #[test]
    fn every_set_allows_what_is_in_it() {
        let pieces: Vec<Piece> = "PNBRQKpnbrqk".chars().filter_map(Piece::from_char).collect();
        let single = |index: usize| pieces.get(index).map_or(Contents::EMPTY, |piece| Contents::of_piece(*piece));
        let mut boards = vec![Board::EMPTY; 13];
        for (board, piece) in boards.iter_mut().zip(&pieces) {
            board.set(Square::D4, *piece);
        }
        for set in 0..1 << 13 {
            let is_in = |index: &usize| set >> index & 1 == 1;
            let contents = (0..13).filter(is_in).map(single).fold(Contents::NOTHING, Contents::or);
            let condition = Condition::new(Bitboard::from(Square::D4), contents);
            for (index, board) in boards.iter().enumerate() {
                assert_eq!(condition.holds(board), is_in(&index), "{contents:?} {index}");
            }
        }
    }
}
