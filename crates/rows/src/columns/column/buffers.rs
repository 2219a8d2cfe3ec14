//! The values of all columns.

use crate::columns::column::Column;
use crate::table::buffer::Buffer;

/// The values of all columns, by the numbers of the columns. The last buffer, that of tags, stays empty.
#[derive(Debug)]
pub(crate) struct Buffers(pub(crate) [Buffer; Column::COUNT + 1]);

impl Default for Buffers {
    fn default() -> Self {
        Self([const { Buffer::Empty }; Column::COUNT + 1])
    }
}
