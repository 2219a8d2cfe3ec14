//! The common part of text formats: encoded rows are written without further change.

use crate::columns::Columns;
use crate::encode::{Assemble, Encode};
use crate::encoded::Encoded;
use crate::error::ExportError;
use crate::group::{Group, GroupPiece};

/// Encodes rows as lines, with a function that appends the rows of a piece.
pub(super) struct Lines(pub(super) fn(&Columns, &GroupPiece, &mut Vec<u8>));

impl Encode for Lines {
    fn encode(&self, columns: &Columns, group: &Group, encoded: &mut Encoded) -> Result<(), ExportError> {
        for piece in &group.pieces {
            (self.0)(columns, piece, &mut encoded.bytes);
        }
        Ok(())
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
