//! A tree of positions.

mod walk;

use std::collections::HashMap;
use std::fmt;

use crate::counts::Counts;
use crate::key::key;
use crate::names::Names;
use crate::notes::Notes;
use crate::options::{MOST_MODELS, Root};
use crate::summary::Summary;
use pgn2fen_chess::notation::uci::Uci;
use pgn2fen_chess::position::Position;
use pgn2fen_chess::rules::Rules;
use pgn2fen_games::Results;
use pgn2fen_games::messages::counted;
use pgn2fen_games::pgn::token::Outcome;

/// A tree of the positions that games reached from a root, with the moves that were played there.
///
/// A position is one node, whatever moves led to it. It hangs on the shortest line, and of equally short ones on the
/// first in the order of the moves; other moves lead to the same node.
pub struct Tree {
    pub(crate) root: Root,
    pub(crate) nodes: Vec<Node>,
    pub(crate) edges: Vec<Edge>,
    pub(crate) by_key: HashMap<u64, u32>,
    pub(crate) games: Vec<Game>,
    pub(crate) names: Names,
    pub(crate) notes: Notes,
    /// The number of games of other rules.
    pub(crate) others: u64,
}

/// Returns in words how many games were left out because their rules are not these; None if there are none.
pub(crate) fn left_out(others: u64, rules: Rules) -> Option<String> {
    (others > 0).then(|| {
        let verb = if others == 1 { "is" } else { "are" };
        format!("{} {verb} left out, because the rules are not those of {rules}", counted(others, "game"))
    })
}

/// A position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) key: u64,
    pub(crate) counts: Counts,
    /// The first of its moves, and their number. The moves of a node follow one another.
    pub(crate) first: u32,
    pub(crate) moves: u16,
    /// The latest year of its games; 0 if it is unknown.
    pub(crate) year: u16,
    /// The move on which it hangs; `NONE` for the root.
    pub(crate) parent: u32,
    /// The number of plies behind the root.
    pub(crate) ply: u32,
    /// The model games of a line that ends here: their numbers in the source, and then in the tree.
    pub(crate) models: [u32; MOST_MODELS],
}

/// A move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) next: Uci,
    /// The latest year of its games; 0 if it is unknown.
    pub(crate) year: u16,
    pub(crate) counts: Counts,
}

/// A model game. Its texts are numbers of names.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Game {
    pub(crate) white: u32,
    pub(crate) black: u32,
    pub(crate) event: u32,
    pub(crate) summary: Summary,
}

/// Whether the name of a player or of an event is known.
pub(crate) fn is_known(name: &str) -> bool {
    !matches!(name.trim(), "" | "?")
}

/// The number that stands for no move and no game.
pub(crate) const NONE: u32 = u32::MAX;

/// A position of a tree.
#[derive(Clone, Copy, Debug)]
pub struct TreeNode<'t> {
    tree: &'t Tree,
    at: u32,
}

/// A move that was played in a position of a tree.
#[derive(Clone, Copy, Debug)]
pub struct TreeMove<'t> {
    tree: &'t Tree,
    at: u32,
}

/// A model game of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ModelGame<'t> {
    /// The tag White.
    pub white: &'t str,
    /// The tag Black.
    pub black: &'t str,
    /// The tag Event. In a tree of an index, it is empty if a player is known.
    pub event: &'t str,
    /// The year; None if it is unknown.
    pub year: Option<u32>,
    /// The result.
    pub result: Outcome,
}

impl fmt::Debug for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tree").field("positions", &self.nodes.len()).field("moves", &self.edges.len()).finish()
    }
}

impl Tree {
    /// Returns the position in which the tree begins, with the moves before it.
    pub fn root(&self) -> &Root {
        &self.root
    }

    /// Returns the number of games that were left out because their rules are not those of the root.
    pub fn other_games(&self) -> u64 {
        self.others
    }

    /// Returns in words how many games were left out because of their rules; None if there are none.
    pub fn why_left_out(&self) -> Option<String> {
        left_out(self.others, self.root.position().rules())
    }

