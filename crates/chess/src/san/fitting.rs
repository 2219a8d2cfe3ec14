//! Finds the legal moves that fit a parsed spelling.

use crate::bitboard::Bitboard;
use crate::castling::CastlingSide;
use crate::moves::Move;
use crate::piece::{Piece, Role};
use crate::position::Position;
use crate::san::spelling::{Man, Mark, Spelling};

/// Returns the legal moves that fit a spelling.
pub(super) fn fitting(spelling: Spelling, position: &Position) -> Vec<Move> {
    let mut moves = candidates(spelling, position);
    moves.retain(|&m| position.is_legal(m));
    moves
}

/// Returns the moves that fit a spelling, legal or not.
pub(super) fn candidates(spelling: Spelling, position: &Position) -> Vec<Move> {
    match spelling {
        Spelling::Null => vec![Move::Null],
        Spelling::Castling(side) => Vec::from_iter(position.castling_move(side)),
        Spelling::Drop(role, to) => vec![Move::Drop { role, to }],
        Spelling::Man(man) => man.moves(position),
    }
}

impl Man {
    /// Returns the moves that fit the spelling, legal or not.
    fn moves(&self, position: &Position) -> Vec<Move> {
        let board = position.board();
        let mut moves = Vec::new();
        for from in board.by_color(position.turn()) & self.origin() {
            let Some(Piece { role, .. }) = board.piece_at(from) else { continue };
            if self.role.is_some_and(|told| told != role) {
                continue;
            }
            for to in self.target() {
                let aslant = from.file() != to.file();
                let m = if role == Role::Pawn && aslant && position.ep() == Some(to) && self.promotion.is_none() {
                    Move::EnPassant { from, to }
                } else {
                    Move::Normal { role, from, to, promotion: self.promotion }
                };
                // For a piece, the capture sign is ignored. For a pawn, it must be there if the move is diagonal, and
                // only then.
                if (role != Role::Pawn || aslant == self.is_pawn_capture())
                    && (!self.en_passant || matches!(m, Move::EnPassant { .. }))
                {
                    moves.push(m);
                }
            }
        }
        let castlings = CastlingSide::ALL.into_iter().filter_map(|side| position.castling_move(side));
        moves.extend(castlings.filter(|&castling| self.may_be_castling(castling)));
        moves
    }

    /// Whether the spelling may mean this castling move. Castling may be written as the squares of the king, unless the
    /// king steps only one file, or as the king capturing its own rook.
    pub(super) fn may_be_castling(&self, castling: Move) -> bool {
        let Move::Castle { king, rook } = castling else { return false };
        let farther_than_a_step = king.file().index().abs_diff(self.to_file.index()) > 1;
        let arrives = castling.to().is_some_and(|to| self.target().contains(to)) && farther_than_a_step;
        self.role.is_none()
            && self.origin().contains(king)
            && (self.target().contains(rook) || arrives)
            && self.mark != Some(Mark::Cross)
            && self.promotion.is_none()
            && !self.en_passant
    }

    /// Returns the squares from which the piece may come.
    pub(super) fn origin(&self) -> Bitboard {
        self.from_file.map_or(Bitboard::FULL, Bitboard::from) & self.from_rank.map_or(Bitboard::FULL, Bitboard::from)
    }

    /// Returns the squares to which the piece may go: one square, or all squares of a file.
    pub(super) fn target(&self) -> Bitboard {
        Bitboard::from(self.to_file) & self.to_rank.map_or(Bitboard::FULL, Bitboard::from)
    }

    /// Whether the spelling begins with a lower-case file letter that may also be a piece letter.
    pub(super) fn may_begin_with_a_piece(&self) -> bool {
        self.role == Some(Role::Pawn) && self.from_file.is_some() && self.from_rank.is_none()
    }

    /// Whether the spelling is a capture if the moving piece is a pawn.
    pub(super) fn is_pawn_capture(&self) -> bool {
        self.mark == Some(Mark::Cross) || self.from_file.is_some_and(|file| file != self.to_file)
    }
}

#[cfg(test)]
mod tests {
    use crate::san::letters::Letters;
    use crate::san::spelling::{self, Case, Spelling};

    #[test]
    fn only_a_file_alone_may_be_a_piece_in_lower_case() {
        let may_begin = |symbol: &str| {
            let read = spelling::read(symbol.as_bytes(), Letters::ENGLISH, Case::Exact);
            matches!(read, Some((Spelling::Man(man), _)) if man.may_begin_with_a_piece())
        };
        for symbol in ["bxc3", "bc3", "exd5", "exd", "exd8=Q"] {
            assert!(may_begin(symbol), "{symbol}");
        }
        for symbol in ["e4", "e8=Q", "e2e4", "b2xc3", "Nf3", "Nbd2", "N1d2", "Nb1d2", "Pe4", "5254", "O-O", "--", "x"] {
            assert!(!may_begin(symbol), "{symbol}");
        }
    }
}
