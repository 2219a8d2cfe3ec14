//! The rows of a block, and what becomes of them.

use crate::fen::FenWriter;
use crate::rows::export::Product;
use crate::rows::table::{self, Table};
use crate::walk::Made;

/// Rows in a table at first, then in the bytes of a format.
#[derive(Debug, Default)]
pub(crate) struct EncodedRows {
    pub(crate) table: Table,
    pub(crate) product: Product,
    /// Kept from block to block for what the next FEN may have in common with the last.
    pub(crate) writer: Option<FenWriter>,
}

impl Made for EncodedRows {
    type Mark = table::Mark;

    fn mark(&self) -> table::Mark {
        self.table.mark()
    }

    fn go_back_to(&mut self, mark: table::Mark) {
        self.table.truncate(mark);
    }

    fn clear(&mut self) {
        self.table.clear();
        self.product.clear();
    }

    fn weight(&self) -> usize {
        self.product.weight()
    }

    fn retain(&mut self, is_wanted: &[bool]) {
        self.table.retain(|row| is_wanted[row]);
    }
}
