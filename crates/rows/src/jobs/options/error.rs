//! The error for options.

use std::error::Error;
use std::fmt;

/// The error for an option that does not exist, has a wrong value, or does not go with the others. Its text names the
/// option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionError {
    text: String,
    reason: Option<String>,
}

impl OptionError {
    /// The error with a text that names the option by a reference.
    #[doc(hidden)]
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), reason: None }
    }

    /// The error for a value, with what is wrong with it for a program that names the option and the value itself.
    #[doc(hidden)]
    pub fn of_value(text: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { text: text.into(), reason: Some(reason.into()) }
    }

    /// Returns what is wrong, for a message that names the option and its value: `not a whole number`.
    pub fn reason(&self) -> &str {
        self.reason.as_deref().unwrap_or(&self.text)
    }
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Error for OptionError {}
