//! The format `anki`: a card for each position that has a solution, with the columns as words on its front.

use crate::columns::{Cell, Columns};
use crate::encode::boards::{BoardOptions, Drawing, THEMES, position};
use crate::encode::caption::Caption;
use crate::encode::cards::{self, Note, escaped};
use crate::encode::encoded::Encoded;
use crate::encode::export_error::ExportError;
use crate::encode::formats::text::Bytes;
use crate::encode::solver::Solver;
use crate::encode::{Encode, OpenFormat};
use crate::table::Table;
use crate::table::group::{Division, Group};
use crate::table::value::Value;
use pgn2fen_chess::zobrist;

/// Begins a file of cards.
pub(super) fn open(caption: Caption, boards: &BoardOptions) -> OpenFormat {
    let mut head = Vec::new();
    cards::append_head(&boards.title, &mut head);
    OpenFormat {
        encode: Box::new(Cards { caption: caption.of_tasks(true), boards: boards.clone() }),
        assemble: Box::new(Bytes { head, end: Vec::new() }),
    }
}

/// Encodes each row that has a solution as a note.
struct Cards {
    caption: Caption,
    boards: BoardOptions,
}

/// The size of a note, about, in bytes.
const NOTE: usize = 16 * 1024;

impl Encode for Cards {
    fn division(&self) -> Division {
        Division::Blocks { row: NOTE }
    }

    fn encode(&self, columns: &Columns, group: &Group, encoded: &mut Encoded) -> Result<(), ExportError> {
        let (drawing, solver) = (Drawing::new(&self.boards, columns), Solver::new(columns));
        let themes = columns.cells().find(|cell| cell.column.tag() == Some(THEMES));
        for piece in &group.pieces {
            for index in piece.indices() {
                let table = &piece.table;
                let picture = drawing.draw(table, index, cards::picture);
                let Some((front, solution)) = picture.zip(solver.solution(table, index)) else {
                    encoded.left_out.without_solution += 1;
                    continue;
                };
                // A card stands alone, so it has the words about its game.
                let words = self.caption.lines(columns, table, (index, true));
                let front = words.iter().fold(front, |front, line| front + "<div>" + &escaped(line) + "</div>");
                let note = Note {
                    id: &id(table, index),
                    front: &front,
                    back: &format!("<b>{}</b>", escaped(&solution)),
                    tags: &tags(table, index, themes),
                };
                cards::append_note(&note, &mut encoded.bytes);
            }
        }
        Ok(())
    }
}

/// Returns the id of a note, which follows from its position. Those of repertoires have a side.
fn id(table: &Table, index: usize) -> String {
    let key = position(table, index).map_or(0, |position| zobrist::key(&position));
    format!("pgn2fen-t-{key:016x}")
}

/// Returns the tags of a note: the side to move, and the themes of a puzzle of Lichess.
fn tags(table: &Table, index: usize, themes: Option<Cell<'_>>) -> String {
    let mut tags = format!("chess::{}", table.turn(index).pick("white", "black"));
    let value = themes.map(|cell| table.value(cell, index));
    for theme in value.and_then(Value::text).unwrap_or_default().split_whitespace() {
        let theme: String = theme.chars().filter(|char| char.is_alphanumeric() || "-_".contains(*char)).collect();
        if !theme.is_empty() {
            tags = tags + " chess::" + &theme;
        }
    }
    tags
}
