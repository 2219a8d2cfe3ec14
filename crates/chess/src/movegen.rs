//! Generates and counts the legal moves of a position.

use std::array;
use std::fmt;
use std::iter::Take;
use std::ops::{ControlFlow, Deref};
use std::slice;

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::moves::Move;
use crate::piece::Role;
use crate::position::Position;
use crate::square::{Rank, Square};

impl Position {
    /// Returns the legal moves, in no particular order.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::default();
        if self.variant().is_some() {
            let _ = self.visit_moves_of_variant(|m| {
                list.push(m);
                ControlFlow::Continue(())
            });
            return list;
        }
        for_each_batch(self, |batch| batch.for_each(|m| list.push(m)));
        list
    }

    /// Whether the side to move has a legal move.
    pub fn has_legal_move(&self) -> bool {
        if self.variant().is_some() {
            return self.visit_moves_of_variant(|_| ControlFlow::Break(())).is_break();
        }
        // Usually the king has a move, which is found sooner than all moves are counted.
        king_steps(self).next().is_some() || count(self) > 0
    }

    /// Whether the side to move is checkmated.
    pub fn is_checkmate(&self) -> bool {
        self.is_check() && !self.has_legal_move()
    }

    /// Whether the position is stalemate: the side to move has no legal move and is not in check, and the game has not
    /// ended by the rules of a variant.
    pub fn is_stalemate(&self) -> bool {
        !self.is_check() && self.end_of_variant().is_none() && !self.has_legal_move()
    }
}

/// Returns the number of move sequences of `depth` plies (*perft*, the usual test of a move generator).
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => count(position).into(),
        _ if position.variant().is_some() => {
            let moves = position.legal_moves();
            let after = |m: &Move| {
                let mut next = position.clone();
                next.play_unchecked(*m);
                perft(&next, depth - 1)
            };
            moves.iter().map(after).sum()
        }
        _ => {
            let mut nodes = 0;
            for_each_batch(position, |batch| {
                batch.for_each(|m| {
                    let mut next = position.clone();
                    next.play_unchecked(m);
                    nodes += perft(&next, depth - 1);
                });
            });
            nodes
        }
    }
}

/// A list of moves with a fixed capacity, stored without heap allocation.
#[derive(Clone)]
pub struct MoveList {
    moves: [Move; Self::CAPACITY],
    len: usize,
}

impl MoveList {
    /// The capacity of the list, which is more than the number of moves in any position, with any number of queens.
    ///
    /// At most eight lines and eight knights reach a square. A piece reaches at most 27 squares, a knight at most 8.
    /// With q queens and n knights on 64 squares, this allows at most 446 moves. A rank of pawns can add 42 for the
    /// choice of promotion piece, and castling can add 2. In crazyhouse, men on a board with few pieces can be dropped
    /// on each of at most 62 squares, 310 moves in all; and a board with many pieces leaves few squares.
    const CAPACITY: usize = 768;

    #[inline]
    fn push(&mut self, m: Move) {
        self.moves[self.len] = m;
        self.len += 1;
    }
}

impl Default for MoveList {
    fn default() -> Self {
        Self { moves: [Move::Null; Self::CAPACITY], len: 0 }
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        &self.moves[..self.len]
    }
}

impl IntoIterator for MoveList {
    type Item = Move;
    type IntoIter = Take<array::IntoIter<Move, { Self::CAPACITY }>>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.moves.into_iter().take(self.len)
    }
}

impl<'l> IntoIterator for &'l MoveList {
    type Item = &'l Move;
    type IntoIter = slice::Iter<'l, Move>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.moves[..self.len].iter()
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// A batch of legal moves that are generated together and can be counted without listing them.
enum Batch {
    /// The moves of one piece to each of these squares. Each pawn move to the last rank counts as four moves.
    Fan { role: Role, from: Square, to: Bitboard },
    /// A single move of another kind.
    Single(Move),
}

impl Batch {
    #[inline]
    fn count(&self) -> u32 {
        match *self {
            Self::Fan { role: Role::Pawn, to, .. } => to.count() + 3 * (to & LAST_RANKS).count(),
            Self::Fan { to, .. } => to.count(),
            Self::Single(_) => 1,
        }
    }

