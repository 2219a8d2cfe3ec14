//! A picture that waits for its file.

use crate::encode::pictures::names::RowName;

/// A picture, and the part of its name that is known from its row.
#[derive(Debug)]
pub(crate) struct Picture {
    pub(super) name: RowName,
    pub(crate) bytes: Vec<u8>,
}
