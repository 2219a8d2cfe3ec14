//! The board by which moves are stored: a move names a piece by its number among those of its kind.
//!
//! The pieces of a kind have numbers in the order of their squares from a1, a2 to h8 (from h8 to a1 in the reversed
//! modes). Up to three pieces of a kind have numbers, and up to eight pawns. If a piece is captured, those behind it
//! move up; pawns do not. A promoted piece gets the first number that is free.
//!
//! Moves are not checked here; [`movetext`](crate::chessbase::movetext) plays them by the rules.

use pgn2fen_chess::board::Board;
use pgn2fen_chess::piece::{Color, Piece, Role};
use pgn2fen_chess::setup::Setup;
use pgn2fen_chess::square::{File, Rank, Square};

use crate::chessbase::start::Start;

/// The pieces on a board, and their numbers.
#[derive(Clone, Debug)]
pub(super) struct NumberedBoard {
    pub(super) pieces: Board,
    /// The squares by color, role and number.
    squares: [[[Option<Square>; 8]; 6]; 2],
    /// The number of the piece on each square, or [`NO_NUMBER`].
    numbers: [u8; 64],
    pub(super) turn: Color,
    /// The square that a pawn has passed by the last move.
    pub(super) passed: Option<Square>,
}

/// What a piece has that is not among those with numbers.
const NO_NUMBER: u8 = 8;

/// Returns how many pieces of a kind have numbers.
fn numbered(role: Role) -> usize {
    match role {
        Role::Pawn => 8,
        Role::King => 1,
        _ => 3,
    }
}

impl NumberedBoard {
    pub(super) fn new(start: &Start, is_reversed: bool) -> Self {
        let Setup { board, turn, ep, .. } = &start.setup;
        let mut numbered_board = Self {
            pieces: board.clone(),
            squares: [[[None; 8]; 6]; 2],
            numbers: [NO_NUMBER; 64],
            turn: *turn,
            passed: *ep,
        };
        for nth in 0..64 {
            let nth = if is_reversed { 63 - nth } else { nth };
            let Some(square) = square(nth) else { continue };
            if let Some(piece) = board.piece_at(square) {
                numbered_board.number(piece, square);
            }
        }
        numbered_board
    }

    /// Returns the square of the piece with a number of the side to move.
    pub(super) fn find(&self, role: Role, number: usize) -> Option<Square> {
        self.squares[self.turn.index()][role as usize - 1][..numbered(role)].get(number).copied().flatten()
    }

    /// Returns the squares of the pieces of a kind, and the numbers of all pieces.
    fn lists(&mut self, piece: Piece) -> (&mut [Option<Square>], &mut [u8; 64]) {
        let squares = &mut self.squares[piece.color.index()][piece.role as usize - 1];
        (&mut squares[..numbered(piece.role)], &mut self.numbers)
    }

    /// Gives the first free number to a piece, if there is one.
    fn number(&mut self, piece: Piece, square: Square) {
        let (list, numbers) = self.lists(piece);
        let free = (0..).zip(list).find(|(_, place)| place.is_none());
        numbers[square.index()] = free.map_or(NO_NUMBER, |(number, place)| {
            *place = Some(square);
            number
        });
    }

    /// Puts a piece on an empty square. It keeps its number.
    fn put(&mut self, piece: Piece, number: u8, to: Square) {
        self.pieces.set(to, piece);
        let (list, numbers) = self.lists(piece);
        numbers[to.index()] = number;
        if let Some(place) = list.get_mut(usize::from(number)) {
            *place = Some(to);
        }
    }

    /// Takes the number of a piece that stood on a square. Those behind it move up; pawns do not.
    fn take_number(&mut self, piece: Piece, square: Square) {
        let (list, numbers) = self.lists(piece);
        let mut number = numbers[square.index()];
        let Some(place) = list.get_mut(usize::from(number)) else { return };
        *place = None;
        if piece.role == Role::Pawn {
            return;
        }
        while let Some(Some(next)) = list.get(usize::from(number) + 1).copied() {
            list[usize::from(number)] = Some(next);
            list[usize::from(number) + 1] = None;
            numbers[next.index()] = number;
            number += 1;
        }
    }

    /// Removes a piece from the board and from its list.
    fn remove(&mut self, square: Square) -> Option<Piece> {
        let piece = self.pieces.remove(square)?;
        self.take_number(piece, square);
        Some(piece)
    }

    /// Moves a piece. It captures what stands on the target, or a pawn in passing.
    pub(super) fn play(&mut self, from: Square, to: Square, promotion: Option<Role>) {
        let Some(piece) = self.pieces.remove(from) else { return };
        let is_capture = self.remove(to).is_some();
        let mut passed = None;
        if piece.role == Role::Pawn {
            if from.file() != to.file() && !is_capture {
                self.remove(Square::new(to.file(), from.rank()));
            } else if from.number().abs_diff(to.number()) == 16 {
                passed = Square::from_index(from.number().midpoint(to.number()));
            }
        }
        match promotion {
            None => self.put(piece, self.numbers[from.index()], to),
            Some(role) => {
                self.take_number(piece, from);
                let promoted = Piece { role, ..piece };
                self.pieces.set(to, promoted);
                self.number(promoted, to);
            }
        }
        self.passed = passed;
        self.turn = !self.turn;
    }

    /// Moves a king and a rook at the same time.
    pub(super) fn castle(&mut self, [king, rook]: [Square; 2], [king_to, rook_to]: [Square; 2]) {
        let men = [king, rook].map(|square| (self.pieces.remove(square), self.numbers[square.index()]));
        for ((man, number), to) in men.into_iter().zip([king_to, rook_to]) {
            self.remove(to);
            if let Some(piece) = man {
                self.put(piece, number, to);
            }
        }
        self.pass();
    }

    pub(super) fn pass(&mut self) {
        self.passed = None;
        self.turn = !self.turn;
    }
}

/// Returns the square with a number of ChessBase, which counts file by file: a1, a2 to h8.
pub(super) fn square(number: u8) -> Option<Square> {
    Some(Square::new(File::from_index(number / 8)?, Rank::from_index(number % 8)?))
}
