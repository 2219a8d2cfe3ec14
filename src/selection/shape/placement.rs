//! Conditions on the squares of a board, in a form that is tested quickly.

use crate::chess::bitboard::Bitboard;
use crate::chess::board::Board;
use crate::chess::square::{File, Rank, Square};
use crate::selection::shape::contents::{Condition, Contents};
use crate::selection::shape::view::View;

/// A part of a rank in a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// A square.
    Square(Contents),
    /// Any number of squares, with anything on them.
    Any,
}

/// The parts of the ranks of a pattern, the eighth rank first.
pub(super) type Ranks = [Vec<Part>; 8];

/// Conditions on the squares of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Placement {
    /// The conditions on ranks that can be laid out in one way only. The strictest come first.
    fixed: Box<[Condition]>,
    /// The other ranks. Each has a list of layouts, of which one must hold.
    flexible: Box<[Box<[Layout]>]>,
}

/// Conditions on the squares of a rank.
type Layout = Box<[Condition]>;

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
            let mut layouts = Vec::new();
            lay_out(parts, &mut Vec::new(), &mut layouts);
            let on_squares = |layout: Vec<Contents>| {
                let square = |(file, contents)| (Square::new(file, rank), contents);
                File::ALL.into_iter().zip(layout).map(square).collect::<Vec<_>>()
            };
            match &mut layouts[..] {
                [only] => fixed.append(&mut on_squares(std::mem::take(only))),
                _ => flexible.push(layouts.into_iter().map(|layout| conditions(&on_squares(layout))).collect()),
            }
        }
        Self { fixed: conditions(&fixed), flexible: flexible.into() }
    }

    pub(super) fn holds(&self, board: &Board) -> bool {
        let all = |conditions: &[Condition]| conditions.iter().all(|condition| condition.holds(board));
        all(&self.fixed) && self.flexible.iter().all(|layouts| layouts.iter().any(|layout| all(layout)))
    }
}

/// Returns the parts of a pattern as they are seen.
fn seen(ranks: &Ranks, view: View) -> Ranks {
    let mut seen = ranks.clone();
    if view.swap {
        seen.reverse();
        for part in seen.iter_mut().flatten() {
            if let Part::Square(contents) = part {
                *contents = contents.swapped();
            }
        }
    }
    if view.mirror {
        seen.iter_mut().for_each(|rank| rank.reverse());
    }
    seen
}

/// Adds the layouts of a rank that begin with these squares, each once. There are at most 70, with four squares and any number of squares
/// around each.
fn lay_out(parts: &[Part], begun: &mut Vec<Contents>, layouts: &mut Vec<Vec<Contents>>) {
    match parts {
        [] => {
            if begun.len() == 8 && !layouts.contains(begun) {
                layouts.push(begun.clone());
            }
        }
        [Part::Square(contents), rest @ ..] => {
            begun.push(*contents);
            lay_out(rest, begun, layouts);
            begun.pop();
        }
        [Part::Any, rest @ ..] => {
            let before = begun.len();
            let squares = rest.iter().filter(|part| **part != Part::Any).count();
            while begun.len() + squares <= 8 {
                lay_out(rest, begun, layouts);
                begun.push(Contents::ANYTHING);
            }
            begun.truncate(before);
        }
    }
}

/// Returns the conditions that these contents of squares amount to, the strictest first: the fewer pieces may stand on a square, the
/// sooner a position fails.
fn conditions(squares: &[(Square, Contents)]) -> Box<[Condition]> {
    let mut sets: Vec<(Contents, Bitboard)> = Vec::new();
    for (square, contents) in squares.iter().filter(|(_, contents)| *contents != Contents::ANYTHING) {
        match sets.iter_mut().find(|(known, _)| known == contents) {
            Some((_, squares)) => *squares |= Bitboard::from(*square),
            None => sets.push((*contents, Bitboard::from(*square))),
        }
    }
    sets.sort_by_key(|(contents, _)| contents.count());
    sets.into_iter().map(|(contents, squares)| Condition::new(squares, contents)).collect()
}
