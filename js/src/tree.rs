//! Trees of games: they are grown from tiles, and leave their nodes and moves as JSON, or what they are written as.

use pgn2fen_chess::fen::{self, EpStyle, FenStyle, Fields};
use pgn2fen_chess::piece::Color;
use pgn2fen_games::{Results, Workers};
use pgn2fen_rows::options::{self, JobOptions};
use pgn2fen_rows::page;
use pgn2fen_trees::{
    GameTree, MoveOrder, Remarks, Root, RowFormat, Transpositions, Tree, TreeFormat, TreeOptions, TreeStyle,
    player_filter,
};
use serde::Serialize;

use crate::call::number;
use crate::position::json;

/// The formats of a tree.
const FORMATS: [TreeFormat; 7] = [
    TreeFormat::Pgn,
    TreeFormat::Html,
    TreeFormat::Graphviz,
    TreeFormat::Mermaid,
    TreeFormat::Rows(RowFormat::Csv),
    TreeFormat::Rows(RowFormat::Tsv),
    TreeFormat::Rows(RowFormat::Jsonl),
];

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

/// The options of a tree, as they are given one after another.
struct Given {
    tree: TreeOptions,
    style: TreeStyle,
    remarks: Option<Remarks>,
    position: Option<String>,
    player: Option<String>,
    side: Option<Color>,
    depth: Option<u32>,
    min_games: Option<u64>,
}

impl Given {
    /// Sets an option of the tree. Returns false if it is none of them.
    fn set(&mut self, name: &str, value: &str) -> Result<bool, String> {
        let wrong = |error: &dyn std::fmt::Display| error.to_string();
        let is_on = |value: &str| options::choose(name, value, &[("true", true), ("false", false)]);
        match name {
            "position" => self.position = Some(value.to_owned()),
            "player" => self.player = Some(value.to_owned()),
            "side" => {
                let sides = [("w", Color::White), ("b", Color::Black)];
                let side = options::choose(name, value, &sides).map_err(|error| wrong(&error))?;
                self.side = Some(side);
                self.style.side = side;
            }
            "depth" => self.depth = Some(number(value).map_err(|error| format!("depth: {error}"))?),
            "min_games" => self.min_games = Some(number(value).map_err(|error| format!("`min_games`: {error}"))?),
            "max" => self.tree.max_moves = Some(number(value).map_err(|error| format!("max: {error}"))?),
            "models" => self.tree.models = number(value).map_err(|error| format!("models: {error}"))?,
            "order" => {
                self.tree.order = options::choose(name, value, &MoveOrder::NAMES).map_err(|error| wrong(&error))?;
            }
            "variations" => self.tree.variations = is_on(value).map_err(|error| wrong(&error))?,
            "title" => self.style.title = value.to_owned(),
            "transpositions" => {
                let ways = [("join", Transpositions::Joined), ("write", Transpositions::WrittenOut)];
                self.style.transpositions = options::choose(name, value, &ways).map_err(|error| wrong(&error))?;
            }
            "comments" => self.remarks = Some(value.parse().map_err(|error| format!("comments: {error}"))?),
            "glyphs" => self.style.glyphs = is_on(value).map_err(|error| wrong(&error))?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl Growing {
    /// Begins a tree. The options are pairs of names and values. Returns it with the options of the games.
    pub(crate) fn begin(name: &str, format: &str, pairs: &[&str]) -> Result<(Self, JobOptions), String> {
        let format = match format {
            "" => None,
            format => {
                let formats = FORMATS.map(|format| (format.name(), format));
                Some(options::choose("format", format, &formats).map_err(|error| error.to_string())?)
            }
        };
        let mut games = JobOptions::new();
        let title = page::title("Tree", [std::path::Path::new(name)]);
        let mut given = Given {
            tree: TreeOptions::default(),
            style: TreeStyle { title, ..TreeStyle::default() },
            remarks: None,
            position: None,
            player: None,
            side: None,
            depth: None,
            min_games: None,
        };
        for pair in pairs.chunks_exact(2) {
            if !given.set(pair[0], pair[1])? {
                games.set(pair[0], pair[1]).map_err(|error| error.to_string())?;
            }
        }
        let Given { tree, mut style, remarks, position, player, side, depth, min_games } = given;
        let mut read = games.read_options();
        if let Some(player) = player {
            let filter = player_filter(&player, side).ok_or("player needs a name, without quotes in it")?;
            read.games.tags.push(filter);
        }
        let (root, remark) = match position {
            None => (Root::default(), None),
            Some(text) => {
                let (root, remark) = Root::read(&text, &read.replay.letters).map_err(|error| error.to_string())?;
                (root, remark.map(|remark| format!("{text}: {remark}")))
            }
        };
        let usual = TreeOptions::usual(tree.variations);
        let depth = depth.unwrap_or(usual.depth);
        let least = min_games.unwrap_or(usual.min_games);
        style.remarks = remarks.unwrap_or_else(|| Remarks::usual(tree.variations));
        let tree = TreeOptions { root, depth, min_games: least, notes: style.remarks.words, ..tree };
        if let Some(mistake) = tree.mistake() {
            return Err(mistake);
        }
        let job = GameTree::new(tree, read);
        Ok((Self { job, format, style, least, remark }, games))
    }

    /// Returns what the tree is written as, and hints about it.
    pub(crate) fn end(self, workers: &Workers) -> Result<(Vec<u8>, Vec<String>), String> {
        let Self { job, format, style, least, remark } = self;
        let tree = job.finish(workers);
        let mut hints: Vec<String> = remark.into_iter().chain(tree.why_empty(least)).collect();
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
