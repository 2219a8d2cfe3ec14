//! Writes a comparison as text.

use std::fmt;
use std::io::{self, Write};

use crate::compare::write::CompareStyle;
use crate::compare::write::words::{self, PARTS, UNMET};
use crate::compare::{Comparison, Departure, Leaving};
use pgn2fen_board::Board;
use pgn2fen_games::messages::{counted, plain};

pub(super) fn write(comparison: &Comparison, style: &CompareStyle, output: &mut impl Write) -> io::Result<()> {
    let mut report = Report { output, is_plain: style.board.ansi };
    report.line(format_args!("{}", words::about_repertoire(comparison)))?;
    report.blank()?;
    let games = words::about_games(comparison);
    let width = games.iter().map(|(count, _)| count.to_string().len()).max().unwrap_or(1);
    for (count, words) in games {
        report.line(format_args!("{count:width$} {words}"))?;
    }
    let departures = comparison.departures();
    for (leaving, heading) in PARTS {
        let places: Vec<&Departure<'_>> = departures.iter().filter(|departure| departure.leaving == leaving).collect();
        if places.is_empty() {
            continue;
        }
        report.begin_part(heading)?;
        for departure in places.iter().take(style.most) {
            report.blank()?;
            report.line(format_args!("{}", words::heading(departure)))?;
            for line in words::details(departure, comparison.side()) {
                report.line(format_args!("  {line}"))?;
            }
            let (games, more) = words::games(departure);
            for line in games.iter().map(words::named).chain(more) {
                report.line(format_args!("  {line}"))?;
            }
            report.board(&board(comparison, departure).to_text(style.board))?;
        }
        report.end_part(places.len().saturating_sub(style.most), "place")?;
    }
    let unmet = comparison.unmet_lines();
    if !unmet.is_empty() {
        report.begin_part(UNMET)?;
        report.blank()?;
        for line in unmet.iter().take(style.most) {
            let (heading, words) = words::unmet(line);
            report.line(format_args!("{heading}: {words}"))?;
        }
        report.end_part(unmet.len().saturating_sub(style.most), "line")?;
    }
    Ok(())
}

/// A report that is being written.
struct Report<'o, W> {
    output: &'o mut W,
    /// Whether lines are made safe for a terminal. The colours of boards reach the terminal as they are, so no filter
    /// behind the report can tell them from text of a game that acts on it.
    is_plain: bool,
}

impl<W: Write> Report<'_, W> {
    fn line(&mut self, line: fmt::Arguments<'_>) -> io::Result<()> {
        if self.is_plain {
            writeln!(self.output, "{}", plain(&line.to_string()))
        } else {
            writeln!(self.output, "{line}")
        }
    }

    fn blank(&mut self) -> io::Result<()> {
        writeln!(self.output)
    }

    fn board(&mut self, board: &str) -> io::Result<()> {
        self.output.write_all(board.as_bytes())
    }

    fn begin_part(&mut self, heading: &str) -> io::Result<()> {
        writeln!(self.output, "\n{heading}\n{}", "-".repeat(heading.len()))
    }

    fn end_part(&mut self, left_out: usize, noun: &str) -> io::Result<()> {
        if left_out > 0 {
            writeln!(self.output, "\nand {}", counted(left_out as u64, &format!("more {noun}")))?;
        }
        Ok(())
    }
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
