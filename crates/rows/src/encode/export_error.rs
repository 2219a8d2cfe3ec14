//! The error of a format.

use std::error::Error;
use std::fmt;

/// The error for rows that a format cannot encode. Its source is the error of the package that implements the format.
#[derive(Debug)]
pub struct ExportError(Box<dyn Error + Send + Sync>);

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("cannot encode the rows")
    }
}

impl Error for ExportError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&*self.0)
    }
}

impl ExportError {
    pub(crate) fn new(error: impl Error + Send + Sync + 'static) -> Self {
        Self(Box::new(error))
    }
}