    #[inline]
    fn for_each(self, mut visit: impl FnMut(Move)) {
        match self {
            Self::Fan { role, from, to } => {
                let promotions = if role == Role::Pawn { to & LAST_RANKS } else { Bitboard::EMPTY };
                for to in to - promotions {
                    visit(Move::Normal { role, from, to, promotion: None });
                }
                for to in promotions {
                    for piece in Role::PROMOTIONS {
                        visit(Move::Normal { role, from, to, promotion: Some(piece) });
                    }
                }
            }
            Self::Single(m) => visit(m),
        }
    }
}

/// The ranks on which pawns promote. A pawn never arrives on the first rank of its own side.
const LAST_RANKS: Bitboard = Bitboard(Bitboard::from_rank(Rank::First).0 | Bitboard::from_rank(Rank::Eighth).0);

fn count(position: &Position) -> u32 {
    let mut moves = 0;
    if position.variant().is_some() {
        let _ = position.visit_moves_of_variant(|_| {
            moves += 1;
            ControlFlow::Continue(())
        });
        return moves;
    }
    for_each_batch(position, |batch| moves += batch.count());
    moves
}

/// Calls `visit` with batches that contain every legal move once.
#[inline]
fn for_each_batch(position: &Position, mut visit: impl FnMut(Batch)) {
    let board = position.board();
    let color = position.turn();
    let occupied = board.occupied();
    let king = position.king(color);
    let checkers = position.checkers();

    visit(Batch::Fan { role: Role::King, from: king, to: king_steps(position).collect() });
    if checkers.more_than_one() {
        return;
    }

    // In check, other pieces may only capture the checking piece or block the check.
    let targets = match checkers.first() {
        Some(checker) => attacks::between(king, checker).with(checker),
        None => !board.by_color(color),
    };
    let pinned = pinned(position, king);
    let allowed = |from| {
        if pinned.contains(from) { targets & attacks::line(king, from) } else { targets }
    };

    for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
        let piece = role.of(color);
        for from in board.by_piece(piece) {
            visit(Batch::Fan { role, from, to: attacks::of(piece, from, occupied) & allowed(from) });
        }
    }

    let theirs = board.by_color(!color);
    for from in board.by_piece(Role::Pawn.of(color)) {
        let reach = (attacks::pawn(color, from) & theirs) | attacks::pawn_steps(color, from, occupied);
        visit(Batch::Fan { role: Role::Pawn, from, to: reach & allowed(from) });
    }

    if let Some(to) = position.ep() {
        // Two pawns leave the rank at once, so a test for pins is not enough.
        for from in position.ep_takers(to) {
            let m = Move::EnPassant { from, to };
            if position.keeps_king_safe(m) {
                visit(Batch::Single(m));
            }
        }
    }

    if checkers.is_empty() {
        for rook in position.castling().of(color).rooks() {
            let m = Move::Castle { king, rook };
            if position.keeps_king_safe(m) {
                visit(Batch::Single(m));
            }
        }
    }
}

/// Returns the squares to which the king can move: the safe ones beside it. It is taken off the board first, so that it
/// does not block attacks on squares behind it.
#[inline]
fn king_steps(position: &Position) -> impl Iterator<Item = Square> {
    let (board, color) = (position.board(), position.turn());
    let king = position.king(color);
    let others = board.occupied().without(king);
    (attacks::king(king) - board.by_color(color)).into_iter().filter(move |&to| position.is_safe(to, others, to.into()))
}

