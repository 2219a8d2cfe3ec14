//! A row of a table as the text of a game.

use std::collections::HashSet;

use crate::game_text::{Spacing, movetext, pair};
use crate::puzzle::{self, Puzzle};
use crate::tabular::cell;
use crate::tabular::choice::ColumnChoice;
use crate::tabular::table::{Cell, Row};
use pgn2fen_pgn::replay::MOST_PLIES;
use pgn2fen_pgn::tag_kind::TagKind;
use pgn2fen_pgn::tag_pair::{begins_pair, is_tag_name};
use pgn2fen_pgn::token::Outcome;

/// The most bytes of the texts of a row.
const LONGEST: usize = 16 * 1024 * 1024;

/// Writes rows as games.
///
/// A game ends with a result: its own, or the one of the column Result, or `*`. So the games of two rows never become
/// one, whatever text the rows have.
pub(crate) struct RowWriter {
    choice: ColumnChoice,
    spacing: Spacing,
    moves: Vec<u8>,
    value: Vec<u8>,
    /// The comment behind each move.
    comments: Vec<String>,
    /// The names of the tags that have been written, in lower case, if there is a column with maps of tags.
    written: HashSet<Vec<u8>>,
}

/// The word in place of an element of a list of moves that is no text. It is no move, so the game ends there with an
/// error.
pub(crate) const NO_TEXT: &str = "no-text";

impl RowWriter {
    pub(crate) fn new(choice: ColumnChoice, spacing: Spacing) -> Self {
        Self { choice, spacing, moves: Vec::new(), value: Vec::new(), comments: Vec::new(), written: HashSet::new() }
    }

    /// Appends a row as a game. The error is the reason why it cannot be read; then a part of the game
    /// may have been appended.
    pub(crate) fn append(&mut self, row: &dyn Row, out: &mut Vec<u8>) -> Result<(), &'static str> {
        let start = out.len();
        let mut room = Room(LONGEST);
        self.moves.clear();
        if self.choice.is_list {
            self.read_list(row, &mut room);
            room.check()?;
        } else if let Some(Cell::Text(text)) = self.choice.movetext.map(|movetext| row.cell(movetext)) {
            room.take(text.len());
            room.check()?;
            append_moves(text.trim_ascii(), &mut self.moves);
        }
        if self.choice.are_puzzles && self.moves.is_empty() {
            return Err(puzzle::NO_MOVES);
        }
        if self.choice.are_puzzles && self.fen(row).is_some_and(|fen| fen.trim_ascii().is_empty()) {
            return Err(puzzle::NO_FEN);
        }
        // A whole game has its own tags.
        let mut result = None;
        if !begins_pair(&self.moves, 0) {
            let moves = std::mem::take(&mut self.moves);
            let mut puzzle = self.puzzle(row, &moves);
            result = self.append_tags(row, &mut room, puzzle.as_ref(), out)?;
            match &mut puzzle {
                Some(puzzle) => puzzle.append_solution(&mut self.moves),
                None => self.moves = moves,
            }
            self.spacing.before_moves(out);
        }
        movetext(out, start, &self.moves, result.map_or("*", Outcome::as_str), self.spacing);
        Ok(())
    }

    /// Returns the puzzle of a row with these moves. None for other rows, and if its FEN cannot be read or its first
    /// move cannot be played: then it is a game, whose reader says why.
    fn puzzle<'m>(&self, row: &dyn Row, moves: &'m [u8]) -> Option<Puzzle<'m>> {
        if !self.choice.are_puzzles {
            return None;
        }
        Puzzle::new(puzzle::position(self.fen(row)?)?, moves).ok()
    }

    /// Returns the FEN of a row, which is empty if the cell is no text. None if there is no such column.
    fn fen<'r>(&self, row: &'r dyn Row) -> Option<&'r [u8]> {
        let fen = self.choice.tags.iter().find(|tag| tag.name == "FEN")?;
        if let Cell::Text(text) = row.cell(fen.column) { Some(text) } else { Some(b"") }
    }

    /// Reads the moves of a list, each with its evaluation and clock.
    fn read_list(&mut self, row: &dyn Row, room: &mut Room) {
        let Self { choice, moves, comments, .. } = self;
        let Some(movetext) = choice.movetext else { return };
        comments.clear();
        if let Some(column) = choice.evals {
            row.each(column, &mut |cell| {
                // Behind the longest game there are no moves.
                if comments.len() < MOST_PLIES as usize {
                    comments.push(number(cell).map_or_else(String::new, eval));
                }
            });
        }
        if let Some(column) = choice.clocks {
            let mut at = 0;
            row.each(column, &mut |cell| {
                if at == MOST_PLIES as usize {
                    return;
                }
                if at == comments.len() {
                    comments.push(String::new());
                }
                if let Some(seconds) = number(cell).filter(|seconds| *seconds >= 0.0) {
                    comments[at].push_str(&clock(seconds));
                }
                at += 1;
            });
        }
        let mut at = 0;
        row.each(movetext, &mut |cell| {
            let length = if let Cell::Text(text) = cell { text.len() } else { NO_TEXT.len() };
            if !room.take(length + 1) {
                return;
            }
            if !moves.is_empty() {
                moves.push(b' ');
            }
            match cell {
                Cell::Text(text) => moves.extend_from_slice(text),
                _ => moves.extend_from_slice(NO_TEXT.as_bytes()),
            }
            if let Some(comment) = comments.get(at).filter(|comment| !comment.is_empty()) {
                moves.extend_from_slice(b" {");
                moves.extend_from_slice(comment.as_bytes());
                moves.push(b'}');
            }
            at += 1;
        });
    }

    /// Appends the tag pairs. Returns the result in the tag Result.
    fn append_tags(
        &mut self,
        row: &dyn Row,
        room: &mut Room,
        puzzle: Option<&Puzzle<'_>>,
        out: &mut Vec<u8>,
    ) -> Result<Option<Outcome>, &'static str> {
        let Self { choice, spacing, value, written, .. } = self;
        let mut result = None;
        let (mut has_tags, mut has_fen, mut has_setup) = (false, false, false);
        written.clear();
        let mut tag_pair = |name: &[u8], value: &[u8]| {
            match (puzzle, name) {
                (Some(puzzle), b"FEN") => {
                    puzzle.append_start(*spacing, out);
                    (has_tags, has_setup) = (true, true);
                    return;
                }
                // They stand with the FEN.
                (Some(_), b"SetUp" | b"LastMove") => return,
                _ => {}
            }
            out.push(b'[');
            out.extend_from_slice(name);
            out.extend_from_slice(b" \"");
            out.extend_from_slice(value);
            out.extend_from_slice(b"\"]");
            out.push(spacing.byte());
            has_tags = true;
            match name {
                b"Result" => result = Outcome::from_ascii(value),
                b"FEN" => has_fen = true,
                b"SetUp" => has_setup = true,
                _ => {}
            }
        };
        for tag in &choice.tags {
            value.clear();
            let cell = row.cell(tag.column);
            if let Cell::Text(text) = cell {
                room.take(text.len());
                room.check()?;
            }
            if tag.is_list {
                append_list(row, tag.column, room, value);
                room.check()?;
            } else {
                cell::write(cell, tag.kind, value);
            }
            if !value.is_empty() {
                tag_pair(tag.name.as_bytes(), value);
                if choice.pairs.is_some() {
                    written.insert(tag.name.to_ascii_lowercase().into_bytes());
                }
            }
        }
        if let Some(column) = choice.pairs {
            row.each_pair(column, &mut |name, cell| {
                let Cell::Text(name) = name else { return };
                let length = if let Cell::Text(text) = cell { text.len() } else { 0 };
                if !is_tag_name(name) || !room.take(name.len() + length) {
                    return;
                }
                let lower = name.to_ascii_lowercase();
                if !written.insert(lower) {
                    return;
                }
                value.clear();
                cell::write(cell, TagKind::Text, value);
                tag_pair(name, value);
            });
            room.check()?;
        }
        if choice.movetext.is_none() && !has_fen {
            // It is not the initial position: that would be a FEN, too.
            pair(out, b"FEN", b"?", *spacing);
            (has_tags, has_fen) = (true, true);
        }
        if has_fen && !has_setup {
            pair(out, b"SetUp", b"1", *spacing);
        }
        if !has_tags {
            // A tag pair ends whatever the row before has left open.
            pair(out, b"Event", b"?", *spacing);
        }
        Ok(result)
    }
}

