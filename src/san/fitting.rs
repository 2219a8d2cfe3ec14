//! The legal moves that a spelling may mean.

use crate::chess::bitboard::Bitboard;
use crate::chess::castling::CastlingSide;
use crate::chess::moves::Move;
use crate::chess::piece::{Piece, Role};
use crate::chess::position::Position;
use crate::san::spelling::{Man, Mark, Spelling};

/// Returns the legal moves that a spelling may mean.
pub(super) fn fitting(spelling: Spelling, position: &Position) -> Vec<Move> {
    let mut moves = match spelling {
        Spelling::Null => vec![Move::Null],
        Spelling::Castling(side) => Vec::from_iter(position.castling_move(side)),
        Spelling::Man(man) => man.moves(position),
    };
    moves.retain(|&m| position.is_legal(m));
    moves
}

impl Man {
    /// The moves that the spelling may mean, legal or not.
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
                // To a piece the cross is nothing; a pawn goes straight without it, and aslant with it.
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

    /// Castling is written by the squares of the king, if that is not a step of his as well, or as the king taking his rook.
    fn may_be_castling(&self, castling: Move) -> bool {
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

    /// The squares that the man may come from.
    pub(super) fn origin(&self) -> Bitboard {
        self.from_file.map_or(Bitboard::FULL, Bitboard::from) & self.from_rank.map_or(Bitboard::FULL, Bitboard::from)
    }

    /// The squares that he may go to: one, or a file.
    fn target(&self) -> Bitboard {
        Bitboard::from(self.to_file) & self.to_rank.map_or(Bitboard::FULL, Bitboard::from)
    }

    /// Whether it begins with a small letter that names a file and may be a piece's.
    pub(super) fn may_begin_with_a_piece(&self) -> bool {
        self.role == Some(Role::Pawn) && self.from_file.is_some() && self.from_rank.is_none()
    }

    /// Whether it is written as a pawn's capture, if it is a pawn that moves.
    pub(super) fn is_pawn_capture(&self) -> bool {
        self.mark == Some(Mark::Cross) || self.from_file.is_some_and(|file| file != self.to_file)
    }
}
