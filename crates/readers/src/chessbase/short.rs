//! The moves of a game as words that are spelled from where its pieces stand, without a board of the rules.
//!
//! So a game is decoded and spelled in one pass. Moves that castle or leave a king in check may be illegal, which is
//! told by whoever reads the text.

use pgn2fen_chess::attacks;
use pgn2fen_chess::bitboard::Bitboard;
use pgn2fen_chess::castling::CastlingSide;
use pgn2fen_chess::piece::{Color, Piece, Role};
use pgn2fen_chess::square::Square;

use crate::chessbase::board::NumberedBoard;
use crate::chessbase::start::Start;
use crate::chessbase::tree::{DEEPEST, END, Kept, Mode, NOTHING, Node, StoredMove, TWO_BYTES, VARIATION};

/// Appends the moves of the main line, each with a blank behind it, and returns their number. The variations behind it
/// are not read. `None` if there are some and `variations` are wanted, for a move that a piece does not make, a null
/// move, or any damage: then what was appended is of no use.
pub(super) fn append_main_line(
    (bytes, mode): (&[u8], Mode),
    start: &Start,
    variations: bool,
    out: &mut Vec<u8>,
) -> Option<usize> {
    if mode.is_simple {
        return None;
    }
    let mut board = start.board(mode.is_reversed);
    let mut bytes = bytes.iter().copied();
    // The number of moves before, and what is subtracted of it.
    let (mut plies, mut count) = (0, 0_u8);
    let (mut is_branch, mut has_branches) = (false, false);
    loop {
        let stored = match mode.decode(bytes.next()?, count) {
            NOTHING => continue,
            VARIATION if is_branch || variations => return None,
            VARIATION => {
                (is_branch, has_branches) = (true, true);
                continue;
            }
            END if is_branch => return None,
            END => break,
            TWO_BYTES => {
                let mut next = || Some(mode.decode(bytes.next()?, count));
                board.two_bytes(u16::from_be_bytes([next()?, next()?]))
            }
            code => board.one_byte(code),
        };
        Word::of(stored, &board)?.append(out);
        board.play_stored(stored, &start.rooks);
        (plies, count, is_branch) = (plies + 1, count.wrapping_add(1), false);
    }
    (has_branches == bytes.next().is_some()).then_some(plies)
}

/// Appends the moves of a game, each with a blank behind it, and its variations in parentheses. `None` if a variation
/// is too deep in others: then what was appended is of no use.
pub(super) fn append_lines(nodes: &[Node<Word>], out: &mut Vec<u8>) -> Option<()> {
    // The lines around the current one: the node behind the variation, and the next alternative to the node before it.
    let mut outer: Vec<(Option<usize>, usize)> = Vec::new();
    let mut next = (!nodes.is_empty()).then_some(0);
    // The alternatives to the first move of a variation are those of the line around it.
    let mut is_first = false;
    loop {
        if let Some(number) = next {
            let Node { kept, is_last, alternative } = nodes[number];
            kept.append(out);
            next = (!is_last).then_some(number + 1);
            if std::mem::take(&mut is_first) || alternative == 0 {
                continue;
            }
            outer.push((next, alternative as usize));
        } else if outer.is_empty() {
            return Some(());
        } else {
            out.extend_from_slice(b") ");
        }
        if outer.len() > DEEPEST {
            return None;
        }
        if let Some((behind, alternative)) = outer.pop() {
            next = behind;
            if alternative > 0 {
                out.push(b'(');
                outer.push((behind, nodes[alternative].alternative as usize));
                (next, is_first) = (Some(alternative), true);
            }
        }
    }
}

/// The SAN of a move with a blank behind it, at most 7 bytes, and their number in the highest byte.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word(u64);

impl Word {
    #[inline]
    fn new<const N: usize>(text: [u8; N]) -> Self {
        Self(text.iter().rev().fold((N as u64) << (8 * (7 - N)), |word, byte| word << 8 | u64::from(*byte)))
    }

