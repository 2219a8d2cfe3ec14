//! Tables of what is found in games, as lines of JSON: the findings in tournaments, and the results of a player.

use std::convert::Infallible;

use pgn2fen_chess::piece::Color;
use pgn2fen_games::pgn::speed::Speed;
use pgn2fen_games::pgn::token::Outcome;
use pgn2fen_games::players::{GameOfPlayer, PlayerCounts};
use pgn2fen_games::tournament::Finding;
use pgn2fen_rows::Format;
use pgn2fen_rows::answers::{FINDING_COLUMNS, STATS_COLUMNS, each_finding, each_stats_row};
use pgn2fen_rows::lines::{Cell, Lines};

/// Appends what was found in tournaments.
pub(crate) fn findings(found: &[Finding], out: &mut Vec<u8>) {
    let lines = Lines::new(Format::Jsonl, &FINDING_COLUMNS.map(|(name, _)| name));
    let Ok(()) = each_finding(found, |cells| append(&lines, &cells, out));
}

/// Counts the results of a player. Each line is a game: the colour of the player (`w` or `b`), the result, the opening,
/// the time control and the rating of the opponent, separated by tabs. What is not known is empty.
///
/// # Errors
///
/// A line has another form.
pub(crate) fn stats(games: &str) -> Result<Vec<u8>, String> {
    let mut counts = PlayerCounts::default();
    for line in games.lines() {
        let mut fields = line.split('\t');
        let [Some(color), Some(result), Some(opening), Some(control), Some(rating)] = [(); 5].map(|()| fields.next())
        else {
            return Err(format!("'{line}' is not the line of a game"));
        };
        counts.add(&GameOfPlayer {
            color: if color == "w" { Color::White } else { Color::Black },
            result: Outcome::from_ascii(result.as_bytes()).unwrap_or(Outcome::Unknown),
            opening: Some(opening).filter(|opening| !opening.is_empty()),
            speed: Speed::of(control),
            opponent: rating.parse().ok(),
        });
    }
    let lines = Lines::new(Format::Jsonl, &STATS_COLUMNS.map(|(name, _)| name));
    let mut out = Vec::new();
    let Ok(()) = each_stats_row(&counts.rows(), |cells| append(&lines, &cells, &mut out));
    Ok(out)
}

fn append(lines: &Lines, cells: &[Cell<'_>], out: &mut Vec<u8>) -> Result<(), Infallible> {
    lines.row(cells.iter().copied(), out);
    Ok(())
}