    /// Returns the node of the root.
    pub fn root_node(&self) -> TreeNode<'_> {
        TreeNode { tree: self, at: 0 }
    }

    /// Returns the node of a position, whatever moves lead to it. None if the tree does not have it.
    pub fn node(&self, position: &Position) -> Option<TreeNode<'_>> {
        self.by_key.get(&key(position)).map(|at| TreeNode { tree: self, at: *at })
    }

    /// Returns a node by its number.
    pub(crate) fn node_at(&self, at: u32) -> TreeNode<'_> {
        TreeNode { tree: self, at }
    }

    /// Returns the number of positions.
    pub fn positions(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the number of moves. It is greater than the number of positions if lines transpose.
    pub fn moves(&self) -> usize {
        self.edges.len()
    }

    /// Whether no move is in the tree.
    pub fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }

    /// Returns the reason why no move is in the tree, in words; None if there are moves. `least` is the least number of
    /// games of the options.
    pub fn why_empty(&self, least: u64) -> Option<String> {
        let results = self.root_node().results();
        self.is_empty().then(|| match results.games() {
            0 => "the tree is empty; no game reached its first position".to_owned(),
            games => {
                let reached = counted(games, "game");
                let few = if games < least { "a move needs" } else { "no move was played in" };
                format!("the tree is empty; {reached} reached its first position, and {few} {least}: see `min_games`")
            }
        })
    }

    /// Returns the memory that the tree has allocated, in bytes.
    pub fn memory(&self) -> usize {
        // The table has a byte of its own for each place, and more places than entries.
        self.nodes.capacity() * size_of::<Node>()
            + self.edges.capacity() * size_of::<Edge>()
            + self.by_key.capacity() * (size_of::<(u64, u32)>() + 1) * 8 / 7
            + self.games.capacity() * size_of::<Game>()
            + self.names.weight()
    }

    /// Returns the moves of a node, as a range of the moves of the tree.
    pub(crate) fn range(&self, node: u32) -> std::ops::Range<u32> {
        let Node { first, moves, .. } = self.nodes[node as usize];
        first..first + u32::from(moves)
    }

    pub(crate) fn edge(&self, at: u32) -> &Edge {
        &self.edges[at as usize]
    }

    /// Whether the node behind a move hangs on it.
    pub(crate) fn holds(&self, edge: u32) -> bool {
        self.nodes[self.edge(edge).to as usize].parent == edge
    }

    /// Returns the moves from the root on which a node hangs.
    pub(crate) fn line(&self, node: u32) -> Vec<u32> {
        let mut line = Vec::new();
        let mut at = node;
        while self.nodes[at as usize].parent != NONE {
            let edge = self.nodes[at as usize].parent;
            line.push(edge);
            at = self.edge(edge).from;
        }
        line.reverse();
        line
    }

    pub(crate) fn models(&self, node: u32) -> impl Iterator<Item = ModelGame<'_>> {
        let games = self.nodes[node as usize].models.into_iter().take_while(|game| *game != NONE);
        games.filter_map(|game| {
            let Game { white, black, event, summary } = *self.games.get(game as usize)?;
            let [white, black, event] = [white, black, event].map(|name| self.names.text(name));
            let year = Some(u32::from(summary.year())).filter(|year| *year > 0);
            Some(ModelGame { white, black, event, year, result: summary.result() })
        })
    }
}

impl<'t> TreeNode<'t> {
    /// Returns the position, with the counts of moves of the line on which it hangs.
    pub fn position(self) -> Position {
        let mut position = self.tree.root.position().clone();
        for edge in self.tree.line(self.at) {
            let Some(played) = self.tree.edge(edge).next.find(&position) else {
                break;
            };
            position.play_unchecked(played);
        }
        position
    }

    pub(crate) fn key(self) -> u64 {
        self.tree.nodes[self.at as usize].key
    }

    /// Returns the results of the games that reached the position. Each game counts once.
    pub fn results(self) -> Results {
        self.tree.nodes[self.at as usize].counts.results()
    }

    /// Returns the latest year of these games; None if no year is known.
    pub fn last_year(self) -> Option<u16> {
        Some(self.tree.nodes[self.at as usize].year).filter(|year| *year > 0)
    }

    /// Returns the number of plies behind the root, on the shortest line.
    pub fn ply(self) -> u32 {
        self.tree.nodes[self.at as usize].ply
    }

