//! Trees for tests.

use std::path::Path;

use crate::{GameTree, Tree, TreeFormat, TreeOptions, TreeStyle, WrittenTree};
use pgn2fen_chess::san::Letters;
use pgn2fen_games::database::{Database, Source};
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::typed::read_position;
use pgn2fen_games::walk::{Job, ReadOptions};

/// Reads games into a tree.
pub(crate) fn tree(games: &str, options: &TreeOptions) -> Tree {
    let workers = Workers::new(1).unwrap();
    let mut job = GameTree::new(options.clone(), ReadOptions::default());
    let source = Source::Whole(Database::from(games.as_bytes().to_vec()));
    job.read(&workers, Path::new("games.pgn"), source, &mut ()).unwrap();
    job.finish(&workers)
}

/// Options for the tree behind a position.
pub(crate) fn from(position: &str) -> TreeOptions {
    TreeOptions { root: read_position(position, &Letters::ENGLISH).unwrap().into(), ..TreeOptions::default() }
}

/// Writes a tree.
pub(crate) fn written(tree: &Tree, format: TreeFormat, style: &TreeStyle) -> (String, WrittenTree) {
    let mut text = Vec::new();
    let written = tree.write(format, style, &mut text).unwrap();
    (String::from_utf8(text).unwrap(), written)
}

/// The moves of the tree, one in a line, with the games by result: `e2e4 c7c5 1 0 0 2`. Lines end where they transpose.
pub(crate) fn lines(tree: &Tree) -> Vec<String> {
    let mut lines = Vec::new();
    let mut level = vec![(String::new(), tree.root_node())];
    while let Some((line, node)) = level.pop() {
        for played in node.moves() {
            let line = format!("{line}{} ", played.uci());
            let results = played.results();
            let counts = [results.white, results.draws, results.black, results.unknown].map(|count| count.to_string());
            lines.push(format!("{line}{}", counts.join(" ")));
            if !played.transposes() {
                level.push((line, played.target()));
            }
        }
    }
    lines.sort();
    lines
}
