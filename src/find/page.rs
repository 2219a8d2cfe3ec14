//! Prints the answers as one page of boards.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;

use anyhow::Result;

use crate::find::print::Printout;
use crate::output::Output;
use pgn2fen_board::Board;
use pgn2fen_chess::openings::{Opening, Tracker};
use pgn2fen_chess::position::Position;
use pgn2fen_games::messages::{counted, grouped};
use pgn2fen_index::{Explored, GameHeading, Hit, MoveCount, Results, written_date, written_move};
use pgn2fen_rows::{BoardOptions, page};

/// The number of hits that a page lists for a position if `--max` is not given.
pub(super) const MOST_HITS: u64 = 1000;

/// A printer of a page.
pub(super) struct Page {
    output: Printout,
    options: BoardOptions,
    /// The number of boards that were wanted.
    boards: u64,
    /// The part of the page that is not written yet.
    html: Vec<u8>,
}

impl Page {
    /// Creates a printer. The page begins with the title of the options.
    pub(super) fn new(output: Output, options: BoardOptions) -> Self {
        let mut html = Vec::new();
        page::append_head_with(&options.title, &options.page_style(), &mut html);
        Self { output: Printout::new(output), options, boards: 0, html }
    }

    /// Begins the answer for a position, which was typed as this text: its heading, and its board with the results of
    /// the games.
    pub(super) fn begin_answer(
        &mut self,
        text: &str,
        (position, fen): (&Position, &str),
        line: &Tracker,
        results: &Results,
    ) -> Result<()> {
        self.html.extend_from_slice(b"<section>\n<h2>");
        page::append_escaped(text, &mut self.html);
        self.html.extend_from_slice(b"</h2>\n");
        page::begin_boards(&mut self.html);
        let mut caption = vec![counted(results.games(), "game")];
        caption.extend(position.rules().variant_title().map(str::to_owned));
        caption.extend(shares(results));
        caption.extend(line.opening().map(named));
        caption.push(position.turn().pick("White to move", "Black to move").to_owned());
        if text != fen {
            caption.push(fen.to_owned());
        }
        let board = self.options.board(position, None);
        self.figure(Some(board), position, &caption, results);
        page::end_boards(&mut self.html);
        self.print()
    }

    /// Ends the answer.
    pub(super) fn end_answer(&mut self) -> Result<()> {
        self.html.extend_from_slice(b"</section>\n");
        self.print()
    }

    /// Adds the moves that were played in a position, a board for each.
    pub(super) fn moves(
        &mut self,
        position: &Position,
        line: &Tracker,
        explored: &Explored,
        most: usize,
    ) -> Result<()> {
        page::begin_boards(&mut self.html);
        for count in explored.moves().iter().take(most) {
            self.played(position, line, count);
            self.print()?;
        }
        page::end_boards(&mut self.html);
        Ok(())
    }

    fn played(&mut self, position: &Position, line: &Tracker, count: &MoveCount) {
        let MoveCount { next, results, .. } = count;
        let san = next.map_or_else(|| "The game ended here".to_owned(), |next| written_move(next, position));
        let mut caption = vec![san, counted(results.games(), "game")];
        caption.extend(shares(results));
        if let Some(elo) = count.average_elo() {
            caption.push(format!("average rating {elo}"));
        }
        if let Some(date) = count.last_date() {
            caption.push(format!("last played {}", written_date(date).trim_end_matches(['.', '?'])));
        }
        let played = next.and_then(|next| next.find(position));
        caption.extend(line.after(position, played).opening().map(named));
        let board = played.map(|m| {
            let mut after = position.clone();
            after.play_unchecked(m);
            self.options.board(&after, m.from().zip(m.to()))
        });
        // The boards of all moves have the same side at the bottom.
        self.figure(board, position, &caption, results);
    }

    /// Adds a board, or only its caption if there is no room for further boards.
    fn figure(&mut self, board: Option<Board>, asked: &Position, caption: &[String], results: &Results) {
        let board = board.map(|board| board.orientation(self.options.orientation.bottom(asked)));
        self.boards += u64::from(board.is_some());
        let has_room = self.options.max_boards.is_none_or(|most| self.boards <= most);
        let board = board.as_ref().filter(|_| has_room);
        page::append_figure_with_bar(board, results.per_cent(), caption, &mut self.html);
    }

    /// Begins a table of hits.
    pub(super) fn begin_hits(&mut self) {
        self.html.extend_from_slice(
            b"<div class=\"hits\" role=\"region\" aria-label=\"Games\" tabindex=\"0\">\n<table>\n<thead><tr>",
        );
        for name in ["White", "Black", "Result", "Date", "Ply", "Place"] {
            let _ = write!(self.html, "<th scope=\"col\">{name}</th>");
        }
        self.html.extend_from_slice(b"</tr></thead>\n<tbody>\n");
    }

    /// Adds a hit to the table.
    pub(super) fn hit(&mut self, hit: &Hit, heading: &GameHeading) -> Result<()> {
        let GameHeading { file, line, white, black, date, .. } = heading;
        // A page may be published, so folders are not named.
        let name = Path::new(&**file).file_name().map_or(Cow::Borrowed(&**file), OsStr::to_string_lossy);
        let cells = [white, black, hit.result.as_str(), date, &hit.ply.to_string(), &format!("{name}:{line}")];
        self.html.extend_from_slice(b"<tr>");
        for cell in cells {
            self.html.extend_from_slice(b"<td>");
            page::append_escaped(cell, &mut self.html);
            self.html.extend_from_slice(b"</td>");
        }
        self.html.extend_from_slice(b"</tr>\n");
        self.print()
    }

    /// Ends the table. `left_out` is the number of hits that are not in it.
    pub(super) fn end_hits(&mut self, left_out: u64) {
        self.html.extend_from_slice(b"</tbody>\n</table>\n</div>\n");
        if left_out > 0 {
            page::append_note(&format!("{} not listed.", more(left_out, "place")), &mut self.html);
        }
    }

    /// Ends the page, and returns the number of boards that are not on it. A file does not appear for a reason, which
    /// completes a sentence after "because".
    pub(super) fn end(mut self, why_unfinished: Option<&str>) -> Result<u64> {
        let left_out = self.options.max_boards.map_or(0, |most| self.boards.saturating_sub(most));
        if left_out > 0 {
            page::append_note(&page::left_out(left_out), &mut self.html);
        }
        page::append_end(&mut self.html);
        self.print()?;
        self.output.end(why_unfinished)?;
        Ok(left_out)
    }

    /// Writes what the page has so far.
    fn print(&mut self) -> Result<()> {
        self.output.write(&self.html)?;
        self.html.clear();
        Ok(())
    }
}

/// Returns the code and the name of an opening.
fn named(opening: Opening) -> String {
    format!("{} {}", opening.eco, opening.name)
}

/// Returns `1 more place is` or `12 more places are`.
fn more(number: u64, noun: &str) -> String {
    if number == 1 { format!("1 more {noun} is") } else { format!("{} more {noun}s are", grouped(number)) }
}

/// Returns the results of games with a known result in per cent: `White 40 %, draws 35 %, Black 25 %`.
fn shares(results: &Results) -> Option<String> {
    let [white, draws, black] = results.per_cent()?;
    Some(format!("White {white}\u{a0}%, draws {draws}\u{a0}%, Black {black}\u{a0}%"))
}
