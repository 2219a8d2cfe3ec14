//! The differences of the rules of each variant from those of chess. Every set of rules has a file of its own; the
//! defaults are those of chess.

mod antichess;
mod atomic;
mod chess;
mod crazyhouse;
mod horde;
mod king_of_the_hill;
mod moves;
mod racing_kings;
mod three_check;

use std::ops::RangeInclusive;

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::castling::CastlingRights;
use crate::moves::Move;
use crate::piece::{Color, Piece, Role};
use crate::position::end::End;
use crate::position::variants::antichess::{Antichess, Giveaway, Suicide};
use crate::position::variants::atomic::Atomic;
use crate::position::variants::chess::Chess;
use crate::position::variants::crazyhouse::Crazyhouse;
use crate::position::variants::horde::Horde;
use crate::position::variants::king_of_the_hill::KingOfTheHill;
use crate::position::variants::racing_kings::RacingKings;
use crate::position::variants::three_check::ThreeCheck;
use crate::position::{Position, captured_en_passant};
use crate::rules::Rules;
use crate::setup::Setup;
use crate::square::{Rank, Square};

/// A set of rules: what a variant does in another way than chess.
pub(crate) trait RuleSet: Sync {
    /// Returns the start of a game.
    fn start(&self, rules: Rules) -> Setup {
        Setup { rules, ..Setup::initial() }
    }

    /// Returns the numbers of kings that a side may have.
    fn kings(&self, _color: Color) -> RangeInclusive<u32> {
        1..=1
    }

    /// Returns the squares on which pawns of a side may stand.
    fn pawn_squares(&self, _color: Color) -> Bitboard {
        !(Bitboard::from(Rank::First) | Rank::Eighth.into())
    }

    /// Whether kings castle.
    fn castle(&self) -> bool {
        true
    }

    /// Whether a game has at most the men of an array of chess, and pieces more only by promotion.
    fn limit_material(&self) -> bool {
        false
    }

    /// Whether the side to move could capture the king of the other in this position, which no game can reach.
    fn is_opposite_check(&self, position: &Position) -> bool {
        let (board, waiting) = (position.board(), !position.turn());
        let occupied = board.occupied();
        board.king_of(waiting).is_some_and(|king| board.is_attacked(king, !waiting, occupied, Bitboard::EMPTY))
    }

    /// Whether some last move can have given the check in a position, if there is one.
    fn explains_check(&self, _position: &Position) -> bool {
        true
    }

    /// Returns the end of the game that the rules have besides checkmate and stalemate.
    fn end(&self, _position: &Position) -> Option<End> {
        None
    }

    /// Returns the winner if the side to move has no legal move and is not in check.
    fn winner_of_stalemate(&self, _position: &Position) -> Option<Color> {
        None
    }

    /// Returns the pieces that give check to the side to move.
    fn checkers(&self, position: &Position) -> Bitboard {
        position.attackers_of_king()
    }

    /// Whether the rules permit a move that is legal but for the safety of kings and what a variant demands besides.
    /// The game is not at its end.
    fn permits(&self, position: &Position, m: Move) -> bool {
        position.keeps_king_safe_in_chess(m)
    }

    /// Returns the reason that a move is not permitted, if it is not the safety of the own king.
    fn reason(&self, _position: &Position, _m: Move) -> Option<&'static str> {
        None
    }

    /// Returns the squares to which the pawn of the side to move on `from` can advance.
    fn pawn_steps(&self, position: &Position, from: Square) -> Bitboard {
        attacks::pawn_steps(position.turn(), from, position.board().occupied())
    }

    /// Returns the roles to which a pawn can promote.
    fn promotions(&self) -> &'static [Role] {
        &Role::PROMOTIONS
    }

    /// Does what the rules demand after a move that has just been played as in chess.
    fn finish(&self, _position: &mut Position, _played: &Played) {}
}

/// Returns a set of rules.
pub(crate) fn rule_set(rules: Rules) -> &'static dyn RuleSet {
    // Without the feature, the compiler leaves out the others.
    if !Rules::HAVE_VARIANTS {
        return &Chess;
    }
    match rules {
        Rules::Chess => &Chess,
        Rules::Crazyhouse => &Crazyhouse,
        Rules::ThreeCheck => &ThreeCheck,
        Rules::KingOfTheHill => &KingOfTheHill,
        Rules::Antichess => &Antichess,
        Rules::Giveaway => &Giveaway,
        Rules::Suicide => &Suicide,
        Rules::Atomic => &Atomic,
        Rules::Horde => &Horde,
        Rules::RacingKings => &RacingKings,
    }
}

/// A move that was played, and what it captured.
pub(crate) struct Played {
    m: Move,
    /// The side that moved.
    color: Color,
    /// The captured man and its square.
    captured: Option<(Square, Piece)>,
    /// The castling rights before the move.
    castling: CastlingRights,
}

impl Played {
    /// Returns what a move will have done that is about to be played.
    pub(super) fn new(position: &Position, m: Move) -> Self {
        let board = position.board();
        let captured = captured_square(m).and_then(|sq| Some((sq, board.piece_at(sq)?)));
        Self { m, color: position.turn(), captured, castling: position.castling() }
    }
}

/// Returns the square of the man that a move captures, if there is one.
fn captured_square(m: Move) -> Option<Square> {
    match m {
        Move::Normal { to, .. } => Some(to),
        Move::EnPassant { to, .. } => Some(captured_en_passant(to)),
        Move::Castle { .. } | Move::Drop { .. } | Move::Null => None,
    }
}
