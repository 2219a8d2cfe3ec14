//! Groups of rows → encoded rows, on any thread.

use std::fmt;
use std::sync::Arc;

use crate::rows::column::Columns;
use crate::rows::encode::Encode;
use crate::rows::encoded::EncodedRows;

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
    /// Encodes the groups. A table that is no longer needed is cleared and put back into `rows`, so that its memory is reused.
    pub(crate) fn encode(&self, rows: &mut EncodedRows) {
        let mut spare = None;
        for group in std::mem::take(&mut rows.groups) {
            if let Err(error) = self.format.encode(&self.columns, &group, &mut rows.encoded) {
                rows.encoded.failure = Some(error);
            }
            spare = group.pieces.into_iter().filter_map(|piece| Arc::into_inner(piece.table)).next_back().or(spare);
        }
        if let Some(mut table) = spare {
            table.clear();
            rows.table = table;
        }
    }
}
