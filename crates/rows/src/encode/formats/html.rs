//! The format `html`: one page of boards, with the columns as captions.

use crate::columns::Columns;
use crate::encode::boards::{BoardOptions, draw};
use crate::encode::caption::Caption;
use crate::encode::encoded::Encoded;
use crate::encode::export_error::ExportError;
use crate::encode::page;
use crate::encode::{Assemble, Encode, OpenFormat};
use crate::table::group::{Division, Group};

/// Begins a page.
pub(super) fn open(caption: Caption, boards: &BoardOptions) -> OpenFormat {
    let mut head = Vec::new();
    page::append_head_of(&boards.title, boards.size, &mut head);
    page::begin_boards(&mut head);
    OpenFormat {
        encode: Box::new(Figures { caption, boards: boards.clone() }),
        assemble: Box::new(Page { head, is_empty: true, left_out: 0 }),
    }
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
        for piece in &group.pieces {
            for (index, begins_game) in piece.indices_with_starts() {
                let caption = self.caption.lines(columns, &piece.table, (index, begins_game));
                let out = &mut encoded.bytes;
                let drawn = draw(&piece.table, index, &self.boards, |board| {
                    page::append_figure(Some(board), &caption, out);
                });
                if drawn.is_none() {
                    page::append_figure(None, &caption, out);
                }
            }
        }
        Ok(())
    }
}

/// Joins the figures, and ends the page with the number of those that are not on it.
struct Page {
    head: Vec<u8>,
    is_empty: bool,
    left_out: u64,
}

impl Assemble for Page {
    fn head(&self) -> &[u8] {
        &self.head
    }

    fn assemble(&mut self, encoded: &mut Encoded, write: &mut dyn FnMut(&[u8])) -> Result<(), ExportError> {
        self.is_empty &= encoded.bytes.is_empty();
        self.left_out += encoded.left_out.boards;
        write(&encoded.bytes);
        Ok(())
    }

    fn end(self: Box<Self>) -> Result<Vec<u8>, ExportError> {
        let mut end = Vec::new();
        page::end_boards(&mut end);
        if self.left_out > 0 {
            page::append_note(&page::left_out(self.left_out), &mut end);
        } else if self.is_empty {
            page::append_note("There are no positions.", &mut end);
        }
        page::append_end(&mut end);
        Ok(end)
    }
}
