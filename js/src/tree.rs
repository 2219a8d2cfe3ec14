//! Trees of games: they are grown from tiles, and leave their nodes and moves as JSON, or what they are written as.

use pgn2fen_chess::fen::{self, EpStyle, FenStyle, Fields};
use pgn2fen_games::{Results, Workers};
use pgn2fen_rows::options::{self, JobOptions, OptionError, SetOption};
use pgn2fen_rows::page;
use pgn2fen_spec::{Jobs, jobs_of};
use pgn2fen_trees::{GameTree, Tree, TreeFormat, TreeRequest, TreeStyle};
use serde::Serialize;

use crate::position::json;

/// Options of games that trees do not have: those of positions in a game, and of games that are not read to their end.
const NOT_OF_TREES: [&str; 8] = ["on_error", "material", "pattern", "pawns", "colors", "mirror", "for_plies", "evals"];

/// A tree that grows.
pub(crate) struct Growing {
    pub(crate) job: GameTree,
    /// None for its nodes and moves as JSON.
    format: Option<TreeFormat>,
    style: TreeStyle,
    least: u64,
    /// A message about the first position.
    remark: Option<String>,
}

/// The nodes and moves of a tree.
#[derive(Serialize)]
struct TreeData {
    nodes: Vec<NodeData>,
    moves: Vec<MoveData>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct NodeData {
    fen: String,
    /// The same for all FENs of the position.
    key: String,
    path: String,
    ply: u32,
    /// The number of the move on which it hangs.
    parent: Option<u32>,
    moves: Vec<u32>,
    results: [u64; 4],
    last_year: Option<u16>,
    models: Vec<ModelData>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MoveData {
    san: String,
    uci: String,
    source: u32,
    target: u32,
    results: [u64; 4],
    last_year: Option<u16>,
    transposes: bool,
}

#[derive(Serialize)]
struct ModelData {
    white: String,
    black: String,
    event: String,
    year: Option<u32>,
    result: &'static str,
}

impl Growing {
    /// Begins a tree. The options are pairs of names and values. Returns it with the options of the games.
    pub(crate) fn begin(name: &str, format: &str, pairs: &[&str]) -> Result<(Self, JobOptions), String> {
        let known = TreeFormat::ALL.into_iter().filter(|format| *format != TreeFormat::Parquet);
        let known: Vec<_> = known.map(|format| (format.name(), format)).collect();
        let of = |error: OptionError| error.to_string();
        let format = Some(format).filter(|format| !format.is_empty());
        let format = format.map(|format| options::choose("format", format, &known)).transpose().map_err(of)?;
        let (mut games, mut request) = (JobOptions::new(), TreeRequest::default());
        for pair in pairs.chunks_exact(2) {
            let is_of_trees = jobs_of(pair[0]).is_some_and(|jobs| jobs.contains(Jobs::TREES.and(Jobs::TREE_TEXTS)));
            if is_of_trees { request.set(pair[0], pair[1]) } else { games.set(pair[0], pair[1]) }.map_err(of)?;
        }
        if let Some(format) = format {
            request.check_format(format).map_err(of)?;
        }
        let known: Vec<&str> =
            pgn2fen_spec::names!(Jobs::GAMES).into_iter().filter(|name| !NOT_OF_TREES.contains(name)).collect();
        games.refuse_all_but(&known).map_err(of)?;
        let mut read = games.read_options();
        read.games.tags.extend(request.player_filter().map_err(of)?);
        let (root, remark) = request.root(&read.replay.letters).map_err(of)?;
        let remark = remark.map(|remark| format!("{}: {remark}", request.position().unwrap_or_default()));
        let (tree, least) = (request.options(root), request.min_games());
        let style = request.style(&page::title("Tree", [std::path::Path::new(name)]));
        let job = GameTree::new(tree, read);
        Ok((Self { job, format, style, least, remark }, games))
    }

    /// Returns what the tree is written as, and hints about it.
    pub(crate) fn end(self, workers: &Workers) -> Result<(Vec<u8>, Vec<String>), String> {
        let Self { job, format, style, least, remark } = self;
        let tree = job.finish(workers);
        let hints = remark.into_iter().chain(tree.why_left_out()).chain(tree.why_empty(least));
        let mut hints: Vec<String> = hints.collect();
        let Some(format) = format else {
            return Ok((json(&data(&tree))?.into_bytes(), hints));
        };
        let mut bytes = Vec::new();
        let written = tree.write(format, &style, &mut bytes).map_err(|error| error.to_string())?;
        hints.extend(written.hint().map(str::to_owned));
        Ok((bytes, hints))
    }
}

fn numbers(results: Results) -> [u64; 4] {
    [results.white, results.draws, results.black, results.unknown]
}

/// Returns the nodes and moves of a tree, in the order of their numbers.
fn data(tree: &Tree) -> TreeData {
    let nodes = (0..).map_while(|number| tree.node_numbered(number)).map(|node| {
        let position = node.position();
        let key = FenStyle { ep: EpStyle::Legal, fields: Fields::Four, ..FenStyle::default() };
        NodeData {
            fen: fen::to_string(&position, FenStyle::default()),
            key: fen::to_string(&position, key),
            path: node.path(),
            ply: node.ply(),
            parent: node.parent().map(pgn2fen_trees::TreeMove::number),
            moves: node.moves().map(pgn2fen_trees::TreeMove::number).collect(),
            results: numbers(node.results()),
            last_year: node.last_year(),
            models: node
                .models()
                .map(|game| ModelData {
                    white: game.white.to_owned(),
                    black: game.black.to_owned(),
                    event: game.event.to_owned(),
                    year: game.year,
                    result: game.result.as_str(),
                })
                .collect(),
        }
    });
    let moves = (0..).map_while(|number| tree.move_numbered(number)).map(|played| MoveData {
        san: played.san(),
        uci: played.uci().to_string(),
        source: played.source().number(),
        target: played.target().number(),
        results: numbers(played.results()),
        last_year: played.last_year(),
        transposes: played.transposes(),
    });
    TreeData { nodes: nodes.collect(), moves: moves.collect() }
}
