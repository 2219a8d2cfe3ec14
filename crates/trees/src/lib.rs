//! Trees of the positions of games: many games, an index or a repertoire become one tree of lines, as coaches and
//! authors use it.
//!
//! [`GameTree`] reads games into a [`Tree`], and [`index_tree`] makes the tree of an index. A program walks through it
//! from [`Tree::root_node`], and [`Tree::write`] writes it as PGN, as a page, as a graph or as rows:
//!
//! ```no_run
//! # #[cfg(feature = "index")] {
//! use pgn2fen_games::parallel::Workers;
//! use pgn2fen_index::Index;
//! use pgn2fen_trees::{TreeFormat, TreeOptions, TreeStyle, index_tree};
//!
//! let index = Index::open("games.idx")?;
//! let options = TreeOptions { min_games: 10, ..TreeOptions::default() };
//! let tree = index_tree(&index, vec!["White~carlsen".parse()?], &options, &Workers::new(0)?)?;
//! for first in tree.root_node().moves() {
//!     println!("{}: {} games", first.uci(), first.results().games());
//! }
//! tree.write(TreeFormat::Html, &TreeStyle::default(), &mut std::fs::File::create("tree.html")?)?;
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! | feature | |
//! |---|---|
//! | `index` (default) | makes trees and comparisons of an index |
//! | `parquet` (default) | writes rows in Parquet |
//!
//! # Other crates
//!
//! | for | take |
//! |---|---|
//! | games one after another, each with its variations | `pgn2fen-games` |
//! | the index itself: the games and moves of a position | `pgn2fen-index` |
//! | an opening explorer over HTTP | `pgn2fen-explorer` |
//!
//! [The library](https://github.com/pgn2fen/pgn2fen/blob/main/docs/library.md) lists all crates, with a program
//! for each.

mod compare;
mod counts;
mod games;
mod grow;
#[cfg(feature = "index")]
mod indexed;
mod key;
mod names;
mod notes;
mod options;
mod repertoire;
mod request;
mod steps;
mod summary;
#[cfg(test)]
mod testing;
mod tree;
mod write;

pub use crate::compare::{
    AnnotateGames, Annotator, CompareFormat, CompareGames, CompareStyle, CompareTable, CompareValue, ComparedGame,
    Comparison, Departure, Leaving, UnmetLine,
};
#[cfg(feature = "index")]
pub use crate::compare::{annotate_index, compare_index, why_games_are_left_out};
pub use crate::games::GameTree;
#[cfg(feature = "index")]
pub use crate::indexed::{IndexTreeError, index_tree, plies_hint};
pub use crate::options::{MOST_MODELS, MOST_PLIES, MoveOrder, Root, RootRemark, TreeOptions, player_filter};
pub use crate::repertoire::{Repertoire, RepertoireReader};
pub use crate::request::TreeRequest;
pub use crate::tree::{ModelGame, Tree, TreeMove, TreeNode};
pub use crate::write::{
    CardFront, Gap, GapKind, MOST_MOVES, MOST_WRITTEN_OUT, Remarks, RowFormat, Transpositions, TreeError, TreeFormat,
    TreeRow, TreeStyle, UnknownRemark, WrittenTree,
};
