//! The words of a report.

use crate::compare::{ComparedGame, Comparison, Departure, Leaving, UnmetLine};
use crate::counts::score;
use crate::tree::{TreeNode, is_known};
use crate::write::guide::{append_move, numbered};
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::position::Position;
use pgn2fen_games::Results;
use pgn2fen_games::messages::counted;

/// The parts of a report that list places where games left the repertoire, with their headings.
pub(super) const PARTS: [(Leaving, &str); 3] = [
    (Leaving::Opponent, "Replies that the repertoire lacks"),
    (Leaving::Player, "Own moves that differ from the repertoire"),
    (Leaving::LineEnd, "Ends of lines that games went beyond"),
];

/// The heading of the last part of a report.
pub(super) const UNMET: &str = "Lines that no game met";

/// The greatest number of games that a report names for a place.
const NAMED_GAMES: usize = 3;

/// Returns the words about the repertoire.
pub(super) fn about_repertoire(comparison: &Comparison) -> String {
    let repertoire = comparison.repertoire();
    format!(
        "Repertoire for {}: {} in {}; games reached the ends of {}.",
        comparison.side().pick("White", "Black"),
        counted(repertoire.lines() as u64, "line"),
        counted(repertoire.positions() as u64, "position"),
        counted(comparison.lines_met() as u64, "line"),
    )
}

/// Returns the words about the games: for each way to leave the repertoire, the number of games and the words behind
/// it.
pub(super) fn about_games(comparison: &Comparison) -> Vec<(usize, String)> {
    let all = comparison.games().len();
    let (own, other) = (comparison.side(), !comparison.side());
    let side = |side: Color| side.pick("White", "Black");
    let mut words = vec![(all, if all == 1 { "game".to_owned() } else { "games".to_owned() })];
    for (leaving, text) in [
        (Leaving::Within, "ended on the repertoire".to_owned()),
        (Leaving::LineEnd, "followed it to the end of a line".to_owned()),
        (Leaving::Player, format!("left by {}, who has the repertoire", side(own))),
        (Leaving::Opponent, format!("left by {}, with a move that it lacks", side(other))),
        (Leaving::Never, "never on the repertoire".to_owned()),
    ] {
        words.push((comparison.count(leaving), text));
    }
    words
}

/// Returns the words about results: `3 games, +1 =0 -2, 33%`.
pub(super) fn results(results: &Results, side: Color) -> String {
    let mut words = counted(results.games(), "game");
    if let Some(score) = score(results, side) {
        let [wins, losses] = [side.pick(results.white, results.black), side.pick(results.black, results.white)];
        words.push_str(&format!(", +{wins} ={} -{losses}, {}%", results.draws, (score + 5) / 10));
    }
    words
}

/// Returns the heading of a departure: the line with the move.
pub(super) fn heading(departure: &Departure<'_>) -> String {
    let mut line = departure.line.clone();
    if let Some(san) = &departure.san {
        append_move(&departure.position, san, &mut line);
    }
    if line.is_empty() { "The first position".to_owned() } else { line }
}

/// Returns the lines about a departure between its heading and its games.
pub(super) fn details(departure: &Departure<'_>, side: Color) -> Vec<String> {
    let mut lines = vec![results(&departure.results, side)];
    if departure.returned > 0 {
        lines[0].push_str(&format!("; came back later: {}", counted(departure.returned, "game")));
    }
    if !departure.expected.is_empty() {
        lines.push(format!("the repertoire has {}", departure.expected.join(", ")));
    }
    lines
}

/// Returns the games that a report names for a departure, and the words about others.
pub(super) fn games<'c>(departure: &Departure<'c>) -> (Vec<ComparedGame<'c>>, Option<String>) {
    let games = departure.games();
    let more = games.len().saturating_sub(NAMED_GAMES);
    let words = (more > 0).then(|| format!("and {}", counted(more as u64, "more game")));
    (games.take(NAMED_GAMES).collect(), words)
}

/// Returns the players of a game, its date, its result and its place.
pub(super) fn named(game: &ComparedGame<'_>) -> String {
    let known = |name: &str| if is_known(name) { name.to_owned() } else { "?".to_owned() };
    let mut words = format!("{} - {}", known(game.white), known(game.black));
    if game.date.starts_with(|char: char| char.is_ascii_digit()) {
        words.push_str(&format!(", {}", game.date));
    }
    let place = place(game);
    format!("{words}, {} ({place})", game.result.as_str())
}

/// Returns the file and the line of a game.
pub(super) fn place(game: &ComparedGame<'_>) -> String {
    // A report may be published, so folders are not named.
    let file = game.file.rsplit(['/', '\\']).next().unwrap_or_default();
    format!("{file}:{}", game.line)
}

/// Returns the words about where a game left the repertoire: `left by the opponent with 2... g6`.
pub(super) fn left(game: &ComparedGame<'_>) -> String {
    let played = || {
        let position = game.node.map(TreeNode::position)?;
        let m = game.played?.find(&position)?;
        Some(at_ply(game, &position, &m.to_san(&position)))
    };
    match game.leaving {
        Leaving::Never => "never on it".to_owned(),
        Leaving::Within => "ended on it".to_owned(),
        Leaving::LineEnd => format!("to the end of a line, then {}", played().unwrap_or_default()),
        Leaving::Player => format!("left by the player: {}", played().unwrap_or_default()),
        Leaving::Opponent => format!("left by the opponent: {}", played().unwrap_or_default()),
    }
}

/// Returns a move with its number in the game, which may not be that of the repertoire.
fn at_ply(game: &ComparedGame<'_>, position: &Position, san: &str) -> String {
    let node_ply = game.node.map_or(0, TreeNode::ply);
    if game.ply == node_ply { numbered(position, san, true) } else { format!("{san} (ply {})", game.ply + 1) }
}

/// Returns the words about a line that no game met.
pub(super) fn unmet(line: &UnmetLine<'_>) -> (String, String) {
    let heading = if line.line.is_empty() { "The first position".to_owned() } else { line.line.clone() };
    (heading, format!("{} in {}", counted(line.lines, "line"), counted(line.positions, "position")))
}
