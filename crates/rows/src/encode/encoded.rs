//! The rows of a block, before and after encoding.

#[cfg(feature = "arrow")]
use arrow_array::RecordBatch;
#[cfg(feature = "arrow")]
use arrow_buffer::Buffer;

use crate::encode::export_error::ExportError;
use crate::encode::pictures::Picture;
use crate::table::group::Group;
use crate::table::{self, Table};
use pgn2fen_chess::fen::FenWriter;
use pgn2fen_games::walk::BlockResult;
use pgn2fen_games::walk::LeftOut;
#[cfg(feature = "parquet")]
use pgn2fen_tables::parquet_file::RowGroup;

/// The rows of a block in three stages: in a table, then in groups, then encoded.
#[derive(Default)]
pub(crate) struct EncodedRows {
    pub(crate) table: Table,
    pub(crate) groups: Vec<Group>,
    pub(crate) encoded: Encoded,
    /// Empty tables, whose memory other blocks use again.
    pub(crate) spares: Vec<Table>,
    /// The writer that is reused from block to block: it copies the parts that the next FEN shares with the last.
    pub(crate) writer: Option<FenWriter>,
}

/// Encoded rows.
#[derive(Default)]
pub(crate) struct Encoded {
    pub(crate) bytes: Vec<u8>,
    /// Bytes behind these, which are written without being copied.
    #[cfg(feature = "arrow")]
    pub(crate) buffers: Vec<Buffer>,
    #[cfg(feature = "parquet")]
    pub(crate) row_groups: Vec<RowGroup>,
    #[cfg(feature = "arrow")]
    pub(crate) record_batches: Vec<RecordBatch>,
    pub(crate) pictures: Vec<Picture>,
    /// The figures among the bytes that get a number, in order.
    pub(crate) numbered: Vec<NumberedFigure>,
    /// The part of the output to which each run of bytes belongs, and the end of the run. Empty if there is one part.
    pub(crate) parts: Vec<(u16, usize)>,
    /// The rows that are left out.
    pub(crate) left_out: LeftOut,
    pub(crate) failure: Option<ExportError>,
}

/// A figure of a page, whose number depends on the figures before it.
pub(crate) struct NumberedFigure {
    /// The place of its number among the encoded bytes. None if it is not shown.
    pub(crate) place: Option<usize>,
    /// The place of its end among the encoded bytes.
    pub(crate) end: usize,
    pub(crate) solution: Option<String>,
}

/// The most memory for bytes that is kept when rows are cleared, in bytes. A usual block needs less.
const MOST_KEPT: usize = 16 * 1024 * 1024;

impl Encoded {
    /// Removes everything and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        self.bytes.shrink_to(MOST_KEPT);
        #[cfg(feature = "arrow")]
        self.buffers.clear();
        #[cfg(feature = "parquet")]
        self.row_groups.clear();
        #[cfg(feature = "arrow")]
        self.record_batches.clear();
        self.pictures.clear();
        self.numbered.clear();
        self.parts.clear();
        self.left_out = LeftOut::default();
        self.failure = None;
    }

    /// The size in memory, about, in bytes.
    fn weight(&self) -> usize {
        let weight = self.bytes.len() + self.pictures.iter().map(|picture| picture.bytes.len()).sum::<usize>();
        #[cfg(feature = "parquet")]
        let weight = weight + self.row_groups.iter().map(RowGroup::weight).sum::<usize>();
        #[cfg(feature = "arrow")]
        let weight = weight
            + self.buffers.iter().map(Buffer::capacity).sum::<usize>()
            + self.record_batches.iter().map(RecordBatch::get_array_memory_size).sum::<usize>();
        weight
    }
}

impl BlockResult for EncodedRows {
    type Mark = table::Mark;

    fn mark(&self) -> table::Mark {
        self.table.mark()
    }

    fn go_back_to(&mut self, mark: table::Mark) {
        self.table.truncate(mark);
    }

    fn clear(&mut self) {
        self.table.clear();
        self.groups.clear();
        self.encoded.clear();
    }

    fn weight(&self) -> usize {
        self.encoded.weight() + self.groups.iter().map(|group| group.weight).sum::<usize>()
    }

    fn retain(&mut self, is_wanted: &[bool]) {
        self.table.retain(|row| is_wanted[row]);
    }
}

#[cfg(test)]
mod tests {
    #[cfg(feature = "arrow")]
    #[test]
    fn unused_memory_of_buffers_has_weight() {
        use crate::encode::encoded::{Buffer, Encoded};

        let mut bytes = Vec::with_capacity(1000);
        bytes.push(0_u8);
        let encoded = Encoded { buffers: vec![Buffer::from_vec(bytes)], ..Encoded::default() };
        assert!(encoded.weight() >= 1000);
    }

    #[test]
    fn bytes_that_wait_to_be_written_have_weight() {
        use crate::encode::encoded::{Encoded, EncodedRows};
        use pgn2fen_games::walk::BlockResult;

        let encoded = Encoded { bytes: vec![b'x'; 1000], ..Encoded::default() };
        assert!(EncodedRows { encoded, ..EncodedRows::default() }.weight() >= 1000);
    }
}
