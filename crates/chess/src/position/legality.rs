//! Checks whether a move is legal without generating all legal moves.

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::castling::CastlingSide;
use crate::moves::Move;
use crate::piece::Role;
use crate::position::{Position, captured_en_passant};
use crate::square::{Rank, Square};

impl Position {
    /// Whether a move is legal in this position. Any move may be passed. A null move counts as legal unless the side to
    /// move is in check.
    pub fn is_legal(&self, m: Move) -> bool {
        match self.variant() {
            Some(rules) if rules.end(self).is_some() => false,
            _ => self.is_legal_before_the_end(m),
        }
    }

    /// Whether a move is legal in a position in which the rules of the variant have not ended the game.
    pub(super) fn is_legal_before_the_end(&self, m: Move) -> bool {
        match m {
            Move::Normal { role, from, to, promotion } => {
                self.can_reach(role, from, to) && self.promotes(role, to, promotion) && self.keeps_king_safe(m)
            }
            Move::EnPassant { from, to } => {
                self.ep() == Some(to) && self.ep_takers(to).contains(from) && self.keeps_king_safe(m)
            }
            Move::Castle { king, rook } => {
                self.board().castling_king(self.turn()) == Some(king)
                    && self.castling().of(self.turn()).contains(rook)
                    && self.keeps_king_safe(m)
            }
            Move::Drop { role, to } => {
                self.hands().count(self.turn(), role) > 0
                    && Self::drop_squares(role).contains(to)
                    && !self.board().occupied().contains(to)
                    && self.keeps_king_safe(m)
            }
            Move::Null => !self.is_check(),
        }
    }

    /// Returns the squares on which a man may be dropped, if they are empty.
    pub(super) fn drop_squares(role: Role) -> Bitboard {
        let back_ranks = Bitboard::from(Rank::First) | Rank::Eighth.into();
        if role == Role::Pawn { !back_ranks } else { Bitboard::FULL }
    }

    /// Whether a move is legal but for the safety of the king, which is checked for castling, for en passant captures
    /// and for null moves only.
    #[doc(hidden)]
    #[inline]
    pub fn is_pseudo_legal(&self, m: Move) -> bool {
        match m {
            Move::Normal { role, from, to, promotion } => {
                self.can_reach(role, from, to) && self.promotes(role, to, promotion)
            }
            _ => self.is_legal(m),
        }
    }

    /// Returns the castling move on a side if the side to move has the right to it. The move need not be legal in this
    /// position: see [`is_legal`](Self::is_legal).
    pub fn castling_move(&self, side: CastlingSide) -> Option<Move> {
        let rook = self.castling().rook(self.board(), self.turn(), side)?;
        Some(Move::Castle { king: self.board().castling_king(self.turn())?, rook })
    }

    /// Returns the en passant square if a pawn of the side to move stands next to the pawn that passed it. The capture
    /// may still be illegal.
    #[inline]
    pub fn pseudo_legal_ep(&self) -> Option<Square> {
        self.ep().filter(|&ep| !self.ep_takers(ep).is_empty())
    }

    /// Returns the en passant square if a capture there is legal.
    pub fn legal_ep(&self) -> Option<Square> {
        self.ep()
            .filter(|&to| self.ep_takers(to).into_iter().any(|from| self.keeps_king_safe(Move::EnPassant { from, to })))
    }

    /// Returns the pawns of the side to move that attack the en passant square.
    #[inline]
    pub(crate) fn ep_takers(&self, ep: Square) -> Bitboard {
        attacks::pawn(!self.turn(), ep) & self.board().by_piece(Role::Pawn.of(self.turn()))
    }

    /// Whether the king is safe after a move that is otherwise legal: the piece exists, moves that way, and has a free
    /// path. For castling, the whole path is checked, but not the right.
    #[inline]
    pub(crate) fn keeps_king_safe(&self, m: Move) -> bool {
        match self.variant() {
            None => self.keeps_king_safe_in_chess(m),
            Some(rules) => rules.permits(self, m),
        }
    }

    #[inline]
    pub(super) fn keeps_king_safe_in_chess(&self, m: Move) -> bool {
        let occupied = self.board().occupied();
        let king = self.king(self.turn());
        match m {
            Move::Normal { role, from, to, .. } => {
                let king = if role == Role::King { to } else { king };
                self.is_safe(king, occupied.without(from).with(to), to.into())
            }
            Move::EnPassant { from, to } => {
                let captured = captured_en_passant(to);
                self.is_safe(king, occupied.without(from).without(captured).with(to), captured.into())
            }
            Move::Castle { king, rook } => {
                self.has_castling_path(king, rook, |sq, occupied| self.is_safe(sq, occupied, Bitboard::EMPTY))
            }
            Move::Drop { to, .. } => self.is_safe(king, occupied.with(to), Bitboard::EMPTY),
            Move::Null => self.is_safe(king, occupied, Bitboard::EMPTY),
        }
    }