/// Returns the pieces of the side to move that are pinned: each is the only piece between its king and an enemy sliding
/// piece.
#[inline]
fn pinned(position: &Position, king: Square) -> Bitboard {
    let board = position.board();
    let queens = board.by_role(Role::Queen);
    let snipers = (attacks::bishop_rays(king) & (board.by_role(Role::Bishop) | queens))
        | (attacks::rook_rays(king) & (board.by_role(Role::Rook) | queens));
    let mut pinned = Bitboard::EMPTY;
    for sniper in snipers & board.by_color(!position.turn()) {
        let covering = attacks::between(king, sniper) & board.occupied();
        if !covering.more_than_one() {
            pinned |= covering & board.by_color(position.turn());
        }
    }
    pinned
}

#[cfg(test)]
mod tests {
    use crate::position::Position;
    use crate::testing::{position, setup};

    #[track_caller]
    fn check(fen: &str, expected: &str) {
        let position = position(fen);
        let mut moves: Vec<String> = position.legal_moves().iter().map(|m| m.to_uci(&position)).collect();
        moves.sort();
        assert_eq!(moves.join(" "), expected);
    }

    #[test]
    fn the_game_opens_in_twenty_ways() {
        assert_eq!(Position::initial().legal_moves().len(), 20);
    }

    #[test]
    fn a_check_is_met_by_taking_blocking_or_walking_away() {
        check("4k3/8/8/8/4r3/8/3B4/3QK2N w - - 0 1", "d1e2 d2e3 e1f1 e1f2");
        check("4k3/8/8/8/1b6/8/P7/R3K2R w KQ - 0 1", "e1d1 e1e2 e1f1 e1f2");
    }

    #[test]
    fn a_double_check_moves_the_king() {
        check("k3r3/8/8/8/8/5n2/3P2P1/3QK1R1 w - - 0 1", "e1f1 e1f2");
    }

    #[test]
    fn a_pinned_man_stays_on_his_line() {
        let along_the_file = "e1d1 e1d2 e1f1 e1f2 e2e3 e2e4 e2e5 e2e6 e2e7 e2e8";
        check("k3r3/8/8/8/8/8/4R3/4K3 w - - 0 1", along_the_file);
        check("k7/8/8/8/7b/8/5N2/4K3 w - - 0 1", "e1d1 e1d2 e1e2 e1f1");
    }

    #[test]
    fn a_pawn_promotes_to_four_pieces() {
        let straight_and_taking = "a1a2 e7d8b e7d8n e7d8q e7d8r e7e8b e7e8n e7e8q e7e8r";
        check("3n4/4P3/8/8/8/8/8/K1k5 w - - 0 1", straight_and_taking);
    }

    #[test]
    fn a_capture_in_passing_may_not_bare_the_king() {
        check("8/8/8/3pP3/8/8/8/K6k w - d6 0 1", "a1a2 a1b1 a1b2 e5d6 e5e6");
        check("8/8/8/K2pP2r/8/8/8/7k w - d6 0 1", "a5a4 a5a6 a5b4 a5b5 a5b6 e5e6");
    }

    #[test]
    fn the_list_is_long_enough_for_queens_without_number() {
        // The first position has the highest number of moves that a game can reach; the second has more.
        let count = |fen| Position::repaired(setup(fen)).expect(fen).0.legal_moves().len();
        assert_eq!(count("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"), 218);
        assert_eq!(count("QQQQQQNk/Q4Q1p/Q5Q1/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1"), 264);
    }

    #[test]
    fn mate_and_stalemate_have_no_move() {
        let mate = position("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1");
        assert!(mate.is_check() && mate.is_checkmate() && !mate.is_stalemate());
        let stalemate = position("7k/8/6Q1/8/8/8/8/4K3 b - - 0 1");
        assert!(!stalemate.is_check() && stalemate.is_stalemate() && !stalemate.is_checkmate());
        assert!(!Position::initial().is_checkmate() && !Position::initial().is_stalemate());
    }
}
