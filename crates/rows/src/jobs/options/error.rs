//! The error for options.

use std::error::Error;
use std::fmt;

/// The error for an option that does not exist, has a wrong value, or does not go with the others. Its text names the
/// option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionError {
    text: String,
}

impl OptionError {
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self { text: text.into() }
    }
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Error for OptionError {}
