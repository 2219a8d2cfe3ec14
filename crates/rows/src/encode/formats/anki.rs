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

#[cfg(test)]
mod tests {
    use crate::cards;
    use crate::testing::written;
    use crate::{BoardOptions, Format, Rows};
    use pgn2fen_board::Board;
    use pgn2fen_chess::testing::position;
    use pgn2fen_chess::zobrist;

    #[test]
    fn each_position_with_a_solution_is_a_note() {
        let boards = BoardOptions { title: "My\tdeck".to_owned(), last_move: false, ..BoardOptions::default() };
        let text = "[White \"A & B\"]\n[Themes \"fork mate-In_2 <b> short!\"]\n\
            [FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \\\"E1\\\";\"]\n\n1. e4 Kd7 *\n\n*\n";
        let (cards, totals) = written(&Rows::new().format(Format::Anki).boards(boards), text);
        let (head, notes) = cards.split_at(cards.find("pgn2fen-t-").unwrap());
        assert_eq!(
            head,
            "#separator:tab\n#html:true\n#notetype:Basic\n#deck:My deck\n#columns:Id\tFront\tBack\tTags\n\
             #guid column:1\n#tags column:4\n"
        );
        let note = |fen: &str, words: &[&str], back: &str, turn: &str| {
            let position = position(fen);
            let picture = cards::picture(&Board::of(&position)).replace('"', "\"\"");
            let words: String = words.iter().map(|line| format!("<div>{line}</div>")).collect();
            let tags = format!("chess::{turn} chess::fork chess::mate-In_2 chess::b chess::short");
            let id = zobrist::key(&position);
            format!("pgn2fen-t-{id:016x}\t\"{picture}{words}\"\t\"<b>{back}</b>\"\t\"{tags}\"\n")
        };
        let expected = [
            note("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", &["E1", "A &amp; B – ?", "White to move"], "e4", "white"),
            note("4k3/8/8/8/4P3/8/8/4K3 b - - 0 1", &["A &amp; B – ?", "1. e4", "Black to move"], "1… Kd7", "black"),
        ];
        assert_eq!(notes, expected.concat());
        // The last position of a game has no moves behind it.
        assert_eq!(totals.left_out.without_solution, 2);
    }

    #[test]
    fn a_picture_stands_on_one_line() {
        let picture = cards::picture(&Board::of(&position("4k3/8/8/8/8/8/8/4K3 w - - 0 1")));
        assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>") && !picture.contains('\n'));
        assert_eq!(cards::escaped("a<b"), "a&lt;b");
    }
}
