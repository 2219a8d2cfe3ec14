//! The postings that an index stores, as lines of text.

use std::fmt::{self, Write as _};
use std::io::Write;

use pgn2fen_games::selection::PositionFilter;
use pgn2fen_games::walk::{LeftOut, Output, OutputStages, PositionChoice, ReadOptions};
use pgn2fen_index::{GamePostings, PostingsOfGames, TAGS};
use pgn2fen_rows::{Close, Shared, Sink, WriteError, Writing, job};

/// Begins to write the postings that an index would store to `out`: one line for each game, tag and posting.
pub fn list_postings<'w, W: Write + Send + 'w>(filter: PositionFilter, read: ReadOptions, out: W) -> Writing<'w, W> {
    let make = GamePostings::new(PositionChoice { filter, ..PositionChoice::default() });
    let out = Shared::new(out);
    Writing::new(job(make, PostingLines(Sink::new(out.writer())), read), || out.into_inner())
}

/// Writes postings as lines.
struct PostingLines<'w>(Sink<'w>);

impl Output<PostingsOfGames> for PostingLines<'_> {
    fn stages(&mut self) -> OutputStages<'_, PostingsOfGames> {
        let deliver = |postings: &mut PostingsOfGames| {
            let mut lines = String::new();
            // Writing to memory does not fail.
            let _ = append_lines(postings, &mut lines);
            self.0.write(lines.as_bytes())
        };
        OutputStages::deliver(deliver).order(|postings, position| postings.begin_on(position.line()))
    }

    fn is_full(&self) -> bool {
        self.0.is_full()
    }
}

impl Close<PostingsOfGames> for PostingLines<'_> {
    fn close(self: Box<Self>, _: &[u64]) -> Result<LeftOut, WriteError> {
        self.0.end()?;
        Ok(LeftOut::default())
    }
}

fn append_lines(postings: &PostingsOfGames, out: &mut String) -> fmt::Result {
    for (nth, (game, of_game)) in postings.games().enumerate() {
        let place = (game.offset, game.length, game.line + postings.line());
        writeln!(out, "{place:?} {:?} {} {} {:?}", game.start, game.turn, game.plies, game.result)?;
        writeln!(out, "{:?}", postings.fen(nth))?;
        for tag in 0..TAGS.len() {
            writeln!(out, "{:?}", postings.tag(nth, tag))?;
        }
        for posting in of_game {
            writeln!(out, "{posting:?}")?;
        }
    }
    Ok(())
}
