//! Groups of rows → encoded rows, on any thread.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

use crate::columns::Columns;
use crate::encode::Encode;
use crate::encode::encoded::{Encoded, EncodedRows};
use crate::table::Table;
use crate::table::group::Group;

/// The most empty tables that are kept with a block. More of them would wait with blocks that are not needed for a
/// while.
const MOST_SPARES: usize = 3;

/// The size of the groups that a worker encodes before they are delivered, about, in bytes.
const MOST_AT_ONCE: usize = 32 * 1024 * 1024;

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
    /// Encodes the groups. If they are large, some are left for [`deliver`](Self::deliver). Tables that are no longer
    /// needed are cleared and put back into `rows`, so that their memory is reused.
    pub(crate) fn encode(&self, rows: &mut EncodedRows) {
        let mut weight = 0;
        let mut fits = |group: &Group| {
            let is_first = weight == 0;
            weight += group.weight;
            is_first || weight <= MOST_AT_ONCE
        };
        let count = rows.groups.iter().take_while(|group| fits(group)).count();
        for group in rows.groups.drain(..count) {
            self.encode_group(&group, &mut rows.encoded);
            rows.spares.extend(group.pieces.into_iter().filter_map(|piece| Arc::into_inner(piece.table)));
        }
        rows.spares.truncate(MOST_SPARES);
        rows.spares.iter_mut().for_each(Table::clear);
        if let Some(table) = rows.spares.pop() {
            rows.table = table;
        }
    }

    /// Passes on the encoded rows, and encodes the groups that were left, one after another. So a few rows are held in
    /// their encoded form, of which a game of a kilobyte may have gigabytes.
    pub(crate) fn deliver(
        &self,
        rows: &mut EncodedRows,
        mut take: impl FnMut(&mut Encoded) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        take(&mut rows.encoded)?;
        for group in rows.groups.drain(..) {
            rows.encoded.clear();
            self.encode_group(&group, &mut rows.encoded);
            drop(group);
            take(&mut rows.encoded)?;
        }
        ControlFlow::Continue(())
    }

    fn encode_group(&self, group: &Group, encoded: &mut Encoded) {
        if let Err(error) = self.format.encode(&self.columns, group, encoded) {
            encoded.failure = Some(error);
        }
    }
}
