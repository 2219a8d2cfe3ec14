//! A picture that waits for its file.

use crate::rows::pictures::names::RowName;

/// A picture, and the part of its name that is known from its row.
#[derive(Debug)]
pub(in crate::rows) struct Picture {
    pub(super) name: RowName,
    pub(in crate::rows) bytes: Vec<u8>,
}
