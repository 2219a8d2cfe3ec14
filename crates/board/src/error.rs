//! Errors of this module.

use std::error::Error;
use std::fmt;

/// A text that is not a colour, an arrow or a set of colours, or a picture that cannot be made. It is displayed as a
/// phrase in lower case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardError(pub(super) String);

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for BoardError {}