/// Appends the words of a list, with spaces between them.
fn append_list(row: &dyn Row, column: usize, room: &mut Room, value: &mut Vec<u8>) {
    row.each(column, &mut |cell| {
        if let Cell::Text(word) = cell
            && room.take(word.len() + 1)
        {
            if !value.is_empty() {
                value.push(b' ');
            }
            cell::write(cell, TagKind::Text, value);
        }
    });
}

/// Appends the text of a cell as movetext. A list that a program has written as text, such as `['e4', 'e5']`, becomes
/// its moves.
fn append_moves(text: &[u8], moves: &mut Vec<u8>) {
    let is_list = matches!(text, [b'[', b'\'' | b'"', .., b'\'' | b'"', b']']);
    moves.extend_from_slice(text);
    if is_list {
        for byte in moves.iter_mut() {
            *byte = if b"[]'\",".contains(byte) { b' ' } else { *byte };
        }
    }
}

/// The number of bytes that a row may still have.
struct Room(usize);

impl Room {
    /// Takes a number of bytes. Returns false if there are not so many.
    fn take(&mut self, bytes: usize) -> bool {
        let is_full = bytes >= self.0;
        self.0 = if is_full { 0 } else { self.0 - bytes };
        !is_full
    }

    fn check(&self) -> Result<(), &'static str> {
        if self.0 > 0 { Ok(()) } else { Err("a row is longer than 16 MiB") }
    }
}

#[expect(clippy::cast_precision_loss, reason = "evaluations and clocks are small numbers")]
fn number(cell: Cell<'_>) -> Option<f64> {
    match cell {
        Cell::Integer(number) => Some(number as f64),
        Cell::Unsigned(number) => Some(number as f64),
        Cell::Single(number) => Some(f64::from(number)),
        Cell::Double(number) => Some(number),
        _ => None,
    }
    .filter(|number| number.is_finite())
}

/// Returns the evaluation for a number of centipawns, in which mate in n moves is 32000 − n.
fn eval(centipawns: f64) -> String {
    let distance = 32_000.0 - centipawns.abs();
    if (0.0..1_000.0).contains(&distance) {
        let sign = if centipawns < 0.0 { "-" } else { "" };
        return format!("[%eval #{sign}{distance:.0}]");
    }
    format!("[%eval {:.2}]", centipawns / 100.0)
}

/// Returns the clock for a number of seconds.
fn clock(seconds: f64) -> String {
    let (hours, rest) = ((seconds / 3600.0).floor(), seconds % 3600.0);
    let (minutes, seconds) = ((rest / 60.0).floor(), rest % 60.0);
    if seconds.fract() == 0.0 {
        format!("[%clk {hours:.0}:{minutes:02.0}:{seconds:02.0}]")
    } else {
        format!("[%clk {hours:.0}:{minutes:02.0}:{seconds:05.2}]")
    }
}
