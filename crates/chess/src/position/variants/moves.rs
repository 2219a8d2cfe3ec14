//! The legal moves of a variant.

use std::ops::ControlFlow;

use crate::attacks;
use crate::hands::Hands;
use crate::moves::Move;
use crate::piece::Role;
use crate::position::Position;
use crate::square::Square;

impl Position {
    /// Calls `visit` with every legal move of a variant once, until it breaks.
    pub(crate) fn visit_moves_of_variant(&self, mut visit: impl FnMut(Move) -> ControlFlow<()>) -> ControlFlow<()> {
        if self.end_of_variant().is_some() {
            return ControlFlow::Continue(());
        }
        let (board, color) = (self.board(), self.turn());
        let (occupied, own) = (board.occupied(), board.by_color(color));
        let mut visit = |m| if self.keeps_king_safe(m) { visit(m) } else { ControlFlow::Continue(()) };

        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King] {
            let piece = role.of(color);
            for from in board.by_piece(piece) {
                for to in attacks::of(piece, from, occupied) - own {
                    visit(Move::Normal { role, from, to, promotion: None })?;
                }
            }
        }
        for from in board.by_piece(Role::Pawn.of(color)) {
            let captures = attacks::pawn(color, from) & board.by_color(!color);
            for to in captures | self.pawn_steps(from) {
                self.visit_pawn_moves(from, to, &mut visit)?;
            }
        }
        if let Some(to) = self.ep() {
            for from in self.ep_takers(to) {
                visit(Move::EnPassant { from, to })?;
            }
        }
        if let Some(king) = board.castling_king(color).filter(|_| !self.is_check()) {
            for rook in self.castling().of(color).rooks() {
                visit(Move::Castle { king, rook })?;
            }
        }
        for role in Hands::ROLES.into_iter().filter(|role| self.hands().count(color, *role) > 0) {
            for to in Self::drop_squares(role) - occupied {
                visit(Move::Drop { role, to })?;
            }
        }
        ControlFlow::Continue(())
    }

    fn visit_pawn_moves(
        &self,
        from: Square,
        to: Square,
        visit: &mut impl FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let role = Role::Pawn;
        if to.rank() != (!self.turn()).back_rank() {
            return visit(Move::Normal { role, from, to, promotion: None });
        }
        for promotion in self.promotions() {
            visit(Move::Normal { role, from, to, promotion: Some(*promotion) })?;
        }
        ControlFlow::Continue(())
    }
}
