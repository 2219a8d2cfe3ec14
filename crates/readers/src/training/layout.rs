//! The formats of training data, recognised by their first bytes.

use std::path::Path;

use crate::training::{binpack, bulletformat, viri};

/// The format of a file of training data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    Binpack,
    Viri,
    Bulletformat,
}

impl Layout {
    /// Returns the format of a file with these first bytes. A file that is not text may also be told by its name.
    pub(crate) fn detect(head: &[u8], name: Option<&Path>) -> Option<Self> {
        if binpack::begins_chunk(head) {
            Some(Self::Binpack)
        } else if bulletformat::begins_records(head) {
            Some(Self::Bulletformat)
        } else if viri::begins_game(head) {
            Some(Self::Viri)
        } else {
            Self::of_ending(name?).filter(|_| head.is_empty() || head.contains(&0))
        }
    }

    /// Returns the format whose files have the ending of a name.
    fn of_ending(name: &Path) -> Option<Self> {
        match name.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "binpack" => Some(Self::Binpack),
            "viri" | "viriformat" | "vf" => Some(Self::Viri),
            "bulletformat" => Some(Self::Bulletformat),
            _ => None,
        }
    }

    /// Returns the kind of file.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Binpack => "a binpack file",
            Self::Viri => "a viriformat file",
            Self::Bulletformat => "a bulletformat file",
        }
    }

    /// Returns the name of the format.
    pub(super) fn format(self) -> &'static str {
        match self {
            Self::Binpack => "binpack",
            Self::Viri => "viriformat",
            Self::Bulletformat => "bulletformat",
        }
    }
}
