//! Rows of csv and JSON lines, written with shakmaty, pgn-reader, serde, csv and `serde_json`: the way of programs that
//! make a table of positions.
//!
//! The columns are those that `pgn2fen` writes by default: game, ply, san and fen.

use std::io::{self, Read, Write};
use std::ops::ControlFlow;

use pgn_reader::{RawTag, SanPlus, Skip, Visitor};
use serde::Serialize;
use shakmaty::fen::Fen;
use shakmaty::{Chess, EnPassantMode};

use crate::start::{Start, StartTags};
use crate::walk::each_game;

/// A row of the table.
#[derive(Serialize)]
pub(crate) struct Row<'r> {
    game: u64,
    ply: u32,
    san: Option<&'r str>,
    fen: &'r str,
}

/// A format with a line for each row.
pub(crate) trait RowWriter {
    fn write(&mut self, row: &Row<'_>) -> io::Result<()>;
}

/// Writes csv by serde and the crate csv.
pub(crate) struct Csv<W: Write>(csv::Writer<W>);

impl<W: Write> Csv<W> {
    pub(crate) fn new(out: W) -> Csv<W> {
        Csv(csv::Writer::from_writer(out))
    }
}

impl<W: Write> RowWriter for Csv<W> {
    fn write(&mut self, row: &Row<'_>) -> io::Result<()> {
        self.0.serialize(row).map_err(io::Error::other)
    }
}

/// Writes JSON lines by serde and `serde_json`.
pub(crate) struct Jsonl<W: Write>(pub(crate) W);

impl<W: Write> RowWriter for Jsonl<W> {
    fn write(&mut self, row: &Row<'_>) -> io::Result<()> {
        serde_json::to_writer(&mut self.0, row)?;
        self.0.write_all(b"\n")
    }
}

/// Writes the rows of a PGN file.
pub(crate) fn write(pgn: impl Read, rows: &mut impl RowWriter) -> io::Result<()> {
    let mut walk = Walk { rows, games: 0, san: String::new(), fen: Vec::new() };
    each_game(pgn, &mut walk, |_, written| written.unwrap_or(Ok(())))
}

struct Walk<'w, R> {
    rows: &'w mut R,
    games: u64,
    /// The texts of a row, whose memory is used again.
    san: String,
    fen: Vec<u8>,
}

struct Played {
    position: Chess,
    ply: u32,
}

impl<R: RowWriter> Walk<'_, R> {
    fn write(&mut self, played: &Played) -> io::Result<()> {
        self.fen.clear();
        Fen::from_position(&played.position, EnPassantMode::Always).append_ascii_to(&mut self.fen);
        let fen = str::from_utf8(&self.fen).map_err(io::Error::other)?;
        let san = (played.ply > 0).then_some(self.san.as_str());
        self.rows.write(&Row { game: self.games, ply: played.ply, san, fen })
    }

    fn flow<C>(written: io::Result<()>, next: C) -> ControlFlow<io::Result<()>, C> {
        match written {
            Ok(()) => ControlFlow::Continue(next),
            Err(error) => ControlFlow::Break(Err(error)),
        }
    }
}

impl<R: RowWriter> Visitor for Walk<'_, R> {
    type Tags = StartTags;
    type Movetext = Played;
    type Output = io::Result<()>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, StartTags> {
        self.games += 1;
        ControlFlow::Continue(StartTags::default())
    }

    fn tag(&mut self, tags: &mut StartTags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Self::Output> {
        tags.note(name, value)
    }

    fn begin_movetext(&mut self, tags: StartTags) -> ControlFlow<Self::Output, Played> {
        let position = match tags.start() {
            Ok(Start::Initial) => Chess::default(),
            Ok(Start::Fen(start)) => start,
            Err(_) => return ControlFlow::Break(Ok(())),
        };
        let played = Played { position, ply: 0 };
        Self::flow(self.write(&played), played)
    }

    fn begin_variation(&mut self, _: &mut Played) -> ControlFlow<Self::Output, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn san(&mut self, played: &mut Played, san: SanPlus) -> ControlFlow<Self::Output> {
        let Ok(m) = san.san.to_move(&played.position) else {
            return ControlFlow::Break(Ok(()));
        };
        let san = SanPlus::from_move_and_play_unchecked(&mut played.position, m);
        self.san.clear();
        san.append_to_string(&mut self.san);
        played.ply += 1;
        Self::flow(self.write(played), ())
    }

    fn end_game(&mut self, _: Played) -> Self::Output {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Csv, Jsonl, write};

    const GAMES: &[u8] = b"[White \"A\"]\n\n1. e4 (1. d4) e5 *\n\n[White \"B\"]\n\n1. Nf3 1-0\n";
    const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const KNIGHT: &str = "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1";

    #[test]
    fn rows_of_csv_follow_a_header() {
        let mut out = Vec::new();
        write(GAMES, &mut Csv::new(&mut out)).unwrap();
        let text = String::from_utf8(out).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!((lines.len(), lines[0]), (6, "game,ply,san,fen"));
        assert_eq!(lines[1], format!("1,0,,{INITIAL}"));
        assert_eq!(lines[5], format!("2,1,Nf3,{KNIGHT}"));
    }

    #[test]
    fn rows_of_json_name_their_columns() {
        let mut out = Vec::new();
        write(GAMES, &mut Jsonl(&mut out)).unwrap();
        let text = String::from_utf8(out).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 5);
        assert_eq!(lines[3], format!("{{\"game\":2,\"ply\":0,\"san\":null,\"fen\":\"{INITIAL}\"}}"));
        assert_eq!(lines[4], format!("{{\"game\":2,\"ply\":1,\"san\":\"Nf3\",\"fen\":\"{KNIGHT}\"}}"));
    }
}
