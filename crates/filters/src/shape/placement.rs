//! Conditions on the squares of a board, in a form that is tested quickly.

use crate::shape::contents::{Condition, Contents};
use crate::shape::flexible_rank::{FlexibleRank, Needed};
use crate::shape::parts::{PatternPart, Ranks, around_stars, seen};
use crate::shape::planes::Planes;
use crate::shape::view::View;
use pgn2fen_chess::bitboard::Bitboard;
use pgn2fen_chess::board::Board;
use pgn2fen_chess::square::{File, Rank, Square};

/// Conditions on the squares of a board. The cheapest tests come first, and decide about most boards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Placement {
    /// The conditions on all squares whose place is known.
    planes: Planes,
    /// Pieces that must stand on some squares, the rarest first. The conditions below need them, too.
    needed: Box<[Needed]>,
    /// The conditions of such squares that the planes express in part.
    sets: Box<[Condition]>,
    /// The conditions on squares between two `*`, whose place varies. The rarest come first.
    flexible: Box<[FlexibleRank]>,
}

impl Placement {
    /// Returns the placements of a pattern, one for each [view](View).
    pub(super) fn views(ranks: &Ranks) -> [Self; 4] {
        View::ALL.map(|view| Self::new(&seen(ranks, view)))
    }

    /// Creates the conditions of a pattern. The squares of each rank must fit on it.
    fn new(ranks: &Ranks) -> Self {
        let mut fixed = Vec::new();
        let mut flexible = Vec::new();
        for (rank, parts) in Rank::ALL.into_iter().rev().zip(ranks) {
            let [before, between, behind] = around_stars(parts);
            let mut fix = |parts: &[PatternPart], first: usize| {
                for (file, part) in File::ALL.into_iter().skip(first).zip(parts) {
                    if let PatternPart::Square(contents) = part {
                        fixed.push((Square::new(file, rank), *contents));
                    }
                }
            };
            fix(before, 0);
            fix(behind, 8 - behind.len().min(8));
            if !between.is_empty() {
                flexible.push(FlexibleRank::new(rank, before.len(), between, behind.len()));
            }
        }
        flexible.sort_by_key(FlexibleRank::commonness);
        let needed = flexible.iter().flat_map(FlexibleRank::needed).collect();
        let planes = Planes::new(&fixed);
        let is_open = |(square, contents): &&(Square, Contents)| planes.allowed(*square) != *contents;
        let sets = conditions(fixed.iter().filter(is_open));
        Self { planes, needed, sets, flexible: flexible.into() }
    }

    #[inline]
    pub(super) fn holds(&self, board: &Board) -> bool {
        self.planes.hold(board) && self.needed.iter().all(|needed| needed.stands(board)) && self.has_the_rest(board)
    }

    #[inline(never)]
    fn has_the_rest(&self, board: &Board) -> bool {
        self.sets.iter().all(|condition| condition.holds(board)) && self.flexible.iter().all(|rank| rank.holds(board))
    }
}

/// Returns the conditions that these contents of squares amount to, the strictest first: the fewer pieces may stand on
/// a square, the sooner a position fails.
fn conditions<'s>(squares: impl Iterator<Item = &'s (Square, Contents)>) -> Box<[Condition]> {
    let mut sets: Vec<(Contents, Bitboard)> = Vec::new();
    for (square, contents) in squares {
        match sets.iter_mut().find(|(known, _)| known == contents) {
            Some((_, squares)) => *squares |= Bitboard::from(*square),
            None => sets.push((*contents, Bitboard::from(*square))),
        }
    }
    sets.sort_by_key(|(contents, _)| contents.count());
    sets.into_iter().map(|(contents, squares)| Condition::new(squares, contents)).collect()
}
