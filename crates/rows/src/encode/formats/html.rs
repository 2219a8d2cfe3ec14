//! The format `html`: one page of boards, with the columns as captions.

use crate::columns::Columns;
use crate::encode::boards::{BoardOptions, Drawing};
use crate::encode::caption::Caption;
use crate::encode::encoded::{Encoded, NumberedFigure};
use crate::encode::export_error::ExportError;
use crate::encode::page;
use crate::encode::solver::Solver;
use crate::encode::{Assemble, Encode, OpenFormat};
use crate::table::group::{Division, Group};
use pgn2fen_board::Board;

/// Begins a page.
pub(super) fn open(caption: Caption, boards: &BoardOptions) -> OpenFormat {
    let mut head = Vec::new();
    page::append_head_with(&boards.title, &boards.page_style(), &mut head);
    page::begin_boards(&mut head);
    let caption = caption.of_tasks(boards.solutions);
    let per_page = boards.per_page.map(|most| most.get().into());
    let page = Page { head, is_empty: true, left_out: 0, number: 0, per_page, solutions: Vec::new() };
    OpenFormat { encode: Box::new(Figures { caption, boards: boards.clone() }), assemble: Box::new(page) }
}

/// Encodes each row as a figure.
struct Figures {
    caption: Caption,
    boards: BoardOptions,
}

/// The size of a figure, about, in bytes.
const FIGURE: usize = 2048;

impl Encode for Figures {
    fn division(&self) -> Division {
        Division::Blocks { row: FIGURE }
    }

    fn encode(&self, columns: &Columns, group: &Group, encoded: &mut Encoded) -> Result<(), ExportError> {
        let drawing = Drawing::new(&self.boards, columns);
        let solver = self.boards.solutions.then(|| Solver::new(columns));
        let is_divided = self.boards.has_numbers() || self.boards.per_page.is_some();
        for piece in &group.pieces {
            for (index, begins_game) in piece.indices_with_starts() {
                let caption = self.caption.lines(columns, &piece.table, (index, begins_game));
                let out = &mut encoded.bytes;
                let mut append = |board: Option<&Board>| {
                    if self.boards.has_numbers() {
                        return Some(page::append_numbered_figure(board, &caption, out));
                    }
                    page::append_figure(board, &caption, out);
                    None
                };
                let drawn = drawing.draw(&piece.table, index, |board| append(Some(board)));
                let place = drawn.unwrap_or_else(|| append(None));
                if is_divided {
                    let solution = solver.as_ref().and_then(|solver| solver.solution(&piece.table, index));
                    encoded.numbered.push(NumberedFigure { place, end: encoded.bytes.len(), solution });
                }
            }
        }
        Ok(())
    }
}

/// Joins the figures, numbers them, and ends the page with the solutions and the number of figures that are not on it.
struct Page {
    head: Vec<u8>,
    is_empty: bool,
    left_out: u64,
    /// The number of figures so far, if they have numbers or there is a limit on a printed page.
    number: u64,
    /// The number of figures on a printed page.
    per_page: Option<u64>,
    solutions: Vec<(u64, String)>,
}

impl Assemble for Page {
    fn head(&self) -> &[u8] {
        &self.head
    }

    fn assemble(&mut self, encoded: &mut Encoded, write: &mut dyn FnMut(&[u8])) -> Result<(), ExportError> {
        self.is_empty &= encoded.bytes.is_empty();
        self.left_out += encoded.left_out.boards;
        let mut from = 0;
        for NumberedFigure { place, end, solution } in encoded.numbered.drain(..) {
            if self.number > 0 && self.per_page.is_some_and(|most| self.number.is_multiple_of(most)) {
                let mut between = Vec::new();
                page::end_boards(&mut between);
                page::begin_boards(&mut between);
                write(&between);
            }
            self.number += 1;
            if let Some(place) = place {
                write(&encoded.bytes[from..place]);
                write(self.number.to_string().as_bytes());
                from = place;
            }
            write(&encoded.bytes[from..end]);
            from = end;
            self.solutions.extend(solution.map(|solution| (self.number, solution)));
        }
        write(&encoded.bytes[from..]);
        Ok(())
    }

    fn end(self: Box<Self>) -> Result<Vec<u8>, ExportError> {
        let mut end = Vec::new();
        page::end_boards(&mut end);
        if !self.solutions.is_empty() {
            page::append_solutions(&self.solutions, &mut end);
        }
        if self.left_out > 0 {
            page::append_note(&page::left_out(self.left_out), &mut end);
        } else if self.is_empty {
            page::append_note("There are no positions.", &mut end);
        }
        page::append_end(&mut end);
        Ok(end)
    }
}
