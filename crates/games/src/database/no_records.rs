//! The replacement for the readers of records if the feature `records` is disabled: nothing is recognised.

use std::io::Read;

use crate::database::tabular::TableGames;

/// The layout of a file of records. There is none.
#[derive(Clone, Copy)]
pub(super) enum Layout {}

impl Layout {
    /// Returns nothing for every file.
    pub(super) fn detect(_: &[u8]) -> Option<Self> {
        None
    }

    /// Whether only one site writes such records.
    pub(super) fn is_of_site(&self) -> bool {
        match *self {}
    }

    /// Whether each record is a line of the file.
    pub(super) fn is_lines(&self) -> bool {
        match *self {}
    }

    /// Returns the name of a layout.
    pub(super) fn name(&self) -> &'static str {
        match *self {}
    }
}

/// Returns the games of a text of a layout.
pub(super) fn games(_: Box<dyn Read + Send>, layout: Layout) -> TableGames {
    match layout {}
}
