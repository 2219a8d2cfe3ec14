//! Writes moves as SAN (PGN standard §8.2.3).

use crate::chess::attacks;
use crate::chess::bitboard::Bitboard;
use crate::chess::castling::CastlingSide;
use crate::chess::moves::Move;
use crate::chess::piece::{Color, Piece, Role};
use crate::chess::position::Position;
use crate::chess::square::{File, Rank, Square};

/// Appends the SAN of a legal move. It includes the origin file, rank or square if another legal move needs to be excluded, and
/// `+` or `#` for check or checkmate. A null move is written `--`.
pub fn append(position: &Position, m: Move, out: &mut Vec<u8>) {
    let mut next = position.clone();
    next.play_unchecked(m);
    append_between(position, m, &next, out);
}

impl Move {
    /// Returns the move as SAN. The move must be legal in the position.
    ///
    /// ```
    /// use pgn2fen::chess::position::Position;
    ///
    /// let position: Position = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1".parse()?;
    /// assert!(position.legal_moves().iter().any(|m| m.to_san(&position) == "Ra8#"));
    /// # Ok::<(), pgn2fen::fen::FenError>(())
    /// ```
    pub fn to_san(self, position: &Position) -> String {
        let mut text = Vec::new();
        append(position, self, &mut text);
        text.into_iter().map(char::from).collect()
    }
}

/// Appends the SAN of a legal move, like [`append`]. It is faster, because the caller passes the position after the move as `next`.
pub fn append_between(position: &Position, m: Move, next: &Position, out: &mut Vec<u8>) {
    Spelled::between(position, m, next).append(out);
}

/// The SAN of a move.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Spelled {
    /// The longest has seven bytes, such as `Qa1xb2#` and `axb8=Q#`.
    bytes: [u8; 8],
    len: usize,
}

impl Spelled {
    /// Returns the SAN of a legal move from one position to the next.
    #[inline(always)]
    pub(crate) fn between(position: &Position, m: Move, next: &Position) -> Self {
        let mut san = Self::default();
        match m {
            Move::Normal { role: Role::Pawn, from, to, promotion } => {
                if from.file() != to.file() {
                    san.push([file(from.file()), b'x']);
                }
                san.push(square(to));
                if let Some(role) = promotion {
                    san.push([b'=', role.char() as u8]);
                }
            }
            Move::Normal { role, from, to, .. } => {
                san.push([Piece { color: Color::White, role }.letter()]);
                san.push_origin(position, role, from, to);
                if m.is_capture(position.board()) {
                    san.push([b'x']);
                }
                san.push(square(to));
            }
            Move::EnPassant { from, to } => {
                san.push([file(from.file()), b'x']);
                san.push(square(to));
            }
            Move::Castle { king, rook } => match CastlingSide::of(king, rook) {
                CastlingSide::King => san.push(*b"O-O"),
                CastlingSide::Queen => san.push(*b"O-O-O"),
            },
            Move::Null => {
                san.push(*b"--");
                return san;
            }
        }
        if next.is_check() {
            san.push([if next.has_legal_move() { b'+' } else { b'#' }]);
        }
        san
    }

    /// Appends the part of the origin that distinguishes a piece from others of its role with the same target: the file, or else
    /// the rank, or else both (§8.2.3.4).
    fn push_origin(&mut self, position: &Position, role: Role, from: Square, to: Square) {
        let board = position.board();
        let piece = Piece { color: position.turn(), role };
        let others = board.by_piece(piece).without(from);
        if others.is_empty() {
            return;
        }
        let alike = others & attacks::of(piece, to, board.occupied());
        if alike.is_empty() {
            return;
        }
        let may_go = |&sq: &Square| position.keeps_king_safe(Move::Normal { role, from: sq, to, promotion: None });
        let rivals: Bitboard = alike.into_iter().filter(may_go).collect();
        if rivals.is_empty() {
            return;
        }
        let on_file = !(rivals & from.file().into()).is_empty();
        let on_rank = !(rivals & from.rank().into()).is_empty();
        if !on_file || on_rank {
            self.push([file(from.file())]);
        }
        if on_file {
            self.push([rank(from.rank())]);
        }
    }

    #[inline]
    fn push<const N: usize>(&mut self, text: [u8; N]) {
        self.bytes[self.len..self.len + N].copy_from_slice(&text);
        self.len += N;
    }

    /// Appends the text to `out`. All eight bytes are copied, because a copy of fixed size is one machine instruction.
    #[inline]
    pub(crate) fn append(&self, out: &mut Vec<u8>) {
        let end = out.len() + self.len;
        out.extend_from_slice(&self.bytes);
        out.truncate(end);
    }

    /// Whether there is no move.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }
}

fn square(sq: Square) -> [u8; 2] {
    [file(sq.file()), rank(sq.rank())]
}

fn file(file: File) -> u8 {
    file.char() as u8
}

fn rank(rank: Rank) -> u8 {
    rank.char() as u8
}
