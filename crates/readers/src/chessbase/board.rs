//! The board by which moves are stored: a move names a piece by its number among those of its kind.
//!
//! The pieces of a kind have numbers in the order of their squares from a1, a2 to h8 (from h8 to a1 in the reversed
//! modes). Up to three pieces of a kind have numbers, and up to eight pawns. If a piece is captured, those behind it
//! move up; pawns do not. A promoted piece gets the first number that is free.
//!
//! Moves need not be legal here: [`movetext`](crate::chessbase::movetext) plays them by the rules, and
//! [`short`](crate::chessbase::short) leaves that to whoever reads its text.

use std::sync::LazyLock;

use pgn2fen_chess::bitboard::Bitboard;
use pgn2fen_chess::piece::{Color, Piece, Role};
use pgn2fen_chess::setup::Setup;
use pgn2fen_chess::square::{File, Rank, Square};

/// The pieces on a board, and their numbers.
#[derive(Clone, Debug)]
pub(super) struct NumberedBoard {
    /// The piece on each square, with its number.
    men: [Man; 64],
    /// The squares of the pieces of a kind, by the code of a piece.
    sets: [Bitboard; 16],
    occupied: Bitboard,
    /// The square of each [`Man`]; [`NOWHERE`] where a number is free.
    squares: [u8; 256],
    pub(super) turn: Color,
    /// The square that a pawn has passed by the last move.
    pub(super) passed: Option<Square>,
}

/// The place of a number that no piece has. It is behind the last square.
const NOWHERE: u8 = 64;

/// A piece with its number, or an empty square: the [code](Piece::code) in the low four bits, and the number above
/// them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Man(u8);

impl Man {
    const NONE: Self = Self(0);

    /// The number of all pieces that have none. Their common place is written and not read.
    const NO_NUMBER: u8 = 8;

    pub(super) const fn new(piece: Piece, number: u8) -> Self {
        Self(piece.code() | number << 4)
    }

    #[inline]
    fn piece(self) -> Option<Piece> {
        Piece::from_code(self.0 & 15)
    }

    #[inline]
    fn number(self) -> u8 {
        self.0 >> 4
    }
}

/// Returns how many pieces of a kind have numbers.
fn numbered(role: Role) -> u8 {
    match role {
        Role::Pawn => 8,
        Role::King => 1,
        _ => 3,
    }
}

impl NumberedBoard {
    /// Returns the board of the initial position.
    pub(super) fn initial(is_reversed: bool) -> Self {
        static BOARDS: LazyLock<[NumberedBoard; 2]> =
            LazyLock::new(|| [false, true].map(|is_reversed| NumberedBoard::new(&Setup::initial(), is_reversed)));
        BOARDS[usize::from(is_reversed)].clone()
    }

    pub(super) fn new(setup: &Setup, is_reversed: bool) -> Self {
        let Setup { board, turn, ep, .. } = setup;
        let mut numbered = Self {
            men: [Man::NONE; 64],
            sets: [Bitboard::EMPTY; 16],
            occupied: Bitboard::EMPTY,
            squares: [NOWHERE; 256],
            turn: *turn,
            passed: *ep,
        };
        for nth in 0..64 {
            let nth = if is_reversed { 63 - nth } else { nth };
            let Some(square) = square(nth) else { continue };
            if let Some(piece) = board.piece_at(square) {
                numbered.add(piece, square);
            }
        }
        numbered
    }

    /// Returns the square of a piece.
    #[inline]
    pub(super) fn find(&self, man: Man) -> Option<Square> {
        Square::from_index(self.squares[usize::from(man.0)])
    }

    #[inline]
    pub(super) fn piece_at(&self, square: Square) -> Option<Piece> {
        self.men[square.index()].piece()
    }

    /// Returns the squares of the pieces of a kind.
    #[inline]
    pub(super) fn set(&self, piece: Piece) -> Bitboard {
        self.sets[usize::from(piece.code() & 15)]
    }

    /// Returns the occupied squares.
    #[inline]
    pub(super) fn occupied(&self) -> Bitboard {
        self.occupied
    }

    /// Puts a piece on an empty square, with the first number that is free.
    fn add(&mut self, piece: Piece, square: Square) {
        let is_free = |number: &u8| self.find(Man::new(piece, *number)).is_none();
        let free = (0..numbered(piece.role)).find(is_free);
        self.put(Man::new(piece, free.unwrap_or(Man::NO_NUMBER)), square);
    }

    /// Puts what has been taken from another square on an empty one.
    #[inline]
    fn put(&mut self, man: Man, square: Square) {
        let code = usize::from(man.0 & 15);
        self.men[square.index()] = man;
        self.sets[code] |= Bitboard::from(square);
        self.occupied |= Bitboard::from(square);
        self.squares[usize::from(man.0)] = square.number();
    }

    /// Takes what stands on a square. It keeps its number.
    #[inline]
    fn take(&mut self, square: Square) -> Man {
        let man = std::mem::replace(&mut self.men[square.index()], Man::NONE);
        self.sets[usize::from(man.0 & 15)] -= Bitboard::from(square);
        self.occupied -= Bitboard::from(square);
        man
    }

    /// Removes a piece from the board. Those behind it get its number and the following ones; pawns do not.
    fn remove(&mut self, square: Square) -> Option<Piece> {
        let man = self.take(square);
        let piece = man.piece()?;
        self.squares[usize::from(man.0)] = NOWHERE;
        let mut free = man;
        for number in man.number() + 1..numbered(piece.role) {
            let behind = Man::new(piece, number);
            let Some(next) = self.find(behind).filter(|_| piece.role != Role::Pawn) else { break };
            self.men[next.index()] = free;
            self.squares[usize::from(free.0)] = next.number();
            self.squares[usize::from(behind.0)] = NOWHERE;
            free = behind;
        }
        Some(piece)
    }

    /// Moves a piece. It captures what stands on the target, or a pawn in passing.
    #[inline(always)]
    pub(super) fn play(&mut self, from: Square, to: Square, promotion: Option<Role>) {
        let Some(piece) = self.piece_at(from) else { return };
        let is_capture = from != to && self.men[to.index()] != Man::NONE;
        if is_capture {
            self.remove(to);
        }
        self.passed = None;
        if piece.role == Role::Pawn {
            if from.file() != to.file() && !is_capture {
                self.remove(Square::new(to.file(), from.rank()));
            } else if from.number().abs_diff(to.number()) == 16 {
                self.passed = Square::from_index(from.number().midpoint(to.number()));
            }
        }
        match promotion {
            None => {
                let man = self.take(from);
                self.put(man, to);
            }
            Some(role) => {
                self.remove(from);
                self.add(role.of(piece.color), to);
            }
        }
        self.turn = !self.turn;
    }

    /// Moves a king and a rook at the same time.
    pub(super) fn castle(&mut self, [king, rook]: [Square; 2], [king_to, rook_to]: [Square; 2]) {
        let men = [king, rook].map(|square| self.take(square));
        for (man, to) in men.into_iter().zip([king_to, rook_to]) {
            self.remove(to);
            if man != Man::NONE {
                self.put(man, to);
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
