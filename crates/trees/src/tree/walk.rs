//! Nodes and moves by their numbers, and their places in the tree. Other languages keep numbers instead of references.

use crate::tree::{NONE, Tree, TreeMove, TreeNode};
use crate::write::guide::append_move;

impl Tree {
    /// Returns the node with a number: see [`TreeNode::number`].
    pub fn node_numbered(&self, number: u32) -> Option<TreeNode<'_>> {
        self.nodes.get(number as usize).map(|_| TreeNode { tree: self, at: number })
    }

    /// Returns the move with a number: see [`TreeMove::number`].
    pub fn move_numbered(&self, number: u32) -> Option<TreeMove<'_>> {
        self.edges.get(number as usize).map(|_| TreeMove { tree: self, at: number })
    }
}

impl<'t> TreeNode<'t> {
    /// Returns the number of the node in its tree. The root is 0, and the numbers of the others are below
    /// [`Tree::positions`].
    pub fn number(self) -> u32 {
        self.at
    }

    /// Returns the move on which the position hangs: the last one of its line. None for the root.
    pub fn parent(self) -> Option<TreeMove<'t>> {
        let at = self.tree.nodes[self.at as usize].parent;
        (at != NONE).then_some(TreeMove { tree: self.tree, at })
    }

    /// Returns the moves that lead to the position, those before the root included: `1. e4 c5 2. Nf3`. It is the column
    /// `path` of rows.
    ///
    /// ```
    /// use std::path::Path;
    ///
    /// use pgn2fen_games::database::{Database, Source};
    /// use pgn2fen_games::parallel::Workers;
    /// use pgn2fen_games::walk::{Job, ReadOptions};
    /// use pgn2fen_trees::{GameTree, Root, TreeOptions};
    ///
    /// let root = Root::from(pgn2fen_games::typed::read_position("1. e4", &pgn2fen_chess::san::Letters::ENGLISH)?);
    /// let games = Source::Whole(Database::from(b"1. e4 c5 2. Nf3 1-0\n".to_vec()));
    /// let workers = Workers::new(1)?;
    /// let mut job = GameTree::new(TreeOptions { root, ..TreeOptions::default() }, ReadOptions::default());
    /// job.read(&workers, Path::new("games.pgn"), games, &mut ())?;
    /// let tree = job.finish(&workers);
    /// let first = tree.root_node().moves().next().unwrap();
    /// assert_eq!((first.san(), first.target().path()), ("c5".to_owned(), "1. e4 c5".to_owned()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn path(self) -> String {
        let root = self.tree.root();
        let mut position = root.start().clone();
        let mut path = String::new();
        for played in root.moves() {
            append_move(&position, &played.to_san(&position), &mut path);
            position.play_unchecked(*played);
        }
        for played in self.line() {
            let Some(played) = played.uci().find(&position) else {
                break;
            };
            append_move(&position, &played.to_san(&position), &mut path);
            position.play_unchecked(played);
        }
        path
    }
}

impl<'t> TreeMove<'t> {
    /// Returns the number of the move in its tree, which is below [`Tree::moves`].
    pub fn number(self) -> u32 {
        self.at
    }

    /// Returns the position before the move.
    pub fn source(self) -> TreeNode<'t> {
        TreeNode { tree: self.tree, at: self.tree.edge(self.at).from }
    }

    /// Returns the move as SAN.
    pub fn san(self) -> String {
        let position = self.source().position();
        self.uci().find(&position).map_or_else(|| self.uci().to_string(), |played| played.to_san(&position))
    }
}

#[cfg(test)]
mod tests {
    use crate::options::TreeOptions;
    use crate::testing::{from, tree};
    use crate::tree::TreeMove;

    const GAMES: &str = "1. e4 c5 2. Nf3 d6 *\n\n1. Nf3 c5 2. e4 e6 *\n\n1. e4 e5 *\n";

    #[test]
    fn nodes_and_moves_are_found_by_their_numbers() {
        let tree = tree(GAMES, &TreeOptions::default());
        for number in 0..u32::try_from(tree.positions()).unwrap() {
            let node = tree.node_numbered(number).unwrap();
            assert_eq!(node.number(), number);
            assert_eq!(tree.node(&node.position()).unwrap().number(), number);
            assert_eq!(node.parent().map(TreeMove::number), node.line().last().map(TreeMove::number));
            for played in node.moves() {
                assert_eq!(tree.move_numbered(played.number()).unwrap().source().number(), number);
                let after = node.position().play_san(&played.san()).unwrap();
                assert!(after.is_same_position(&played.target().position()));
            }
        }
        assert!(tree.node_numbered(u32::MAX).is_none() && tree.move_numbered(u32::MAX).is_none());
    }

    #[test]
    fn a_path_begins_with_the_moves_before_the_root() {
        let tree = tree(GAMES, &from("1. e4 c5"));
        assert_eq!(tree.root_node().path(), "1. e4 c5");
        let paths: Vec<_> = tree.root_node().moves().map(|played| played.target().path()).collect();
        assert_eq!(paths, ["1. e4 c5 2. Nf3"]);
    }
}
