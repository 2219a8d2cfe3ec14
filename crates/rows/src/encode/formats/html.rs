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

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use crate::testing::written;
    use crate::{BoardOptions, Format, Rows, page};
    use pgn2fen_board::Board;
    use pgn2fen_chess::testing::position;

    const TEXT: &str = "\
[Event \"Match\"]\n[White \"Tal\"]\n[Black \"?\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \\\"E1\\\";\"]\n
1. e4 Kd7 *

[White \"Euwe\"]\n\n*
";

    /// The FENs of the positions, and the moves to them.
    const POSITIONS: [&str; 4] = [
        "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
        "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1",
        "8/3k4/8/8/4P3/8/8/4K3 w - - 1 2",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ];

    /// Compares the part of a page behind its title. `expected` has the numbers of positions in place of their boards.
    #[track_caller]
    fn check(boards: BoardOptions, text: &str, expected: &str) {
        let boards = BoardOptions { last_move: false, ..boards };
        let rows = Rows::new().format(Format::Html).boards(boards.clone());
        let (html, _) = written(&rows, text);
        let mut head = Vec::new();
        page::append_head_with(&boards.title, &boards.page_style(), &mut head);
        let body = html.strip_prefix(str::from_utf8(&head).unwrap()).unwrap();
        let body = body.strip_suffix("</main>\n</body>\n</html>\n").unwrap();
        let boards = POSITIONS.map(|fen| Board::of(&position(fen)).to_page_element());
        let body = boards
            .iter()
            .zip('0'..)
            .fold(body.to_owned(), |body, (board, nth)| body.replace(board, &format!("({nth})")));
        assert_eq!(body, expected);
    }

    #[test]
    fn a_page_has_a_figure_for_each_position() {
        check(
            BoardOptions::default(),
            TEXT,
            "<div class=\"boards\">\n\
             <figure>(0)<figcaption><b>E1</b><br/>Tal – ?<br/>Match<br/>White to move<br/>Best move: e4\
             </figcaption></figure>\n\
             <figure>(1)<figcaption><b>1. e4</b><br/>Black to move</figcaption></figure>\n\
             <figure>(2)<figcaption><b>1… Kd7</b><br/>White to move</figcaption></figure>\n\
             <figure>(3)<figcaption><b>Euwe – ?</b><br/>Starting position<br/>White to move</figcaption></figure>\n\
             </div>\n",
        );
    }

    #[test]
    fn a_page_of_no_positions_says_so() {
        let expected = "<div class=\"boards\">\n</div>\n<p class=\"note\">There are no positions.</p>\n";
        check(BoardOptions::default(), "", expected);
    }

    #[test]
    fn boards_beyond_the_limit_are_counted() {
        let boards = BoardOptions { max_boards: Some(1), title: "One & only".to_owned(), ..BoardOptions::default() };
        check(
            boards,
            "1. e4 e5 *",
            "<div class=\"boards\">\n\
             <figure>(3)<figcaption><b>No. 1</b><br/>Starting position<br/>White to move</figcaption></figure>\n\
             </div>\n\
             <p class=\"note\">2 more boards are not on this page, because their number is limited.</p>\n",
        );
    }

    #[test]
    fn boards_have_numbers_and_pages_and_solutions() {
        let per_page = NonZeroU32::new(2);
        let boards = BoardOptions { numbers: true, per_page, ..BoardOptions::default() };
        let number = |number: u8, caption: &str| {
            format!("<figcaption><span class=\"number\">{number}</span> {caption}</figcaption></figure>\n")
        };
        let numbered = [
            "<div class=\"boards\">\n<figure>(0)",
            &number(1, "<b>E1</b><br/>Tal – ?<br/>Match<br/>White to move<br/>Best move: e4"),
            "<figure>(1)",
            &number(2, "<b>1. e4</b><br/>Black to move"),
            "</div>\n<div class=\"boards\">\n<figure>(2)",
            &number(3, "<b>1… Kd7</b><br/>White to move"),
            "<figure>(3)",
            &number(4, "<b>Euwe – ?</b><br/>Starting position<br/>White to move"),
            "</div>\n",
        ];
        check(boards, TEXT, &numbered.concat());
        let solved = BoardOptions { solutions: true, ..BoardOptions::default() };
        let tasks = [
            "<div class=\"boards\">\n<figure>(0)",
            &number(1, "<b>E1</b><br/>Tal – ?<br/>Match<br/>White to move"),
            "<figure>(1)",
            &number(2, "<b>1. e4</b><br/>Black to move"),
            "<figure>(2)",
            &number(3, "<b>1… Kd7</b><br/>White to move"),
            "<figure>(3)",
            &number(4, "<b>Euwe – ?</b><br/>White to move"),
            "</div>\n<section class=\"solutions\">\n<h2>Solutions</h2>\n<ul>\n<li><b>1</b> e4</li>\n\
             <li><b>2</b> 1… Kd7</li>\n</ul>\n</section>\n",
        ];
        check(solved, TEXT, &tasks.concat());
        // The boards of a printed page need no numbers to be counted.
        let paged = BoardOptions { per_page: NonZeroU32::new(3), ..BoardOptions::default() };
        let rows = Rows::new().format(Format::Html).boards(paged);
        let (html, _) = written(&rows, TEXT);
        let groups: Vec<usize> =
            html.split("<div class=\"boards\">").skip(1).map(|group| group.matches("<figure>").count()).collect();
        assert_eq!((groups, html.contains("class=\"number\"")), (vec![3, 1], false));
    }
}