    /// Whether no enemy piece attacks `sq`, if the squares of `occupied` block sliding pieces and the pieces on
    /// `captured` are gone.
    #[inline]
    pub(crate) fn is_safe(&self, sq: Square, occupied: Bitboard, captured: Bitboard) -> bool {
        !self.board().is_attacked(sq, !self.turn(), occupied, captured)
    }

    fn can_reach(&self, role: Role, from: Square, to: Square) -> bool {
        let board = self.board();
        let piece = role.of(self.turn());
        let reach = match role {
            Role::Pawn => attacks::pawn(piece.color, from) & board.by_color(!piece.color) | self.pawn_steps(from),
            _ => attacks::of(piece, from, board.occupied()) - board.by_color(piece.color),
        };
        board.piece_at(from) == Some(piece) && reach.contains(to)
    }

    /// Returns the reason that the rules of a variant forbid a move that is legal otherwise.
    pub(crate) fn forbidden_by_variant(&self, m: Move) -> Option<&'static str> {
        self.variant().filter(|rules| !rules.permits(self, m)).and_then(|rules| rules.reason(self, m))
    }

    /// Returns the squares to which the pawn of the side to move on `from` can advance.
    #[inline]
    pub(crate) fn pawn_steps(&self, from: Square) -> Bitboard {
        match self.variant() {
            None => attacks::pawn_steps(self.turn(), from, self.board().occupied()),
            Some(rules) => rules.pawn_steps(self, from),
        }
    }

    /// Returns the roles to which a pawn can promote.
    #[inline]
    pub(crate) fn promotions(&self) -> &'static [Role] {
        match self.variant() {
            None => &Role::PROMOTIONS,
            Some(rules) => rules.promotions(),
        }
    }

    /// Whether a promotion piece is given if and only if the move is a promotion.
    fn promotes(&self, role: Role, to: Square, promotion: Option<Role>) -> bool {
        let must = role == Role::Pawn && to.rank() == (!self.turn()).back_rank();
        match promotion {
            None => !must,
            Some(role) => must && self.promotions().contains(&role),
        }
    }

    /// Whether the path of a castling move is free and all squares from the king's origin to its target are safe. The
    /// function tells whether a square is safe if the squares of a set block sliding pieces.
    pub(super) fn has_castling_path(
        &self,
        king: Square,
        rook: Square,
        is_safe_square: impl Fn(Square, Bitboard) -> bool,
    ) -> bool {
        let side = CastlingSide::of(king, rook);
        let (king_to, rook_to) = (side.king_target(self.turn()), side.rook_target(self.turn()));
        let king_path = attacks::between(king, king_to).with(king_to);
        let rook_path = attacks::between(rook, rook_to).with(rook_to);
        let others = self.board().occupied().without(king).without(rook);

        let is_safe = |sq, rook| is_safe_square(sq, others.with(rook));

        ((king_path | rook_path) & others).is_empty()
            // The king is taken off the board, so that it does not block attacks on its path.
            && attacks::between(king, king_to).with(king).into_iter().all(|sq| is_safe(sq, rook))
            // The target must be safe with the rook on its new square. In Chess960, the rook may have blocked an attack
            // before it moved to the king's other side; in atomic chess, it may block an attack that does not reach the
            // squares before.
            && is_safe(king_to, rook_to)
    }
}

#[cfg(test)]
mod tests {
    use crate::castling::CastlingSide;
    use crate::fen;
    use crate::moves::Move;
    use crate::piece::Role;
    use crate::rules::Rules;
    use crate::square::Square;
    use crate::testing::position;

    /// Checks the sides on which the side to move can castle, given as FEN letters.
    #[track_caller]
    fn check_castling(fen: &str, expected: &str) {
        let position = position(fen);
        let can = |side| position.castling_move(side).is_some_and(|m| position.is_legal(m));
        let sides = CastlingSide::ALL.into_iter().zip(["K", "Q"]);
        let legal: String = sides.filter(|&(side, _)| can(side)).map(|(_, letter)| letter).collect();
        assert_eq!(legal, expected, "{fen}");
    }

