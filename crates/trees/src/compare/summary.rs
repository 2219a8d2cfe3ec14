//! What the games say of a repertoire: the moves with which they left it, and the lines that none of them met.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::compare::annotate::expected;
use crate::compare::{ComparedGame, Comparison, Leaving, Left};
use crate::counts::Counts;
use crate::tree::{NONE, TreeNode};
use crate::write::guide::{append_move, line_of};
use pgn2fen_chess::notation::uci::Uci;
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::position::Position;
use pgn2fen_games::Results;

/// A place where games left a repertoire: a move that it does not have, or the end of a line.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Departure<'c> {
    /// How the games left it: by a move of the player, a move of the opponent, or at the end of a line.
    pub leaving: Leaving,
    /// The last position on the repertoire.
    pub node: TreeNode<'c>,
    /// This position.
    pub position: Position,
    /// The moves of the repertoire that lead to it: `1. e4 c5 2. Nf3`.
    pub line: String,
    /// The move with which the games left it. None at the end of a line, where any move leaves it.
    pub played: Option<Uci>,
    /// This move in SAN.
    pub san: Option<String>,
    /// The moves that the repertoire has there, each with its number: `2... Nc6`. None at the end of a line.
    pub expected: Vec<String>,
    /// The results of the games that left it here for good.
    pub results: Results,
    /// The number of times that a game left it here and came back by a transposition.
    pub returned: u64,
    comparison: &'c Comparison,
    games: Vec<u32>,
}

impl<'c> Departure<'c> {
    /// Returns the games that left the repertoire here for good, in their order.
    pub fn games(&self) -> impl ExactSizeIterator<Item = ComparedGame<'c>> {
        let comparison = self.comparison;
        self.games.iter().map(move |at| comparison.game(*at as usize))
    }
}

/// A line of a repertoire that no game met: the first of its positions that no game reached, with all that follows.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct UnmetLine<'c> {
    /// The first position that no game reached.
    pub node: TreeNode<'c>,
    /// This position.
    pub position: Position,
    /// The moves of the repertoire that lead to it.
    pub line: String,
    /// The side that plays the last of these moves; None for the first position of a tree.
    pub mover: Option<Color>,
    /// The number of ends of lines behind it that no game reached, and the number of positions.
    pub lines: u64,
    /// The number of positions from this one on that no game reached.
    pub positions: u64,
}

impl Comparison {
    /// Returns the places where games left the repertoire, the most frequent first, and of equal ones the one where a
    /// game left it first. Games that ended on the repertoire left it nowhere.
    pub fn departures(&self) -> Vec<Departure<'_>> {
        #[derive(Default)]
        struct Gathered {
            counts: Counts,
            returned: u64,
            games: Vec<u32>,
        }
        let mut order: Vec<(Leaving, u32, u16)> = Vec::new();
        let mut known: HashMap<(Leaving, u32, u16), Gathered> = HashMap::new();
        let mut at = |left: &Left| {
            let is_place = !matches!(left.leaving, Leaving::Never | Leaving::Within) && left.node != NONE;
            let next = if left.leaving == Leaving::LineEnd { 0 } else { left.next };
            let place = (left.leaving, left.node, next);
            if is_place && !known.contains_key(&place) {
                order.push(place);
                known.insert(place, Gathered::default());
            }
            place
        };
        let places: Vec<_> = self.games.iter().map(|game| at(&game.left)).collect();
        let returns: Vec<_> = self.returns.iter().map(&mut at).collect();
        for ((game, place), number) in self.games.iter().zip(places).zip(0..) {
            if let Some(gathered) = known.get_mut(&place) {
                gathered.counts.add(game.summary.result());
                gathered.games.push(number);
            }
        }
        for place in returns {
            if let Some(gathered) = known.get_mut(&place) {
                gathered.returned += 1;
            }
        }
        let departure = |place: (Leaving, u32, u16)| {
            let (leaving, number, next) = place;
            let Gathered { counts, returned, games } = known.remove(&place)?;
            let (tree, at) = self.repertoire.place(number);
            let node = tree.node_at(at);
            let position = node.position();
            let played = Uci::from_bits(next);
            let san = played.and_then(|next| next.find(&position)).map(|m| m.to_san(&position));
            Some(Departure {
                leaving,
                node,
                line: self.line(number),
                expected: expected(&self.repertoire, number, &position),
                position,
                played,
                san,
                results: counts.results(),
                returned,
                comparison: self,
                games,
            })
        };
        let mut departures: Vec<Departure<'_>> = order.into_iter().filter_map(departure).collect();
        departures.sort_by_key(|departure| Reverse((departure.results.games(), departure.returned)));
        departures
    }

    /// Returns the lines of the repertoire that no game met: those that stand for most lines first, and of equal
    /// ones in the order of the repertoire.
    pub fn unmet_lines(&self) -> Vec<UnmetLine<'_>> {
        let repertoire = &*self.repertoire;
        let is_met = |number: u32| self.met[number as usize] > 0;
        let mut heads: Vec<u32> = Vec::new();
        let mut head_of: HashMap<u32, (u32, u64, u64)> = HashMap::new();
        // A position hangs on one that has a smaller number.
        for number in repertoire.numbers().filter(|number| !is_met(*number)) {
            let parent = repertoire.parent(number).and_then(|parent| head_of.get(&parent)).map(|(head, ..)| *head);
            let head = parent.unwrap_or(number);
            if head == number {
                heads.push(number);
            }
            head_of.insert(number, (head, 0, 0));
            if let Some((_, lines, positions)) = head_of.get_mut(&head) {
                *positions += 1;
                *lines += u64::from(repertoire.is_end(number));
            }
        }
        let line = |number: u32| {
            let (_, lines, positions) = head_of.get(&number).copied().unwrap_or_default();
            let (tree, at) = repertoire.place(number);
            let node = tree.node_at(at);
            let mover = node.ply().checked_sub(1).map(|_| !repertoire.turn(number));
            UnmetLine { node, position: node.position(), line: self.line(number), mover, lines, positions }
        };
        let mut heads: Vec<UnmetLine<'_>> = heads.into_iter().map(line).collect();
        heads.sort_by_key(|head| Reverse(head.lines));
        heads
    }

    /// Returns the number of ends of lines that a game reached.
    pub fn lines_met(&self) -> usize {
        let ends = self.repertoire.numbers().filter(|number| self.repertoire.is_end(*number));
        ends.filter(|number| self.met[*number as usize] > 0).count()
    }

    /// Returns the moves that lead to a position of the repertoire.
    pub(super) fn line(&self, number: u32) -> String {
        let (tree, at) = self.repertoire.place(number);
        let mut line = String::new();
        let mut position = tree.root().start().clone();
        for m in tree.root().moves() {
            append_move(&position, &m.to_san(&position), &mut line);
            position.play_unchecked(*m);
        }
        let behind = line_of(tree, at);
        if line.is_empty() || behind.is_empty() { line + &behind } else { format!("{line} {behind}") }
    }
}