    /// Appends the word. All eight bytes are copied, because a copy of fixed size is one machine instruction.
    #[inline]
    fn append(self, out: &mut Vec<u8>) {
        let end = out.len() + (self.0 >> 56) as usize;
        out.extend_from_slice(&self.0.to_le_bytes());
        out.truncate(end);
    }
}

impl Kept for Word {
    #[inline(always)]
    fn of(stored: StoredMove, board: &NumberedBoard) -> Option<Self> {
        match stored {
            StoredMove::Piece { from, to, promotion } => board.word(from, to, promotion),
            StoredMove::Castle(CastlingSide::King) => Some(Self::new(*b"O-O ")),
            StoredMove::Castle(CastlingSide::Queen) => Some(Self::new(*b"O-O-O ")),
            StoredMove::Pass | StoredMove::None(_) => None,
        }
    }
}

/// The squares that a piece attacks on an empty board, by its role.
static RAYS: [[Bitboard; 64]; 8] = {
    let mut rays = [[Bitboard::EMPTY; 64]; 8];
    let mut number = 0;
    while let Some(square) = Square::from_index(number) {
        let mut nth = 0;
        while nth < Role::ALL.len() {
            let role = Role::ALL[nth];
            rays[role as usize][square.index()] = attacks::on_empty_board(role, square);
            nth += 1;
        }
        number += 1;
    }
    rays
};

impl NumberedBoard {
    /// Returns the SAN of a move, with the whole origin if another piece of the kind reaches the target, even if it may
    /// not leave its square. None if the piece is not of the side to move, or does not move that way.
    #[inline(always)]
    fn word(&self, from: Square, to: Square, promotion: Option<Role>) -> Option<Word> {
        let piece = self.piece_at(from).filter(|piece| piece.color == self.turn)?;
        let captured = self.piece_at(to);
        if captured.is_some_and(|captured| captured.color == self.turn || captured.role == Role::King) {
            return None;
        }
        let is_capture = captured.is_some();
        let [from_file, from_rank] = [file(from), rank(from)];
        let [file, rank] = [file(to), rank(to)];
        if piece.role == Role::Pawn {
            let is_promotion = to.rank() == (!self.turn).back_rank();
            if !self.is_pawn_move(from, to, is_capture) || promotion.is_some() != is_promotion {
                return None;
            }
            return Some(match (from_file == file, promotion.map(|role| role.char() as u8)) {
                (true, None) => Word::new([file, rank, b' ']),
                (false, None) => Word::new([from_file, b'x', file, rank, b' ']),
                (true, Some(role)) => Word::new([file, rank, b'=', role, b' ']),
                (false, Some(role)) => Word::new([from_file, b'x', file, rank, b'=', role, b' ']),
            });
        }
        let rays = RAYS[piece.role as usize & 7][to.index()];
        let reaches = |sq: Square| (attacks::between(sq, to) & self.occupied()).is_empty();
        if !rays.contains(from) || !reaches(from) || promotion.is_some() {
            return None;
        }
        let is_alone = !(self.set(piece) & rays).without(from).into_iter().any(reaches);
        let role = piece.role.of(Color::White).letter();
        Some(match (is_alone, is_capture) {
            (true, false) => Word::new([role, file, rank, b' ']),
            (true, true) => Word::new([role, b'x', file, rank, b' ']),
            (false, false) => Word::new([role, from_file, from_rank, file, rank, b' ']),
            (false, true) => Word::new([role, from_file, from_rank, b'x', file, rank, b' ']),
        })
    }

    /// Whether a pawn moves from one square to another, of which neither holds what it may not capture.
    #[inline]
    fn is_pawn_move(&self, from: Square, to: Square, is_capture: bool) -> bool {
        let pawn = Piece { color: self.turn, role: Role::Pawn };
        if from.file() == to.file() {
            attacks::pawn_steps(pawn.color, from, self.occupied()).contains(to)
        } else {
            (is_capture || self.passed == Some(to)) && attacks::of(pawn, from, Bitboard::EMPTY).contains(to)
        }
    }
}

#[inline]
fn file(square: Square) -> u8 {
    b'a' + square.number() % 8
}

#[inline]
fn rank(square: Square) -> u8 {
    b'1' + square.number() / 8
}
