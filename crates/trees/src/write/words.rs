//! The words about a move.

use crate::counts::{Counts, score};
use crate::tree::{Edge, ModelGame, Tree};
use crate::write::TreeStyle;
use pgn2fen_chess::piece::Color;
use pgn2fen_games::messages::counted;

/// The least number of known results with which a move gets a glyph.
const GLYPH_GAMES: u64 = 10;

impl TreeStyle {
    /// Returns the words about the games of a position or of a move: `1,234 games, +512 =400 -322, 58%, last 2024`.
    pub(super) fn words(&self, counts: Counts, year: u16) -> String {
        let results = counts.results();
        let mut words = Vec::new();
        if self.remarks.games {
            words.push(counted(results.games(), "game"));
        }
        let score = score(&results, self.side);
        if self.remarks.results && score.is_some() {
            let [wins, losses] = match self.side {
                Color::White => [results.white, results.black],
                Color::Black => [results.black, results.white],
            };
            words.push(format!("+{wins} ={} -{losses}", results.draws));
        }
        if let Some(score) = score.filter(|_| self.remarks.score) {
            words.push(format!("{}%", (score + 5) / 10));
        }
        if self.remarks.year && year > 0 {
            words.push(format!("last {year}"));
        }
        words.join(", ")
    }

    /// Returns the words about the model games of a line.
    pub(super) fn models(&self, tree: &Tree, node: u32) -> Vec<String> {
        if !self.remarks.models {
            return Vec::new();
        }
        tree.models(node).filter_map(|game| model(&game)).collect()
    }

    /// Returns the number of the glyph of a move, if glyphs are wanted: 1 (`!`) for a score that is better than that of
    /// all games in the position by ten per cent or more, 6 (`?!`) for one that is worse by as much, and 2 (`?`) for one
    /// that is worse by twenty per cent or more. The score is that of the side that plays the move, and at least ten
    /// games have a known result.
    pub(super) fn glyph(&self, tree: &Tree, edge: &Edge, mover: Color) -> Option<u8> {
        let results = edge.counts.results();
        if !self.glyphs || results.games() - results.unknown < GLYPH_GAMES {
            return None;
        }
        let own = score(&results, mover)?;
        let all = score(&tree.nodes[edge.from as usize].counts.results(), mover)?;
        match (own.checked_sub(all), all.checked_sub(own)) {
            (Some(100..), _) => Some(1),
            (_, Some(200..)) => Some(2),
            (_, Some(100..)) => Some(6),
            _ => None,
        }
    }
}

/// Returns a glyph as it is printed.
pub(super) fn mark(glyph: Option<u8>) -> &'static str {
    match glyph {
        Some(1) => "!",
        Some(2) => "?",
        Some(6) => "?!",
        _ => "",
    }
}

/// Returns the words about a game: its players, or else its event. None if neither is known.
fn model(game: &ModelGame<'_>) -> Option<String> {
    let is_known = |name: &&str| !matches!(name.trim(), "" | "?");
    let names = match [game.white, game.black] {
        names if names.iter().any(is_known) => names.map(|name| Some(name).filter(is_known).unwrap_or("?")).join(" - "),
        _ => Some(game.event).filter(is_known)?.to_owned(),
    };
    let year = game.year.map(|year| format!(", {year}")).unwrap_or_default();
    let result = game.result.as_str();
    let result = if result == "*" { String::new() } else { format!(", {result}") };
    Some(format!("{names}{year}{result}"))
}