    #[test]
    fn castling_needs_its_right() {
        check_castling("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "KQ");
        check_castling("4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", "Q");
    }

    #[test]
    fn castling_needs_a_free_path() {
        check_castling("4k3/8/8/8/8/8/8/RN2K1NR w KQ - 0 1", "");
        check_castling("rn2kb1r/8/8/8/8/8/8/4K3 b kq - 0 1", "");
    }

    #[test]
    fn the_king_castles_neither_out_of_nor_through_nor_into_check() {
        check_castling("4r1k1/8/8/8/8/8/8/R3K2R w KQ - 0 1", "");
        check_castling("5rk1/8/8/8/8/8/8/R3K2R w KQ - 0 1", "Q");
        check_castling("2r3k1/8/8/8/8/8/8/R3K2R w KQ - 0 1", "K");
    }

    #[test]
    fn the_rook_may_castle_through_attacks() {
        check_castling("1r4k1/8/8/8/8/8/8/R3K3 w Q - 0 1", "Q");
        check_castling("r5k1/8/8/8/8/8/8/R3K3 w Q - 0 1", "Q");
    }

    #[test]
    fn a_rook_of_chess960_covers_its_king_no_more_when_it_has_castled() {
        check_castling("4k3/8/8/8/8/8/8/5KRr w G - 0 1", "");
        check_castling("4k3/8/8/8/8/8/8/qRK5 w B - 0 1", "");
        check_castling("4k3/8/8/8/8/8/8/1RK5 w B - 0 1", "Q");
    }

    #[test]
    fn in_chess960_men_may_stand_beyond_the_paths_of_king_and_rook() {
        check_castling("4k3/8/8/8/8/8/8/N1R1K3 w C - 0 1", "Q");
        check_castling("4k3/8/8/8/8/8/8/R1NK4 w A - 0 1", "");
        check_castling("4k3/8/8/8/8/8/8/RN3K2 w A - 0 1", "");
    }

    /// Checks whether an en passant capture is pseudo-legal and whether it is legal.
    #[track_caller]
    fn check_ep(fen: &str, pseudo_legal: bool, legal: bool) {
        let position = position(fen);
        let ep = position.ep();
        assert!(ep.is_some());
        assert_eq!(position.pseudo_legal_ep(), ep.filter(|_| pseudo_legal), "{fen}");
        assert_eq!(position.legal_ep(), ep.filter(|_| legal), "{fen}");
    }

    #[test]
    fn an_e_p_square_is_worth_what_can_be_taken_there() {
        check_ep("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", false, false);
        check_ep("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", true, true);
        check_ep("4k3/8/8/8/3PP3/8/8/4K3 b - e3 0 1", false, false);
        // File h and file a are not adjacent.
        check_ep("4k3/8/8/8/P6p/8/8/4K3 b - a3 0 1", false, false);
    }

    #[test]
    fn a_pin_forbids_to_take_in_passing() {
        // Pins along the file of the capturing pawn, along its diagonal, and along the rank that both pawns leave.
        check_ep("3rk3/8/8/3Pp3/8/8/8/3K4 w - e6 0 1", true, false);
        check_ep("4k3/b7/8/2Pp4/8/4K3/8/8 w - d6 0 1", true, false);
        check_ep("4k3/8/8/K2Pp2r/8/8/8/8 w - e6 0 1", true, false);
        // One of two capturing pawns is not pinned; a pin along the direction of the capture does not prevent it.
        check_ep("3rk3/8/8/3PpP2/8/8/8/3K4 w - e6 0 1", true, true);
        check_ep("4k3/8/8/K1PPp2r/8/8/8/8 w - e6 0 1", true, true);
        check_ep("4k2b/8/8/3pP3/8/2K5/8/8 w - d6 0 1", true, false);
        check_ep("4k3/5b2/8/3Pp3/2K5/8/8/8 w - e6 0 1", true, true);
    }

    #[test]
    fn a_checking_pawn_may_be_taken_in_passing() {
        check_ep("4k3/8/8/2pP4/1K6/8/8/8 w - c6 0 1", true, true);
        // The capture does not stop a check by a bishop whose line the pawn opened.
        check_ep("4kb2/8/8/3Pp3/1K6/8/8/8 w - e6 0 1", true, false);
    }

    #[test]
    fn no_move_is_legal_behind_the_end_of_a_variant() {
        let step = Move::Normal { role: Role::King, from: Square::A8, to: Square::A7, promotion: None };
        for (king, is_legal) in [("4K3/8/8", true), ("8/4K3/8", false)] {
            let fen = format!("k7/8/{king}/8/8/8 b - - 0 1");
            let position = fen::read_by(Rules::KingOfTheHill, fen.as_bytes()).expect(&fen).position;
            assert_eq!(position.is_legal(step), is_legal, "{fen}");
            assert_eq!(position.play_san("Ka7").is_ok(), is_legal, "{fen}");
        }
    }

    #[test]
    fn a_side_in_check_cannot_pass() {
        assert!(position("4k3/8/8/8/8/8/8/4K3 w - - 0 1").is_legal(Move::Null));
        assert!(!position("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1").is_legal(Move::Null));
    }

    #[test]
    fn a_pinned_man_may_move_but_for_the_safety_of_his_king() {
        let position = position("4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1");
        let go = |role, from, to| Move::Normal { role, from, to, promotion: None };
        let leave = go(Role::Knight, Square::E2, Square::C3);
        assert!(position.is_pseudo_legal(leave) && !position.is_legal(leave));
        assert!(!position.is_pseudo_legal(go(Role::Knight, Square::E2, Square::E3)));
        assert!(position.is_pseudo_legal(go(Role::King, Square::E1, Square::F1)));
        assert!(position.is_pseudo_legal(Move::Null));
        assert!(!position.is_pseudo_legal(Move::Castle { king: Square::E1, rook: Square::H1 }));
    }

    #[test]
    fn a_castling_right_is_good_for_the_own_king_only() {
        let position = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
        let castle = |king, rook| position.is_legal(Move::Castle { king, rook });
        assert!(castle(Square::E1, Square::H1));
        assert!(!castle(Square::E8, Square::H8));
        assert!(!castle(Square::E1, Square::H8));
    }
}
