//! The text of the second and third field of a FEN, which most moves change only in the side to move.

use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::castling::{CastlingRights, CastlingSide};
use crate::fen::style::CastlingStyle;
use crate::piece::{Color, Piece, Role};
use crate::square::Square;

/// The text between the board and the en passant square, such as ` w KQkq `, for either side to move.
#[derive(Clone, Copy)]
pub(super) struct CastlingText {
    /// The rights that have this text on any board. If the text depends on the board, this is a value that no position
    /// has.
    rights: CastlingRights,
    /// The text with White to move, then with Black to move, in arrays of fixed size that are copied whole.
    pub(super) after_turn: [[u8; 8]; 2],
    /// The length of the text in bytes.
    pub(super) len: usize,
}

impl CastlingText {
    /// The text of no castling rights.
    pub(super) const NONE: Self =
        Self { rights: CastlingRights::NONE, after_turn: [*b" w - \0\0\0", *b" b - \0\0\0"], len: 5 };

    /// Whether this is the text of these rights. It is false if the text depends on the board.
    #[inline]
    pub(super) fn is_of(&self, rights: CastlingRights) -> bool {
        self.rights == rights
    }

    #[cold]
    pub(super) fn new(board: &Board, rights: CastlingRights, style: CastlingStyle) -> Self {
        let mut letters = [b'-', b' ', b' ', b' ', b' '];
        let mut len = 0;
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                if let Some(rook) = rights.rook(board, color, side) {
                    letters[len] = castling_letter(board, color, side, rook, style);
                    len += 1;
                }
            }
        }
        let [a, b, c, d, e] = letters;
        // The text of a corner rook never depends on the board, because no rook stands further out.
        let on_any_board =
            style == CastlingStyle::Shredder || (rights.rooks() - CastlingRights::CORNERS.rooks()).is_empty();
        Self {
            rights: if on_any_board { rights } else { CastlingRights::new(Bitboard::FULL) },
            after_turn: [b'w', b'b'].map(|turn| [b' ', turn, b' ', a, b, c, d, e]),
            len: 4 + len.max(1),
        }
    }
}

fn castling_letter(board: &Board, color: Color, side: CastlingSide, rook: Square, style: CastlingStyle) -> u8 {
    let rooks = board.by_piece(Piece { color, role: Role::Rook }) & color.back_rank().into();
    let outermost = match side {
        CastlingSide::King => rooks.last(),
        CastlingSide::Queen => rooks.first(),
    };
    let letter = match (style, side) {
        (CastlingStyle::Xfen, CastlingSide::King) if outermost == Some(rook) => 'K',
        (CastlingStyle::Xfen, CastlingSide::Queen) if outermost == Some(rook) => 'Q',
        _ => rook.file().char(),
    };
    match color {
        Color::White => letter.to_ascii_uppercase() as u8,
        Color::Black => letter.to_ascii_lowercase() as u8,
    }
}
