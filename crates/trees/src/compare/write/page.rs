//! Writes a comparison as a page with boards: one file, without scripts.

use std::io::{self, Write};

use crate::compare::write::CompareStyle;
use crate::compare::write::words::{self, PARTS, UNMET};
use crate::compare::{Comparison, Departure};
use pgn2fen_board::{Arrow, Board, Paint};
use pgn2fen_games::messages::counted;
use pgn2fen_rows::page;

const STYLE: &str = include_str!("page.css");

/// The number of bytes after which the text so far is written.
const BUFFER: usize = 1 << 16;

pub(super) fn write(comparison: &Comparison, style: &CompareStyle, output: &mut impl Write) -> io::Result<()> {
    let mut out = Vec::new();
    page::append_head_with(&style.title, STYLE, &mut out);
    paragraph(&words::about_repertoire(comparison), &mut out);
    out.extend_from_slice(b"<ul>\n");
    for (count, words) in words::about_games(comparison) {
        element("li", &format!("{count} {words}"), &mut out);
    }
    out.extend_from_slice(b"</ul>\n");
    let departures = comparison.departures();
    for (leaving, heading) in PARTS {
        let places = departures.iter().filter(|departure| departure.leaving == leaving);
        let left_out = places.clone().count().saturating_sub(style.most);
        let mut places = places.take(style.most).peekable();
        if places.peek().is_none() {
            continue;
        }
        element("h2", heading, &mut out);
        page::begin_boards(&mut out);
        for departure in places {
            let mut caption = vec![words::heading(departure)];
            caption.extend(words::details(departure, comparison.side()));
            let (games, more) = words::games(departure);
            let mut links: Vec<_> = games.iter().map(|game| (words::named(game), Some(game.site))).collect();
            links.extend(more.map(|more| (more, None)));
            page::append_figure_with_links(&board(comparison, departure), &caption, &links, &mut out);
            flush(&mut out, output)?;
        }
        page::end_boards(&mut out);
        end_part(left_out, "place", &mut out);
    }
    let unmet = comparison.unmet_lines();
    if !unmet.is_empty() {
        element("h2", UNMET, &mut out);
        out.extend_from_slice(b"<ul class=\"unmet\">\n");
        for line in unmet.iter().take(style.most) {
            let (heading, words) = words::unmet(line);
            out.extend_from_slice(b"<li><b>");
            page::append_escaped(&heading, &mut out);
            out.extend_from_slice(b"</b> <small>");
            page::append_escaped(&words, &mut out);
            out.extend_from_slice(b"</small></li>\n");
        }
        out.extend_from_slice(b"</ul>\n");
        end_part(unmet.len().saturating_sub(style.most), "line", &mut out);
    }
    games(comparison, &mut out, output)?;
    page::append_end(&mut out);
    output.write_all(&out)
}

/// Writes the table of all games.
fn games(comparison: &Comparison, out: &mut Vec<u8>, output: &mut impl Write) -> io::Result<()> {
    if comparison.games().len() == 0 {
        return Ok(());
    }
    element("h2", "Games", out);
    out.extend_from_slice(
        b"<div class=\"games\" role=\"region\" aria-label=\"Games\" tabindex=\"0\">\n<table>\n<thead><tr>",
    );
    for name in ["White", "Black", "Result", "Date", "Plies on it", "Repertoire", "Place"] {
        out.extend_from_slice(format!("<th scope=\"col\">{name}</th>").as_bytes());
    }
    out.extend_from_slice(b"</tr></thead>\n<tbody>\n");
    for game in comparison.games() {
        let plies = game.node.map_or_else(String::new, |_| game.ply.to_string());
        let cells = [game.white, game.black, game.result.as_str(), game.date, &plies, &words::left(&game)];
        out.extend_from_slice(b"<tr>");
        for cell in cells {
            out.extend_from_slice(b"<td>");
            page::append_escaped(cell, out);
            out.extend_from_slice(b"</td>");
        }
        out.extend_from_slice(b"<td>");
        page::append_link(&words::place(&game), Some(game.site), out);
        out.extend_from_slice(b"</td></tr>\n");
        flush(out, output)?;
    }
    out.extend_from_slice(b"</tbody>\n</table>\n</div>\n");
    Ok(())
}

/// Returns the board of a departure: the last position on the repertoire, with green arrows for the moves of the
/// repertoire and a red one for the move that was played.
fn board(comparison: &Comparison, departure: &Departure<'_>) -> Board {
    let arrow = |uci: pgn2fen_chess::notation::uci::Uci, paint| {
        let m = uci.find(&departure.position)?;
        m.from().zip(m.to()).map(|(from, to)| Arrow::new(from, to, paint))
    };
    let moves = departure.node.moves().filter_map(|played| arrow(played.uci(), Paint::Green));
    let played = departure.played.and_then(|next| arrow(next, Paint::Red));
    let board = Board::of(&departure.position).orientation(comparison.side());
    moves.chain(played).fold(board, Board::arrow)
}

fn element(name: &str, text: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(format!("<{name}>").as_bytes());
    page::append_escaped(text, out);
    out.extend_from_slice(format!("</{name}>\n").as_bytes());
}

fn paragraph(text: &str, out: &mut Vec<u8>) {
    element("p", text, out);
}

fn end_part(left_out: usize, noun: &str, out: &mut Vec<u8>) {
    if left_out > 0 {
        page::append_note(&format!("and {}", counted(left_out as u64, &format!("more {noun}"))), out);
    }
}

fn flush(out: &mut Vec<u8>, output: &mut impl Write) -> io::Result<()> {
    if out.len() > BUFFER {
        output.write_all(out)?;
        out.clear();
    }
    Ok(())
}
