//! Trees of the positions of games: many games, an index or a repertoire become one tree of lines, as coaches and authors
//! use it.
mod counts;
mod games;
mod grow;
mod indexed;
mod key;
mod names;
mod options;
mod steps;
mod tree;
mod write;

pub use crate::games::GameTree;
pub use crate::indexed::{IndexTreeError, index_tree};
pub use crate::options::{MOST_MODELS, MOST_PLIES, MoveOrder, Root, TreeOptions};
pub use crate::tree::{ModelGame, Tree, TreeMove, TreeNode};
pub use crate::write::{
    MOST_MOVES, MOST_WRITTEN_OUT, Remarks, RowFormat, Transpositions, TreeError, TreeFormat, TreeStyle, WrittenTree,
};
