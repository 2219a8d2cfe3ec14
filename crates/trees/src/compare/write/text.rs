//! Writes a comparison as text.

use std::io::{self, Write};

use crate::compare::write::CompareStyle;
use crate::compare::write::words::{self, PARTS, UNMET};
use crate::compare::{Comparison, Departure, Leaving};
use pgn2fen_board::Board;
use pgn2fen_games::messages::counted;

pub(super) fn write(comparison: &Comparison, style: &CompareStyle, output: &mut impl Write) -> io::Result<()> {
    writeln!(output, "{}", words::about_repertoire(comparison))?;
    writeln!(output)?;
    let games = words::about_games(comparison);
    let width = games.iter().map(|(count, _)| count.to_string().len()).max().unwrap_or(1);
    for (count, words) in games {
        writeln!(output, "{count:width$} {words}")?;
    }
    let departures = comparison.departures();
    for (leaving, heading) in PARTS {
        let places: Vec<&Departure<'_>> = departures.iter().filter(|departure| departure.leaving == leaving).collect();
        if places.is_empty() {
            continue;
        }
        begin_part(heading, output)?;
        for departure in places.iter().take(style.most) {
            writeln!(output, "\n{}", words::heading(departure))?;
            for line in words::details(departure, comparison.side()) {
                writeln!(output, "  {line}")?;
            }
            output.write_all(board(comparison, departure).to_text(style.board).as_bytes())?;
        }
        end_part(places.len().saturating_sub(style.most), "place", output)?;
    }
    let unmet = comparison.unmet_lines();
    if !unmet.is_empty() {
        begin_part(UNMET, output)?;
        writeln!(output)?;
        for line in unmet.iter().take(style.most) {
            let (heading, words) = words::unmet(line);
            writeln!(output, "{heading}: {words}")?;
        }
        end_part(unmet.len().saturating_sub(style.most), "line", output)?;
    }
    Ok(())
}

fn begin_part(heading: &str, output: &mut impl Write) -> io::Result<()> {
    writeln!(output, "\n{heading}\n{}", "-".repeat(heading.len()))
}

fn end_part(left_out: usize, noun: &str, output: &mut impl Write) -> io::Result<()> {
    if left_out > 0 {
        writeln!(output, "\nand {}", counted(left_out as u64, &format!("more {noun}")))?;
    }
    Ok(())
}

/// Returns the board of a departure: the position behind a move of the opponent, which has to be answered, and
/// otherwise the last position on the repertoire.
fn board(comparison: &Comparison, departure: &Departure<'_>) -> Board {
    let board = match departure.played.and_then(|next| next.find(&departure.position)) {
        Some(m) if departure.leaving == Leaving::Opponent => {
            let mut after = departure.position.clone();
            after.play_unchecked(m);
            let board = Board::of(&after);
            m.from().zip(m.to()).map_or(board.clone(), |(from, to)| board.last_move(from, to))
        }
        _ => Board::of(&departure.position),
    };
    board.orientation(comparison.side())
}