    /// Returns the moves that the tree has of the position, in their order.
    pub fn moves(self) -> impl Iterator<Item = TreeMove<'t>> {
        let Self { tree, at } = self;
        tree.range(at).map(move |at| TreeMove { tree, at })
    }

    /// Returns the model games. There are none unless the line ends here.
    pub fn models(self) -> impl Iterator<Item = ModelGame<'t>> {
        self.tree.models(self.at)
    }

    /// Returns the moves from the root that lead to the position: the line on which it hangs.
    pub fn line(self) -> impl Iterator<Item = TreeMove<'t>> {
        let Self { tree, at } = self;
        tree.line(at).into_iter().map(move |at| TreeMove { tree, at })
    }
}

impl<'t> TreeMove<'t> {
    /// Returns the move.
    pub fn uci(self) -> Uci {
        self.tree.edge(self.at).next
    }

    /// Returns the results of the games in which the move was played. Each game counts once.
    pub fn results(self) -> Results {
        self.tree.edge(self.at).counts.results()
    }

    /// Returns the latest year of these games; None if no year is known.
    pub fn last_year(self) -> Option<u16> {
        Some(self.tree.edge(self.at).year).filter(|year| *year > 0)
    }

    /// Returns the position after the move.
    pub fn target(self) -> TreeNode<'t> {
        TreeNode { tree: self.tree, at: self.tree.edge(self.at).to }
    }

    /// Whether the position after the move hangs on another move.
    pub fn transposes(self) -> bool {
        !self.tree.holds(self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::left_out;
    use crate::options::{Root, TreeOptions};
    use crate::testing::{from, tree};
    use pgn2fen_chess::rules::Rules;

    #[test]
    fn a_position_and_a_move_have_the_year_of_their_latest_game() {
        let games = "[Date \"2020.01.01\"]\n\n1. e4 c5 *\n\n[Date \"2019\"]\n\n1. e4 e5 *\n\n1. d4 *\n";
        let tree = tree(games, &TreeOptions::default());
        let root = tree.root_node();
        assert_eq!(root.last_year(), Some(2020));
        let years: Vec<_> = root.moves().map(|played| (played.last_year(), played.target().last_year())).collect();
        assert_eq!(years, [(Some(2020), Some(2020)), (None, None)]);
        assert_eq!(root.moves().next().unwrap().target().moves().nth(1).unwrap().last_year(), Some(2019));
    }

    #[test]
    fn an_empty_tree_tells_why() {
        let never = tree("1. e4 *\n", &from("1. d4"));
        assert_eq!(never.why_empty(3).as_deref(), Some("the tree is empty; no game reached its first position"));
        let few = tree("1. e4 *\n", &TreeOptions { min_games: 3, ..TreeOptions::default() });
        let told = "the tree is empty; 1 game reached its first position, and a move needs 3: see `min_games`";
        assert_eq!(few.why_empty(3).as_deref(), Some(told));
        assert_eq!(tree("1. e4 *\n", &TreeOptions::default()).why_empty(1), None);
    }

    #[test]
    fn games_that_are_left_out_are_told() {
        assert_eq!(left_out(0, Rules::Chess), None);
        let told = "1 game is left out, because the rules are not those of chess";
        assert_eq!(left_out(1, Rules::Chess).as_deref(), Some(told));
    }

    #[test]
    fn memory_grows_with_moves_and_names() {
        let memory = |games: &str| tree(games, &TreeOptions::default()).memory();
        let (small, large) = (memory("1. e4 *\n"), memory("1. e4 (1. d4) e5 2. d4 d5 3. c4 c5 4. f4 f5 *\n"));
        let named = memory(&format!("[White \"{}\"]\n\n1. e4 *\n", "x".repeat(10_000)));
        assert!(0 < small && small < large && small + 10_000 <= named, "{small} {large} {named}");
    }

    #[test]
    fn a_tree_of_a_variant_begins_where_its_games_do() {
        let options = TreeOptions { root: Root::of_rules(Rules::Horde), ..TreeOptions::default() };
        let tree = tree("[Variant \"Horde\"]\n\n1. e5 *\n", &options);
        assert_eq!((tree.root().position().rules(), tree.moves()), (Rules::Horde, 1));
    }
}
