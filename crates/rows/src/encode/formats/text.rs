//! The common part of text formats and of formats for trainers: encoded rows are written without further change.

use crate::columns::Columns;
use crate::encode::encoded::Encoded;
use crate::encode::export_error::ExportError;
use crate::encode::formats::values::append_fen;
use crate::encode::{Assemble, Encode};
use crate::table::group::{Division, Group, GroupPiece};

/// Encodes the rows of one piece after another.
pub(super) struct Pieces {
    pub(super) append: AppendPiece,
    pub(super) division: Division,
}

/// Appends the rows of a piece. Counts those that are left out.
pub(super) type AppendPiece = fn(&Columns, &GroupPiece, &mut Encoded);

impl Encode for Pieces {
    fn division(&self) -> Division {
        self.division
    }

    fn encode(&self, columns: &Columns, group: &Group, encoded: &mut Encoded) -> Result<(), ExportError> {
        group.pieces.iter().for_each(|piece| (self.append)(columns, piece, encoded));
        Ok(())
    }
}

/// Appends each position as a command `position fen …`.
pub(super) fn uci(_: &Columns, piece: &GroupPiece, encoded: &mut Encoded) {
    let out = &mut encoded.bytes;
    for index in piece.indices() {
        out.extend_from_slice(b"position fen ");
        append_fen(piece, index, out);
        out.push(b'\n');
    }
}

/// Writes the bytes as they were encoded.
pub(crate) struct Bytes {
    /// The bytes before all rows.
    pub(crate) head: Vec<u8>,
    /// The bytes after all rows.
    pub(crate) end: Vec<u8>,
}

impl Assemble for Bytes {
    fn head(&self) -> &[u8] {
        &self.head
    }

    fn assemble(&mut self, encoded: &mut Encoded, write: &mut dyn FnMut(&[u8])) -> Result<(), ExportError> {
        write(&encoded.bytes);
        #[cfg(feature = "arrow")]
        encoded.buffers.drain(..).for_each(|buffer| write(&buffer));
        Ok(())
    }

    fn end(self: Box<Self>) -> Result<Vec<u8>, ExportError> {
        Ok(self.end)
    }
}
