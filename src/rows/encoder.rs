//! Groups of rows → encoded rows, on any thread.

use std::fmt;
use std::sync::Arc;

use crate::rows::column::Columns;
use crate::rows::encode::Encode;
use crate::rows::encoded::EncodedRows;
use crate::rows::table::Table;

/// The most empty tables that are kept with a block. More of them would wait with blocks that are not needed for a while.
const MOST_SPARES: usize = 3;

/// Encodes groups of rows in a format.
pub(crate) struct Encoder {
    pub(crate) columns: Columns,
    pub(crate) format: Box<dyn Encode>,
}

impl fmt::Debug for Encoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Encoder").field("columns", &self.columns).finish_non_exhaustive()
    }
}

impl Encoder {
    /// Encodes the groups. Tables that are no longer needed are cleared and put back into `rows`, so that their memory is reused.
    pub(crate) fn encode(&self, rows: &mut EncodedRows) {
        for group in std::mem::take(&mut rows.groups) {
            if let Err(error) = self.format.encode(&self.columns, &group, &mut rows.encoded) {
                rows.encoded.failure = Some(error);
            }
            rows.spares.extend(group.pieces.into_iter().filter_map(|piece| Arc::into_inner(piece.table)));
        }
        rows.spares.truncate(MOST_SPARES);
        rows.spares.iter_mut().for_each(Table::clear);
        if let Some(table) = rows.spares.pop() {
            rows.table = table;
        }
    }
}
