//! Trees for tests.

#[cfg(feature = "index")]
use std::fs;
use std::io::{self, Write};
#[cfg(feature = "index")]
use std::ops::ControlFlow;
use std::path::Path;

#[cfg(feature = "parquet")]
use parquet::file::reader::{FileReader, SerializedFileReader};
#[cfg(feature = "parquet")]
use parquet::record::Field;

use crate::{GameTree, Tree, TreeFormat, TreeOptions, TreeStyle, WrittenTree};
use pgn2fen_chess::position::Position;
use pgn2fen_chess::san::Letters;
use pgn2fen_games::database::{Database, Source};
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::typed::read_position;
use pgn2fen_games::walk::{Job, OnError, ReadOptions};
#[cfg(feature = "index")]
use pgn2fen_index::{BuildOptions, Builder, Index};

/// Reads games into a tree.
pub(crate) fn tree(games: &str, options: &TreeOptions) -> Tree {
    let workers = Workers::new(1).unwrap();
    let mut job = GameTree::new(options.clone(), ReadOptions::default());
    job.read(&workers, Path::new("games.pgn"), source(games), &mut ()).unwrap();
    job.finish(&workers)
}

/// Reads games into a tree of which those with an error are dropped.
pub(crate) fn tree_without_errors(games: &str, options: &TreeOptions) -> Tree {
    let workers = Workers::new(1).unwrap();
    let mut job = GameTree::new(options.clone(), dropping());
    job.read(&workers, Path::new("games.pgn"), source(games), &mut ()).unwrap();
    job.finish(&workers)
}

/// Options that drop games with an error.
pub(crate) fn dropping() -> ReadOptions {
    ReadOptions { on_error: OnError::Drop, ..ReadOptions::default() }
}

pub(crate) fn source(games: &str) -> Source {
    Source::Whole(Database::from(games.as_bytes().to_vec()))
}

/// Games with all lines of three plies: 8,902 of them.
pub(crate) fn all_lines_of_three_plies() -> String {
    let mut games = String::new();
    let mut below = vec![(Position::initial(), String::new(), 0)];
    while let Some((position, line, plies)) = below.pop() {
        if plies == 3 {
            games += &format!("{line} *\n\n");
            continue;
        }
        for played in position.legal_moves() {
            let mut after = position.clone();
            after.play_unchecked(played);
            below.push((after, format!("{line} {}", played.to_san(&position)), plies + 1));
        }
    }
    games
}

/// An output that remembers the sizes of the parts in which it was written.
#[derive(Debug, Default)]
pub(crate) struct Parts(pub(crate) Vec<usize>);

impl Write for Parts {
    fn write(&mut self, part: &[u8]) -> io::Result<usize> {
        self.0.push(part.len());
        Ok(part.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Parts {
    /// Whether memory does not grow with the output, and the output is not written in small parts.
    pub(crate) fn are_of_one_size(&self) -> bool {
        let Some((last, others)) = self.0.split_last() else {
            return false;
        };
        let sizes = 1 << 16..1 << 17;
        others.len() > 1 && *last < sizes.end && others.iter().all(|size| sizes.contains(size))
    }
}

/// Makes an index of texts, each of which is a file: `0.pgn` and so on.
#[cfg(feature = "index")]
pub(crate) fn index(texts: &[&str], options: BuildOptions) -> (tempfile::TempDir, Index) {
    let (folder, workers) = (tempfile::tempdir().unwrap(), Workers::new(1).unwrap());
    let place = folder.path().join("games.idx");
    let mut indexing = Builder::new(&place, options, &workers).unwrap().begin(ReadOptions::default());
    for (nth, text) in texts.iter().enumerate() {
        let file = folder.path().join(format!("{nth}.pgn"));
        fs::write(&file, text).unwrap();
        indexing.read(&workers, &file, Database::open(&file).unwrap().into(), &mut ()).unwrap();
    }
    indexing.finish(&workers, &|_, _| ControlFlow::Continue(())).unwrap();
    let index = Index::open(&place).unwrap();
    (folder, index)
}

/// Returns the number of row groups of a Parquet file, and its values as text. A missing one is `-`.
#[cfg(feature = "parquet")]
pub(crate) fn parquet_rows(file: &[u8]) -> (usize, Vec<Vec<String>>) {
    let mut place = tempfile::tempfile().unwrap();
    place.write_all(file).unwrap();
    let reader = SerializedFileReader::new(place).unwrap();
    let value = |field: &Field| match field {
        Field::Null => "-".to_owned(),
        Field::Str(text) => text.clone(),
        other => other.to_string(),
    };
    let rows = reader.get_row_iter(None).unwrap();
    let rows = rows.map(|row| row.unwrap().get_column_iter().map(|(_, field)| value(field)).collect()).collect();
    (reader.metadata().num_row_groups(), rows)
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
