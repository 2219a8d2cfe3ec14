//! The replacement for the readers of training data if the feature `training` is disabled: nothing is recognised.

use std::io::Read;
use std::path::Path;

use crate::database::tabular::TableGames;

/// The layout of a file of training data. There is none.
#[derive(Clone, Copy)]
pub(super) enum Layout {}

impl Layout {
    /// Returns nothing for every file.
    pub(super) fn detect(_: &[u8], _: Option<&Path>) -> Option<Self> {
        None
    }

    /// Returns the name of a layout.
    pub(super) fn name(self) -> &'static str {
        match self {}
    }
}

/// Returns the games of a file of a layout.
pub(super) fn games(_: Box<dyn Read + Send>, layout: Layout, _: bool) -> TableGames {
    match layout {}
}
