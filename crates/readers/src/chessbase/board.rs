//! The board by which moves are stored: a move names a piece by its number among those of its kind.
//!
//! The pieces of a kind have numbers in the order of their squares from a1, a2 to h8 (from h8 to a1 in the reversed
//! modes). Up to three pieces of a kind have numbers, and up to eight pawns. If a piece is captured, those behind it
//! move up; pawns do not. A promoted piece gets the first number that is free.
//!
//! Moves are not checked here; [`movetext`](crate::chessbase::movetext) plays them by the rules.

use pgn2fen_chess::board::Board;
use pgn2fen_chess::piece::{Color, Piece, Role};
use pgn2fen_chess::square::{File, Rank, Square};

/// The pieces on a board, and their numbers.
#[derive(Clone, Debug)]
pub(super) struct NumberedBoard {
    pieces: [Option<Piece>; 64],
    /// The squares by color, role and number.
    squares: [[[Option<Square>; 8]; 6]; 2],
    pub(super) turn: Color,
}

/// Returns how many pieces of a kind have numbers.
fn numbered(role: Role) -> usize {
    match role {
        Role::Pawn => 8,
        Role::King => 1,
        _ => 3,
    }
}

impl NumberedBoard {
    pub(super) fn new(board: &Board, turn: Color, is_reversed: bool) -> Self {
        let mut numbered_board = Self { pieces: [None; 64], squares: [[[None; 8]; 6]; 2], turn };
        for nth in 0..64 {
            let nth = if is_reversed { 63 - nth } else { nth };
            let Some(square) = square(nth) else { continue };
            if let Some(piece) = board.piece_at(square) {
                numbered_board.pieces[square.index()] = Some(piece);
                numbered_board.add(piece, square);
            }
        }
        numbered_board
    }

    /// Returns the square of the piece with a number of the side to move.
    pub(super) fn find(&self, role: Role, number: usize) -> Option<Square> {
        self.list(Piece { color: self.turn, role }).get(number).copied().flatten()
    }

    pub(super) fn piece(&self, square: Square) -> Option<Piece> {
        self.pieces[square.index()]
    }

    fn list(&self, piece: Piece) -> &[Option<Square>] {
        &self.squares[piece.color.index()][piece.role as usize - 1][..numbered(piece.role)]
    }

    fn list_mut(&mut self, piece: Piece) -> &mut [Option<Square>] {
        &mut self.squares[piece.color.index()][piece.role as usize - 1][..numbered(piece.role)]
    }

    fn add(&mut self, piece: Piece, square: Square) {
        if let Some(free) = self.list_mut(piece).iter_mut().find(|free| free.is_none()) {
            *free = Some(square);
        }
    }

    /// Removes a piece from the board and from its list.
    fn remove(&mut self, square: Square) -> Option<Piece> {
        let piece = self.pieces[square.index()].take()?;
        let list = self.list_mut(piece);
        if let Some(number) = list.iter().position(|other| *other == Some(square)) {
            list[number] = None;
            if piece.role != Role::Pawn {
                list[number..].rotate_left(1);
            }
        }
        Some(piece)
    }

    /// Moves a piece. It captures what stands on the target, or a pawn in passing.
    pub(super) fn play(&mut self, from: Square, to: Square, promotion: Option<Role>) {
        let Some(piece) = self.pieces[from.index()].take() else { return };
        let is_capture = self.remove(to).is_some();
        if piece.role == Role::Pawn && from.file() != to.file() && !is_capture {
            self.remove(Square::new(to.file(), from.rank()));
        }
        let number = self.list(piece).iter().position(|other| *other == Some(from));
        match (promotion, number) {
            (None, Some(number)) => self.list_mut(piece)[number] = Some(to),
            (None, None) => {}
            (Some(role), number) => {
                if let Some(number) = number {
                    self.list_mut(piece)[number] = None;
                }
                self.add(Piece { role, ..piece }, to);
            }
        }
        let role = promotion.unwrap_or(piece.role);
        self.pieces[to.index()] = Some(Piece { role, ..piece });
        self.turn = !self.turn;
    }

    /// Moves a king and a rook at the same time.
    pub(super) fn castle(&mut self, [king, rook]: [Square; 2], [king_to, rook_to]: [Square; 2]) {
        for (from, to) in [(king, king_to), (rook, rook_to)] {
            if let Some(piece) = self.pieces[from.index()]
                && let Some(place) = self.list_mut(piece).iter_mut().find(|other| **other == Some(from))
            {
                *place = Some(to);
            }
        }
        let men = [king, rook].map(|square| self.pieces[square.index()].take());
        for (man, to) in men.into_iter().zip([king_to, rook_to]) {
            self.pieces[to.index()] = man;
        }
        self.turn = !self.turn;
    }

    pub(super) fn pass(&mut self) {
        self.turn = !self.turn;
    }
}

/// Returns the square with a number of ChessBase, which counts file by file: a1, a2 to h8.
pub(super) fn square(number: u8) -> Option<Square> {
    Some(Square::new(File::from_index(number / 8)?, Rank::from_index(number % 8)?))
}
