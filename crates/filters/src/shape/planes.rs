//! Conditions on many squares of a board, which are tested together, one set of squares at a time.

use crate::shape::contents::Contents;
use pgn2fen_chess::bitboard::Bitboard;
use pgn2fen_chess::board::Board;
use pgn2fen_chess::piece::{Color, Role};
use pgn2fen_chess::square::Square;

/// Conditions on the squares of a board: where pieces of a color and of a role must stand, and where they must not.
///
/// They are necessary for any contents of squares. For most contents they are also sufficient; a set such as `[Pq]` is
/// wider than itself here: [`allowed`](Self::allowed) also returns `p` and `Q` for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Planes {
    colors: [Plane; 2],
    /// The squares with a piece of either color.
    occupied: Bitboard,
    roles: [Plane; 6],
}

/// A condition on a set of squares of a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Plane {
    /// The squares that must be in the set.
    within: Bitboard,
    /// The squares that must be or must not be in the set.
    known: Bitboard,
}

impl Plane {
    /// Adds a square of which all contents are in the set, or none.
    fn add(&mut self, square: Square, has_all: bool, has_none: bool) {
        if has_all {
            self.within = self.within.with(square);
        }
        if has_all || has_none {
            self.known = self.known.with(square);
        }
    }

    /// Returns the squares for which a set is wrong.
    #[inline]
    fn wrong(self, set: Bitboard) -> Bitboard {
        (set ^ self.within) & self.known
    }

    /// Whether a square may be in the set, or may not.
    fn may(self, square: Square, be_in: bool) -> bool {
        !self.known.contains(square) || self.within.contains(square) == be_in
    }
}

impl Planes {
    /// Creates the conditions for the contents of these squares.
    pub(super) fn new(squares: &[(Square, Contents)]) -> Self {
        let mut planes = Self { colors: Default::default(), occupied: Bitboard::EMPTY, roles: Default::default() };
        for (square, contents) in squares {
            for (color, plane) in Color::ALL.into_iter().zip(&mut planes.colors) {
                let of_color = Contents::of_color(color);
                plane.add(*square, contents.is_within(of_color), contents.is_within(of_color.inverted()));
            }
            if contents.is_within(Contents::OCCUPIED) {
                planes.occupied = planes.occupied.with(*square);
            }
            for (role, plane) in Role::ALL.into_iter().zip(&mut planes.roles) {
                let of_role = Contents::of_role(role);
                plane.add(*square, contents.is_within(of_role), contents.is_within(of_role.inverted()));
            }
        }
        planes
    }

    /// Returns what the conditions allow on a square.
    pub(super) fn allowed(&self, square: Square) -> Contents {
        let is_allowed = |contents: &Contents| {
            let colors = Color::ALL.into_iter().zip(self.colors);
            let roles = Role::ALL.into_iter().zip(self.roles);
            colors
                .fold(true, |is, (color, plane)| is && plane.may(square, contents.is_within(Contents::of_color(color))))
                && roles.fold(true, |is, (role, plane)| {
                    is && plane.may(square, contents.is_within(Contents::of_role(role)))
                })
                && !(*contents == Contents::EMPTY && self.occupied.contains(square))
        };
        Contents::singles().filter(is_allowed).fold(Contents::NOTHING, Contents::or)
    }

    #[inline]
    pub(super) fn hold(&self, board: &Board) -> bool {
        let [white, black] = Color::ALL.map(|color| board.by_color(color));
        let wrong = self.colors[0].wrong(white) | self.colors[1].wrong(black) | (self.occupied - (white | black));
        // The colors decide about most boards.
        wrong.is_empty() && self.roles_hold(board)
    }

    #[inline(never)]
    fn roles_hold(&self, board: &Board) -> bool {
        let planes = Role::ALL.into_iter().zip(&self.roles);
        planes.fold(Bitboard::EMPTY, |wrong, (role, plane)| wrong | plane.wrong(board.by_role(role))).is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::Planes;
    use crate::shape::contents::Contents;
    use pgn2fen_chess::board::Board;
    use pgn2fen_chess::piece::Piece;
    use pgn2fen_chess::square::Square;

    #[test]
    fn planes_allow_what_they_say_and_no_less_than_the_contents() {
        let pieces: Vec<Piece> = "PNBRQKpnbrqk".chars().filter_map(Piece::from_char).collect();
        let mut boards = vec![Board::EMPTY; 13];
        for (board, piece) in boards.iter_mut().zip(&pieces) {
            board.set(Square::D4, *piece);
        }
        let of_board = |board: &Board| board.piece_at(Square::D4).map_or(Contents::EMPTY, Contents::of_piece);
        let mut exact = 0;
        for set in 1..1 << 13 {
            let is_in = |(index, _): &(usize, &Board)| set >> index & 1 == 1;
            let listed = boards.iter().enumerate().filter(is_in);
            let contents = listed.fold(Contents::NOTHING, |contents, (_, board)| contents.or(of_board(board)));
            let planes = Planes::new(&[(Square::D4, contents)]);
            let allowed = planes.allowed(Square::D4);
            assert!(contents.is_within(allowed));
            exact += u32::from(contents == allowed);
            for board in &boards {
                assert_eq!(planes.hold(board), of_board(board).is_within(allowed), "{contents:?} {board:?}");
            }
        }
        // Sets of roles that are the same for both colors, or that have one color only, with and without the empty
        // square.
        assert!(exact > 4 * 63, "{exact}");
    }
}
