//! The error for a wrong line of a names file.

use std::error::Error;
use std::fmt;

/// The error for a wrong line of a names file. It is displayed as line, column and reason: `12:3: …`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamesError {
    line: u64,
    column: u64,
    reason: String,
}

impl NamesError {
    pub(super) fn new(line: u64, column: u64, reason: impl Into<String>) -> Self {
        Self { line, column, reason: reason.into() }
    }

    /// Returns the line, counted from 1.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// Returns the column in characters, counted from 1.
    pub fn column(&self) -> u64 {
        self.column
    }
}

impl fmt::Display for NamesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, column, reason } = self;
        write!(f, "{line}:{column}: {reason}")
    }
}

impl Error for NamesError {}
