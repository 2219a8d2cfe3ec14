//! Puzzles of Lichess: rows of CSV and of other tables.
//!
//! The FEN of a row stands before the move of the opponent, which is the first of its moves. The game begins behind
//! that move; the other moves are the solution.

use pgn2fen_chess::fen::{self, FenStyle};
use pgn2fen_chess::notation::uci::Uci;
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::position::Position;
use pgn2fen_chess::san;

use crate::game_text::{Spacing, digits, pair};

/// The names of the columns, for files without a header row.
pub(crate) const NAMES: [&str; 10] = [
    "PuzzleId",
    "FEN",
    "Moves",
    "Rating",
    "RatingDeviation",
    "Popularity",
    "NbPlays",
    "Themes",
    "GameUrl",
    "OpeningTags",
];

/// The names of columns that only tables of these puzzles have, in lower case and without separators.
pub(crate) const OF_PUZZLES: [&str; 7] =
    ["puzzleid", "ratingdeviation", "popularity", "nbplays", "themes", "gameurl", "openingtags"];

/// The reason why a row without moves cannot be read.
pub(crate) const NO_MOVES: &str = "the puzzle has no moves";

/// The reason why a record without a position cannot be read.
pub(crate) const NO_FEN: &str = "the FEN is empty";

/// Reads the position of a puzzle, which may be `startpos`. None if its FEN is wrong.
pub(crate) fn position(fen: &[u8]) -> Option<Position> {
    match fen.trim_ascii() {
        b"startpos" => Some(Position::initial()),
        fen => fen::read(fen).ok().map(|reading| reading.position),
    }
}

/// A puzzle whose first move has been played.
pub(crate) struct Puzzle<'t> {
    position: Position,
    /// The move of the opponent.
    last_move: &'t [u8],
    solution: &'t [u8],
}

impl<'t> Puzzle<'t> {
    /// Plays the move of the opponent, the first of the moves in UCI with spaces between them. The error is the reason
    /// why it cannot be played.
    pub(crate) fn new(before: Position, moves: &'t [u8]) -> Result<Self, String> {
        let moves = moves.trim_ascii_start();
        let (last_move, solution) = moves.split_at(moves.iter().position(|byte| *byte == b' ').unwrap_or(moves.len()));
        if last_move.is_empty() {
            return Err(NO_MOVES.to_owned());
        }
        let mut position = before;
        let Some(played) = Uci::from_ascii(last_move).and_then(|uci| uci.find(&position)) else {
            let shown = String::from_utf8_lossy(&last_move[..last_move.len().min(20)]);
            return Err(format!("the opponent cannot play {shown} in the position before the puzzle"));
        };
        position.play_unchecked(played);
        Ok(Self { position, last_move, solution })
    }

    /// Appends the tags FEN, SetUp and LastMove.
    pub(crate) fn append_start(&self, spacing: Spacing, out: &mut Vec<u8>) {
        out.extend_from_slice(b"[FEN \"");
        fen::append(&self.position, FenStyle::default(), out);
        out.extend_from_slice(b"\"]");
        out.push(spacing.byte());
        pair(out, b"SetUp", b"1", spacing);
        pair(out, b"LastMove", self.last_move, spacing);
    }

    /// Appends the solution in SAN. From a move on that cannot be played, moves are appended as they are written, so
    /// that the reader of the game finds the fault.
    pub(crate) fn append_solution(&mut self, out: &mut Vec<u8>) {
        let Self { position, solution, .. } = self;
        let mut number = position.fullmoves();
        let mut is_first = true;
        let mut is_played = true;
        for word in solution.split(|byte| *byte == b' ').filter(|word| !word.is_empty()) {
            let is_white = position.turn() == Color::White;
            if is_played && (is_first || is_white) {
                digits(out, u64::from(number), 1);
                out.extend_from_slice(if is_white { b". " } else { b"... " });
            }
            is_first = false;
            let found = Uci::from_ascii(word).filter(|_| is_played).and_then(|uci| uci.find(position));
            match found {
                Some(played) => {
                    let before = position.clone();
                    position.play_unchecked(played);
                    san::append_between(&before, played, position, out);
                    number += u32::from(!is_white);
                }
                None => {
                    is_played = false;
                    out.extend(word.iter().map(|byte| if byte.is_ascii_alphanumeric() { *byte } else { b'?' }));
                }
            }
            out.push(b' ');
        }
    }
}
