//! The traits that a format implements: one encodes rows, one joins them.

pub mod answers;
pub(crate) mod boards;
pub(crate) mod caption;
pub mod cards;
pub(crate) mod encoded;
pub(crate) mod encoder;
pub(crate) mod export_error;
pub(crate) mod formats;
pub mod lines;
pub mod page;
pub(crate) mod pictures;
mod puzzle;
#[cfg(feature = "arrow")]
pub(crate) mod row_batches;
mod sheet;
mod solver;

use crate::columns::Columns;
use crate::encode::encoded::Encoded;
use crate::encode::export_error::ExportError;
use crate::table::group::{Division, Group};

/// Encodes groups of rows, on any thread.
pub(crate) trait Encode: Send + Sync {
    /// Returns how rows are divided into groups.
    fn division(&self) -> Division;

    /// Encodes a group of rows.
    fn encode(&self, columns: &Columns, group: &Group, encoded: &mut Encoded) -> Result<(), ExportError>;
}

/// Joins encoded groups in the order of the file.
pub(crate) trait Assemble: Send {
    /// Returns the bytes before all rows.
    fn head(&self) -> &[u8];

    /// Takes the next encoded rows, and passes the next bytes of the output to `write`, in one piece or in several.
    fn assemble(&mut self, encoded: &mut Encoded, write: &mut dyn FnMut(&[u8])) -> Result<(), ExportError>;

    /// Returns the bytes after all rows.
    fn end(self: Box<Self>) -> Result<Vec<u8>, ExportError>;
}

/// The two halves of a format: an encoder for any thread, and an assembler for the thread that writes.
pub(crate) struct OpenFormat {
    pub(crate) encode: Box<dyn Encode>,
    pub(crate) assemble: Box<dyn Assemble>,
}
